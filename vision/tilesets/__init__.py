"""A user's own tiles: scanned, stored in a file, corrected, and distinguished from a second set."""
