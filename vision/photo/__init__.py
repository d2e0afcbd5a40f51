"""Reads single photographs and draws the result."""
