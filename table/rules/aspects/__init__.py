"""One aspect of a hand per module; `table.rules.advance` calls them in turn."""
