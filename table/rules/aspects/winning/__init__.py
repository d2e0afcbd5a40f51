"""Claimed wins: the claims and their effects, shown hands, wins on unseen tiles, and liability."""
