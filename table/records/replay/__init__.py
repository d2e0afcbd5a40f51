"""Replays recordings of the camera, with the presses beside them, and compares the result with the truth."""
