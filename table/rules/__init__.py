"""The rules of riichi: pure, with a single entry point, no clock and no files."""
