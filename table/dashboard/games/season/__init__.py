"""The season: its pages, pictures, and figures, counted from the journal of the table."""
