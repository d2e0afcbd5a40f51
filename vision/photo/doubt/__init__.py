"""Marks as doubtful what reads like a tile in a photograph although the things around it speak against a tile."""
