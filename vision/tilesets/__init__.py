"""A user's own tiles: scanned, kept in a file, corrected, and told from a second set."""
