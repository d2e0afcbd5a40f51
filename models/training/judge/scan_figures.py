"""Evaluates the reader with and without a scan, set by set, on sets that were never used for training.

A set is scanned as in `vision.tilesets.tileset`, from some looks at each face; other looks are read.
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
from vision.tilesets.tileset import FaceExample as SetLook
from vision.tilesets.tileset import SetReader, TileSet

LOOKS: Final = (1, 3)
"""The numbers of looks at each face in a scan."""
_SEED: Final = 90_000_031
_SIDE_PX: Final = 1600
_TABLES: Final = 6
"""The number of tables with one set, for more looks at each face than the largest scan uses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Looks at the faces of one set."""

    name: str
    crops: Image
    """[N, 64, 48, 3]."""
    truth: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """Readings of the looks that no scan used."""

    truth: tuple[str, ...]
    without: tuple[str, ...]
    learnt: tuple[str, ...]


def from_above(count: int) -> list[Shown]:
    """Returns `count` imagined sets, each on tables never used for training, with slightly inexact quads."""
    fonts = font_glyphs.find_fonts()
    shown = []
    for number in range(count):
        rng = np.random.default_rng([_SEED, number])
        appearance = Appearance.random(HELD_OUT + 500 + number, width_px=_SIDE_PX, height_px=_SIDE_PX)
        faces = imagined(rng, appearance, fonts, ())
        cut: list[Image] = []
        truth: list[str] = []
        for _ in range(_TABLES):
            picture, quads, names = table_crops.table(appearance, faces, rng)
            kept = [index for index, name in enumerate(names) if name not in {BACK, NOT_A_TILE}]
            cut.append(crops(picture, table_crops.slipped(quads[kept], rng)))
            truth += [names[index] for index in kept]
        shown.append(Shown(name=f"imagined {number + 1}", crops=np.concatenate(cut), truth=tuple(truth)))
    return shown


def standing(shared: Path) -> list[Shown]:
    """Returns the Japanese set of the photographs never used for training, with boxes; nothing if they are missing."""
    found = labelled_photos.find(shared, "japanese-standing")
    if not found:
        return []
    cut = np.concatenate([crops(photo.image(), labelled_photos.below_the_top(photo.quads)) for photo in found])
    truth = [name for photo in found for name in photo.labels]
    kept = [index for index, name in enumerate(truth) if name in FACES]
    return [Shown(name="japanese-standing", crops=cut[kept], truth=tuple(truth[index] for index in kept))]


def judge(reader: TileReader, shown: Shown, scans: int) -> Scanned:
    """Learns the first looks at each face and reads the others, with and without the learnt set."""
    taken: list[int] = []
    for face in FACES:
        places = [index for index, name in enumerate(shown.truth) if name == face]
        taken += places[: min(scans, len(places) - 1)]
    left = [index for index in range(len(shown.truth)) if index not in set(taken)]
    learnt = TileSet(
        name=shown.name,
        examples=tuple(SetLook(face=shown.truth[index], source="scan", crop=shown.crops[index]) for index in taken),
    )
    readers = (reader, SetReader(reader, learnt))
    plain, better = (tuple(one.tile for one in each.read_crops(shown.crops[left])) for each in readers)
    return Scanned(truth=tuple(shown.truth[index] for index in left), without=plain, learnt=better)


def report(reader: TileReader, shared: Path, *, sets: int = 12) -> str:
    """Returns the figures as Markdown: a row per set, all imagined sets together, and the remaining confusions."""
    head = ["| set | without a scan (95 % interval) |" + "".join(f" {n} look{'s' * (n > 1)} per face |" for n in LOOKS)]
    lines = [*head, "|---|---|" + "---|" * len(LOOKS)]
    notes = []
    for name, group in (("imagined sets from above", from_above(sets)), ("", standing(shared))):
        judged = {scans: [judge(reader, shown, scans) for shown in group] for scans in LOOKS}
        if name and group:
            lines.append(_row(f"**{len(group)} {name}**", judged))
        for index, shown in enumerate(group):
            lines.append(_row(shown.name, {scans: [rows[index]] for scans, rows in judged.items()}))
        if group:
            notes += _confused(name or group[0].name, judged)
    return "\n".join([*lines, *notes])


def _row(name: str, judged: dict[int, list[Scanned]]) -> str:
    first = judged[LOOKS[0]]
    cells = [_rate([one.truth for one in first], [one.without for one in first])]
    cells += [_rate([one.truth for one in rows], [one.learnt for one in rows]) for rows in judged.values()]
    return f"| {name} | {' | '.join(str(cell) for cell in cells)} |"


def _rate(truth: list[tuple[str, ...]], read: list[tuple[str, ...]]) -> Rate:
    pairs = [pair for a, b in zip(truth, read, strict=True) for pair in zip(a, b, strict=True)]
    return Rate(right=sum(a == b for a, b in pairs), total=len(pairs))


def _confused(name: str, judged: dict[int, list[Scanned]]) -> list[str]:
    rows = judged[LOOKS[-1]]
    truth = [face for row in rows for face in row.truth]
    lines = []
    for what, read in (
        ("without", [face for row in rows for face in row.without]),
        (f"with {LOOKS[-1]} looks", [face for row in rows for face in row.learnt]),
    ):
        listed = ", ".join(f"{a} as {b} x{count}" for a, b, count in confusions(truth, read))
        lines += ["", f"Mistakes, {name}, {what}: {listed or 'none'}."]
    return lines
