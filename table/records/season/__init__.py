"""Season statistics of every player, counted from journals and game records. Pure except for its two files."""
