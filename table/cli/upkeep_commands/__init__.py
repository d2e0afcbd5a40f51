"""Commands that keep a table in order: whether it is well, and copies of its journal."""
