from __future__ import annotations

from dataclasses import replace

from tests.fakes.watchers import lying_tile
from vision.felt import (
    Felt,
    LyingStick,
    LyingTile,
    StickLaid,
    StickTaken,
    TileLaid,
    TileReread,
    TileTaken,
    Zone,
)
from vision.watching.changes import changes_between


def tile(number: int, face: str = "1m", *, score: float = 0.9, order: int = 0) -> LyingTile:
    return lying_tile(number, face, score=score, order=order)


def stick(number: int) -> LyingStick:
    return LyingStick(id=number, value=1000, score=0.9, x_mm=0.0, y_mm=0.0, angle_deg=0.0, side=1)


def test_nothing_changed_is_no_change() -> None:
    felt = Felt(tiles=(tile(1), tile(2)), sticks=(stick(0),))
    assert changes_between(felt, felt) == ()


def test_what_was_taken_comes_before_what_was_laid() -> None:
    before = Felt(tiles=(tile(1), tile(2)), sticks=(stick(0),))
    after = Felt(tiles=(tile(2), tile(5), tile(3)), sticks=(stick(1),))
    assert changes_between(before, after) == (
        TileTaken(tile=tile(1)),
        StickTaken(stick=stick(0)),
        TileLaid(tile=tile(3)),
        TileLaid(tile=tile(5)),
        StickLaid(stick=stick(1)),
    )


def test_another_face_place_or_posture_is_told_again() -> None:
    before = tile(4)
    for now in (
        tile(4, "2m"),
        tile(4, order=1),
        replace(before, zone=Zone.MELD),
        replace(before, side=2),
        replace(before, is_sideways=True),
        replace(before, group=1),
    ):
        assert changes_between(Felt(tiles=(before,)), Felt(tiles=(now,))) == (TileReread(before=before, tile=now),)


def test_a_breath_of_millimetres_and_of_certainty_is_no_change() -> None:
    now = replace(tile(4, score=0.95), x_mm=1.5, angle_deg=2.0)
    assert changes_between(Felt(tiles=(tile(4),)), Felt(tiles=(now,))) == ()
