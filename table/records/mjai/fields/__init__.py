"""The fields of mjai lines that need more than a name: tiles, melds, values of wins, ends, corrections."""
