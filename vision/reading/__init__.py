"""The models: locating and reading tiles, and checking the readings against one set."""
