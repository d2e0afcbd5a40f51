"""Assigns tiles to sides and zones, and puts them in order."""
