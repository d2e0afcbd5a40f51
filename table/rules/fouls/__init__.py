"""Fouls in the game: which are possible, what was seen of one, what it does in its hand, and how it ends one."""
