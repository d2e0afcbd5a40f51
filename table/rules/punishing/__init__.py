"""Fouls in the game: `seen` what the tracker knows of one, `in_hand` what it does to the hand, `ending` how it ends."""
