"""Locates and reads tiles and sticks with the models, and checks the readings against one set."""
