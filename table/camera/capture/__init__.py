"""The configured camera: its address, its thread, and which of its frames are processed."""
