"""Where a watched table lies in the frames, though it or the camera is pushed, turned or lifted."""
