"""What every room may use: errors, clock, worker thread."""
