"""Where a watched table lies in the frames, even if it or the camera is pushed, turned or lifted."""
