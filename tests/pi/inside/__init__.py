"""Tests that run in Debian trixie, over the real picamera2 and libcamera's own types."""
