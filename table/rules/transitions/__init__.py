"""Applies events to a hand and a game: tiles, claims, aborts, the end of a hand and of the game."""
