"""Whose tile it is, in which zone, in which order."""
