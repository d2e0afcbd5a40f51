"""Tachiai's table: what the felt means in a game, and the consequences."""
