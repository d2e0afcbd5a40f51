"""Standing hands are never read, and are painted over in everything that is shown or stored."""
