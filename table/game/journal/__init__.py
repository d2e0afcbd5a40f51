"""The journal, the only source of truth: the entries of a table in order, and the fold that computes the state."""
