"""Photos as files: what decoding one costs, and the picture in it."""
