"""Whether a picture shows the table well enough to be read: corners, light, pixels per millimetre, blur."""
