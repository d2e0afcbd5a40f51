"""Measures watching: a drawn table of 1600 x 1600 pixels, idle and while a tile is laid."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.layout import Discard, Layout, Wall
from vision.cameras.synthetic.scene import Scene
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.geometry.roi import Roi
from vision.reading.locator import Located, Locator
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader
from vision.watching.watcher import Watcher

FPS: Final = 10.0
FRAMES_TO_REST: Final = 8
"""Frames until a change is believed and the table is idle again."""
NOISES: Final = 3
"""Number of pictures of one scene that differ only in their noise."""
_RIVERS: Final = (
    ("1z", "9m", "1p", "2s", "5z", "7p", "8p", "3p", "3s", "4s", "6s"),
    ("3z", "2z", "9p", "8m", "7m", "6m", "5m", "4m", "3m", "2m", "1m"),
    ("1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "1p", "2p"),
    ("4z", "6z", "7z", "4m", "5p", "9p", "8s", "2z", "1z", "7m", "4p"),
)
_NEW_TILE: Final = "6p"


class _CountingLocator:
    """Wraps the locator and notes whether it was called."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator
        self.calls = 0

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        self.calls += 1
        return self._locator.locate(image, tile_px=tile_px, roi=roi)


class WatcherBench:
    """A table on which one tile is laid and taken away, again and again."""

    def __init__(self, locator: Locator, reader: TileReader, strips: StripReader) -> None:
        """Draws the table, which takes seconds, and watches it until it is idle."""
        appearance = Appearance.default()
        tile = appearance.tile_size
        calibration = calibrate(
            corners_px(appearance), size=(appearance.width_px, appearance.height_px), side_mm=appearance.felt_mm
        )
        self._counting_locator = _CountingLocator(locator)
        self._watcher = Watcher(
            locator=self._counting_locator, reader=reader, calibration=calibration, tile=tile, strips=strips
        )
        renderer = Renderer(appearance)
        self._pictures_without_tile, self._pictures_with_tile = (
            [renderer.render(_scene(appearance, has_new_tile=has_new_tile), k=k) for k in range(NOISES)]
            for has_new_tile in (False, True)
        )
        self._k = 0
        for _ in self._watch(self._pictures_without_tile, 3 * FRAMES_TO_REST):
            pass

    def round(self) -> tuple[float, float]:
        """Lays the tile and takes it away; returns the ms of an idle frame and of the slowest with the new tile."""
        frames = list(self._watch(self._pictures_with_tile, FRAMES_TO_REST))
        idle_ms = [ms for ms, was_asked in self._watch(self._pictures_with_tile, FRAMES_TO_REST) if not was_asked]
        for _ in self._watch(self._pictures_without_tile, 2 * FRAMES_TO_REST):
            pass
        return sum(idle_ms) / len(idle_ms), max(ms for ms, was_asked in frames if was_asked)

    @property
    def tiles(self) -> int:
        """The number of tiles that the watcher believes to be on the table."""
        return len(self._watcher.felt.tiles)

    def _watch(self, pictures: list[Image], frames: int) -> Iterator[tuple[float, bool]]:
        """Shows frames; yields the time of each in ms, and whether the locator ran."""
        for _ in range(frames):
            frame = Frame(k=self._k, t_ns=round(self._k / FPS * 1e9), image=pictures[self._k % NOISES])
            calls, start = self._counting_locator.calls, time.perf_counter()
            self._watcher.watch(frame)
            yield (time.perf_counter() - start) * 1000, self._counting_locator.calls > calls
            self._k += 1


def _scene(appearance: Appearance, *, has_new_tile: bool) -> Scene:
    layout = Layout(appearance=appearance)
    rivers = [list(faces) for faces in _RIVERS]
    if has_new_tile:
        rivers[0].append(_NEW_TILE)
    return Scene(
        tiles=(
            *(
                tile
                for side, faces in enumerate(rivers)
                for tile in layout.river(side, [Discard(face=f) for f in faces])
            ),
            *(tile for side in range(4) for tile in layout.standing_hand(side, 13)),
            *layout.wall(Wall(break_side=1, break_stack=7, drawn=97, indicators=("3p",))),
        )
    )
