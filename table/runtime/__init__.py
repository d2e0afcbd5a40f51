"""Shared by all packages: errors, clock, worker thread."""
