"""The networks, their fitting and their export."""
