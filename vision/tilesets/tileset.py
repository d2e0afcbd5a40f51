"""A user's own set of tiles: examples of its faces in one small file, and a reader adapted to them.

The file (`*.tileset`, JSON, about 200 kB) holds the examples themselves rather than a network's features, so it can be
copied to another table, remains valid with new weights, and examples from one source can be removed:

    {"format": "tachiai-tileset", "version": 1, "name": "…",
     "looks": [{"face": "1m", "source": "scan", "jpeg": "<base64, 48 x 64>"}, …],
     "readiness": {"right": 370, "total": 370, "confused": [["9m", "6m", 0.25], …]} or null}

Learning takes a second or two: the examples are augmented as a camera would disturb them and embedded by the shipped
reader, and a correction of its outputs is fitted to them.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Image
from vision.atomic_files import read_at_most, write_whole
from vision.errors import TileSetError, reason
from vision.felt import BACK, CLASSES, FACES, NOT_A_TILE, Reading
from vision.json_text import read_json
from vision.picture_decoding import decoded_picture
from vision.reading.reader import HEIGHT, WIDTH, TileReader, crops

FORMAT: Final = "tachiai-tileset"
VERSION: Final = 1
FLOOR: Final = 0.99
"""The share of the test examples' copies that must be read correctly for a set to be ready."""
_SHAKY: Final = 0.1
"""The share of a test example's copies that may be misread before its face is reported as confused."""
_VARIANTS: Final = 12
"""How many augmented copies of each example are learnt."""
_ASTRIDE: Final = 4
"""How many augmented pictures per example are cut astride it and another one: no tiles, but in this set's colours."""
_NOTHING: Final = 2
"""Weight of such a picture relative to a face."""
_CHECKS: Final = 10
"""How many augmented copies of each test example are read."""
_ROUNDS: Final = 120
_RATE: Final = 0.5
_MOMENTUM: Final = 0.9
_HOLD: Final = 0.002
"""Strength of the regularisation toward the shipped reader."""
_SURE: Final = 0.99
"""The score with which examples are to be read; more would make the reader overconfident."""
_QUALITY: Final = 95


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FaceExample:
    """One example of one face."""

    face: str
    """mpsz, or `back`."""
    source: str
    """Where it comes from: `scan`, or a name by which it can be removed."""
    crop: Image
    """[64, 48, 3], BGR, glyph upright."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The result of testing an adapted reader on pictures of the set that it did not learn from."""

    right: int
    total: int
    confused: tuple[tuple[str, str, float], ...]
    """Faces still confused: the face, what it is mostly misread as, and the share of misread copies."""

    @property
    def score(self) -> float:
        """The share read correctly."""
        return self.right / self.total if self.total else 0.0

    @property
    def is_ready(self) -> bool:
        """Whether the set is read well enough to play with."""
        return self.score >= FLOOR and not self.confused


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSet:
    """A set with all its examples."""

    name: str
    examples: tuple[FaceExample, ...]
    readiness: Readiness | None = None
    """None until it was measured."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces with examples, in the order of `vision.felt`."""
        seen = {example.face for example in self.examples}
        return tuple(face for face in CLASSES if face in seen)

    def having(self, examples: tuple[FaceExample, ...]) -> TileSet:
        """Returns the set with more examples, such as confirmed corrections of a hand."""
        return replace(self, examples=self.examples + examples)

    def without(self, source: str) -> TileSet:
        """Returns the set without the examples from `source`.

        Raises:
            TileSetError: there are none.
        """
        remaining = tuple(example for example in self.examples if example.source != source)
        if len(remaining) == len(self.examples):
            sources = ", ".join(sorted({example.source for example in self.examples}))
            raise TileSetError(f"expected one of the sources {sources}, got {source!r}, in tile set {self.name!r}")
        return replace(self, examples=remaining)


class SetReader:
    """The shipped reader adapted to a set; reads like `vision.reading.reader.TileReader`."""

    def __init__(self, reader: TileReader, tiles: TileSet) -> None:
        """Learns the examples of `tiles`; the same examples always give the same reader."""
        self._reader = reader
        self._correction = _fitted_correction(reader, tiles)

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        """Reads quads [N, 4, 2] of a BGR picture, in order."""
        return self.read_crops(crops(image, quads))

    def read_crops(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3]."""
        if len(cut) == 0:
            return []
        probabilities, turned, embedded = self._reader.outputs(cut)
        return self._reader.readings(self.corrected(probabilities, embedded), turned)

    def corrected(self, probabilities: Floats32, embedded: Floats32) -> Floats32:
        """Returns the shipped reader's probabilities [N, 39], corrected by what was learnt."""
        return _chances(_logs(probabilities) + _features(embedded) @ self._correction)


def measure(reader: SetReader, second: tuple[FaceExample, ...]) -> Readiness:
    """Reads augmented copies of test examples, those of a second scan; the same examples give the same result."""
    rng = np.random.default_rng(2)
    right, confused = 0, []
    for example in second:
        readings = reader.read_crops(disturbed(example.crop, _CHECKS, rng))
        wrong = [reading.tile for reading in readings if reading.tile != example.face]
        right += len(readings) - len(wrong)
        if len(wrong) > _SHAKY * len(readings):
            confused.append((example.face, max(sorted(set(wrong)), key=wrong.count), len(wrong) / len(readings)))
    return Readiness(right=right, total=_CHECKS * len(second), confused=tuple(confused))


def disturbed(crop: Image, count: int, rng: np.random.Generator) -> Image:
    """Returns the crop and `count` - 1 copies with random disturbances, [count, 64, 48, 3]."""
    copies = [crop]
    frame = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    for _ in range(count - 1):
        corners = frame + rng.uniform(-0.07, 0.07, (4, 2)).astype(np.float32) * (WIDTH, HEIGHT)
        homography = cv2.getPerspectiveTransform(corners.astype(np.float32), frame)
        copy = cv2.warpPerspective(crop, homography, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        across = int(rng.integers(20, WIDTH))
        coarse = cv2.resize(copy, (across, across * HEIGHT // WIDTH), interpolation=cv2.INTER_AREA)
        lit = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        grey = lit.mean(axis=2, keepdims=True)
        lit = (grey + (lit - grey) * rng.uniform(0.6, 1.2)) * rng.uniform(0.7, 1.15)
        copies.append(np.clip(lit + rng.standard_normal(lit.shape) * rng.uniform(0.5, 5), 0, 255).astype(np.uint8))
    return np.stack(copies)


def _fitted_correction(reader: TileReader, tiles: TileSet) -> Floats32:
    """Returns the weights [D, 39] by which an embedding corrects the reader's outputs, from a regularised fit."""
    pictures, labels = _lessons(tiles)
    probabilities, _, embedded = reader.outputs(pictures)
    features, logs = _features(embedded), _logs(probabilities)
    unit = 1 / np.sqrt((features**2).sum(axis=1).mean())
    targets = np.full(logs.shape, (1 - _SURE) / len(CLASSES), np.float32)
    targets[np.arange(len(labels)), labels] += _SURE
    # Every face has the same weight, however many examples it has.
    weight = 1 / np.bincount(labels, minlength=len(CLASSES))[labels]
    weight[labels == CLASSES.index(NOT_A_TILE)] *= _NOTHING
    correction = pace = np.zeros((features.shape[1], len(CLASSES)))
    for _ in range(_ROUNDS):
        wrong = (_chances(logs + features * unit @ correction) - targets) * weight[:, None]
        pace = _MOMENTUM * pace + (features * unit).T @ wrong + _HOLD * correction
        correction = correction - _RATE * pace
    return np.asarray(correction * unit, np.float32)


def _lessons(tiles: TileSet) -> tuple[Image, npt.NDArray[np.int64]]:
    """Returns augmented copies of the examples, and of pictures cut astride two of them, with their classes."""
    rng = np.random.default_rng(1)
    pictures = [disturbed(example.crop, _VARIANTS, rng) for example in tiles.examples]
    names = [name for example in tiles.examples for name in [example.face] * _VARIANTS]
    for example in tiles.examples:
        neighbour = tiles.examples[int(rng.integers(len(tiles.examples)))].crop
        axis, size = (1, WIDTH) if rng.random() < 0.5 else (0, HEIGHT)
        cut = int(rng.uniform(0.38, 0.62) * size)
        parts = np.split(example.crop, [cut], axis=axis)[1], np.split(neighbour, [cut], axis=axis)[0]
        pictures.append(disturbed(np.concatenate(parts, axis=axis), _ASTRIDE, rng))
        names += [NOT_A_TILE] * _ASTRIDE
    return np.concatenate(pictures), np.array([CLASSES.index(name) for name in names])


def _features(embedded: Floats32) -> Floats32:
    """Returns the part of an embedding that the reader's own last layer uses."""
    return np.asarray(np.maximum(embedded, 0), np.float32)


def _logs(probabilities: Floats32) -> Floats32:
    return np.log(np.maximum(probabilities, np.float32(1e-7)))


def _chances(logits: npt.NDArray[np.floating[Any]]) -> Floats32:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def save(tiles: TileSet, path: Path) -> None:
    """Writes the set's file, whole or not at all.

    Raises:
        TileSetError: the file cannot be written.
    """
    _write(as_text(tiles), path)


def as_text(tiles: TileSet) -> str:
    """Returns the content of a set's file."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "name": tiles.name,
        "looks": [
            {"face": example.face, "source": example.source, "jpeg": packed(example.crop)} for example in tiles.examples
        ],
        "readiness": None
        if tiles.readiness is None
        else {
            "right": tiles.readiness.right,
            "total": tiles.readiness.total,
            "confused": [list(row) for row in tiles.readiness.confused],
        },
    }
    return _as_text(content)


def write_document(content: dict[str, Any], path: Path) -> None:
    """Writes a JSON file, whole or not at all.

    Raises:
        TileSetError: the file cannot be written.
    """
    _write(_as_text(content), path)


def _as_text(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _write(text: str, path: Path) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise TileSetError(f"expected a writable file, got {reason(error)}, at {path}") from error


def read_document(path: Path, form: tuple[str, int], kind: str) -> dict[str, Any]:
    """Reads a JSON file of a given format and version.

    Raises:
        TileSetError: it is missing or different; `kind` names what was expected.
    """
    try:
        if path.is_fifo():  # commands copy a pipe that they are given; one in a folder would keep a camera waiting
            raise OSError("a pipe in place of a file")
        content = read_json(read_at_most(path))
    except (OSError, ValueError) as error:
        raise TileSetError(f"expected a readable {kind}, got {reason(error)}, at {path}") from error
    if not isinstance(content, dict) or (content.get("format"), content.get("version")) != form:
        raise TileSetError(f"expected {form[0]} version {form[1]}, got another file, at {path}")
    return content


def load(path: Path) -> TileSet:
    """Reads a set's file.

    Raises:
        TileSetError: it is missing, has another format or version, or one of its examples cannot be used.
    """
    content = read_document(path, (FORMAT, VERSION), "tile set")
    try:
        examples = tuple(
            FaceExample(face=_face(example["face"]), source=str(example["source"]), crop=unpacked(example["jpeg"]))
            for example in content["looks"]
        )
        if not examples:
            raise ValueError("no looks")
        return TileSet(name=str(content["name"]), examples=examples, readiness=_readiness(content["readiness"]))
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise TileSetError(f"expected looks and readiness as documented, got {error!r}, in {path}") from error


def _readiness(content: dict[str, Any] | None) -> Readiness | None:
    if content is None:
        return None
    confused = tuple((_face(face), str(read), float(part)) for face, read, part in content["confused"])
    return Readiness(right=int(content["right"]), total=int(content["total"]), confused=confused)


def _face(name: Any) -> str:
    if name not in {*FACES, BACK}:
        raise ValueError(f"expected a face in mpsz or {BACK}, got {name!r}")
    return str(name)


def packed(crop: Image) -> str:
    """Returns a crop [64, 48, 3] as the text of a JPEG."""
    _, jpeg = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return base64.b64encode(jpeg.tobytes()).decode("ascii")


def unpacked(text: str) -> Image:
    """Returns the crop in a text that `packed` made.

    Raises:
        ValueError: it contains no picture of this size.
    """
    crop = decoded_picture(base64.b64decode(text, validate=True))
    if crop is None or crop.shape != (HEIGHT, WIDTH, 3):
        raise ValueError(f"expected pictures of {WIDTH} x {HEIGHT}, got {None if crop is None else crop.shape}")
    return crop
