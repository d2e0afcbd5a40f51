"""One start of the appliance in an evening of faults: its own process, which its parent breaks, mends and kills.

``python3 -m tests.pi.inside.faulty_table FOLDER PORT SOCKET BUSY_PINS`` runs it over the real picamera2 and gpiozero;
on stdin come the names of faults, ``mend``, or ``clock SECONDS``. Its time goes `PACE` times as fast: the sensor's, and
that after which anything counts as hanging.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from table.appliance.appliance import run_appliance
from table.camera import live_camera
from table.camera.capture.camera_thread import RETRY_S, CameraThread
from table.config import CameraConfig, ClipsConfig, Config, LoadedConfig, PageConfig, PanelConfig, TableConfig
from table.health.systemd import Notifier
from tests.fakes.lgpio_chip import WholeChip, played_chip
from tests.fakes.played_libcamera import Manager, played_manager
from tests.pi.inside.watched_table import SIDE_PX, be_hasty, table_picture
from vision.cameras.guards.hang_guard import PATIENCE_S

PACE: Final = 12
"""An hour of table time in five minutes."""
WATCHDOG_S: Final = 15.0
FRAME_S: Final = 0.05
_WRONG: Final = (640, 480)


def pull_cable(manager: Manager) -> None:
    """No frames come."""
    manager.sensor.has_cable = False


def loosen_cable(manager: Manager) -> None:
    """Frames come and go, and it comes back by itself."""
    for _ in range(5):
        manager.sensor.has_cable = not manager.sensor.has_cable
        threading.Event().wait(0.15)
    manager.sensor.has_cable = True


def damage_frames(manager: Manager) -> None:
    """Each frame comes with the status of an error."""
    manager.sensor.is_damaged = True


def halve_frames(manager: Manager) -> None:
    """The lower half of each picture is what the memory held before: nothing."""
    image = table_picture().copy()
    image[SIDE_PX // 2 :] = 0
    manager.sensor.picture = lambda: image


def shrink_frames(manager: Manager) -> None:
    """The driver gives another size than was asked for, once it is opened again."""
    manager.sensor.adjusts_to = _WRONG
    plug_in_again(manager)


def plug_in_again(manager: Manager) -> None:
    """It is gone for so long that it has to be opened again."""
    manager.cameras, manager.sensor.has_cable = [], False
    threading.Event().wait(3.0)
    manager.cameras, manager.sensor.has_cable = [manager.sensor], True


def hang_stopping(manager: Manager) -> None:
    """It gives no more frames, and hangs where it is stopped."""
    manager.sensor.hangs, manager.sensor.has_cable = {"stop"}, False


def hang_letting_go(manager: Manager) -> None:
    """It gives no more frames, and hangs where it is let go."""
    manager.sensor.hangs, manager.sensor.has_cable = {"release"}, False


def fail_starting(manager: Manager) -> None:
    """It gives no more frames, and fails where it is started again."""
    manager.sensor.fails, manager.sensor.has_cable = {"start"}, False


def vanish(manager: Manager) -> None:
    """It is not found any more."""
    manager.cameras, manager.sensor.has_cable = [], False


def freeze_picture(manager: Manager) -> None:
    """The driver gives its last picture again and again, with the time that it was taken."""
    manager.sensor.is_frozen = True


def switch_lights_off(manager: Manager) -> None:
    """The room is dark."""
    dark = np.full((SIDE_PX, SIDE_PX, 3), 3, np.uint8)
    manager.sensor.picture = lambda: dark


FAULTS: Final[dict[str, Callable[[Manager], None]]] = {
    each.__name__: each
    for each in (
        pull_cable,
        loosen_cable,
        damage_frames,
        halve_frames,
        shrink_frames,
        hang_stopping,
        hang_letting_go,
        fail_starting,
        vanish,
        switch_lights_off,
        freeze_picture,
    )
}


def mend(manager: Manager) -> None:
    """Everything about the camera is well again."""
    image, sensor = table_picture(), manager.sensor
    sensor.is_frozen = False
    sensor.is_damaged, sensor.hangs, sensor.fails = False, set(), set()
    sensor.picture = lambda: image
    sensor.has_cable = True
    manager.cameras = [sensor]
    sensor.on.set()
    sensor.on = threading.Event()
    if sensor.adjusts_to is not None:
        sensor.adjusts_to = None
        plug_in_again(manager)


class SetClock:
    """The machine's time of day, as far off as somebody, or a Pi without a battery, set it."""

    def __init__(self) -> None:
        self.off = timedelta()

    def utc(self) -> str:
        """The time of day in UTC."""
        return (datetime.now(UTC) + self.off).isoformat(timespec="milliseconds")

    def seconds(self) -> float:
        """The machine's monotonic seconds."""
        return time.monotonic()


def listen(manager: Manager, clock: SetClock, chip: WholeChip) -> None:
    """Follows what the parent says; ends the program with it."""
    for line in sys.stdin:
        name, _, value = line.strip().partition(" ")
        if name == "mend":
            mend(manager)
        elif name == "pins_fail":
            chip.broken = set(range(28))
        elif name == "clock":
            clock.off = timedelta(seconds=float(value))
        else:
            FAULTS[name](manager)
        print(name, flush=True)
    os._exit(0)


def run(folder: Path, port: int, notify: str, busy: tuple[int, ...]) -> None:
    """Runs the appliance until the process is killed."""
    config = Config(
        table=TableConfig(data=str(folder)),
        page=PageConfig(host="127.0.0.1", port=port),
        camera=CameraConfig(source="picamera", side_px=SIDE_PX, lost_after_s=1.0),
        panel=PanelConfig(kind="gpio"),
        clips=ClipsConfig(seconds=0.0),
    )
    clock = SetClock()
    with pytest.MonkeyPatch.context() as patch, played_manager() as manager, played_chip(*busy) as chip:
        be_hasty(patch, patience_s=PATIENCE_S / PACE)
        retry_s = tuple(seconds / PACE for seconds in RETRY_S)
        patch.setattr(live_camera, "CameraThread", partial(CameraThread, retry_s=retry_s))
        manager.sensor.frame_s, manager.sensor.pace = FRAME_S, PACE
        mend(manager)
        notifier = Notifier(notify, watchdog_s=WATCHDOG_S)
        with run_appliance(LoadedConfig(config=config), clock=clock, notifier=notifier) as appliance:
            threading.Thread(target=listen, args=(manager, clock, chip), daemon=True).start()
            print("ready", flush=True)
            appliance.end_requested.wait()


def main(arguments: list[str]) -> Any:
    """Reads the command line."""
    folder, port, notify, busy = arguments
    run(Path(folder), int(port), notify, tuple(int(pin) for pin in busy.split(",") if pin))


if __name__ == "__main__":
    main(sys.argv[1:])
