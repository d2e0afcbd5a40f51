"""Cameras of this machine: on a ribbon cable or on USB, with their settings measured once and locked."""
