"""Measures the locator: on rendered tables of unseen looks, and on labelled photographs.

`python -m models.training.locate_evaluate --shared ../shared` prints the figures of the model card for the
shipped weights; `--model FOLDER` measures those of another folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.locate_photos import Labelled, held_out, labelled, overlaps
from models.training.locate_render import MUST, STICK, TILE, Truth
from models.training.locate_tables import HELD_OUT, Frame
from vision.locate import Located, Locator
from vision.read import TileReader
from vision.weights import load

Quads = npt.NDArray[np.float32]

_SAME: Final = 0.5
"""Overlap from which a find is that thing."""
_TOUCHES: Final = 0.3
"""Overlap with anything there at which a find is not false."""


@dataclass(slots=True)
class Count:
    """What was there, found, and found where nothing is."""

    pictures: int = 0
    there: int = 0
    found: int = 0
    false: int = 0
    right: int = 0
    """Found and also named rightly: a stick's value, a tile's face."""
    error: float = 0.0
    """Sum over those found of the mean corner error, in widths."""

    def figures(self) -> dict[str, float]:
        """Shares of the counts, with the counts."""
        found = max(self.found, 1)
        return {
            **{key: float(value) for key, value in asdict(self).items() if key != "error"},
            "recall": self.found / max(self.there, 1),
            "precision": self.found / max(self.found + self.false, 1),
            "false_per_100": 100 * self.false / max(self.pictures, 1),
            "right_of_found": self.right / found,
            "right_of_there": self.right / max(self.there, 1),
            "corner_error": self.error / found,
        }


def measure_tables(locator: Locator, *, frames: int, px_per_mm: float = 1.4) -> dict[str, dict[str, float]]:
    """Counts over rectified frames of unseen looks."""
    tiles, sticks = Count(), Count()
    for seed in range(HELD_OUT, HELD_OUT + frames):
        frame = Frame(seed)
        size = int((frame.look.felt_mm + 80) * px_per_mm) // 16 * 16
        scene = frame.cut(frame.top_view(px_per_mm), size)
        located = locator.locate(scene.image, tile_px=frame.look.tile_width_mm * px_per_mm)
        _count(tiles, located.tiles, scene.truth, TILE)
        _count(sticks, located.sticks, scene.truth, STICK, named=located.stick_values)
    return {"tiles": tiles.figures(), "sticks": sticks.figures()}


def _count(count: Count, found: Quads, truth: Truth, kind: int, *, named: tuple[int, ...] = ()) -> None:
    mine = truth.kinds == kind
    quads, duty, values = truth.quads[mine], truth.duty[mine], truth.values[mine]
    overlap = np.array([[_overlap(one, other) for other in quads] for one in found]).reshape(len(found), len(quads))
    count.pictures += 1
    count.there += int((duty == MUST).sum())
    for index in np.flatnonzero(duty == MUST):
        if len(found) == 0 or overlap[:, index].max() < _SAME:
            continue
        best = int(overlap[:, index].argmax())
        count.found += 1
        count.error += _corner_error(found[best], quads[index])
        count.right += bool(named) and named[best] == values[index]
    if len(found):
        count.false += int((overlap.max(axis=1, initial=0.0) < _TOUCHES).sum())


def _overlap(one: Quads, other: Quads) -> float:
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).max() > np.abs(one - one.mean(axis=0)).max() * 2:
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))
    whole = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return float(shared / max(whole, 1e-6))


def _corner_error(found: Quads, true: Quads) -> float:
    width = float(np.linalg.norm(true[1] - true[0]))
    errors = [np.linalg.norm(np.roll(found, turn, axis=0) - true, axis=1).mean() for turn in (0, 2)]
    return float(min(errors)) / width


def measure_photos(
    locator: Locator, reader: TileReader | None, photos: list[Labelled], *, keep: Callable[[str], bool]
) -> dict[str, float]:
    """Counts over labelled photographs: centre inside the box and hulls overlapping by half."""
    count = Count()
    for photo in photos:
        image = photo.image()
        located = locator.locate(image, tile_px=None)
        hulls = np.hstack([located.tiles.min(axis=1), located.tiles.max(axis=1)])
        names = [""] * len(hulls) if reader is None else [read.tile for read in reader.read(image, located.tiles)]
        count.pictures += 1
        taken: set[int] = set()
        for box, name in zip(photo.boxes, photo.names, strict=True):
            best = _best(hulls, located, box)
            taken |= set() if best is None else {best}
            if not keep(name):
                continue
            count.there += 1
            count.found += best is not None
            count.right += best is not None and names[best] == name
        count.false += len(hulls) - len(taken)
    return count.figures()


def _best(hulls: Quads, located: Located, box: Quads) -> int | None:
    if not len(hulls):
        return None
    middles = located.tiles.mean(axis=1)
    inside = ((middles > box[:2]) & (middles < box[2:])).all(axis=1)
    overlap = np.where(inside, overlaps(hulls, box), 0.0)
    best = int(overlap.argmax())
    return best if overlap[best] >= _SAME else None


def measure(shared: Path, *, model: Path | None, frames: int) -> dict[str, Any]:
    """Measures one model on everything."""
    places = {} if model is None else {"places": (model,)}
    locator = Locator(weights=load("locate", **places))
    try:
        reader: TileReader | None = TileReader()
    except ValueError:
        reader = None
    photos = shared / "photos"
    return {
        "tables": measure_tables(locator, frames=frames),
        "chinese-and-hk, held out": measure_photos(
            locator, reader, held_out(labelled(photos / "chinese-and-hk")), keep=lambda name: name[0].isdigit()
        ),
        "japanese-standing": measure_photos(
            locator, reader, labelled(photos / "japanese-standing"), keep=lambda name: name[0].isdigit()
        ),
    }


def main() -> None:
    """Parses the command line, measures and prints."""
    parser = argparse.ArgumentParser(description="Measures the locator.")
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[3] / "shared")
    parser.add_argument("--model", type=Path, help="a folder with locate.onnx and locate.json")
    parser.add_argument("--frames", type=int, default=40)
    options = parser.parse_args()
    print(json.dumps(measure(options.shared, model=options.model, frames=options.frames), indent=1))


if __name__ == "__main__":
    main()
