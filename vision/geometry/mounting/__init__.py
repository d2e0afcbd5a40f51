"""Planning: where a camera must hang or stand so that it sees the whole table."""
