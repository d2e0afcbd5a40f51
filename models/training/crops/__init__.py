"""How one tile is photographed: samples, imagined sets, labelled photos."""
