"""Tests over the real picamera2 and libcamera's own types, in a Debian trixie that is made for them once."""
