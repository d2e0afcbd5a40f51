"""Writes the journal of a game as mjai lines, and as the game record that these lines give."""
