"""A phone on a tripod beside the table sends its pictures by its camera program: the whole appliance keeps the game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock
from typing import Final

import cv2
import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.camera.capture.camera_address import camera_at
from table.camera.simulation import read_script
from table.camera.simulation.script_recording import Show, prepare_show
from table.config import CameraConfig, Config, LoadedConfig, PageConfig, TableConfig
from tests.fakes.played_stream import played_stream
from tests.fakes.waiting import wait_for
from tests.table.camera.simulation.scripts import CALM
from tests.vision.beside_table import seen_from
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.ground_truth import corners_px
from vision.geometry.calibration_file import StoredCalibration, save

pytestmark = pytest.mark.pictures

FPS: Final = 5.0
DISCARDS: Final = 2
PHONE: Final = seen_from(Appearance(width_px=1280, height_px=720), lean=30.0, bearing=-45.0)


class Phone:
    """Sends the pictures of a film at their pace, and waits before each discard until the last one was seen."""

    def __init__(self, film: Show) -> None:
        self._discards = [line["frame"] for line in film.truth if line["type"] == "dahai"]
        self._frames = film.camera().frames()
        self._k = -1
        self._jpeg = b""
        self._pause, self._turn = Event(), Lock()
        self.seen_discards: Callable[[], int] = lambda: 0

    def next_jpeg(self) -> bytes:
        self._pause.wait(0.5 / FPS)  # twice as fast as it was filmed
        with self._turn:
            self._go_on()
            return self._jpeg

    def _go_on(self) -> None:
        if self._k < self._discards[min(self.seen_discards(), DISCARDS - 1)] + 2:
            frame = next(self._frames)
            self._k, self._jpeg = frame.k, cv2.imencode(".jpg", frame.image)[1].tobytes()


def discards(appliance: Appliance) -> list[str]:
    hand = appliance.table.board.latest.game.hand
    return [] if hand is None else [str(discard.tile) for river in hand.rivers for discard in river]


def test_a_game_is_kept_from_a_phone_s_stream_beside_the_table(tmp_path: Path) -> None:
    film = prepare_show(read_script(CALM), appearance=PHONE, fps=FPS, seed=3)
    corners = tuple((float(x), float(y)) for x, y in corners_px(PHONE))
    place = StoredCalibration(corners_px=corners, size=(1280, 720), side_mm=PHONE.felt_mm, when="", by="hand")
    save(place, tmp_path / "calibration.json")
    phone = Phone(film)
    with played_stream(phone.next_jpeg) as address:
        config = Config(
            table=TableConfig(data=str(tmp_path)),
            page=PageConfig(host="127.0.0.1", port=0),
            camera=camera_at(address, CameraConfig()),
        )
        with run_appliance(LoadedConfig(config=config)) as appliance:
            phone.seen_discards = lambda: len(discards(appliance))
            wait_for(lambda: len(discards(appliance)) == DISCARDS)
            assert discards(appliance) == ["2p", "3z"]
