"""Games outside the journal: other programs' formats, audits, replays, and score sheets."""
