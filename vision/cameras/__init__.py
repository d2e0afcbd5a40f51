"""Cameras: whatever gives frames of a table."""
