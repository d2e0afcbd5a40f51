"""Photographs of tables: scenes, layouts, clutter, renderer, and crops."""
