"""Doubts of what reads like a tile in a photograph where the things around it speak against one."""
