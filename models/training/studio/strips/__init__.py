"""Strips of known tables, on which the reader of sticks is trained."""
