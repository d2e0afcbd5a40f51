"""What one look at the table shows: tiles, sticks, sides and tiles on top, and what is read again."""
