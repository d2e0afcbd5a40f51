"""Which sets of tiles the camera's watcher reads by, and which cameras are given up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from table.camera import live_camera
from table.camera.live_camera import LiveCamera
from table.config import CameraConfig, Config, TableConfig, TilesConfig
from table.game.table_loop import Message
from table.runtime.clock import LogicalClock
from tests.fakes.hanging_camera import Device
from tests.vision.odd_nine import printed
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.errors import CameraError
from vision.felt import FACES
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.tilesets import tileset
from vision.tilesets.corrections import Correction, State, path_of, save_corrections
from vision.tilesets.tileset import FaceExample, TileSet

pytestmark = pytest.mark.pictures


class Nobody:
    """An inbox that keeps nothing."""

    def send(self, message: Message) -> object:
        return message


def saved(path: Path) -> str:
    looks = tuple(FaceExample(face=face, source="scan", crop=printed(own_faces(face))) for face in FACES)
    tileset.save(TileSet(name=path.stem, examples=looks), path)
    return str(path)


def watch_of(folder: Path, tiles: TilesConfig, source: Literal["usb", "stream"] = "usb") -> LiveCamera:
    config = Config(table=TableConfig(data=str(folder)), tiles=tiles, camera=CameraConfig(source=source))
    return LiveCamera(config, Nobody(), LogicalClock())


def opened(live_camera: LiveCamera) -> LiveCamera:
    """Lets it look at a table for the first time."""
    corners = [[100, 100], [700, 100], [700, 700], [100, 700]]
    live_camera._eye(calibrate(corners, size=(800, 800), side_mm=720.0))
    return live_camera


@pytest.mark.parametrize(("source", "seconds"), [("usb", 10), ("stream", 30)])
def test_a_live_camera_that_repeats_its_picture_is_given_up_until_it_shows_another(
    source: Literal["usb", "stream"], seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recorded or drawn table may stand still; a Pi's camera tells a repeated picture by the sensor's time."""
    picture = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 3, axis=2)
    times = count(0, 1_000_000_000)

    class Frozen(Device):
        def frames(self) -> Iterator[Frame]:
            return (Frame(k=k, t_ns=next(times), image=picture) for k in range(100))

    for name in ("UsbCamera", "StreamCamera"):
        monkeypatch.setattr(live_camera, name, lambda *_, **__: Frozen())
    watch = watch_of(tmp_path, TilesConfig(), source)
    for expected in (seconds, 0):
        shown: list[Frame] = []
        with watch.opened() as camera, pytest.raises(CameraError, match=f"the same one for {seconds} s"):
            shown += camera.frames()
        assert len(shown) == expected


def test_two_configured_sets_are_both_known_and_which_lies_there_is_open(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tiles = TilesConfig(tileset=saved(tmp_path / "yellow.tileset"), second_tileset=saved(tmp_path / "blue.tileset"))
    watch = opened(watch_of(tmp_path, tiles))
    assert [path.stem for path in watch.tileset_files] == ["yellow", "blue"]
    lying = [watch.current_tileset]
    assert [tiles.name for tiles in watch._sets()] == ["yellow", "blue"]
    (tmp_path / "yellow.tileset").write_text("{", encoding="utf-8")
    watch.reload_tilesets()
    assert [tiles.name for tiles in watch._sets()] == ["blue"]
    assert [*lying, watch.current_tileset] == [None, 1]
    assert "the tile set is left out" in caplog.text


def test_where_no_set_is_scanned_taps_alone_are_read_by(tmp_path: Path) -> None:
    watch = opened(watch_of(tmp_path, TilesConfig()))
    assert (watch.tileset_files, watch.current_tileset, watch._sets()) == ((tmp_path / "unscanned.tileset",), 0, [])
    assert watch.example(3) is None
    correction = Correction(
        name="tap-1", face="9m", read="6m", when="", by="", crop=printed(own_faces("9m")), state=State.LEARNT
    )
    save_corrections((correction,), path_of(watch.tileset_files[0]))
    watch.reload_tilesets()
    assert watch._reader is not None
    assert watch._reader.name == "taps"
    crop = np.asarray(printed(own_faces("4s"))[None] * 0.9, np.uint8)
    assert watch._reader.read_crops(crop)[0].tile == "4s"
