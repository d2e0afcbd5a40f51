"""An endless stream of crops for a training that draws while it learns: tiles, tables, photographs, traced tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops import labelled_photos, samples
from models.training.faces.font_glyphs import find_fonts
from models.training.studio import table_crops, traced_crops
from vision.arrays import Floats32

_DRAWN: Final = 160
"""The number of crops of one imagined set, or of whole tables, that are drawn at a time."""
_SHARES: Final = {"single": 0.55, "tables": 0.27, "photos": 0.15, "traced": 0.03}
"""The fractions of the crops."""
_PHOTO: Final = 64
"""The number of crops of one photograph that are cut at a time."""
_TRACED: Final = 120
"""About the number of crops of one path-traced picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UprightPhoto:
    """A photograph with the quads of its tiles, each starting at its glyph's top left, and their labels."""

    path: Path
    quads: Floats32
    labels: npt.NDArray[np.int64]


def save_photos(photos: Sequence[UprightPhoto], path: Path) -> None:
    """Writes photographs, without their pictures, for `load_photos`."""
    rows = [[str(photo.path), photo.quads.tolist(), photo.labels.tolist()] for photo in photos]
    path.write_text(json.dumps(rows), encoding="utf-8")


def load_photos(path: Path) -> list[UprightPhoto]:
    """Returns the photographs written by `save_photos`."""
    return [
        UprightPhoto(path=Path(name), quads=np.array(quads, np.float32), labels=np.array(labels, np.int64))
        for name, quads, labels in json.loads(path.read_text(encoding="utf-8"))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The material from which crops are drawn; it holds only paths, since it is sent to every process."""

    shared: Path
    fonts: Path
    photos: Path | None
    """The photographs written by `save_photos`."""
    traced: Sequence[Path]
    """The truths of path-traced pictures."""


def crops_without_end(seed: int, *, material: Material) -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """Yields crops [N, 64, 48, 3] and labels [N] of always new pictures; the same seed gives the same ones."""
    rng = np.random.default_rng([seed, 0xD157])
    fonts, art = find_fonts(material.fonts), samples.load_material(material.shared)
    photos = [] if material.photos is None else load_photos(material.photos)
    sizes = {"single": _DRAWN, "tables": _DRAWN, "photos": _PHOTO, "traced": _TRACED}
    absent = {name for name, source in (("photos", photos), ("traced", material.traced)) if not source}
    kinds = [kind for kind in _SHARES if kind not in absent]
    weights = np.array([_SHARES[kind] / sizes[kind] for kind in kinds])
    while True:
        new_seed = int(rng.integers(2**40))
        match kinds[rng.choice(len(kinds), p=weights / weights.sum())]:
            case "photos":
                yield _of_a_photo(photos[int(rng.integers(len(photos)))], rng)
                continue
            case "traced":
                batch = traced_crops.crops_of([material.traced[int(rng.integers(len(material.traced)))]], seed=new_seed)
            case "tables":
                batch = table_crops.make(_DRAWN, seed=new_seed, fonts=fonts, art=art)
            case _:
                batch = samples.make(_DRAWN, seed=new_seed, fonts=fonts, art=art)
        if len(batch.labels):
            yield batch.crops, batch.labels


def _of_a_photo(photo: UprightPhoto, rng: np.random.Generator) -> tuple[npt.NDArray[Any], ...]:
    image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
    chosen = rng.integers(len(photo.labels), size=_PHOTO)
    cut = [labelled_photos.jittered(image, photo.quads[index], 1, rng) for index in chosen]
    return np.concatenate(cut), photo.labels[chosen]
