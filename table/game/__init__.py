"""The game in play: the one writer of its state, what people and the camera feed it, and its snapshots."""
