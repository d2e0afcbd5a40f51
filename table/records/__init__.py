"""Games outside the journal: other programs' formats, audits, replays, score sheets and hands as text."""
