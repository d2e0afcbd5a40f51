"""The table as it is played: its page, its API, the stream of events, private hints, joining."""
