"""How sticks lie on a table, and where its camera stands: for drawn and for path-traced tables."""
