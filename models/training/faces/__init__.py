"""How a tile's face looks: styles, glyphs, circles, bamboo, art sets."""
