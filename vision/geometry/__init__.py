"""Geometry: calibration, the table's corners, the top view, quads and regions of interest."""
