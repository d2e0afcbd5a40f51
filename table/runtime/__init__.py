"""What every room may use: errors, clock, worker thread, strict TOML."""
