"""A table whose standing hands are painted in a colour that nothing else has, before a camera that is moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tests.vision.privacy.hidden_hands import outline_px
from tests.vision.scenes_to_see import busy_table
from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Pose
from vision.felt import Reading
from vision.frames import Frame
from vision.geometry.roi import Roi
from vision.reading.locator import Located
from vision.watching.watcher import Watcher

APPEARANCE: Final = replace(Appearance.default(), width_px=960, height_px=960)
CALIBRATION: Final = calibration_of(APPEARANCE)
BRIGHT: Final = (255, 0, 255)
FLOOR: Final = (60, 70, 80)
STEP_NS: Final = 200_000_000


def _rotation(degrees: float, *, centre: tuple[float, float] = (0.5, 0.5), size: float = 1.0) -> Floats:
    """A turn about a point, given as shares of the picture, with the picture `size` times as large."""
    middle = centre[0] * APPEARANCE.width_px, centre[1] * APPEARANCE.height_px
    return np.vstack([cv2.getRotationMatrix2D(middle, degrees, size), [0, 0, 1]])


def _shift(right_mm: float, down_mm: float) -> Floats:
    ((x, _), (far_x, _)) = CALIBRATION.to_pixels([[0, 0], [100, 0]], height_mm=0.0)
    px_per_mm = (far_x - x) / 100
    return np.array([[1, 0, right_mm * px_per_mm], [0, 1, down_mm * px_per_mm], [0, 0, 1.0]])


MOVES: Final[Mapping[str, Floats]] = {
    "turned by 8 degrees": _rotation(8),
    "turned by 20 degrees the other way": _rotation(-20),
    "turned by a quarter": _rotation(90),
    "turned by half": _rotation(180),
    "turned about a corner": _rotation(8, centre=(0.2, 0.2)),
    "lifted": _rotation(0, size=0.85),
    "let down": _rotation(0, size=1.15),
    "pushed by a tile": _shift(20, 0),
    "pushed far": _shift(-150, 90),
    "turned, lifted and pushed": _shift(60, -40) @ _rotation(12, size=0.9),
}


@cache
def painted_table() -> Image:
    """The table, its hands painted: what could be seen of standing tiles."""
    scene = busy_table(APPEARANCE)
    picture = Renderer(APPEARANCE).render(scene)
    for tile in scene.tiles:
        if tile.pose is Pose.STANDING:
            cv2.fillConvexPoly(picture, outline_px(tile, APPEARANCE), BRIGHT)
    return picture


def frame_image(move: Floats | None, k: int) -> Image:
    """Frame `k` of the table before a camera that was moved so; the sensor's noise differs from frame to frame."""
    image = painted_table()
    if move is not None:
        image = np.asarray(cv2.warpPerspective(image, move, image.shape[1::-1], borderValue=FLOOR), dtype=np.uint8)
    return np.asarray(cv2.add(image, np.roll(_noise(), 7919 * k)), dtype=np.uint8)


@cache
def _noise() -> Image:
    levels = np.random.default_rng(5).integers(0, 7, (APPEARANCE.height_px, APPEARANCE.width_px, 1), dtype=np.uint8)
    return np.repeat(levels, 3, axis=2)


def bright_pixels(image: Image) -> int:
    """How many pixels have the colour of the hands, as far as JPEG leaves it."""
    blue, green, red = (image[..., channel].astype(int) for channel in range(3))
    return int(((blue > green + 60) & (red > green + 60)).sum())


class BlindWatcher:
    """A real watcher with models that find nothing, and count how often they are asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.watcher = Watcher(locator=self, reader=self, calibration=CALIBRATION, tile=APPEARANCE.tile_size)
        self.k = -1

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        self.calls += 1
        none = np.zeros((0, 4, 2), dtype=np.float32)
        scores = np.zeros(0, dtype=np.float32)
        return Located(tiles=none, tile_scores=scores, sticks=none, stick_scores=scores, stick_values=())

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return []

    def watch(self, move: Floats | None, *, frames: int) -> list[bool]:
        """Whether the table lay in its place in each of the frames."""
        found = []
        for _ in range(frames):
            self.k += 1
            self.watcher.watch(Frame(k=self.k, t_ns=self.k * STEP_NS, image=frame_image(move, self.k)))
            found.append(self.watcher.is_in_place)
        return found
