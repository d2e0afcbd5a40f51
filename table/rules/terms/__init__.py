"""The words of the game: tiles, seats, melds, results, announcements, errors."""
