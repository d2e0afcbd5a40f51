"""Games in the mjai dialect, read and written."""
