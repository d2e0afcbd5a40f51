"""One aspect of a hand per module: what it knows of the draft, how it changes, and what it says or asks about that.

`advance` and `transitions` call them, in the order that an event needs, and so do `fouls`; an aspect asks another where
its own rule depends on that one. What several of them move (`phase`, `claimable`, `has_passed`, `claims`, `abort`,
`pending`) is moved by `table.rules.hand_phase` alone.
"""
