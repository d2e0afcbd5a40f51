"""Reads and writes games in mjai."""
