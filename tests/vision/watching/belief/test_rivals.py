"""What a place shows whose picture changed."""

from __future__ import annotations

import pytest

from vision.felt import BACK, NOT_A_TILE, Reading
from vision.watching.belief.evidence import StickEvidence, TileEvidence
from vision.watching.belief.rivals import MOST_FRAMES, RivalVerdict, judge_rival


def read(tile: str, score: float, *, looks: int = 3, other: str = "", chance: float | None = None) -> TileEvidence:
    """The evidence of some looks that read alike; `other` is what else it may be, with this chance or all that is
    left."""
    alternatives = ((other, 1 - score if chance is None else chance),) if other else ()
    evidence = TileEvidence()
    for _ in range(looks):
        evidence.add(Reading(tile=tile, score=score, alternatives=alternatives))
    return evidence


SURE, DOUBTFUL = read("9p", 0.99), read("9p", 0.8)


@pytest.mark.parametrize(
    ("believed", "rival", "likeness", "is_bare", "verdict"),
    [
        (SURE, read("9p", 0.7), 0.9, False, RivalVerdict.UNCHANGED),
        (SURE, read("3m", 0.8), 0.86, False, RivalVerdict.UNCHANGED),
        (SURE, read("3m", 0.99), 0.86, False, RivalVerdict.REPLACED),
        (SURE, read(NOT_A_TILE, 1.0), 0.2, True, RivalVerdict.BARE),
        (SURE, read("3m", 0.92), 0.2, False, RivalVerdict.REPLACED),
        (SURE, read(BACK, 0.99), 0.2, False, RivalVerdict.REPLACED),
        (DOUBTFUL, read("3m", 0.92), 0.6, False, RivalVerdict.SEEN_BETTER),
        (SURE, read("9p", 0.7), 0.2, True, RivalVerdict.SAME),
        (SURE, read("3m", 0.6, other="9p"), 0.2, False, RivalVerdict.UNDECIDED),
        (SURE, read("3m", 0.6, other="9p", looks=MOST_FRAMES), 0.2, False, RivalVerdict.CONTESTED),
        (
            read(BACK, 0.99),
            read("5z", 0.03, other=BACK, chance=0.002, looks=MOST_FRAMES),
            0.2,
            False,
            RivalVerdict.REPLACED,
        ),
        (read(BACK, 0.99), read("5z", 0.03, looks=MOST_FRAMES), 0.2, False, RivalVerdict.CONTESTED),
        (read(BACK, 0.99), read("5z", 0.6, other=BACK, looks=MOST_FRAMES), 0.2, False, RivalVerdict.CONTESTED),
        (SURE, read(NOT_A_TILE, 1.0), 0.2, False, RivalVerdict.UNDECIDED),
        (SURE, read(NOT_A_TILE, 1.0, looks=MOST_FRAMES), 0.2, False, RivalVerdict.UNCHANGED),
    ],
)
def test_a_changed_place_shows_the_same_tile_another_or_none(
    believed: TileEvidence, rival: TileEvidence, likeness: float, is_bare: bool, verdict: RivalVerdict
) -> None:
    assert judge_rival(believed, rival, likeness=likeness, was_unseen=False, is_bare=lambda: is_bare) is verdict


@pytest.mark.parametrize(
    ("rival", "was_unseen", "verdict"),
    [
        (read("3m", 0.99), True, RivalVerdict.REPLACED),
        (read("3m", 0.99), False, RivalVerdict.UNCHANGED),
        (read("3m", 0.92), True, RivalVerdict.UNCHANGED),
        (read("9p", 0.99), True, RivalVerdict.UNCHANGED),
    ],
)
def test_another_face_read_surely_where_the_tile_was_not_found_in_between_is_another_tile_however_alike(
    rival: TileEvidence, was_unseen: bool, verdict: RivalVerdict
) -> None:
    assert judge_rival(SURE, rival, likeness=0.95, was_unseen=was_unseen, is_bare=lambda: False) is verdict


def stick(value: int, *, looks: int = 3) -> StickEvidence:
    evidence = StickEvidence()
    for _ in range(looks):
        evidence.add((value, 0.99))
    return evidence


@pytest.mark.parametrize(
    ("believed", "rival", "verdict"),
    [
        (1000, stick(100), RivalVerdict.REPLACED),
        (1000, stick(1000), RivalVerdict.SAME),
        (1000, stick(0), RivalVerdict.UNDECIDED),
        (1000, stick(0, looks=MOST_FRAMES), RivalVerdict.CONTESTED),
        (0, stick(1000), RivalVerdict.UNDECIDED),
        (0, stick(1000, looks=MOST_FRAMES), RivalVerdict.CONTESTED),
    ],
)
def test_a_stick_whose_value_cannot_be_read_is_no_other_stick(
    believed: int, rival: StickEvidence, verdict: RivalVerdict
) -> None:
    """In a shadow it was reported as taken, and as another one of unknown value."""
    assert judge_rival(stick(believed), rival, likeness=0.0, was_unseen=False, is_bare=lambda: False) is verdict
