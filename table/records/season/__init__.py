"""A season: what everybody did over many games, counted from journals and game records. Pure but for its two files."""
