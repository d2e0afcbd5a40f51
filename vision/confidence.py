"""The confidence thresholds: each probability and score that decides something, and its purpose.

A *reading's* score is a calibrated probability: of a hundred readings at 0.9, ten are wrong. The *locator's* score is
the network's raw output and means less. Other thresholds (shares of frames, similarities, times, measurements) are in
the modules that use them. The locator's minimum scores for a table seen from above come with its weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# A reading's score

CERTAIN: Final = 0.95
"""A reading at this score is final, whatever the rest of the table or of its hand suggests."""
SURE: Final = 0.9
"""Below this a reading or belief is doubtful: it is read again, may be corrected, and does not support others."""
MARK_BELOW: Final = 0.85
"""A reading below this is drawn in amber and printed with a question mark, for people to look at."""
DOUBTED: Final = MARK_BELOW - 0.01
"""The highest score of a reading in a photo that other things speak against: a cap, not a probability."""
INDICATIVE: Final = 0.8
"""A reading at this score also indicates the size of tiles, which way is up, and which set is on the table."""
REPLACEMENT: Final = 0.9
"""A different reading with this score in a typical look, in the place of a believed tile, counts as another tile."""
ASK_BELOW: Final = 0.6
"""Readings below this are asked about."""
LIKELY: Final = 0.5
"""A tile that a hand covers, perhaps to take it, is reported from this score on: a doubt is better than nothing."""
GLARE: Final = 0.5
"""The highest score of a blank reading where a lamp's reflection may hide a print, or brightens a part of a wall."""
GLARE_IN_A_LOOK: Final = 0.03
"""The same limit for one of many looks at a tile: all of them err alike, so even a hundred must not make it sure."""
BACK_SURE: Final = 0.5
"""The counterpart of `SURE` and `REPLACEMENT` for backs, which all look alike and score lower."""
RIVER_FACE: Final = 0.1
"""A back in a river is read as its most probable face from this probability on: nobody lays a back there. A find that
scores `HAKU_IN_RIVER` but reads as no tile is a haku from this probability on."""
BY_COLOUR: Final = 0.93
"""The score of a blank tile identified by colour: its colour is that of this table's faces, or of its backs, alone."""
POSSIBLE: Final = 0.05
"""A face less probable than this is ruled out."""
CONCEIVABLE: Final = 0.005
"""A reader agrees with a person's correction if it gave the corrected face at least this probability."""
CONCEIVABLE_IF_SURPLUS: Final = 0.0001
"""The same limit if more copies lie on the table than a set has: one of them is misread, however surely."""
PLAIN_NATS: Final = 7.0
"""The cost, as the negative logarithm of a probability, above which a reading is too clear to be overruled."""

# The locator's score

UNREAD_TILE: Final = 0.75
"""A place in a photo that reads as no tile is reported as `?` from this score on: a flower, a worn face."""
BACK_FOUND: Final = 0.66
"""A find at this score that reads as a back is a back, and shows the colour of the others; 5 % of backs score less."""
HAKU_IN_RIVER: Final = 0.5
"""A find in a river at this score that has the faces' colour, beside other tiles, is a haku if the reader allows it."""
LYING: Final = 0.5
"""A find in a top view at this score that has a lying tile's size is kept, whatever size most others have."""
UNREAD_TILE_IN_SCAN: Final = 0.5
"""The counterpart of `UNREAD_TILE` in a scan, where such a place may be a face to be learnt."""
FAINT_IN_PHOTO: Final = 0.45
"""A find in a photo below this score is a tile only if its face reads as `INDICATIVE`."""
FAINT: Final = 0.3
"""A find on a watched table below this score is a tile only if its face reads as `SURE`."""
LONE_TILE: Final = 0.65
"""A find in a photo below this score is doubtful if it does not lie together with two other sure faces, or if its
ground differs from that of the faces beside it."""
LONE_TILE_ASKEW: Final = 0.8
"""The same limit for a find that is broader or longer than a tile, is one of two faces, or lies far from the others."""
LONE_SIGN: Final = 0.75
"""A find in a photo below this score that touches no face and reads as a ring or an honour needs tiles around it."""
BACKS_BESIDE: Final = 0.55
"""Backs in a photo are sure if most of them are found at this score: floors, keys and beads are found less surely."""
BACKS_ALONE: Final = 0.6
"""Backs in a photo without a face are sure if most of them are found at this score."""
CANDIDATE: Final = 0.3
"""A find in a photo below this score is not read at all."""
STICK_SURE: Final = 0.6
"""A stick below this is doubtful: the locator is never as sure of one as the reader is of a face."""
STICK_IN_PHOTO: Final = 0.5
"""A stick in a photo counts from this score on."""
STICK_VALUE: Final[Mapping[int, float]] = {1000: 0.85, 100: 0.85, 5000: 0.75, 10000: 0.75}
"""The probability from which each value is reported. Riichi and honba count by their place; payments have no effect."""
STICK_CANDIDATE: Final = 0.05
"""A possible stick on a table is read in a strip of its own if the locator gives it at least this score."""
TILE_AMONG_STICKS: Final = 0.5
"""A find from this score on is a tile where sticks are looked for: sticks side by side look like faint ones."""

# The score of the strips' reader

STICK_IN_STRIP: Final = 0.95
"""The mean score, over the strips that show a stick, from which it is there."""
STICK_ON_TILES: Final = 0.95
"""The same limit for a stick on something that the locator takes for tiles: sides of tiles look like sticks."""
STICK_ACROSS: Final = 0.95
"""The same limit for a stick that lies across those of a heap: their dots form rows in every direction."""
STICK_BESIDE: Final = 0.7
"""The same limit for a stick that touches another one of its value: a bundle has several."""
RIICHI_IN_STRIP: Final = 0.5
"""The same limit for a stick of 1000 where riichi sticks are laid: nothing else looks like one there."""
STRIP_VALUE: Final = 0.5
"""The probability from which a stick's value is reported."""
