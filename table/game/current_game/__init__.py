"""The game on the table: its value, the entries that change it, and its snapshot."""
