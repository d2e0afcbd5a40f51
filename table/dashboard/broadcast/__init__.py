"""Transparent overlay pages for streaming software. They show the open state of the table, with a delay."""
