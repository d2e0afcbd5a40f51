"""Red fives at a table that plays without them: a set often has some, and they count as plain fives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vision.felt import FeltChange, FeltReport, LyingTile, StickLaid, StickTaken, TileReread

_RED: Final = "0"
_FIVE: Final = "5"


def counted_as_plain(report: FeltReport, red: Mapping[str, int]) -> FeltReport:
    """Returns a report in which red fives of suits that have none by the rules are plain ones.

    Args:
        report: the report.
        red: how many fives of each suit are red by the rules.
    """
    plain_suits = {suit for suit, count in red.items() if count == 0}
    if not plain_suits:
        return report
    tiles = tuple(_tile(tile, plain_suits) for tile in report.felt.tiles)
    changes = tuple(_change(change, plain_suits) for change in report.changes)
    return replace(report, felt=replace(report.felt, tiles=tiles), changes=changes)


def _change(change: FeltChange, plain_suits: set[str]) -> FeltChange:
    if isinstance(change, StickLaid | StickTaken):
        return change
    tile = _tile(change.tile, plain_suits)
    if isinstance(change, TileReread):
        return replace(change, before=_tile(change.before, plain_suits), tile=tile)
    return replace(change, tile=tile)


def _tile(tile: LyingTile, plain_suits: set[str]) -> LyingTile:
    """Returns a tile with its reading, a five's probability being that of the plain and of the red one together."""
    reading = tile.reading
    face = _face(reading.tile, plain_suits)
    alternatives = [(_face(other, plain_suits), score) for other, score in reading.alternatives]
    if face == reading.tile and tuple(alternatives) == reading.alternatives:
        return tile
    score = reading.score + sum(added for other, added in alternatives if other == face)
    others = tuple((other, other_score) for other, other_score in alternatives if other != face)
    return replace(tile, reading=replace(reading, tile=face, score=min(score, 1.0), alternatives=others))


def _face(face: str, plain_suits: set[str]) -> str:
    return _FIVE + face[1] if face[0] == _RED and face[1:] in plain_suits else face
