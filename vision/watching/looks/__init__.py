"""What one look at the table shows: what was found and may be read in it, and which sides of tiles are seen."""
