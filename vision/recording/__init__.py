"""Reads and writes recordings, and buffers the last minutes in memory."""
