"""Matches a look's finds with the tiles and sticks that are believed to lie there."""
