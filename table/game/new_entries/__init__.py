"""Entries about to be written: what commands change in the journal, and whether they may."""
