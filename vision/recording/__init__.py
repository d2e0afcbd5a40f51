"""The recording format, read and written, and the last minutes kept in memory."""
