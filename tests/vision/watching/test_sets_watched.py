"""Sets of tiles at a watched table: which lies there is told hand by hand, and what is believed is then read anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.vision.drawn import Bench, DrawnThing, Scene
from tests.vision.tilesets.drawn_sets import BLUE, BOLD, THIN, YELLOW, bolder
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.cameras.synthetic.layout import Discard, Layout, Wall
from vision.cameras.synthetic.scene import Scene as TableScene
from vision.felt import Reading, TileReread, Zone
from vision.frames import Frame
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.tilesets.set_selector import SetSelector
from vision.watching.watcher import Watcher

pytestmark = pytest.mark.pictures

RIVER = (DrawnThing(face="8m", x=-50, y=-84), DrawnThing(face="9s", x=-29, y=-84, angle=180))


@dataclass
class Switched(Bench):
    """A bench whose reader learns, at some moment, that each 8m is a 9m of this set."""

    reader_version: str = "shipped"
    cleared: int = 0
    read_again: list[Image] = field(default_factory=list)

    def reread(self, cut: Image) -> list[Reading]:
        self.read_again.append(cut)
        return [Reading(tile="9m", score=0.97) for _ in cut]

    def reset(self) -> None:
        self.cleared += 1


def test_what_is_believed_is_read_again_from_its_kept_pictures_when_another_set_is_known() -> None:
    bench = Switched()
    bench.show(Scene(things=RIVER[:1]), frames=8)
    bench.reader_version = "home"
    report = bench.show(Scene(things=RIVER), frames=8)[0].changes[0]
    assert isinstance(report, TileReread)
    assert (report.before.reading.tile, report.tile.reading.tile, report.before.id) == ("8m", "9m", report.tile.id)
    assert [cut.shape[1:] for cut in bench.read_again] == [(64, 48, 3)]
    assert {tile.reading.tile for tile in bench.watcher.felt.tiles} == {"9m", "9s"}


def test_a_cleared_table_is_told_to_the_reader_once() -> None:
    bench = Switched()
    bench.show(Scene(things=RIVER), frames=8)
    assert bench.cleared == 0
    bench.show(Scene(), frames=12)
    bench.show(Scene(things=RIVER[:1]), frames=8)
    assert bench.cleared == 1


def bold_faces(face: str) -> Image:
    drawn = own_faces(face)
    return np.dstack([bolder(drawn[..., :3]), drawn[..., 3]])


@pytest.fixture(scope="module")
def layout() -> Layout:
    return Layout(seed=5)


def frames(layout: Layout) -> Iterator[Frame]:
    """A hand with thin faces and yellow backs, a cleared table, and a hand with bold faces and blue backs."""
    k = 0
    for appearance, faces, count in (
        (replace(layout.appearance, back=YELLOW), own_faces, 8),
        (layout.appearance, own_faces, 0),
        (replace(layout.appearance, back=BLUE), bold_faces, 8),
    ):
        for image in _hand(layout, appearance, faces, count):
            yield Frame(k=k, t_ns=k * 100_000_000, image=image)
            k += 1


def _hand(layout: Layout, appearance: Appearance, faces: FaceSource, count: int) -> Iterator[Image]:
    renderer = Renderer(appearance, faces=faces)
    wall = layout.wall(Wall(break_side=1, break_stack=6, drawn=60, indicators=("3p",)))
    river = [Discard(face=face) for face in ("1z", "9m", "4p", "7s", "2m")]
    scene = TableScene(tiles=layout.river(0, river) + wall) if count else TableScene()
    for k in range(count or 10):
        yield renderer.render(scene, k=k)


def test_the_set_on_the_table_is_told_each_hand_anew_and_read_by(layout: Layout) -> None:
    appearance = layout.appearance
    size = appearance.tile_size
    calibration = calibration_of(appearance)
    reader = SetSelector(TileReader(), (THIN, BOLD))
    watcher = Watcher(locator=Locator.from_above(), reader=reader, calibration=calibration, tile=size)
    report = []
    for frame in frames(layout):
        watcher.watch(frame)
        report.append((reader.name, [tile.reading.tile for tile in watcher.felt.in_zone(0, Zone.RIVER)]))
    assert report[7] == ("thin", ["1z", "9m", "4p", "7s", "2m"])
    assert report[17] == (None, [])
    assert report[-1] == ("bold", ["1z", "9m", "4p", "7s", "2m"])
