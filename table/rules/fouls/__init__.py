"""Fouls in the game: which ones are possible, their evidence, and their effects on a hand and its end."""
