"""Strips of known tables, cut as by `vision.reading.sticks.strips`, with their targets row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.training.arrangement.laid_sticks import laid_sticks
from models.training.studio.random_deals import MANY_STRAYS, random_table
from models.training.traced.pictures import DOTS, read_picture
from vision.arrays import Floats, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px, seen_sticks, seen_tiles
from vision.cameras.synthetic.scene import Scene
from vision.geometry.plane_geometry import apply, homography_between, square
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.spots import Spot, riichi_spots, spot_of
from vision.reading.sticks.strips import HEIGHT, ROWS, WIDTH, cut, strip_to_felt

_SeenStick = tuple[Floats, float, int]

ROW_PX: Final = HEIGHT // ROWS
FIELDS: Final = 8
"""The targets of each row: whether a stick's middle is here, its value, its offset below the row's middle (in rows),
its slope, its offset right of the strip's middle, half its length, half its breadth (in strip lengths), and whether the
row is used for training."""
_CLEAR: Final = 0.6
_VISIBLE: Final = 0.15
_STEEP: Final = 0.25
_ASIDE: Final = 0.3
_NEGATIVES: Final = 6
UNTOLD: Final = -1
"""The target in place of a value if the dots are hidden: such a stick teaches only its place."""
SIDES: Final = (720, 900, 1080, 1296, 1600)


class KnownTable:
    """A picture of a table with known sticks: their apparent places on the plane of the felt, and strips."""

    def __init__(
        self, image: Image, *, corners: Floats, side_mm: float, sticks: Sequence[_SeenStick], rng: np.random.Generator,
        tiles: Sequence[Floats] = (),
    ) -> None:  # fmt: skip
        """Takes a picture, its corners, quads, visible fractions and values (or 0) of sticks, and quads of tiles."""
        self.rng, self.image, self.corners, self.side_mm = rng, image, corners, side_mm
        self.to_pixels = homography_between(square(side_mm), corners)
        to_felt = inverse(self.to_pixels)
        self.sticks = [(apply(to_felt, quad), value, visible) for quad, visible, value in sticks]
        self.tiles = [apply(to_felt, quad) for quad in tiles]

    def spots(self) -> Iterator[Spot]:
        """Yields places for training strips: around sticks, at the places of riichi sticks, and anywhere."""
        rng = self.rng
        for quad, _, visible in self.sticks:
            if visible > _VISIBLE and rng.random() < 0.75:
                x, y, degrees = spot_of(quad)[:3]
                across = rng.uniform(-20, 20) if rng.random() < 0.4 else rng.normal(0, 3)
                turn = np.radians(degrees)
                along = rng.normal(0, 7)
                x += along * np.cos(turn) - across * np.sin(turn)
                y += along * np.sin(turn) + across * np.cos(turn)
                yield Spot(float(x), float(y), degrees + float(rng.normal(0, 2.5)))
        for spot in riichi_spots():
            dx, dy = rng.normal(0, 6, 2)
            yield Spot(spot.x + float(dx), spot.y + float(dy), spot.degrees + float(rng.normal(0, 1.5)))
        for _ in range(_NEGATIVES):
            x, y = rng.uniform(-0.48, 0.48, 2) * self.side_mm
            yield Spot(float(x), float(y), float(rng.choice([0, 90]) + rng.normal(0, 3)))

    def strip(self, spot: Spot) -> Image:
        """Returns one strip."""
        return cut(self.image, partial(apply, self.to_pixels), spot)

    def target(self, spot: Spot) -> npt.NDArray[np.float32]:
        """Returns the targets of a strip, [ROWS, FIELDS]."""
        targets = np.zeros((ROWS, FIELDS), np.float32)
        targets[:, 7] = 1
        to_strip = inverse(strip_to_felt(spot))
        for quad, value, visible in self.sticks:
            if visible > _VISIBLE:
                _add(targets, apply(to_strip, quad), value, is_clear=visible > _CLEAR)
        return targets


class Table(KnownTable):
    """A drawn table."""

    def __init__(self, seed: int) -> None:
        """Draws the table of a seed; seeds from `HELD_OUT` on are for evaluation."""
        rng = np.random.default_rng([seed, 0x571C])
        side = int(rng.choice(SIDES))
        self.appearance = Appearance.random(seed, width_px=side, height_px=side)
        scene = random_table(rng, self.appearance, strays=MANY_STRAYS)
        if rng.random() < 0.6:
            sticks = laid_sticks(self.appearance, scene.tiles, scene.sticks, rng).sticks
            scene = Scene(tiles=scene.tiles, sticks=sticks, arms=scene.arms)
        self.scene = scene
        super().__init__(
            np.asarray(Renderer(self.appearance).render(scene), np.uint8),
            corners=np.asarray(corners_px(self.appearance), np.float64),
            side_mm=self.appearance.felt_mm,
            sticks=taught_sticks(scene, self.appearance),
            rng=rng,
            tiles=tile_quads(scene, self.appearance),
        )


class TracedTable(KnownTable):
    """A path-traced table."""

    def __init__(self, truth: Path, rng: np.random.Generator) -> None:
        """Opens a picture by its truth."""
        picture = read_picture(truth)
        super().__init__(
            picture.image,
            corners=picture.corners,
            side_mm=picture.side_mm,
            sticks=picture.sticks,
            rng=rng,
            tiles=[quad for quad, visible, _ in picture.tiles if visible > _VISIBLE],
        )


def taught_sticks(scene: Scene, appearance: Appearance) -> list[_SeenStick]:
    """Returns the quad, visible fraction and value of each stick of a drawn table, the value 0 if dots are hidden."""
    return [
        (seen.quad, seen.visible, seen.stick.value if seen.print_visible >= DOTS else 0)
        for seen in seen_sticks(scene, appearance)
    ]


def tile_quads(scene: Scene, appearance: Appearance) -> list[Floats]:
    """Returns the quads in pixels of the tiles of a drawn table that can be seen."""
    return [seen.quad for seen in seen_tiles(scene, appearance) if seen.visible > _VISIBLE]


def inverse(matrix: Floats) -> Floats:
    """Returns the inverse of a homography."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _add(targets: npt.NDArray[np.float32], quad: Floats, value: int, *, is_clear: bool) -> None:
    """Adds the targets of one stick, with its quad in the strip's pixels."""
    ends = [(quad[i] + quad[(i + 1) % 4]) / 2 for i in range(4)]
    pairs = [(ends[0], ends[2]), (ends[1], ends[3])]
    (first, last), (low, high) = sorted(pairs, key=lambda pair: -float(np.linalg.norm(pair[1] - pair[0])))
    direction = last - first if last[0] > first[0] else first - last
    x, y = (first + last) / 2
    row = int(np.floor((y + 0.5) / ROW_PX))
    if not 0 <= row < ROWS or abs(x - (WIDTH - 1) / 2) > 0.6 * WIDTH:
        return
    slope = float(direction[1] / max(float(direction[0]), 1e-3))
    across = (x - (WIDTH - 1) / 2) / WIDTH
    if not is_clear or abs(slope) > _STEEP or abs(across) > _ASIDE:
        targets[max(0, row - 1) : row + 2, 7] = 0
        return
    below = (y + 0.5) / ROW_PX - row - 0.5
    half = np.linalg.norm(direction) / 2 / WIDTH, np.linalg.norm(high - low) / 2 / WIDTH
    index = STICK_VALUES.index(value) if value else UNTOLD
    targets[row] = (1, index, below, slope, across, *half, 1)


def strips_of(table: KnownTable) -> tuple[Image, npt.NDArray[np.float32]]:
    """Returns training strips of one table with targets: [N, HEIGHT, WIDTH, 3] and [N, ROWS, FIELDS], new each time."""
    return strips_at(table, list(table.spots()))


def strips_at(table: KnownTable, spots: Sequence[Spot]) -> tuple[Image, npt.NDArray[np.float32]]:
    """Returns the strips of a table at these places, with their targets, as `strips_of` does."""
    return np.stack([table.strip(spot) for spot in spots]), np.stack([table.target(spot) for spot in spots])
