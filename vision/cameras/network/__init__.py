"""Cameras in the network, watched as a stream."""
