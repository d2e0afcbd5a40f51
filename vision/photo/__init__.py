"""One photograph from file to drawing."""
