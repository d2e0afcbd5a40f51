"""Computer vision: from pixels to the objects on the felt."""
