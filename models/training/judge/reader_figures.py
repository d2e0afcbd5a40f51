"""Evaluates the shipped reader on labelled photographs and rendered crops, for the model card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from models.training.crops import labelled_photos, samples
from models.training.crops.imagined_sets import sets_of
from models.training.faces import font_glyphs
from models.training.judge import metrics
from models.training.studio import table_crops
from models.training.studio.table_pictures import HELD_OUT
from vision.arrays import Floats32, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import BACK, CLASSES, NOT_A_TILE, Reading
from vision.reading.reader import TileReader, crops

_RENDERED: Final = 2000
_PASTED: Final = 64
_RENDERED_SET: Final = "rendered, unseen seed"
_PASTED_SET: Final = "pasted tables, unseen appearances"
_UNSEEN_SEED: Final = 90_000_017
_ASK: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedReadings:
    """Readings of crops with known answers."""

    name: str
    truth: list[str]
    read: list[str]
    scores: list[float]

    @property
    def rate(self) -> metrics.Rate:
        """The rate of right readings."""
        return metrics.Rate(right=sum(self.right), total=len(self.truth))

    @property
    def right(self) -> list[bool]:
        """Whether each reading was right."""
        return [a == b for a, b in zip(self.truth, self.read, strict=True)]


def judge_lying(reader: TileReader, shared: Path) -> JudgedReadings:
    """Reads the held-out photographs of the training set in which tiles lie along the picture's axes.

    A box does not show whether its tile is upright or rotated by a quarter turn, so it is read in both ways.
    """
    truth: list[str] = []
    readings: list[Reading] = []
    for photo in labelled_photos.find(shared, "chinese-and-hk"):
        if photo.is_held_out and photo.is_straight:
            image = photo.image()
            readings.extend(_either_way(reader, image, quad) for quad in photo.quads)
            truth.extend(photo.labels)
    return _judged_readings("chinese-and-hk, held-out photos", truth, readings)


def judge_standing(reader: TileReader, shared: Path) -> JudgedReadings:
    """Reads the set that is never used for training: standing tiles, photographed from a low angle."""
    truth: list[str] = []
    readings: list[Reading] = []
    for photo in labelled_photos.find(shared, "japanese-standing"):
        readings.extend(reader.read(photo.image(), labelled_photos.below_the_top(photo.quads)))
        truth.extend(photo.labels)
    return _judged_readings("japanese-standing, not in the training", truth, readings)


def _either_way(reader: TileReader, image: Image, quad: Floats32) -> Reading:
    """Reads one box upright and rotated by a quarter turn; returns the reading with the higher score of a face."""
    both = reader.read_crops(crops(image, np.stack([quad, labelled_photos.quarter_turned(quad)])))
    return max(both, key=lambda reading: reading.score if reading.tile not in {NOT_A_TILE, BACK} else reading.score - 1)


def judge_rendered(reader: TileReader, shared: Path, *, count: int = _RENDERED) -> JudgedReadings:
    """Reads crops rendered from a seed that is never used for training."""
    batch = samples.make(count, seed=_UNSEEN_SEED, fonts=font_glyphs.find_fonts(), art=samples.load_material(shared))
    return _judged_readings(_RENDERED_SET, [CLASSES[label] for label in batch.labels], reader.read_crops(batch.crops))


def judge_pasted(reader: TileReader, shared: Path) -> JudgedReadings:
    """Reads pasted tables of appearances that are never used for training, with slightly inexact quads."""
    sets = sets_of(shared)
    truth: list[str] = []
    readings: list[Reading] = []
    for seed in range(HELD_OUT, HELD_OUT + _PASTED):
        rng, appearance = np.random.default_rng([seed, _UNSEEN_SEED]), Appearance.random(seed)
        picture, quads, names = table_crops.flat_table(appearance, sets(rng, appearance), rng)
        readings.extend(reader.read(picture, table_crops.slipped(quads, rng)))
        truth.extend(names)
    return _judged_readings(_PASTED_SET, truth, readings)


def _judged_readings(name: str, truth: list[str], readings: list[Reading]) -> JudgedReadings:
    return JudgedReadings(
        name=name,
        truth=truth,
        read=[reading.tile for reading in readings],
        scores=[reading.score for reading in readings],
    )


def judge_all(reader: TileReader, shared: Path) -> list[JudgedReadings]:
    """Evaluates the reader on every available set."""
    judges = (judge_rendered, judge_pasted, judge_lying, judge_standing)
    results = [judge(reader, shared) for judge in judges]
    return [one for one in results if one.truth]


def report(results: list[JudgedReadings]) -> str:
    """Returns the reading figures as Markdown: rates, mistakes, reliability, and the cost of asking people."""
    lines = ["| set | faces read rightly (95 % interval) | mean score |", "|---|---|---|"]
    lines += [f"| {one.name} | {one.rate} | {float(np.mean(one.scores)):.3f} |" for one in results]
    for one in results:
        mistakes = ", ".join(f"{a} as {b} x{count}" for a, b, count in metrics.confusions(one.truth, one.read))
        lines += ["", f"Mistakes, {one.name}: {mistakes or 'none'}."]
    scores, right = on_photographs(results)
    return "\n".join([*lines, "", *_reliability(scores, right), "", *_asking(scores, right)])


def on_photographs(results: list[JudgedReadings]) -> tuple[list[float], list[bool]]:
    """Returns all scores on photographs (on drawn crops if there are none), and which of the readings were right."""
    on_photos = [one for one in results if one.name not in {_RENDERED_SET, _PASTED_SET}] or results
    return [score for one in on_photos for score in one.scores], [
        is_right for one in on_photos for is_right in one.right
    ]


def _reliability(scores: list[float], right: list[bool]) -> list[str]:
    bins, error = metrics.reliability(scores, right)
    rows = [f"| {row.low:g}-{row.high:g} | {row.count} | {row.predicted:.3f} | {row.observed:.3f} |" for row in bins]
    head = ["### Reliability on photographs", "", f"Expected calibration error {error:.3f}.", ""]
    return [*head, "| score | faces | predicted | observed |", "|---|---|---|---|", *rows]


def _asking(scores: list[float], right: list[bool]) -> list[str]:
    lines = ["| people are asked below | asked | right among the rest |", "|---|---|---|"]
    predicted, is_right = np.array(scores), np.array(right)
    for threshold in _ASK:
        sure = predicted >= threshold
        rate = metrics.Rate(right=int(is_right[sure].sum()), total=int(sure.sum()))
        lines.append(f"| {threshold:g} | {100 * float(1 - sure.mean()):.1f} % | {rate} |")
    return lines
