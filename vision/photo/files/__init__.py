"""Photos as files: checking what decoding one costs, and decoding it."""
