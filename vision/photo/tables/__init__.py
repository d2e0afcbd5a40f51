"""A table in a photograph: found, and read through its plane."""
