"""Photographs of one tile: samples, imagined sets, labelled photos."""
