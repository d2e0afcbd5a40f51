"""Decides what a place shows whose picture changed: the tile that was believed to lie there, another one, or none."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, TypeVar

from vision.confidence import BACK_SURE, CERTAIN, POSSIBLE, REPLACEMENT
from vision.felt import BACK, NOT_A_TILE
from vision.watching.belief.evidence import Evidence

MOST_FRAMES: Final = 8
"""Number of looks after which a doubt is no longer pursued."""
LEAST_LIKENESS: Final = 0.85
"""A place whose picture correlates better than this with the earlier one looks unchanged."""
_LEAST_SURE_LIKENESS: Final = 0.9
"""The counterpart of `LEAST_LIKENESS` where another face is read as surely as the one before."""
_UNLIKE_BELOW: Final = 0.5
"""A place that reads as another face holds another tile if it correlates worse than this, or both are sure."""

R = TypeVar("R")


class RivalVerdict(Enum):
    """What the looks since a place's picture changed, the rival, say about the thing that is believed to lie there."""

    UNCHANGED = auto()
    """It lies there as before: a neighbour cast a shadow, or a quad was badly placed."""
    BARE = auto()
    """It is gone: the gap that its neighbours leave has a tile's outline."""
    REPLACED = auto()
    """Another one lies there."""
    SEEN_BETTER = auto()
    """It is the same, and was misread before."""
    SAME = auto()
    """It is the same, and reads as before."""
    CONTESTED = auto()
    """It may be either after many looks: all of them count together."""
    UNDECIDED = auto()
    """More looks are needed."""


def judge_rival(
    believed: Evidence[R], rival: Evidence[R], *, likeness: float, was_unseen: bool, is_bare: Callable[[], bool]
) -> RivalVerdict:
    """Returns what a rival says about a believed thing.

    Args:
        believed: the readings of what is believed to lie there.
        rival: those since its picture changed.
        likeness: how similar the place looks to when the thing was believed, at most 1.
        was_unseen: whether a look in between did not find the thing. Then another face that is read surely is another
            tile, however alike the two look: in small pictures a 3m and a 6m are alike by 0.94.
        is_bare: returns whether the bare table is seen there; asked only where it matters.
    """
    is_another = _is_another(believed, rival)
    is_surely_another = is_another and min(believed.confidence_of_a_look, rival.confidence_of_a_look) >= CERTAIN
    looks_unchanged = likeness > (_LEAST_SURE_LIKENESS if is_surely_another else LEAST_LIKENESS)
    if looks_unchanged and not (is_surely_another and was_unseen):
        return RivalVerdict.UNCHANGED
    if rival.verdict == NOT_A_TILE and is_bare():
        return RivalVerdict.BARE
    if is_surely_another or (is_another and likeness < _UNLIKE_BELOW):
        return RivalVerdict.REPLACED
    if is_another and rival.confidence > believed.confidence:
        return RivalVerdict.SEEN_BETTER
    if rival.verdict == believed.verdict:
        return RivalVerdict.SAME
    if rival.frames < MOST_FRAMES:
        return RivalVerdict.UNDECIDED
    if rival.verdict == NOT_A_TILE:
        return RivalVerdict.UNCHANGED
    return RivalVerdict.REPLACED if _is_turned(believed, rival) else RivalVerdict.CONTESTED


def _is_another(believed: Evidence[R], rival: Evidence[R]) -> bool:
    """Returns whether a rival is another thing: a typical look is sure of it, and neither reading allows the other."""
    if rival.verdict in {believed.verdict, NOT_A_TILE}:
        return False
    if rival.verdict == BACK:
        return rival.confidence >= BACK_SURE
    is_contrary = max(rival.chance(believed.verdict), believed.chance(rival.verdict)) < POSSIBLE
    return is_contrary and rival.confidence_of_a_look >= REPLACEMENT


def _is_turned(believed: Evidence[R], rival: Evidence[R]) -> bool:
    """Returns whether a tile that lay face down shows its face, however doubtful: its back said nothing about that."""
    return believed.verdict == BACK and rival.chance(BACK) < POSSIBLE * rival.chance(rival.verdict)
