"""Evaluates the shipped models on path-traced tables: `python -m models.training.judge.traced_figures FOLDER`.

Each picture is read as by `tachiai read --corners`, or with `--without-corners` as by `tachiai read` alone. Faces and
backs count if more than three quarters are visible, sticks if more than half is; objects along the rails do not count,
since hands are never read there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.training.judge.locator_figures import SAME, TOUCHES, overlap_of
from models.training.judge.metrics import Rate, confusions
from vision.confidence import MARK_BELOW
from vision.felt import BACK, HAKU, NOT_A_TILE
from vision.photo.files.photo_file import load_photo
from vision.photo.shipped_reader import PhotoReader
from vision.photo.tables.table_photo import TableView
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader

Quads = npt.NDArray[np.float32]

MISSED: Final = "not found"
_CLEAR_TILE: Final = 0.75
_CLEAR_STICK: Final = 0.5
_LOOKS: Final = ("light", "view", "faces")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureResult:
    """The result for one picture."""

    truth: dict[str, Any]
    tiles: tuple[tuple[str, str], ...]
    """The truth and the reading of each tile; `MISSED` if it was not reported."""
    surely_wrong: int
    """How many of these tiles were read as another one with so high a score that nobody would be asked about it."""
    false_tiles: int
    """The number of tiles reported where there is none."""
    sticks: tuple[tuple[str, str], ...]
    """The truth and the reading of each stick's value, as text; `0` if it was found without a value."""
    false_sticks: int


@dataclass(slots=True)
class Figures:
    """Sums over pictures of one kind."""

    pictures: int = 0
    tiles: list[tuple[str, str]] = field(default_factory=list)
    sticks: list[tuple[str, str]] = field(default_factory=list)
    surely_wrong: int = 0
    false_tiles: int = 0
    false_sticks: int = 0

    def add(self, result: PictureResult) -> None:
        """Counts one more picture."""
        self.pictures += 1
        self.tiles += result.tiles
        self.sticks += result.sticks
        self.surely_wrong += result.surely_wrong
        self.false_tiles += result.false_tiles
        self.false_sticks += result.false_sticks

    def face_rate(self) -> Rate:
        """The rate of printed faces read rightly, without haku."""
        return _right([pair for pair in self.tiles if pair[0] not in (HAKU, BACK)])

    def rate_of(self, face: str) -> Rate:
        """The rate of tiles of one face read rightly."""
        return _right([pair for pair in self.tiles if pair[0] == face])

    def found_rate(self) -> Rate:
        """The rate of sticks found."""
        return Rate(right=sum(answer != MISSED for _, answer in self.sticks), total=len(self.sticks))

    def valued_rate(self, value: int | None = None) -> Rate:
        """The rate of sticks found with the right value, of one value or of all."""
        return _right([pair for pair in self.sticks if value is None or pair[0] == str(value)])


def _right(pairs: Sequence[tuple[str, str]]) -> Rate:
    return Rate(right=sum(true == answer for true, answer in pairs), total=len(pairs))


def judge(path: Path, reader: PhotoReader, *, is_table_given: bool = True) -> PictureResult:
    """Reads the picture beside a truth, with the table's corners or without, and compares the two."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    photo = load_photo(path.with_name(truth["picture"]))
    view = TableView(corners_px=tuple((float(x), float(y)) for x, y in truth["corners_px"]), side_mm=truth["side_mm"])
    read = reader.read(photo.image, view=view if is_table_given else None, shrunk=photo.shrunk)
    answer = [tile for tile in read.tiles if tile.tile != NOT_A_TILE]
    tiles = _matched(truth["tiles"], [tile.quad for tile in answer], [tile.tile for tile in answer])
    sure = [tile for tile in answer if tile.score >= MARK_BELOW]
    surely = _matched(truth["tiles"], [tile.quad for tile in sure], [tile.tile for tile in sure])
    sticks = _matched(
        truth["sticks"], [stick.quad for stick in read.sticks], [str(stick.value) for stick in read.sticks]
    )
    quads = _quads([tile["quad"] for tile in truth["tiles"]])
    is_left_out = view.are_by_hands(photo.image, quads) if len(quads) else np.zeros(0, np.bool_)
    tile_indexes = [
        index for index, tile in enumerate(truth["tiles"]) if tile["visible"] > _CLEAR_TILE and not is_left_out[index]
    ]
    stick_indexes = [index for index, stick in enumerate(truth["sticks"]) if stick["visible"] > _CLEAR_STICK]
    return PictureResult(
        truth=truth,
        tiles=tuple((truth["tiles"][index]["tile"], tiles[index]) for index in tile_indexes),
        surely_wrong=sum(surely[index] not in (MISSED, truth["tiles"][index]["tile"]) for index in tile_indexes),
        false_tiles=_false([tile.quad for tile in answer], quads),
        sticks=tuple((str(truth["sticks"][index]["value"]), sticks[index]) for index in stick_indexes),
        false_sticks=_false([stick.quad for stick in read.sticks], _quads([s["quad"] for s in truth["sticks"]])),
    )


def _quads(quads: Iterable[Any]) -> Quads:
    return np.array(list(quads), np.float32).reshape(-1, 4, 2)


def _matched(truths: list[dict[str, Any]], quads: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Returns for each true object the name of the best quad over it, or `MISSED`.

    If one quad covers two objects, only the one that it covers best is found.
    """
    found, true = _quads(quads), _quads([thing["quad"] for thing in truths])
    overlap = np.array([[overlap_of(one, other) for one in found] for other in true]).reshape(len(true), len(found))
    answer = []
    for row in overlap:
        best = int(row.argmax()) if len(row) else -1
        is_found = best >= 0 and row[best] >= SAME and row[best] >= overlap[:, best].max()
        answer.append(names[best] if is_found else MISSED)
    return answer


def _false(quads: Sequence[Any], truths: Quads) -> int:
    """Returns the number of quads that cover no object."""
    return sum(max((overlap_of(one, other) for other in truths), default=0.0) < TOUCHES for one in _quads(quads))


def report(results: Sequence[PictureResult]) -> str:
    """Returns the figures as Markdown: all pictures, then each kind, then the most frequent errors."""
    lines = [
        "| kind | pictures | faces right | haku right | backs right | surely wrong | false tiles | sticks found "
        "| found and valued | false sticks |",
        "|---|" + "---|" * 9,
        _row("**all**", results),
    ]
    for appearance in _LOOKS:
        names = sorted({str(one.truth[appearance]) for one in results})
        lines += [
            _row(f"{appearance}: {name}", [one for one in results if one.truth[appearance] == name]) for name in names
        ]
    every = _summed(results)
    lines += ["", "| stick | found and valued |", "|---|---|"]
    lines += [f"| {value} | {every.valued_rate(value)} |" for value in (1000, 100, 5000, 10000)]
    lines += [
        "",
        f"Tiles read wrongly: {_frequent_confusions(every.tiles)}.",
        "",
        f"Sticks: {_frequent_confusions(every.sticks)}.",
    ]
    return "\n".join(lines)


def _summed(results: Iterable[PictureResult]) -> Figures:
    figures = Figures()
    for one in results:
        figures.add(one)
    return figures


def _row(name: str, results: Sequence[PictureResult]) -> str:
    sums = _summed(results)
    cells = [
        name,
        str(sums.pictures),
        *map(str, (sums.face_rate(), sums.rate_of(HAKU), sums.rate_of(BACK))),
        str(sums.surely_wrong),
        str(sums.false_tiles),
        *map(str, (sums.found_rate(), sums.valued_rate())),
        str(sums.false_sticks),
    ]
    return f"| {' | '.join(cells)} |"


def _frequent_confusions(pairs: Sequence[tuple[str, str]]) -> str:
    frequent = confusions([true for true, _ in pairs], [answer for _, answer in pairs], limit=16)
    return ", ".join(f"{true} as {answer} {count}" for true, answer, count in frequent) or "none"


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line, evaluates and prints."""
    parser = argparse.ArgumentParser(prog="models.training.judge.traced_figures", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the path-traced pictures")
    parser.add_argument("--without-corners", action="store_true", help="look for the table in the picture")
    options = parser.parse_args(arguments)
    truths = sorted(options.folder.glob("*.json"))
    if not truths:
        print(f"expected path-traced pictures with their truths, got none, in {options.folder}", file=sys.stderr)
        return 1
    reader = PhotoReader(TileReader(), sticks=StripReader())
    print(report([judge(path, reader, is_table_given=not options.without_corners) for path in truths]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
