"""Pons on drawn tables, and what `TopTiles` says of what then happens to them; quads are the true ones, inexact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import seen_tiles
from vision.cameras.synthetic.layout import Layout, Meld
from vision.cameras.synthetic.scene import Scene, SceneTile
from vision.felt import Reading
from vision.geometry.plane_geometry import Lens, as_float64
from vision.geometry.rectify import TopView
from vision.watching.bare_table import BareTable
from vision.watching.belief.beliefs import Beliefs
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import AGREEING_FRAMES, TrackedThing
from vision.watching.detection import Detection, detection_of
from vision.watching.looks.grown_sides import top_tile_offset
from vision.watching.looks.top_look import TopLook
from vision.watching.tracking.top_tiles import Pon, TopTiles

CORNER_ERROR = 0.031
"""Of a corner found, as a share of a tile's width: `models/README.md`."""
KIND = "7s"
_FOUND = 0.6
"""Visible share from which on the locator finds a tile."""


class PonOnTable:
    """A pon in the corner of one side of a drawn table; the turned tile's place is `turned`."""

    def __init__(
        self, appearance: Appearance, *, side: int, turned_index: int, seed: int, lens: Lens | None = None
    ) -> None:
        self.appearance = appearance
        self.rng = np.random.default_rng([seed, 0x70])
        self.meld = Meld(faces=(KIND,) * 3, turned_index=turned_index)
        self.layout, self.side, self.turned_index = Layout(appearance=appearance, seed=seed), side, turned_index
        self.tile = appearance.tile_size
        calibration = calibration_of(appearance, lens)
        self.view = TopView(calibration, height_mm=self.tile.depth_mm)
        self.bare_table = BareTable(self.view)
        self.renderer = Renderer(appearance)
        self.tiles = self.layout.melds(side, [self.meld])
        self.tops = TopTiles(self.tile)
        things = [self._tracked(i, place) for i, place in enumerate(self._detections(self.tiles))]
        others = tuple(thing for i, thing in enumerate(things) if i != turned_index)
        self.pon = Pon(turned_tile=things[turned_index], others=others, kind=KIND)
        look = self._top_look(self.tiles)
        self.pon.turned_tile.picture = look.patch(self.pon.turned_tile.place)
        self.tops.measure_sides([self.pon], look)

    def with_fourth(self, *, dx: float = 0.0, dy: float = 0.0, turn: float = 0.0) -> tuple[SceneTile, ...]:
        """Returns the pon with a fourth tile on the turned one, misplaced by this."""
        *pon, top = self.layout.melds(self.side, [replace(self.meld, added=KIND, is_on_top=True)])
        return (*pon, self.shifted(top, dx=dx, dy=dy, turn=turn))

    def with_pushed(self, *, dx: float, dy: float, turn: float = 0.0) -> tuple[SceneTile, ...]:
        """Returns the pon with its turned tile pushed."""
        pushed_tile = self.shifted(self.tiles[self.turned_index], dx=dx, dy=dy, turn=turn)
        return tuple(pushed_tile if i == self.turned_index else tile for i, tile in enumerate(self.tiles))

    @staticmethod
    def shifted(tile: SceneTile, *, dx: float, dy: float, turn: float = 0.0) -> SceneTile:
        """Returns a tile pushed by so many millimetres, and turned by so many degrees."""
        return replace(tile, x_mm=tile.x_mm + dx, y_mm=tile.y_mm + dy, angle_deg=tile.angle_deg + turn)

    def verdict(self, tiles: Sequence[SceneTile], *, turned_seen_off_mm: float = 0.0) -> str:
        """Returns what enough looks at these tiles say: `on top`, `perhaps` or `not`.

        The turned tile is seen so far away from where it lies, outward from the camera.
        """
        look, things = self._top_look(tiles), [self.pon.turned_tile, *self.pon.others]
        for _ in range(AGREEING_FRAMES):
            self._look(tiles, look, turned_seen_off_mm)
        beliefs: Beliefs[TileEvidence, Reading] = Beliefs(
            new_evidence=TileEvidence, reach_mm=9.0, things=things, next_id=100
        )
        self.tops.update(beliefs)
        believed_tops = self.tops.believed
        return "not" if not believed_tops else "perhaps" if believed_tops[0].is_supposed else "on top"

    def look_at(self, tiles: Sequence[SceneTile]) -> None:
        """Takes one look at these tiles."""
        self._look(tiles, self._top_look(tiles), 0.0)

    def _look(self, tiles: Sequence[SceneTile], look: TopLook, turned_seen_off_mm: float) -> None:
        detections = self._detections(tiles)
        detections[self.turned_index] = self._moved_outward(detections[self.turned_index], turned_seen_off_mm)
        for top in self.tops.seen_on_top(detections, [self.pon], look).values():
            top.learn(Reading(tile=KIND, score=0.99), np.zeros((64, 48, 3), np.uint8))

    def _top_look(self, tiles: Sequence[SceneTile]) -> TopLook:
        image = self.renderer.render(Scene(tiles=tuple(tiles)), k=0)
        self.bare_table.see(self.view.picture(image), now_ns=0)
        return TopLook(self.view, image, self.bare_table)

    def _detections(self, tiles: Sequence[SceneTile]) -> list[Detection]:
        """Returns where a locator sees the tiles; of a stack only the upper one."""
        found = []
        for tile in seen_tiles(Scene(tiles=tuple(tiles)), self.appearance):
            if tile.visible < _FOUND:
                continue
            quad = self.view.calibration.to_felt(tile.quad, height_mm=self.tile.depth_mm)
            noise = self.rng.normal(0, CORNER_ERROR * self.tile.width_mm / np.sqrt(2), quad.shape)
            found.append(detection_of(as_float64(quad + noise)))
        return found

    def _moved_outward(self, place: Detection, mm: float) -> Detection:
        dx, dy = top_tile_offset(place, self.view, self.tile)
        share = mm / float(np.hypot(dx, dy))
        return replace(place, x_mm=place.x_mm + share * dx, y_mm=place.y_mm + share * dy)

    def _tracked(self, number: int, place: Detection) -> TrackedThing[TileEvidence]:
        evidence = TileEvidence()
        evidence.add(Reading(tile=KIND, score=0.99))
        return TrackedThing(detection=place, place=place, evidence=evidence, id=number)
