"""A tournament, computed from the acts at its desk: seating, rounds, results, penalties and standings."""
