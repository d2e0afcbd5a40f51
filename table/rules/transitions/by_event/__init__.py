"""Applies the events of a hand in play, by subject: tiles, riichi, wins and shown hands, fouls."""
