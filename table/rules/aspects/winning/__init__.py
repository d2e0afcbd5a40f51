"""Claimed wins: the claims and what they undo, the shown hands, wins on unseen tiles, and who is liable."""
