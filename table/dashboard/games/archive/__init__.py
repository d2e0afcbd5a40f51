"""All games of a journal: read once each, in the background if there are many, with their totals and their people."""
