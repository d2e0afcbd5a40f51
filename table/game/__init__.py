"""The game in play: the only writer of its state, the input of people and camera, and its snapshots."""
