"""The games of a journal: their course, who changed what, rounds of tournaments, summaries."""
