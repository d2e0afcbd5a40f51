"""One aspect of a hand per module: its part of the draft, how it changes, and its announcements and suspicions.

`advance`, `transitions` and `fouls` call them in the order that an event needs; an aspect calls another if its own rule
depends on it. Fields shared by several aspects (`phase`, `claimable`, `has_passed`, `claims`, `abort`, `pending`) are
changed only by `table.rules.hand_phase`.
"""
