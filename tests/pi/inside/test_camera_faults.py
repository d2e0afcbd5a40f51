"""A camera that stops giving frames in every way a driver can: the page goes on by hand, and the camera comes back."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.fakes.played_libcamera import Manager, played_manager
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.pi.inside.watched_table import (
    Systemd,
    be_hasty,
    camera_trouble,
    fetch,
    is_kept_by_hand,
    keep_place,
    table_picture,
    wait_until_it_watches,
    watched_appliance,
)
from tests.places import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def manager() -> Iterator[Manager]:
    with played_manager() as libcamera:
        libcamera.sensor.frame_s = 0.01
        image = table_picture()
        libcamera.sensor.picture = lambda: image
        yield libcamera
        libcamera.sensor.on.set()


def pull_the_cable(manager: Manager) -> None:
    manager.sensor.has_cable = False


def damage_frames(manager: Manager) -> None:
    manager.sensor.is_damaged = True


def hang_stopping(manager: Manager) -> None:
    manager.sensor.hangs = {"stop"}
    manager.sensor.has_cable = False


def hang_letting_go(manager: Manager) -> None:
    manager.sensor.hangs = {"release"}
    manager.sensor.has_cable = False


def fail_when_opened_again(manager: Manager) -> None:
    manager.sensor.fails = {"start"}
    manager.sensor.has_cable = False


def vanish(manager: Manager) -> None:
    manager.cameras = []
    manager.sensor.has_cable = False


def mend(manager: Manager) -> None:
    sensor = manager.sensor
    sensor.has_cable, sensor.is_damaged, sensor.hangs, sensor.fails = True, False, set(), set()
    manager.cameras = [sensor]
    sensor.on.set()


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (pull_the_cable, {"no_frames"}),
        (damage_frames, {"no_frames"}),
        (hang_stopping, {"hangs", "busy", "no_frames"}),
        (hang_letting_go, {"hangs", "busy", "no_frames"}),
        (fail_when_opened_again, {"broken", "no_frames"}),
        (vanish, {"cable"}),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_whatever_the_camera_does_the_page_goes_on_and_it_comes_back(
    fault: object, expected: set[str], manager: Manager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(fault)
    be_hasty(monkeypatch)
    keep_place(tmp_path)
    systemd = Systemd(tmp_path / "notify")
    with watched_appliance(tmp_path, manager, notifier=systemd.notifier) as appliance:
        wait_until_it_watches(appliance)
        fault(manager)
        wait_for(lambda: camera_trouble(appliance) in expected)
        assert is_kept_by_hand(appliance)
        assert systemd.is_petted()
        assert b"lost: " in fetch(appliance, "/health")
        mend(manager)
        wait_until_it_watches(appliance)
    systemd.socket.close()


@pytest.mark.parametrize("call", ["acquire", "generate_configuration", "configure", "start"])
def test_a_driver_that_hangs_while_the_camera_is_opened_costs_the_camera_alone(
    call: str, manager: Manager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_hasty(monkeypatch)
    manager.sensor.hangs = {call}
    systemd = Systemd(tmp_path / "notify")
    with watched_appliance(tmp_path, manager, notifier=systemd.notifier) as appliance:
        wait_for(lambda: camera_trouble(appliance) == "hangs")
        assert is_kept_by_hand(appliance)
        assert systemd.is_petted()
    systemd.socket.close()


HANGING = """
import sys
from functools import partial
from tests.fakes.played_libcamera import played_manager
from table.cli.main import main
with played_manager() as manager:
    manager.sensor.hangs = {"stop", "release"}
    print("begun", flush=True)
    sys.exit(main(["run", "--config", sys.argv[1]]))
"""


def test_the_program_ends_in_time_when_it_is_told_to_though_the_camera_hangs(tmp_path: Path) -> None:
    file = tmp_path / "tachiai.toml"
    file.write_text(
        f'[table]\ndata = "{tmp_path}"\n[page]\nhost = "127.0.0.1"\nport = 0\n[camera]\nsource = "picamera"\n'
        "side_px = 640\nlost_after_s = 1.0\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", HANGING, str(file)]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stderr is not None
    assert any("kept at" in line for line in program.stderr)
    begin_s = monotonic()
    program.send_signal(signal.SIGTERM)
    assert program.wait(PATIENCE_S) == 0
    assert monotonic() - begin_s < 20.0, "as long as the unit waits before it kills"
    program.stderr.close()
    assert program.stdout is not None
    program.stdout.close()
