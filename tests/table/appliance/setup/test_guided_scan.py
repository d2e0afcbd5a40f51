"""The set is learnt from the drawn table's own camera: pixels, the shipped models, and a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.appliance.setup.guided_scan import FILE, SetScan
from table.camera.simulation.simulated_camera import DrawnTable, faces_in_rows
from vision.arrays import Image
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Scene
from vision.errors import TileSetError
from vision.felt import FACES
from vision.geometry.plane_geometry import TileSize
from vision.tilesets.set_scan import ScannedSet
from vision.tilesets.tileset import load

pytestmark = pytest.mark.pictures

DRAWN = DrawnTable()


def picture(scene: Scene, k: int = 0) -> Image:
    return Renderer(DRAWN.appearance).render(scene, k=k)


def test_two_looks_teach_and_measure_a_set_and_keep_it(tmp_path: Path) -> None:
    learnt: list[Path] = []
    scan = SetScan(tmp_path / FILE, TileSize(), learnt.append)
    first = faces_in_rows(DRAWN.appearance, away_mm=-90.0)
    scan.scan_frame(picture(first), DRAWN.calibration)
    assert (scan.status().scans, scan.status().faces, scan.status().readiness) == (1, len(FACES), None)
    with pytest.raises(TileSetError, match="moved for the second look"):
        scan.scan_frame(picture(first, k=1), DRAWN.calibration)
    assert (scan.status().scans, learnt) == (1, [])
    scan.scan_frame(picture(faces_in_rows(DRAWN.appearance, away_mm=200.0)), DRAWN.calibration)
    readiness = scan.status().readiness
    assert readiness is not None
    assert (readiness.is_ready, readiness.confused) == (True, ())
    assert readiness.score > 0.99
    assert learnt == [tmp_path / FILE]
    assert load(tmp_path / FILE).faces == FACES


def test_a_set_that_cannot_be_written_is_not_shown_as_learnt_and_the_look_can_be_repeated(tmp_path: Path) -> None:
    learnt: list[Path] = []
    path = tmp_path / "not mounted" / FILE
    scan = SetScan(path, TileSize(), learnt.append)
    second = picture(faces_in_rows(DRAWN.appearance, away_mm=200.0))
    scan.scan_frame(picture(faces_in_rows(DRAWN.appearance, away_mm=-90.0)), DRAWN.calibration)
    with pytest.raises(TileSetError, match="expected a writable file"):
        scan.scan_frame(second, DRAWN.calibration)
    assert (scan.status().scans, scan.status().readiness, learnt) == (1, None, [])
    path.parent.mkdir()
    scan.scan_frame(second, DRAWN.calibration)
    assert (scan.status().scans, learnt) == (2, [path])


def test_its_state_can_be_asked_while_somebody_begins_anew(tmp_path: Path) -> None:
    scan = SetScan(tmp_path / FILE, TileSize(), lambda _: None)

    class Pictures(list[ScannedSet]):
        def __len__(self) -> int:
            scan.begin()
            return super().__len__()

    scan._scans = Pictures([ScannedSet(examples=(), misread=())])
    assert scan.status().scans == 1


def test_a_face_that_is_missing_is_named_and_nothing_is_learnt(tmp_path: Path) -> None:
    scan = SetScan(tmp_path / FILE, TileSize(), lambda path: pytest.fail("nothing to learn"))
    whole = faces_in_rows(DRAWN.appearance, away_mm=-90.0)
    without = Scene(tiles=tuple(tile for tile in whole.tiles if tile.face != "7s"))
    with pytest.raises(TileSetError, match="7s"):
        scan.scan_frame(picture(without), DRAWN.calibration)
    assert scan.status().scans == 0
