"""Reads a photo without a known table: everything in it, whatever stands or lies there."""
