"""Compares the strip reader with the locator's own values: sticks found and valued on tables never used for training.

Run `python -m models.training.judge.strip_figures` for drawn tables from above, with `--aslant` for drawn tables from
beside them, with `--traced FOLDER` for path-traced ones; it uses the weights in `models/`, or those of another folder.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.arrangement.laid_sticks import laid_sticks
from models.training.arrangement.views import with_camera
from models.training.judge.locator_figures import SAME, TOUCHES, overlap_of
from models.training.judge.metrics import Rate
from models.training.studio.random_deals import random_table
from models.training.studio.strips.stick_strips import Table, inverse
from models.training.studio.table_pictures import HELD_OUT, Frame
from vision.arrays import Floats, Floats32, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px, seen_sticks
from vision.cameras.synthetic.scene import Scene
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize, apply, homography_between, square
from vision.geometry.rectify import TopView
from vision.reading.locator import STICK_VALUES, Locator
from vision.reading.sticks.spots import Stick
from vision.reading.sticks.stick_places import stick_spots
from vision.reading.sticks.strips import StripReader
from vision.reading.weights import load

_Job = tuple[Path | None, Path | None, Path | tuple[int, str]]
"""Folders of other weights for strips and for watch, and a path-traced truth, or the seed and set of a drawn table."""

_CLEAR: Final = 0.62
"""A stick need not be found unless more than this share of it is visible."""
_READABLE: Final = 0.5
"""If less than this share of a stick's dots is visible, nobody can read its value; fixed before the first count."""
CARD: Final = "the card's tables"
AS_LAID: Final = "sticks as laid"
ASLANT: Final = ("25-35", "35-50")
"""Views of drawn tables from beside them, named as in `models.training.arrangement.views`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueStick:
    """A stick that lies on a table."""

    quad: Floats
    """[4, 2] on the felt's plane, in millimetres."""
    value: int
    visible: float
    """Share of its top that is not hidden, 0-1."""
    is_readable: bool = True
    """Whether enough of its dots are visible; True on path-traced tables, of which this is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StickPicture:
    """A picture of a table with known sticks."""

    name: str
    image: Image
    side_mm: float
    to_pixels: Floats
    sticks: tuple[TrueStick, ...]


def _overlap(one: Floats, other: Floats) -> float:
    return overlap_of(one.astype(np.float32), other.astype(np.float32))


def sticks_of_both(sample: StickPicture, locator: Locator, reader: StripReader) -> tuple[list[Stick], list[Stick]]:
    """Returns the sticks that the locator finds in the view from above, and those that the strips show."""
    size = sample.image.shape[1], sample.image.shape[0]
    corners = apply(sample.to_pixels, square(sample.side_mm))
    view = TopView(calibrate(corners, size=size, side_mm=sample.side_mm), height_mm=TileSize().depth_mm)
    picture = view.picture(sample.image)
    found = locator.locate(picture, tile_px=21.0 * view.px_per_mm)
    quads = [_flat(quad, view) for quad in found.sticks]
    found_sticks = [
        Stick(quad=quad, value=value, score=float(score))
        for quad, value, score in zip(quads, found.stick_values, found.stick_scores, strict=True)
    ]
    return found_sticks, reader.sticks(
        sample.image, partial(apply, sample.to_pixels), stick_spots(picture, found, view)
    )


def _flat(quad: Floats32, view: TopView) -> Floats:
    """Returns where on the plane of the felt a quad in the view's pixels appears to lie, in millimetres."""
    return view.calibration.to_felt(view.to_frame(quad), height_mm=0.0)


def count_sticks(sample: StickPicture, answers: Sequence[Stick]) -> Counter[str]:
    """Counts sticks: how many there are, found, valued correctly, wrongly and not at all, and false ones.

    Each answer counts for one stick only. A value for a stick with hidden dots is false unless right by chance.
    """
    counts: Counter[str] = Counter(pictures=1)
    overlap = np.array([[_overlap(stick.quad, true_stick.quad) for stick in answers] for true_stick in sample.sticks])
    overlap = overlap.reshape(len(sample.sticks), len(answers))
    for row, true_stick in zip(overlap, sample.sticks, strict=True):
        best = int(row.argmax()) if len(row) else -1
        is_found = best >= 0 and row[best] >= SAME and row[best] >= overlap[:, best].max()
        verdict = _verdict(answers[best].value, true_stick.value) if is_found else "missed"
        if not true_stick.is_readable and verdict == "wrong":
            counts["false"] += 1
        if true_stick.visible > _CLEAR:
            kinds = (str(true_stick.value), "readable") if true_stick.is_readable else (str(true_stick.value),)
            counts.update(f"{count_name} {kind}" for kind in kinds for count_name in _count_names(verdict))
    if len(answers):
        counts["false"] += int((overlap.max(axis=0, initial=0.0) < TOUCHES).sum())
    return counts


def _count_names(verdict: str) -> tuple[str, ...]:
    return ("there",) if verdict == "missed" else ("there", "found", verdict)


def _verdict(answers: int, value: int) -> str:
    return "right" if answers == value else "wrong" if answers else "unvalued"


def drawn_picture(seed: int, name: str) -> StickPicture:
    """Returns a drawn table never used for training, of this set: `CARD`, `AS_LAID`, or a view of `ASLANT`."""
    if name in ASLANT:
        return _aslant(seed, name)
    table: Frame | Table = Table(HELD_OUT + seed) if name == AS_LAID else Frame(HELD_OUT + seed)
    return _stick_picture(name, np.asarray(table.image, np.uint8), table.scene, table.appearance)


def _aslant(seed: int, view: str) -> StickPicture:
    """Returns a drawn table from beside it, with sticks as players lay them, and without strays below tiles."""
    rng = np.random.default_rng([HELD_OUT + seed, ASLANT.index(view)])
    appearance = with_camera(Appearance.random(HELD_OUT + seed), view, rng)
    scene = random_table(rng, appearance, strays=1)
    scene = replace(scene, sticks=laid_sticks(appearance, scene.tiles, scene.sticks, rng).sticks)
    return _stick_picture(f"drawn, {view}", np.asarray(Renderer(appearance).render(scene), np.uint8), scene, appearance)


def _stick_picture(name: str, image: Image, scene: Scene, appearance: Appearance) -> StickPicture:
    to_pixels = homography_between(square(appearance.felt_mm), np.asarray(corners_px(appearance), np.float64))
    to_felt = inverse(to_pixels)
    sticks = tuple(
        TrueStick(
            quad=apply(to_felt, one.quad),
            value=one.stick.value,
            visible=one.visible,
            is_readable=one.print_visible >= _READABLE,
        )
        for one in seen_sticks(scene, appearance)
    )
    return StickPicture(name=name, image=image, side_mm=appearance.felt_mm, to_pixels=to_pixels, sticks=sticks)


def traced_picture(path: Path) -> StickPicture:
    """Returns a path-traced table, from its truth."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    to_pixels = homography_between(square(truth["side_mm"]), np.array(truth["corners_px"]))
    to_felt = inverse(to_pixels)
    sticks = tuple(
        TrueStick(quad=apply(to_felt, np.array(one["quad"])), value=one["value"], visible=one["visible"])
        for one in truth["sticks"]
    )
    image = np.asarray(cv2.imread(str(path.with_name(truth["picture"]))), np.uint8)
    return StickPicture(
        name=f"path-traced, {truth['view']}", image=image, side_mm=truth["side_mm"], to_pixels=to_pixels, sticks=sticks
    )


def _judge(job: _Job) -> tuple[str, Counter[str], Counter[str]]:
    cv2.setNumThreads(1)
    model, watch, source = job
    sample = traced_picture(source) if isinstance(source, Path) else drawn_picture(*source)
    weights = load("watch") if watch is None else load("watch", places=(watch,))
    reader = StripReader(weights=None if model is None else load("strips", places=(model,)))
    before, after = sticks_of_both(sample, Locator(weights=weights), reader)
    return sample.name, count_sticks(sample, before), count_sticks(sample, after)


def report(results: Sequence[tuple[str, Counter[str], Counter[str]]]) -> str:
    """Returns a row for each set and reader, with the values separately."""
    lines = [
        "| set, reader | pictures | found | found and valued | of those with visible dots | wrong | unvalued | false "
        "| 1000 | 100 | 5000 | 10000 |"
    ]
    lines.append("|---|" + "---|" * 11)
    for name in sorted({name for name, *_ in results}):
        for reader, place in (("locator", 1), ("strips", 2)):
            sums: Counter[str] = Counter()
            for one in results:
                if one[0] == name:
                    sums.update(one[place])
            lines.append(_row(f"{name}, {reader}", sums))
    return "\n".join(lines)


def _row(name: str, sums: Counter[str]) -> str:
    def over(count_name: str) -> int:
        return sum(sums[f"{count_name} {value}"] for value in STICK_VALUES)

    cells = [str(sums["pictures"])]
    cells += [str(Rate(right=over(count_name), total=over("there"))) for count_name in ("found", "right")]
    cells += [str(Rate(right=sums["right readable"], total=sums["there readable"]))]
    cells += [str(over("wrong")), str(over("unvalued")), str(sums["false"])]
    cells += [str(Rate(right=sums[f"right {value}"], total=sums[f"there {value}"])) for value in STICK_VALUES]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Parses the command line, evaluates and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, nargs="?", help="a folder with another strips.onnx and its manifest")
    parser.add_argument(
        "--watch", type=Path, metavar="FOLDER", help="a folder with another watch.onnx and its manifest"
    )
    parser.add_argument("--tables", type=int, default=200, help="drawn tables of each kind (200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them (0)")
    parser.add_argument("--aslant", action="store_true", help="drawn tables from beside them instead")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="path-traced tables instead")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    sources: list[Path | tuple[int, str]]
    if options.traced is not None:
        sources = [*sorted(options.traced.glob("*.json"))]
    else:
        sets, seeds = (
            ASLANT if options.aslant else (CARD, AS_LAID),
            range(options.first, options.first + options.tables),
        )
        sources = [(seed, name) for name in sets for seed in seeds]
    jobs: list[_Job] = [(options.model, options.watch, one) for one in sources]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        print(report(pool.map(_judge, jobs, chunksize=4)))


if __name__ == "__main__":
    main()
