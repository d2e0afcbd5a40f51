"""Evaluates the reader with and without a scan, set by set, on sets that were never used for training.

A set is learnt as in `vision.tilesets.tileset` from some looks at each face; the reader is tested on other looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from models.training.crops import labelled_photos
from models.training.crops.imagined_sets import imagined
from models.training.faces import font_glyphs
from models.training.judge.metrics import Rate, confusions
from models.training.studio import table_crops
from models.training.studio.table_pictures import HELD_OUT
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import BACK, FACES, NOT_A_TILE
from vision.reading.reader import TileReader, crops
from vision.tilesets.tileset import FaceExample, SetReader, TileSet

LOOKS: Final = (1, 3)
"""The numbers of looks at each face in a scan."""
_SEED: Final = 90_000_031
_SIDE_PX: Final = 1600
_TABLES: Final = 6
"""How many tables show one set: enough for more looks at each face than the largest scan uses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCrops:
    """Looks at the faces of one set."""

    name: str
    crops: Image
    """[N, 64, 48, 3]."""
    truth: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """Readings of the looks that no scan used."""

    truth: tuple[str, ...]
    without: tuple[str, ...]
    learnt: tuple[str, ...]


def from_above(count: int) -> list[SetCrops]:
    """Returns `count` imagined sets, each on tables never used for training, with slightly inexact quads."""
    fonts = font_glyphs.find_fonts()
    sets = []
    for number in range(count):
        rng = np.random.default_rng([_SEED, number])
        appearance = Appearance.random(HELD_OUT + 500 + number, width_px=_SIDE_PX, height_px=_SIDE_PX)
        faces = imagined(rng, appearance, fonts, ())
        cut: list[Image] = []
        truth: list[str] = []
        for _ in range(_TABLES):
            picture, quads, names = table_crops.table(appearance, faces, rng)
            tile_indexes = [index for index, name in enumerate(names) if name not in {BACK, NOT_A_TILE}]
            cut.append(crops(picture, table_crops.slipped(quads[tile_indexes], rng)))
            truth += [names[index] for index in tile_indexes]
        sets.append(SetCrops(name=f"imagined {number + 1}", crops=np.concatenate(cut), truth=tuple(truth)))
    return sets


def standing_set(shared: Path) -> list[SetCrops]:
    """Returns the Japanese set of photographs that are never used for training; nothing if they are missing."""
    found = labelled_photos.find(shared, "japanese-standing")
    if not found:
        return []
    cut = np.concatenate([crops(photo.image(), labelled_photos.below_the_top(photo.quads)) for photo in found])
    truth = [name for photo in found for name in photo.labels]
    face_indexes = [index for index, name in enumerate(truth) if name in FACES]
    return [
        SetCrops(name="japanese-standing", crops=cut[face_indexes], truth=tuple(truth[index] for index in face_indexes))
    ]


def judge(reader: TileReader, set_crops: SetCrops, scans: int) -> ScanResult:
    """Learns the first looks at each face and reads the others, with and without the learnt set."""
    scanned_indexes: list[int] = []
    for face in FACES:
        places = [index for index, name in enumerate(set_crops.truth) if name == face]
        scanned_indexes += places[: min(scans, len(places) - 1)]
    other_indexes = [index for index in range(len(set_crops.truth)) if index not in set(scanned_indexes)]
    learnt = TileSet(
        name=set_crops.name,
        examples=tuple(
            FaceExample(face=set_crops.truth[index], source="scan", crop=set_crops.crops[index])
            for index in scanned_indexes
        ),
    )
    readers = (reader, SetReader(reader, learnt))
    plain, better = (tuple(one.tile for one in each.read_crops(set_crops.crops[other_indexes])) for each in readers)
    return ScanResult(truth=tuple(set_crops.truth[index] for index in other_indexes), without=plain, learnt=better)


def report(reader: TileReader, shared: Path, *, sets: int = 12) -> str:
    """Returns the figures as Markdown: a row per set, all imagined sets together, and the remaining confusions."""
    head = ["| set | without a scan (95 % interval) |" + "".join(f" {n} look{'s' * (n > 1)} per face |" for n in LOOKS)]
    lines = [*head, "|---|---|" + "---|" * len(LOOKS)]
    notes = []
    for name, group in (("imagined sets from above", from_above(sets)), ("", standing_set(shared))):
        results = {scans: [judge(reader, set_crops, scans) for set_crops in group] for scans in LOOKS}
        if name and group:
            lines.append(_row(f"**{len(group)} {name}**", results))
        for index, set_crops in enumerate(group):
            lines.append(_row(set_crops.name, {scans: [rows[index]] for scans, rows in results.items()}))
        if group:
            notes += _mistake_lines(name or group[0].name, results)
    return "\n".join([*lines, *notes])


def _row(name: str, results: dict[int, list[ScanResult]]) -> str:
    first = results[LOOKS[0]]
    cells = [_rate([one.truth for one in first], [one.without for one in first])]
    cells += [_rate([one.truth for one in rows], [one.learnt for one in rows]) for rows in results.values()]
    return f"| {name} | {' | '.join(str(cell) for cell in cells)} |"


def _rate(truth: list[tuple[str, ...]], read: list[tuple[str, ...]]) -> Rate:
    pairs = [pair for a, b in zip(truth, read, strict=True) for pair in zip(a, b, strict=True)]
    return Rate(right=sum(a == b for a, b in pairs), total=len(pairs))


def _mistake_lines(name: str, results: dict[int, list[ScanResult]]) -> list[str]:
    rows = results[LOOKS[-1]]
    truth = [face for row in rows for face in row.truth]
    lines = []
    for label, read in (
        ("without", [face for row in rows for face in row.without]),
        (f"with {LOOKS[-1]} looks", [face for row in rows for face in row.learnt]),
    ):
        mistakes = ", ".join(f"{a} as {b} x{count}" for a, b, count in confusions(truth, read))
        lines += ["", f"Mistakes, {name}, {label}: {mistakes or 'none'}."]
    return lines
