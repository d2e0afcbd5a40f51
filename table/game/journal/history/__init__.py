"""What a journal tells of its games: their course, who changed what, rounds of tournaments, summaries."""
