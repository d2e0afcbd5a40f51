"""The rules of riichi: pure, one door, no clock, no file."""
