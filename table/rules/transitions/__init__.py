"""What an event does to a hand and a game: tiles, claims, aborts, ends, and what comes after them."""
