"""The confidence thresholds: each probability and score that decides something, and its purpose.

A *reading's* score is a calibrated probability: of a hundred readings at 0.9, ten are wrong. The *locator's* score is
the network's raw output and means less. Thresholds that are not probabilities (shares of frames, similarities, times,
measurements) are in the modules that use them. The locator's minimum scores for a table seen from above come with its
weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# A reading's score

CERTAIN: Final = 0.95
"""A reading at this score stands, whatever the rest of the table or of its hand suggests."""
SURE: Final = 0.9
"""Below this a reading or belief is doubtful: it is read again, may be corrected, and does not support others."""
MARK_BELOW: Final = 0.85
"""A reading below this is drawn in amber and printed with a question mark, for people to look at."""
INDICATIVE: Final = 0.8
"""A reading at this score also indicates the size of tiles, which way is up, and which set is on the table."""
REPLACEMENT: Final = 0.8
"""A different reading at this score, in the place of a believed tile, counts as another tile."""
ASK_BELOW: Final = 0.6
"""Readings below this are asked about."""
LIKELY: Final = 0.5
"""What a hand comes over, maybe to take it, is told at this chance already: better with a doubt than never."""
BACK_SURE: Final = 0.5
"""The counterpart of `SURE` and `REPLACEMENT` for backs, which all look alike and score lower."""
RIVER_FACE: Final = 0.1
"""What reads as a back in a river is taken for its likeliest face from this chance on: nobody lays a back there."""
BY_COLOUR: Final = 0.93
"""How surely a blank tile is told that has the colour of this table's faces, or of its backs, and not of the others."""
POSSIBLE: Final = 0.05
"""A face less likely than this is ruled out."""
CONCEIVABLE: Final = 0.005
"""From this chance on a reader that took a tile for another face agrees with a person who names this one."""
PLAIN_NATS: Final = 7.0
"""What costs more than this, as the negative logarithm of a chance, was seen too plainly to be weighed otherwise."""

# The locator's score

UNREAD_TILE: Final = 0.75
"""A place in a photo that reads as no tile is told as `?` from this score on: a flower, a worn face."""
BACK_FOUND: Final = 0.66
"""What is found as surely and reads as a back is one, and shows the others' colour; 5 of a hundred backs score less."""
UNREAD_TILE_IN_SCAN: Final = 0.5
"""The same as `UNREAD_TILE` in a scan, where what reads as no tile may be the face that is to be learnt."""
FAINT_IN_PHOTO: Final = 0.45
"""What is found less surely in a photo is a tile only if its face reads as `INDICATIVE`."""
FAINT: Final = 0.3
"""What is found less surely on a watched table is a tile only if its face reads as `SURE`."""
LONE_TILE: Final = 0.65
"""What is found less surely in a photo, with fewer than three sure faces together, is told with a doubt …"""
LONE_TILE_ASKEW: Final = 0.8
"""… and from this score on where it is broader or longer than a tile."""
CANDIDATE: Final = 0.3
"""What is found less surely in a photo is not even read."""
STICK_SURE: Final = 0.6
"""A stick below this is doubtful: the locator is never as sure of one as the reader is of a face."""
STICK_IN_PHOTO: Final = 0.5
"""A stick in a photo counts beyond this score."""
STICK_VALUE: Final[Mapping[int, float]] = {1000: 0.85, 100: 0.85, 5000: 0.75, 10000: 0.75}
"""The chance at which each value is told. A riichi or a honba counts where it lies; a payment's stick does nothing."""
STICK_CANDIDATE: Final = 0.05
"""What may be a stick on a table from this score of the locator on is read in a strip of its own."""

# The score of a strip's reader

STICK_IN_STRIP: Final = 0.8
"""A stick lies in a strip from this score on …"""
RIICHI_IN_STRIP: Final = 0.5
"""… and one of 1000 where riichi sticks are laid from this one on: there nothing else looks like one."""
STRIP_VALUE: Final = 0.6
"""The chance at which its value is told."""
