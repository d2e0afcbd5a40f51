"""Applies the events of a hand in play, by what they are about: tiles, riichi, wins and shown hands, fouls."""
