"""What a look found, matched with the tiles and sticks that are believed to lie there."""
