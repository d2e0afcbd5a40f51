"""One aspect of a hand per module: its part of the draft, how it changes, and its announcements and suspicions.

`advance`, `transitions` and `fouls` call them in the order that an event needs; an aspect calls another if its own rule
depends on it. A function `on_…` applies that event, or moment, to the aspect. Fields shared by several aspects
(`phase`, `claimable_tile`, `has_passed`, `claims`, `abort`, `pending_abort`) are changed only by
`table.rules.hand_phase`.
"""
