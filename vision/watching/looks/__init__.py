"""What one look at the table shows: the finds that may be read, and the visible sides of tiles."""
