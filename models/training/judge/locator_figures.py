"""Measures the locator: on rendered tables of unseen looks, and on labelled photographs.

`python -m models.training.judge.locator_figures --shared ../shared` prints the figures of the model card for the
shipped weights; `--model FOLDER` measures those of another folder.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops.imagined_sets import Sets, sets_of
from models.training.studio.locator_photos import Labelled, held_out, labelled, overlaps
from models.training.studio.pasted_tables import pasted
from models.training.studio.scenes.scene_renderer import MUST, STICK, TILE, Scene, Truth
from models.training.studio.table_pictures import HELD_OUT, Frame
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import NOT_A_TILE
from vision.geometry.rectify import PX_PER_MM
from vision.photo.photo_reader import read_photo
from vision.photo.tables.table_photo import TableView
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.reading.weights import load

Quads = npt.NDArray[np.float32]

_PASTED_PX: Final = 640
REPORTED: Final = "told through the corners"
"""The key under which `measure` returns the counts of `measure_reported`."""
_REPORTED_FRAMES: Final = 100
SAME: Final = 0.5
"""The least intersection over union at which a detection counts as the object."""
TOUCHES: Final = 0.3
"""The least intersection over union with any object at which a detection is not false."""


@dataclass(slots=True)
class Count:
    """The numbers of objects, of detected ones, and of false detections."""

    pictures: int = 0
    there: int = 0
    found: int = 0
    false: int = 0
    right: int = 0
    """Detected objects with the right name: a stick's value, a tile's face in photos."""
    error: float = 0.0
    """The sum of the mean corner errors of detected objects, in widths."""

    def figures(self) -> dict[str, float]:
        """Returns the rates, with the counts."""
        found = max(self.found, 1)
        return {
            **{key: value for key, value in asdict(self).items() if key != "error"},
            "recall": round(self.found / max(self.there, 1), 4),
            "precision": round(self.found / max(self.found + self.false, 1), 4),
            "false_per_100": round(100 * self.false / max(self.pictures, 1), 1),
            "right_of_found": round(self.right / found, 4),
            "right_of_there": round(self.right / max(self.there, 1), 4),
            "corner_error": round(self.error / found, 4),
        }


def measure_tables(
    locator: Locator, *, frames: int, px_per_mm: float = 1.4, sets: Sets | None = None
) -> dict[str, dict[str, float]]:
    """Counts over rectified frames of unseen appearances, with the project's own faces or those of `sets`."""
    tiles, sticks = Count(), Count()
    for seed in range(HELD_OUT, HELD_OUT + frames):
        frame = Frame(seed, sets=sets)
        size = int((frame.appearance.felt_mm + 80) * px_per_mm) // 16 * 16
        scene = frame.cut(frame.top_view(px_per_mm), size)
        _count_both(tiles, sticks, locator, scene, tile_px=frame.appearance.tile_width_mm * px_per_mm)
    label = "tables" if sets is None else "tables of other sets"
    return {f"tiles on {label}": tiles.figures(), f"sticks on {label}": sticks.figures()}


def measure_pasted(locator: Locator, *, frames: int, px_per_mm: float, sets: Sets) -> dict[str, dict[str, float]]:
    """Counts over parts of pasted tables of unseen appearances."""
    tiles, sticks = Count(), Count()
    for seed in range(HELD_OUT, HELD_OUT + frames):
        rng, appearance = np.random.default_rng([seed, 0xFA57]), Appearance.random(seed)
        scene, _ = pasted(rng, appearance, sets(rng, appearance), px_per_mm=px_per_mm, size=_PASTED_PX)
        _count_both(tiles, sticks, locator, scene, tile_px=appearance.tile_width_mm * px_per_mm)
    return {"tiles pasted": tiles.figures(), "sticks pasted": sticks.figures()}


def measure_reported(locator: Locator, reader: TileReader, *, frames: int, sets: Sets) -> dict[str, float]:
    """Counts the tiles that `tachiai read --corners` reports in frames of unseen appearances, and the false ones."""
    reported = false = 0
    for seed in range(HELD_OUT, HELD_OUT + frames):
        frame = Frame(seed, sets=sets)
        corners = tuple((float(x), float(y)) for x, y in frame.corners)
        view = TableView(corners_px=corners, side_mm=frame.appearance.felt_mm)
        quads = [quad.astype(np.float32) for quad, _ in frame.tiles]
        read = read_photo(frame.image, locator=locator, reader=reader, view=view)
        found = [np.array(tile.quad, np.float32) for tile in read.tiles if tile.tile != NOT_A_TILE]
        reported += len(found)
        false += sum(max(overlap_of(one, quad) for quad in quads) < TOUCHES for one in found)
    return {"pictures": frames, "told": reported, "false": false}


def _count_both(tiles: Count, sticks: Count, locator: Locator, scene: Scene, *, tile_px: float) -> None:
    located = locator.locate(scene.image, tile_px=tile_px)
    _count(tiles, located.tiles, scene.truth, TILE)
    _count(sticks, located.sticks, scene.truth, STICK, found_values=located.stick_values)


def _count(count: Count, found: Quads, truth: Truth, kind: int, *, found_values: tuple[int, ...] = ()) -> None:
    is_kind = truth.kinds == kind
    quads, duty, values = truth.quads[is_kind], truth.duty[is_kind], truth.values[is_kind]
    overlap = np.array([[overlap_of(one, other) for other in quads] for one in found]).reshape(len(found), len(quads))
    count.pictures += 1
    count.there += int((duty == MUST).sum())
    for index in np.flatnonzero(duty == MUST):
        if len(found) == 0 or overlap[:, index].max() < SAME:
            continue
        best = int(overlap[:, index].argmax())
        count.found += 1
        count.error += _corner_error(found[best], quads[index])
        count.right += bool(found_values and found_values[best] == values[index])
    if len(found):
        count.false += int((overlap.max(axis=1, initial=0.0) < TOUCHES).sum())


def overlap_of(one: Quads, other: Quads) -> float:
    """Returns the intersection over union of two quads, 0-1."""
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).max() > np.abs(one - one.mean(axis=0)).max() * 2:
        return 0.0
    shared_area, _ = cv2.intersectConvexConvex(one.reshape(-1, 1, 2), other.reshape(-1, 1, 2))
    union = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared_area
    return float(shared_area / max(union, 1e-6))


def _corner_error(found: Quads, true: Quads) -> float:
    width = float(np.linalg.norm(true[1] - true[0]))
    errors = [np.linalg.norm(np.roll(found, turn, axis=0) - true, axis=1).mean() for turn in (0, 2)]
    return float(min(errors)) / width


def measure_photos(locator: Locator, reader: TileReader, photos: list[Labelled]) -> dict[str, float]:
    """Counts over labelled photographs, read as by `tachiai read`.

    A tile is found if a quad has its centre in the tile's box and a bounding box that overlaps it by half.
    """
    count = Count()
    for photo in photos:
        read = read_photo(photo.image(), locator=locator, reader=reader)
        quads = np.array([tile.quad for tile in read.tiles], np.float32).reshape(-1, 4, 2)
        count.pictures += 1
        matched: set[int] = set()
        for box, name in zip(photo.boxes, photo.names, strict=True):
            best = _best(quads, box)
            matched |= set() if best is None else {best}
            if name[0].isdigit():
                count.there += 1
                count.found += best is not None
                count.right += best is not None and read.tiles[best].tile == name
        count.false += len(quads) - len(matched)
    return count.figures()


def _best(quads: Quads, box: Quads) -> int | None:
    """Returns the index of the quad that is the tile in a box; None if there is none."""
    if not len(quads):
        return None
    hulls = np.hstack([quads.min(axis=1), quads.max(axis=1)])
    middles = quads.mean(axis=1)
    inside = ((middles > box[:2]) & (middles < box[2:])).all(axis=1)
    overlap = np.where(inside, overlaps(hulls, box), 0.0)
    best = int(overlap.argmax())
    return best if overlap[best] >= SAME else None


def measure(shared: Path, *, model: Path | None, frames: int, name: str = "locate") -> dict[str, dict[str, float]]:
    """Measures one model on all its uses; `watch` is only for tables from above."""
    locator = Locator(weights=load(name) if model is None else load(name, places=(model,)))
    if name == "watch":
        sets = sets_of(shared)
        return {
            **measure_tables(locator, frames=frames, px_per_mm=PX_PER_MM),
            **measure_tables(locator, frames=frames, px_per_mm=PX_PER_MM, sets=sets),
            **measure_pasted(locator, frames=frames, px_per_mm=PX_PER_MM, sets=sets),
            REPORTED: measure_reported(locator, TileReader(), frames=_REPORTED_FRAMES, sets=sets),
        }
    reader = TileReader()
    photos = shared / "photos"
    return {
        **measure_tables(locator, frames=frames),
        "chinese-and-hk, held out": measure_photos(locator, reader, held_out(labelled(photos / "chinese-and-hk"))),
        "japanese-standing": measure_photos(locator, reader, labelled(photos / "japanese-standing")),
    }


def main() -> None:
    """Parses the command line, measures and prints."""
    parser = argparse.ArgumentParser(description="Evaluates the locator.")
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[4] / "shared")
    parser.add_argument("--model", type=Path, help="a folder with the exported model and its manifest")
    parser.add_argument("--name", choices=("locate", "watch"), default="locate")
    parser.add_argument("--frames", type=int, default=40)
    options = parser.parse_args()
    figures = measure(options.shared, model=options.model, frames=options.frames, name=options.name)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
