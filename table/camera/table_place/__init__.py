"""Where the table lies in the camera's pictures, and how well it is seen."""
