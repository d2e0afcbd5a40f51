"""Reads point sticks: where strips may lie, what each shows, and how their answers become sticks."""
