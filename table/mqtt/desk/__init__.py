"""The tournament desk: seating, the common clock, results, penalties and standings."""
