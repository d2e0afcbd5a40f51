"""Strips of tables, mostly with crowds of sticks, cut where the reader itself looks; mostly those that it misreads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.training.arrangement.laid_sticks import laid_sticks
from models.training.arrangement.stick_crowds import with_stick_crowds
from models.training.arrangement.views import with_camera
from models.training.studio.random_deals import MANY_STRAYS, random_table
from models.training.studio.strips.likely_strips import near_spot, read_first
from models.training.studio.strips.stick_strips import SIDES, UNTOLD, KnownTable, strips_at, taught_sticks, tile_quads
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Scene
from vision.geometry.plane_geometry import apply
from vision.reading.locator import Locator
from vision.reading.sticks.spots import Spot
from vision.reading.sticks.strips import StripReader
from vision.reading.sticks.votes import Answer
from vision.reading.weights import load

_VIEWS: Final = {"square": 0.4, "25-35": 0.25, "35-50": 0.35}
"""The shares of tables in a square picture from above, and from beside them."""
_ERRS: Final = 0.15
"""A strip with an answer that is wrong by more than this is hard."""
_AGAIN: Final = 2
"""How many times a hard strip is cut again, from slightly different places."""
_EASY: Final = 0.25
"""The share that is kept of strips that are not hard."""


class CrowdedTable(KnownTable):
    """A drawn table from above or from beside it, with crowds of sticks."""

    def __init__(self, seed: int) -> None:
        """Draws the table of a seed; seeds from `HELD_OUT` on are for evaluation."""
        rng = np.random.default_rng([seed, 0xC20D])
        view = str(rng.choice(list(_VIEWS), p=list(_VIEWS.values())))
        if view == "square":
            side = int(rng.choice(SIDES))
            appearance = Appearance.random(seed, width_px=side, height_px=side)
        else:
            appearance = with_camera(Appearance.random(seed), view, rng)
        scene = random_table(rng, appearance, strays=int(rng.choice([1, MANY_STRAYS])))
        if rng.random() < 0.6:
            sticks = laid_sticks(appearance, scene.tiles, scene.sticks, rng).sticks
            scene = Scene(tiles=scene.tiles, sticks=sticks, arms=scene.arms)
        if rng.random() < 0.8:
            scene = with_stick_crowds(appearance, scene, rng)
        super().__init__(
            np.asarray(Renderer(appearance).render(scene), np.uint8),
            corners=np.asarray(corners_px(appearance), np.float64),
            side_mm=appearance.felt_mm,
            sticks=taught_sticks(scene, appearance),
            rng=rng,
            tiles=tile_quads(scene, appearance),
        )


class _NotingReader(StripReader):
    """A reader of sticks that notes the places of the strips that it reads."""

    def __init__(self, folder: Path) -> None:
        super().__init__(weights=load("strips", places=(folder,)))
        self.read: list[Spot] = []

    def _read(self, image: Image, to_pixels: Any, spots: Sequence[Spot]) -> list[Answer]:
        self.read += spots
        return super()._read(image, to_pixels, spots)


class Miner:
    """Cuts strips where a reader of sticks looks."""

    def __init__(self, folder: Path) -> None:
        """Takes the folder with the weights of that reader."""
        self._locator, self._reader = Locator.from_above(), _NotingReader(folder)

    def strips_of(self, table: KnownTable) -> tuple[Image, npt.NDArray[np.float32]]:
        """Returns strips and targets as `stick_strips.strips_of` does: hard ones several times, and some easy ones."""
        spots = [*table.spots(), *self._spots_read(table)]
        strips, targets = strips_at(table, spots)
        errors = errors_of(self._reader.answers(strips), targets)
        again = [near_spot(spots[n], table.rng) for n in np.flatnonzero(errors > _ERRS) for _ in range(_AGAIN)]
        is_kept = (errors > _ERRS) | (table.rng.random(len(spots)) < _EASY)
        more = strips_at(table, again) if again else (strips[:0], targets[:0])
        return np.concatenate([strips[is_kept], more[0]]), np.concatenate([targets[is_kept], more[1]])

    def _spots_read(self, table: KnownTable) -> list[Spot]:
        self._reader.read = []
        self._reader.sticks(table.image, partial(apply, table.to_pixels), read_first(table, self._locator))
        return self._reader.read


def errors_of(answers: npt.NDArray[np.float32], targets: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Returns how wrong the worst answer for each strip is, 0-1: a stick missed, a wrong value, or a false stick."""
    presence = 1 / (1 + np.exp(-answers[..., 0]))
    padded = np.pad(presence, ((0, 0), (1, 1)))
    summed_presence = np.minimum(presence + np.maximum(padded[:, :-2], padded[:, 2:]), 1.0)
    powers = np.exp(answers[..., 1:5] - answers[..., 1:5].max(axis=-1, keepdims=True))
    chances = powers / powers.sum(axis=-1, keepdims=True)
    is_here, is_known, value = targets[..., 0] > 0, targets[..., 7] > 0, targets[..., 1].astype(int)
    right = np.take_along_axis(chances, np.maximum(value, 0)[..., None], axis=-1)[..., 0]
    wrong_value = np.where(value == UNTOLD, 0.0, 1 - right)
    around = np.pad(is_here | ~is_known, ((0, 0), (1, 1)))
    is_empty = ~(around[:, :-2] | around[:, 1:-1] | around[:, 2:])
    wrong = np.where(is_here, np.maximum(1 - summed_presence, wrong_value), np.where(is_empty, presence, 0.0))
    return np.asarray(wrong.max(axis=1), np.float32)
