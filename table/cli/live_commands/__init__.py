"""Commands that watch a table: the one that is played, the demo, its place in the picture, a recording of it."""
