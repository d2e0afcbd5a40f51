"""A table drawn in a few strokes, and models that answer from what was drawn: a bench for the watcher alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.felt import NOT_A_TILE, FeltReport, Reading
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.geometry.rectify import TopView
from vision.geometry.roi import Roi
from vision.privacy.hand_privacy import lean_of
from vision.reading.locator import Located
from vision.reading.sticks.spots import Spot, Stick
from vision.reading.sticks.strips import ToPixels
from vision.watching.watcher import Watcher

SIZE = 840
SIDE = 720.0
TILE = TileSize()
FELT = (60, 110, 40)
SKIN = (110, 150, 205)
_READABLE_DEG = 10.0
Pixels = npt.NDArray[Any]
_NOISE = np.tile(np.random.default_rng(5).normal(0, 2.0, SIZE * SIZE * 3).astype(np.float32), 2)
"""Twice the noise of a picture, so that a picture's is a part of it, wherever it begins."""


def shifted(image: Pixels, right: float, down: float, *, by: int = cv2.INTER_LINEAR) -> Pixels:
    """The picture, whatever its levels are, moved by so many pixels; `by` says how it is interpolated."""
    plane = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    size = image.shape[1::-1]
    shifted_image = cv2.warpAffine(image, plane, size, flags=by, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shifted_image, image.dtype)


@dataclass(frozen=True, kw_only=True)
class DrawnThing:
    """A tile, or with `value` a stick."""

    face: str = ""
    x: float
    y: float
    angle: float = 0.0
    value: int | None = None
    score: float = 0.97
    reads: str = ""
    """What the reader takes it for, if not for what it is."""
    is_blank: bool = False
    other: str = "6m"
    """What it may be as well."""
    size: tuple[float, float] | None = None
    """Other measures than a tile's or a stick's."""
    is_located: bool = True
    """False: the locator does not find it."""
    is_there: bool = True
    """False: the locator errs, the table is bare."""
    found_askew: float = 0.0
    """By how many degrees the locator turns its outline; if by many, only `reads_askew` can be read in it."""
    reads_askew: str = NOT_A_TILE
    """What is read in an outline that is turned by many degrees: nothing, or another face."""

    @property
    def corners(self) -> Floats:
        """Clockwise in the picture from the glyph's top left, in millimetres."""
        width, height = self.size or ((9.0, 90.0) if self.value is not None else (TILE.width_mm, TILE.height_mm))
        across, up = width / 2, height / 2
        return turn([[-across, up], [across, up], [across, -up], [-across, -up]], self.angle) + (self.x, self.y)


@dataclass(frozen=True, kw_only=True)
class Scene:
    things: tuple[DrawnThing, ...] = ()
    arm: tuple[tuple[float, float], ...] = ()
    """Outline in millimetres."""
    light: float = 1.0

    def having(self, *things: DrawnThing) -> Scene:
        return replace(self, things=(*self.things, *things))

    def without(self, *things: DrawnThing) -> Scene:
        return replace(self, things=tuple(thing for thing in self.things if thing not in things))


@cache
def calibration() -> Calibration:
    margin = (SIZE - SIDE) / 2
    far = SIZE - margin
    return calibrate([[margin, margin], [far, margin], [far, far], [margin, far]], size=(SIZE, SIZE), side_mm=SIDE)


@dataclass
class Bench:
    """Shows scenes to a watcher at ten frames a second."""

    fps: float = 10.0
    seed: int = 0
    reds: Mapping[str, int] | None = None
    scene: Scene = field(default_factory=Scene)
    reports: list[FeltReport] = field(default_factory=list)
    read_quads: list[Floats] = field(default_factory=list)
    """Middles in felt millimetres of all that the reader was shown."""
    readings: int = 0
    has_strips: bool = False
    """Whether sticks are read in strips."""
    strips: int = 0
    """How many strips were read."""
    blur_mm: float = 0.0
    """How far the camera is out of focus: the blur's standard deviation on the felt."""

    def __post_init__(self) -> None:
        self.calibration = calibration()
        self.watcher = Watcher(
            locator=self,
            reader=self,
            calibration=self.calibration,
            tile=TILE,
            reds=self.reds,
            strips=self if self.has_strips else None,
        )
        self.view = TopView(self.calibration, height_mm=TILE.depth_mm)
        self.k = -1
        self.rng = np.random.default_rng(self.seed)
        self._still_view: tuple[Scene, Calibration, float] | None = None

    def show(self, scene: Scene, *, frames: int = 6) -> list[FeltReport]:
        """Shows a scene for some frames; returns what was reported during them."""
        self.scene = scene
        found = []
        for _ in range(frames):
            self.k += 1
            frame = Frame(k=self.k, t_ns=round(self.k / self.fps * 1e9), image=self._picture(scene))
            report = self.watcher.watch(frame)
            if report is not None:
                found.append(report)
        self.reports += found
        return found

    def sweep(self, scene: Scene, arm: Sequence[tuple[float, float]], *, frames: int = 6) -> list[FeltReport]:
        """Moves an arm across a scene, some millimetres a frame."""
        found = []
        for step in range(frames):
            outline = tuple((x + 17.0 * step, y) for x, y in arm)
            found += self.show(replace(scene, arm=outline), frames=1)
        return found

    def push(self, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> None:
        """Pushes the camera: from now on the table lies elsewhere in the picture."""
        corners = turn(
            [[-SIDE / 2, SIDE / 2], [SIDE / 2, SIDE / 2], [SIDE / 2, -SIDE / 2], [-SIDE / 2, -SIDE / 2]], turn_deg
        )
        pixels = calibration().to_pixels(corners + (x_mm, y_mm), height_mm=0.0)
        self.calibration = calibrate(pixels, size=(SIZE, SIZE), side_mm=SIDE)

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        assert image.shape == (self.view.side_px, self.view.side_px, 3)
        assert tile_px == TILE.width_mm * self.view.px_per_mm
        self.readings += 1
        visible = [thing for thing in self.scene.things if not self._is_hidden(thing)]
        if roi is not None:
            visible = [thing for thing in visible if roi.holds(self.view.from_felt(thing.corners)).all()]
        tiles = [self._quad(thing) for thing in visible if thing.value is None and thing.is_located]
        sticks = [self._quad(thing) for thing in visible if thing.value is not None and thing.is_located]
        return Located(
            tiles=_stacked(tiles),
            tile_scores=np.ones(len(tiles), dtype=np.float32),
            sticks=_stacked(sticks),
            stick_scores=np.ones(len(sticks), dtype=np.float32),
            stick_values=tuple(thing.value for thing in visible if thing.value is not None and thing.is_located),
        )

    def sticks(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[Stick]:
        self.strips += len(spots)
        visible = [thing for thing in self.scene.things if thing.value is not None and not self._is_hidden(thing)]
        by_spots = [thing for thing in visible if any(np.hypot(thing.x - x, thing.y - y) < 30 for x, y, *_ in spots)]
        return [Stick(quad=thing.corners, value=thing.value or 0, score=thing.score) for thing in by_spots]

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        assert image.shape == (SIZE, SIZE, 3)
        readings = []
        for quad in np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2):
            corners = self.calibration.to_felt(quad, height_mm=TILE.depth_mm)
            middle = corners.mean(axis=0)
            self.read_quads.append(middle)
            thing = min(self.scene.things, key=lambda one: np.hypot(one.x - middle[0], one.y - middle[1]))
            if np.hypot(thing.x - middle[0], thing.y - middle[1]) > TILE.width_mm / 2:
                readings.append(Reading(tile=NOT_A_TILE, score=1.0))
                continue
            is_turned = np.linalg.norm(thing.corners[0] - corners[0]) > np.linalg.norm(thing.corners[0] - corners[2])
            if thing.found_askew and _angle_between(corners, thing.corners) > _READABLE_DEG:
                readings.append(Reading(tile=thing.reads_askew, score=1.0))
                continue
            other = (thing.other, 0.9 * (1 - thing.score))
            readings.append(
                Reading(
                    tile=thing.reads or thing.face, score=thing.score, alternatives=(other,), turned=bool(is_turned)
                )
            )
        return readings

    def _quad(self, thing: DrawnThing) -> Floats:
        corners = replace(thing, angle=thing.angle + thing.found_askew).corners + self.rng.normal(0, 0.4, (4, 2))
        if thing.value is None and self.rng.random() < 0.5:
            corners = np.roll(corners, 2, axis=0)
        return self.view.from_felt(corners)

    def _is_hidden(self, thing: DrawnThing) -> bool:
        if not self.scene.arm:
            return False
        outline = np.array(self.scene.arm, dtype=np.float32).reshape(-1, 1, 2)
        points = [*thing.corners, np.array([thing.x, thing.y])]
        inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in points]
        return sum(inside) >= 2

    def _picture(self, scene: Scene) -> Image:
        view = (scene, self.calibration, self.blur_mm)
        if view != self._still_view:
            self._still_view, self._still = view, self._without_noise(scene)
        first = SIZE * SIZE * 3 - self.k * 7919 % (SIZE * SIZE * 3)
        image = self._still + _NOISE[first : first + SIZE * SIZE * 3].reshape(self._still.shape)
        return np.asarray(np.clip(image, 0, 255, out=image), dtype=np.uint8)

    def _without_noise(self, scene: Scene) -> npt.NDArray[np.float32]:
        image = np.full((SIZE, SIZE, 3), FELT, dtype=np.float32)
        for thing in (thing for thing in scene.things if thing.is_there):
            self._fill(image, thing.corners, (40.0, 160.0, 225.0) if thing.face == "back" else (225.0, 235.0, 235.0))
            if thing.is_blank:
                continue
            ink = int.from_bytes(thing.face.encode(), "big") % 97
            dot = DrawnThing(x=thing.x, y=thing.y, angle=thing.angle, size=(6.0 + ink % 7, 8.0 + ink % 11)).corners
            self._fill(image, dot, (30.0, 20.0 + ink, 150.0 - ink))
        if scene.arm:
            self._fill(image, np.array(scene.arm), SKIN)
        if self.blur_mm:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), self.blur_mm), np.float32)
        return image * np.float32(scene.light)

    def _fill(self, image: npt.NDArray[np.float32], outline: Floats, colour: Iterable[float]) -> None:
        pixels = self.calibration.to_pixels(outline, height_mm=TILE.depth_mm)
        cv2.fillPoly(image, [np.rint(pixels * 16).astype(np.int32)], tuple(colour), cv2.LINE_AA, 4)


def _angle_between(one: Floats, other: Floats) -> float:
    """The angle in degrees between two outlines, whichever way up."""
    return abs(wrap(lean_of(one) - lean_of(other), period=180))


def _stacked(quads: list[Floats]) -> npt.NDArray[np.float32]:
    return np.array(quads, dtype=np.float32).reshape(-1, 4, 2)
