"""The drawn table as a camera: scenes, gestures, animation, and the truth of each frame."""
