"""Compares what a record or a journal says of its hands with what the rules find."""
