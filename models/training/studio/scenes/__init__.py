"""The locator's scenes: layouts, clutter, backdrops, and their renderer."""
