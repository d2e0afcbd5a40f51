"""The networks, their training and their export."""
