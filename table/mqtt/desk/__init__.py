"""The tournament desk: who sits where in each round."""
