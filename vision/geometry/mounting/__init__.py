"""Planning where a camera must hang or stand to see the whole table."""
