"""The models: tiles are located and read, and weighed together as one set."""
