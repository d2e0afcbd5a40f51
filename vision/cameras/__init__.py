"""Cameras: sources of frames of a table."""
