"""Clips of unsure moments: recorded, kept on the disk, deleted."""
