"""Clips of flagged moments: recorded, kept on the disk, deleted."""
