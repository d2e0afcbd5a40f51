"""Holds the reader of strips against the locator's own values: sticks found and valued on tables never trained on.

`python -m models.training.judge.strip_figures` for drawn tables; `--traced FOLDER` for path-traced ones; the weights in
`models/`, or those of another file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.judge.locator_figures import SAME, TOUCHES, overlap_of
from models.training.judge.metrics import Rate
from models.training.studio.stick_strips import (
    HEIGHT,
    ROWS,
    WIDTH,
    Spot,
    Table,
    cut,
    inverse,
    riichi_spots,
    spot_of,
    strip_to_felt,
)
from models.training.studio.table_pictures import HELD_OUT, Frame
from vision.arrays import Floats, Image
from vision.cameras.synthetic.drawing.backdrop import square
from vision.geometry.plane_geometry import apply, homography_between
from vision.geometry.rectify import PX_PER_MM
from vision.reading.locator import STICK_VALUES, Locator
from vision.reading.weights import load

_Job = tuple[Path, Path | None, Path | tuple[int, bool]]
"""The strips' weights, the folder of another watcher's, and a path-traced truth or a drawn table."""

_MODEL: Final = Path(__file__).resolve().parents[2] / "strips.onnx"
_HERE: Final = 0.5
_VALUED: Final = 0.6
_CLEAR: Final = 0.62
_MARGIN_MM: Final = 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stick:
    """A stick on the plane of the felt."""

    quad: Floats
    value: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture of a table whose sticks are known: quads on the felt's plane, values, shares seen."""

    name: str
    image: Image
    side_mm: float
    to_pixels: Floats
    sticks: tuple[tuple[Floats, int, float], ...]


class StripReader:
    """Reads strips with an exported net."""

    def __init__(self, path: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - heavy

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def sticks(self, shown: Shown, spots: Sequence[Spot]) -> list[Stick]:
        """What lies in strips about these spots, each stick once; looked at again with it in the middle."""
        first = _once(self._read(shown, spots))
        return _once(self._read(shown, [spot_of(stick.quad) for stick in first]))

    def answers(self, strips: Image) -> npt.NDArray[np.float32]:
        """The net's answers for strips [N, HEIGHT, WIDTH, 3]: [N, ROWS, 10]."""
        return np.asarray(self._session.run(["rows"], {"strips": strips})[0], np.float32)

    def _read(self, shown: Shown, spots: Sequence[Spot]) -> list[Stick]:
        if not spots:
            return []
        strips = np.stack([cut(shown.image, shown.to_pixels, spot) for spot in spots])
        return [stick for rows, spot in zip(self.answers(strips), spots, strict=True) for stick in decoded(rows, spot)]


def decoded(rows: npt.NDArray[np.float32], spot: Spot) -> Iterator[Stick]:
    """The sticks that the answers for one strip tell."""
    here = 1 / (1 + np.exp(-rows[:, 0].astype(np.float64)))
    for row in np.flatnonzero(here > _HERE):
        if here[row] < here[max(0, row - 1) : row + 2].max():
            continue
        below, slope, across, half_long, half_short = (float(value) for value in rows[row, 5:10])
        powers = np.exp(rows[row, 1:5] - rows[row, 1:5].max())
        chance = powers / powers.sum()
        middle = np.array([(WIDTH - 1) / 2 + across * WIDTH, (row + 0.5 + below) * HEIGHT / ROWS - 0.5])
        way = np.array([1.0, slope]) / np.hypot(1.0, slope)
        long, short = way * half_long * WIDTH, np.array([-way[1], way[0]]) * half_short * WIDTH
        quad = np.array([middle - long - short, middle + long - short, middle + long + short, middle - long + short])
        value = STICK_VALUES[int(chance.argmax())] if chance.max() >= _VALUED else 0
        # Told from the strip's middle a stick is told best.
        score = float(here[row]) * (1 - abs(row + 0.5 - ROWS / 2) / ROWS)
        yield Stick(quad=apply(strip_to_felt(spot), quad), value=value, score=score)


def _once(sticks: Sequence[Stick]) -> list[Stick]:
    kept: list[Stick] = []
    for stick in sorted(sticks, key=lambda one: -one.score):
        if all(_overlap(stick.quad, other.quad) < TOUCHES for other in kept):
            kept.append(stick)
    return kept


def _overlap(one: Floats, other: Floats) -> float:
    return overlap_of(one.astype(np.float32), other.astype(np.float32))


def located(shown: Shown, locator: Locator) -> list[Stick]:
    """What the locator tells in the view from above, as it is shipped."""
    edge, start = shown.side_mm * PX_PER_MM, _MARGIN_MM * PX_PER_MM
    corners = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]]) + start
    to_top = homography_between(square(shown.side_mm), corners)
    size = int(edge + 2 * start) // 16 * 16
    top = cv2.warpPerspective(shown.image, to_top @ inverse(shown.to_pixels), (size, size))
    found = locator.locate(np.asarray(top, np.uint8), tile_px=21.0 * PX_PER_MM)
    back = inverse(to_top)
    answers = zip(found.sticks, found.stick_values, found.stick_scores, strict=True)
    return [Stick(quad=apply(back, quad), value=value, score=float(score)) for quad, value, score in answers]


def held_against(shown: Shown, answers: Sequence[Stick]) -> Counter[str]:
    """Counts sticks there, found, valued, valued wrongly, and told where none lies; each told stick counts once."""
    counts: Counter[str] = Counter(pictures=1)
    overlap = np.array([[_overlap(stick.quad, quad) for stick in answers] for quad, *_ in shown.sticks])
    overlap = overlap.reshape(len(shown.sticks), len(answers))
    for row, (_, value, visible) in zip(overlap, shown.sticks, strict=True):
        if visible <= _CLEAR:
            continue
        best = int(row.argmax()) if len(row) else -1
        is_found = best >= 0 and row[best] >= SAME and row[best] >= overlap[:, best].max()
        counts[f"there {value}"] += 1
        if is_found:
            counts[f"found {value}"] += 1
            counts[f"{_verdict(answers[best].value, value)} {value}"] += 1
    if len(answers):
        counts["false"] += int((overlap.max(axis=0, initial=0.0) < TOUCHES).sum())
    return counts


def _verdict(answers: int, value: int) -> str:
    return "right" if answers == value else "wrong" if answers else "untold"


def drawn(seed: int, *, is_laid: bool) -> Shown:
    """A drawn table never trained on: as the model card's, or with sticks as players lay them."""
    table: Frame | Table = Table(HELD_OUT + seed) if is_laid else Frame(HELD_OUT + seed)
    to_pixels = homography_between(square(table.appearance.felt_mm), table.corners)
    if isinstance(table, Table):
        sticks = tuple(table.sticks)
    else:
        to_felt = inverse(to_pixels)
        sticks = tuple((apply(to_felt, quad), value, visible) for quad, visible, value in table.sticks)
    name = "sticks as laid" if is_laid else "the card's tables"
    image = np.asarray(table.image, np.uint8)
    return Shown(name=name, image=image, side_mm=table.appearance.felt_mm, to_pixels=to_pixels, sticks=sticks)


def traced(path: Path) -> Shown:
    """A path-traced table, from its truth."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    to_pixels = homography_between(square(truth["side_mm"]), np.array(truth["corners_px"]))
    to_felt = inverse(to_pixels)
    sticks = tuple((apply(to_felt, np.array(one["quad"])), one["value"], one["visible"]) for one in truth["sticks"])
    image = np.asarray(cv2.imread(str(path.with_name(truth["picture"]))), np.uint8)
    return Shown(
        name=f"path-traced, {truth['view']}", image=image, side_mm=truth["side_mm"], to_pixels=to_pixels, sticks=sticks
    )


def _judged(job: _Job) -> tuple[str, Counter[str], Counter[str]]:
    cv2.setNumThreads(1)
    model, watch, what = job
    shown = traced(what) if isinstance(what, Path) else drawn(what[0], is_laid=what[1])
    weights = load("watch") if watch is None else load("watch", places=(watch,))
    before = located(shown, Locator(weights=weights))
    spots = [spot_of(stick.quad) for stick in before] + riichi_spots()
    return shown.name, held_against(shown, before), held_against(shown, StripReader(model).sticks(shown, spots))


def report(judged: Sequence[tuple[str, Counter[str], Counter[str]]]) -> str:
    """A row for each set and reader, with values apart."""
    lines = [
        "| set, reader | pictures | found | found and valued | wrong | untold | false | 1000 | 100 | 5000 | 10000 |"
    ]
    lines.append("|---|" + "---|" * 10)
    for name in sorted({name for name, *_ in judged}):
        for reader, place in (("locator", 1), ("strips", 2)):
            sums: Counter[str] = Counter()
            for one in judged:
                if one[0] == name:
                    sums.update(one[place])
            lines.append(_row(f"{name}, {reader}", sums))
    return "\n".join(lines)


def _row(name: str, sums: Counter[str]) -> str:
    def over(what: str) -> int:
        return sum(sums[f"{what} {value}"] for value in STICK_VALUES)

    cells = [str(sums["pictures"])]
    cells += [str(Rate(right=over(what), total=over("there"))) for what in ("found", "right")]
    cells += [str(over("wrong")), str(over("untold")), str(sums["false"])]
    cells += [str(Rate(right=sums[f"right {value}"], total=sums[f"there {value}"])) for value in STICK_VALUES]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Parses the command line, judges and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, nargs="?", default=_MODEL, help="ONNX (models/strips.onnx)")
    parser.add_argument(
        "--watch", type=Path, metavar="FOLDER", help="a folder with another watch.onnx and its manifest"
    )
    parser.add_argument("--tables", type=int, default=200, help="drawn tables of each kind (200)")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="path-traced tables instead")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    what: list[Path | tuple[int, bool]]
    if asked.traced is not None:
        what = [*sorted(asked.traced.glob("*.json"))]
    else:
        what = [(seed, is_laid) for is_laid in (False, True) for seed in range(asked.tables)]
    jobs: list[_Job] = [(asked.model, asked.watch, one) for one in what]
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        print(report(pool.map(_judged, jobs, chunksize=4)))


if __name__ == "__main__":
    main()
