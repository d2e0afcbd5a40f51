"""Standing hands are never read, and painted over in all that is shown or stored."""
