"""Judges the shipped reader on labelled photographs and rendered crops; the figures of the model card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.training import measures, photos, samples, writing
from vision.felt import CLASSES, NOT_A_TILE, Reading
from vision.read import TileReader, crops

Image = npt.NDArray[np.uint8]

_RENDERED: Final = 2000
_UNSEEN_SEED: Final = 90_000_017
_ASK: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What was read where the answer is known."""

    name: str
    truth: list[str]
    read: list[str]
    scores: list[float]

    @property
    def rate(self) -> measures.Rate:
        """How many were right."""
        return measures.Rate(right=sum(self.right), total=len(self.truth))

    @property
    def right(self) -> list[bool]:
        """Which were right."""
        return [a == b for a, b in zip(self.truth, self.read, strict=True)]


def judge_photos(reader: TileReader, name: str, found: tuple[photos.Photo, ...]) -> Judged:
    """Reads the boxes of labelled photographs, without knowing which quarter turn a box needs."""
    truth: list[str] = []
    readings: list[Reading] = []
    for photo in found:
        image = photo.image()
        readings.extend(read_box(reader, image, quad) for quad in photo.quads)
        truth.extend(photo.labels)
    return _judged(name, truth, readings)


def read_box(reader: TileReader, image: Image, quad: npt.NDArray[np.float32]) -> Reading:
    """Reads one box both ways, and returns the reading that is surer of some tile."""
    both = reader.read_crops(crops(image, np.stack([quad, photos.quarter_turned(quad)])))
    return max(both, key=lambda reading: reading.score if reading.tile != NOT_A_TILE else reading.score - 1)


def judge_rendered(reader: TileReader, shared: Path, *, count: int = _RENDERED) -> Judged:
    """Reads crops rendered from a seed that no training uses."""
    batch = samples.make(count, seed=_UNSEEN_SEED, fonts=writing.find_fonts(), art=samples.load_material(shared))
    return _judged("rendered, unseen seed", [CLASSES[label] for label in batch.labels], reader.read_crops(batch.crops))


def _judged(name: str, truth: list[str], readings: list[Reading]) -> Judged:
    return Judged(
        name=name,
        truth=truth,
        read=[reading.tile for reading in readings],
        scores=[reading.score for reading in readings],
    )


def judge_all(reader: TileReader, shared: Path) -> list[Judged]:
    """Judges on every set there is; sets that are absent are left out."""
    chinese = photos.find(shared, "chinese-and-hk")
    straight = tuple(photo for photo in chinese if photo.is_straight)
    sets: list[tuple[str, Callable[[], Judged]]] = [
        ("rendered", lambda: judge_rendered(reader, shared)),
        (
            "chinese-and-hk",
            lambda: judge_photos(
                reader, "chinese-and-hk, held-out photos", tuple(photo for photo in straight if photo.is_held_out)
            ),
        ),
        (
            "japanese-standing",
            lambda: judge_photos(
                reader, "japanese-standing, never trained on", photos.find(shared, "japanese-standing")
            ),
        ),
    ]
    return [judged for _, make in sets if (judged := make()).truth]


def report(shared: Path) -> str:
    """Returns the reading figures as Markdown: rates, mistakes, reliability, and what asking would cost."""
    judged = judge_all(TileReader(), shared)
    lines = ["### Figures", "", "| set | faces read right (95 % interval) | mean score |", "|---|---|---|"]
    lines += [f"| {one.name} | {one.rate} | {float(np.mean(one.scores)):.3f} |" for one in judged]
    for one in judged:
        mistakes = ", ".join(f"{a} as {b} x{count}" for a, b, count in measures.confusions(one.truth, one.read))
        lines += ["", f"Mistakes, {one.name}: {mistakes or 'none'}."]
    seen = [one for one in judged if "rendered" not in one.name] or judged
    scores = [score for one in seen for score in one.scores]
    right = [is_right for one in seen for is_right in one.right]
    return "\n".join([*lines, "", *_reliability(scores, right), "", *_asking(scores, right)])


def _reliability(scores: list[float], right: list[bool]) -> list[str]:
    bins, error = measures.reliability(scores, right)
    rows = [f"| {row.low:g}-{row.high:g} | {row.count} | {row.said:.3f} | {row.was:.3f} |" for row in bins]
    head = ["### Reliability on photographs", "", f"Expected calibration error {error:.3f}.", ""]
    return [*head, "| score | faces | said | was |", "|---|---|---|---|", *rows]


def _asking(scores: list[float], right: list[bool]) -> list[str]:
    lines = ["| ask a person below | asked | right among the rest |", "|---|---|---|"]
    said, was = np.array(scores), np.array(right)
    for threshold in _ASK:
        sure = said >= threshold
        rate = measures.Rate(right=int(was[sure].sum()), total=int(sure.sum()))
        lines.append(f"| {threshold:g} | {100 * float(1 - sure.mean()):.1f} % | {rate} |")
    return lines
