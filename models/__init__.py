"""The trained weights, their manifests, and the code that made them."""
