"""Commands about records of games, recordings, hands and rule sets."""
