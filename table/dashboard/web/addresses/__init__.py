"""The addresses of the pages: those that phones open, the names served, and their QR codes."""
