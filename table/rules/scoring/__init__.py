"""Hand values, payments, and the progress of a game."""
