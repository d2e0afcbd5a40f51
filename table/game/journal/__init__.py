"""The journal, the only truth: what happened, in order, and the fold that makes the state of it."""
