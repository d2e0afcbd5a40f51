"""The faces of tiles: styles, glyphs, circles, bamboo, art sets."""
