from __future__ import annotations

import io
import json
import logging
import socket
import threading
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.appliance.machine.watchdog import Watchdog
from table.camera import live_camera
from table.camera.capture import configured_camera
from table.camera.capture.camera_thread import CameraThread
from table.config import CameraConfig, PanelConfig, load
from table.dashboard.web.access.pin_choice import PinError
from table.game.commands.game_commands import NameSeats
from table.game.journal.recovery.journal_backup import backups
from table.game.snapshot import CameraHealth
from table.health.systemd import Notifier
from table.panel import gpio_panel
from table.panel.gpio_panel import PinMap
from table.panel.panel_port import FOULS, TABLE
from table.rules.events import FoulLogged
from table.rules.terms.announcements import AnnouncementId
from table.runtime.clock import SystemClock
from table.runtime.table_errors import PressError
from tests.fakes.disks import taking_no_entries
from tests.fakes.fake_panel import FakePanel
from tests.fakes.hanging_camera import STEPS, Device, HastyCamera
from tests.fakes.inbox import Inbox
from tests.fakes.panels import BusyPins
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.fakes.watchers import FakeWatcher
from tests.table.appliance.configured import make_config
from tests.table.appliance.phone import Phone
from vision.cameras.guards.frozen_picture import FrozenPicture
from vision.errors import CameraError
from vision.felt import FeltReport
from vision.frames import Camera, Frame


def get(appliance: Appliance, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{appliance.port}{path}", timeout=PATIENCE_S) as answer:
        content: bytes = answer.read()
    return content


def test_a_table_kept_by_hand_needs_nothing_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with run_appliance(make_config(tmp_path)) as appliance:
        health = json.loads(get(appliance, "/api/health"))
        assert (health["ok"], health["name"], health["camera"], health["panel"]["kind"]) == (
            True,
            "felt-1",
            None,
            "none",
        )
        assert set(health["models"]) == {"watch", "tiles"}
    wait_for(lambda: not [each for each in set(threading.enumerate()) - before if not each.daemon])


def test_a_wrong_configuration_starts_by_hand_and_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "tachiai.toml"
    file.write_text(f'[table]\ndata = "{tmp_path}"\n[page]\nhost = "127.0.0.1"\nport = 0\n[camera]\nfps = "fast"\n')
    with run_appliance(load(file)) as appliance:
        health = json.loads(get(appliance, "/api/health"))
        assert health["problems"] == ["tachiai.toml line 7: camera.fps: expected a number from 1 to 60, got 'fast'"]
        assert list(appliance.health().problems) == [f"{file.parent}/{health['problems'][0]}"]
        assert health["troubles"] == ["configuration"]
        assert "camera.fps" in health["log"][0]
        everything = [get(appliance, address) for address in ("/api/health", "/health", "/health.zip")]
        assert not any(str(tmp_path).encode() in content for content in everything)


def test_the_download_has_health_and_log_in_it(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        logging.getLogger("table").warning("a line to find")
        archive = zipfile.ZipFile(io.BytesIO(get(appliance, "/health.zip")))
        assert json.loads(archive.read("health.json"))["name"] == "felt-1"
        assert b"a line to find" in archive.read("log.txt")


def test_a_foul_goes_from_the_panels_buttons_to_the_journal(tmp_path: Path) -> None:
    panel = FakePanel()

    def push(button: Any) -> None:
        """Pushes as a person does; a machine that does much else may sleep through one."""
        panel.pressed.add(button)
        sleep(0.15)
        panel.pressed.discard(button)
        sleep(0.3)

    with run_appliance(make_config(tmp_path), panel=lambda: panel) as appliance:

        def is_logged() -> bool:
            """Names a foul and agrees to it; anew if a push became so long that it took the name back."""
            push(FOULS[2] if appliance.table.board.latest.proposal is None else TABLE)
            return any(isinstance(entry.body, FoulLogged) for entry in appliance.journal.entries())

        wait_for(is_logged)
        assert 440 in panel.tones
    assert panel.is_closed


def test_a_panel_that_cannot_be_had_is_left_out_and_told(tmp_path: Path) -> None:
    config = make_config(tmp_path, panel=PanelConfig(kind="gpio"))
    with run_appliance(config) as appliance:
        health = appliance.health()
        assert "the panel is left out: expected" in health.problems[0]
        assert health.panel.kind == "none"


def test_one_busy_pin_is_said_and_the_rest_of_the_panel_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = BusyPins(9)
    monkeypatch.setattr(gpio_panel, "_lgpio", lambda: factory)
    with run_appliance(make_config(tmp_path, panel=PanelConfig(kind="gpio"))) as appliance:
        health = json.loads(get(appliance, "/api/health"))
        assert health["troubles"] == ["panel"]
        assert health["panel"]["left_out"] == ["expected GPIO 10, 9, 11 free for light 2, got: GPIO busy"]
        assert any("light 2 is left out" in line for line in health["log"])
        assert b"for light 2, got: GPIO busy" in get(appliance, "/health")
        button = factory.pin(PinMap().foul[2])

        def names_a_foul() -> bool:
            """Whether a press was heard; a machine that does much else may sleep through one."""
            button.drive_low()
            sleep(0.15)
            button.drive_high()
            sleep(0.3)
            return appliance.table.board.latest.proposal is not None

        wait_for(names_a_foul)


def test_a_camera_that_is_not_there_is_lost_and_the_page_says_so(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path, camera=CameraConfig(source="video", file="none.mp4"))) as appliance:
        wait_for(lambda: appliance.table.board.latest.camera is CameraHealth.LOST)
        health = appliance.health()
        assert health.troubles == ["camera"]
        assert health.camera is not None
        assert health.camera.why == "expected a video file, got none, at none.mp4"
        assert appliance.table.board.latest.announcements[-1].announcement.id is AnnouncementId.CAMERA_LOST


def test_a_corrupt_journal_is_restored_from_its_backup_at_the_start(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        appliance.upkeep.back_up()
    (backup,) = backups(tmp_path / "backups", "table")
    (tmp_path / JOURNAL).write_bytes(b"\xa5" * 20_000)
    with run_appliance(make_config(tmp_path)) as appliance:
        health = appliance.health()
        assert health.troubles == ["journal"]
        assert f"restored from {backup.name}" in health.journal.notes[0]
        assert appliance.journal.last == 1
    assert len(list(tmp_path.glob(f"{JOURNAL}.bad-*"))) == 1


BROKEN = (b"", b"[]", b'{"key": "k", "pin": "no hash"}', b'{"key": "k", "broadcast delay": "x"}')


@pytest.mark.parametrize("content", BROKEN)
def test_broken_secrets_are_said_and_the_page_comes_up_with_no_owner(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SECRETS).write_bytes(content)
    with run_appliance(make_config(tmp_path)) as appliance:
        problems = json.loads(get(appliance, "/api/health"))["problems"]
        assert any(SECRETS in problem and "there is no owner until" in problem for problem in problems)
        with pytest.raises(PinError, match="chosen at the first start"):
            appliance.vault.set_pin("604817")
        for address in ("/", "/join", "/broadcast", "/broadcast/state.json?key=x"):
            assert Phone(appliance).status(address) < 300, address
        for guess in ("", "604817"):
            with pytest.raises(PinError, match="got another one"):
                appliance.vault.check_pin(guess, "192.168.1.2")
    assert (tmp_path / SECRETS).read_bytes() == content, "what is broken may still be put right"


def test_two_programs_never_keep_one_journal(tmp_path: Path) -> None:
    with (
        run_appliance(make_config(tmp_path)),
        pytest.raises(OSError, match="got one in use"),
        run_appliance(make_config(tmp_path)),
    ):
        pass


class Systemd:
    """Listens where systemd listens."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(PATIENCE_S)
        self.notifier = Notifier(str(path), watchdog_s=0.3)

    def next(self) -> str:
        return self.socket.recv(1000).decode()


def test_systemd_hears_ready_life_and_the_end(tmp_path: Path) -> None:
    systemd = Systemd(tmp_path / "notify")
    with run_appliance(make_config(tmp_path), notifier=systemd.notifier):
        assert systemd.next().startswith("READY=1\nSTATUS=the table is kept at port ")
        assert [systemd.next(), systemd.next()] == ["WATCHDOG=1"] * 2
    words = [systemd.next()]
    while words[-1] != "STOPPING=1":
        words.append(systemd.next())
    systemd.socket.close()


def test_the_notifier_reads_what_systemd_says() -> None:
    environment = {"NOTIFY_SOCKET": "@abstract", "WATCHDOG_USEC": "30000000"}
    assert Notifier.from_environment(environment) == Notifier("@abstract", 30.0)
    assert Notifier.from_environment({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) == Notifier("", None)
    Notifier("/no/such/socket").notify("READY=1")


def test_a_listener_that_takes_nothing_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.health.systemd.PATIENCE_S", 0.01)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as deaf:
        deaf.bind(str(tmp_path / "notify"))
        for _ in range(50):
            Notifier(str(tmp_path / "notify")).notify("WATCHDOG=1" * 1000)
        assert deaf.recv(10) == b"WATCHDOG=1"


class Loop:
    """Comes round as it is told to."""

    def __init__(self, turn: Callable[[], None] = lambda: None) -> None:
        self._turn = turn

    def turn(self, timeout: float) -> None:
        self._turn()


def hangs() -> None:
    raise TimeoutError


class Stuck(FakeWatcher):
    """Looks at a frame for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun, self.on = threading.Event(), threading.Event()

    def watch(self, frame: Frame) -> FeltReport | None:
        self.has_begun.set()
        self.on.wait(PATIENCE_S)
        return None


def test_the_watchdog_is_not_petted_when_the_loop_hangs_or_looking_never_ends(tmp_path: Path) -> None:
    systemd = Systemd(tmp_path / "notify")
    now, stuck = [0.0], Stuck()
    assert not Watchdog(Loop(hangs), None, systemd.notifier, lambda: None).ping_watchdog()
    with CameraThread(Device, lambda _: stuck, Inbox(), now=lambda: now[0]) as camera_thread:
        assert stuck.has_begun.wait(PATIENCE_S)
        watchdog = Watchdog(Loop(), camera_thread, systemd.notifier, lambda: None)
        assert watchdog.ping_watchdog()
        assert systemd.next() == "WATCHDOG=1"
        now[0] = 100.0
        assert not watchdog.ping_watchdog()
        stuck.on.set()
    systemd.socket.settimeout(0.05)
    with pytest.raises(TimeoutError):
        systemd.next()
    systemd.socket.close()


@pytest.mark.parametrize("step", STEPS)
def test_whatever_a_camera_hangs_in_the_table_is_kept_by_hand_and_the_watchdog_petted(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hasty(HastyCamera):
        def __init__(self, open_device: Callable[[], Camera], *, frozen: FrozenPicture) -> None:
            super().__init__(open_device, devices=devices, frozen=frozen)

    devices: list[Device] = []
    monkeypatch.setattr(configured_camera, "PatientCamera", Hasty)
    monkeypatch.setattr(
        configured_camera, "UsbCamera", lambda number, *_, **__: Device(step, frames=3, cameras=devices)
    )
    systemd = Systemd(tmp_path / "notify")
    with run_appliance(
        make_config(tmp_path, camera=CameraConfig(source="usb")), notifier=systemd.notifier
    ) as appliance:
        wait_for(lambda: appliance.table.board.latest.camera is CameraHealth.LOST)
        assert appliance.table.board.latest.announcements[-1].announcement.id is AnnouncementId.CAMERA_LOST
        wait_for(lambda: len(devices) >= 2)
        appliance.table.handle(NameSeats(names=("A", "B", "C", "D"), by="owner"))
        assert b"<main" in get(appliance, "/")
        assert json.loads(get(appliance, "/api/health"))["troubles"] == ["camera"]
        assert [line for line in (systemd.next() for _ in range(4)) if line == "WATCHDOG=1"]
    for device in devices:
        device.on.set()
    systemd.socket.close()


def test_no_camera_is_opened_while_three_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hasty(HastyCamera):
        def __init__(self, open_device: Callable[[], Camera], *, frozen: FrozenPicture) -> None:
            super().__init__(open_device, devices=devices, frozen=frozen)

    devices: list[Device] = []
    monkeypatch.setattr(configured_camera, "PatientCamera", Hasty)
    monkeypatch.setattr(configured_camera, "UsbCamera", lambda number, *_, **__: Device("opening", cameras=devices))
    config = make_config(tmp_path, camera=CameraConfig(source="usb")).config
    watch = live_camera.LiveCamera(config, Inbox(), SystemClock())
    for _ in range(3):
        with pytest.raises(CameraError, match="a camera that opens"), watch.open_camera():
            pass
    with pytest.raises(CameraError, match="expected the camera to be released, but 3 attempts hang"):
        watch.open_camera()
    first = watch.configured_camera._devices[0]
    devices[0].on.set()
    wait_for(lambda: not first.hangs)
    assert devices[0].is_closed
    with pytest.raises(CameraError, match="a camera that opens"), watch.open_camera():
        pass
    assert len(devices) == 4
    for device in devices:
        device.on.set()


def test_a_backup_that_stumbles_does_not_stop_the_heart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    systemd = Systemd(tmp_path / "notify")

    def daily() -> None:
        raise OSError(24, "Too many open files")

    with Watchdog(Loop(), None, systemd.notifier, daily):
        assert [systemd.next() for _ in range(3)] == ["WATCHDOG=1"] * 3
        wait_for(lambda: "Too many open files" in caplog.text)
    systemd.socket.close()


def test_a_backup_that_takes_long_does_not_stop_the_heart(tmp_path: Path) -> None:
    systemd, is_written = Systemd(tmp_path / "notify"), threading.Event()

    def daily() -> None:
        is_written.wait(60.0)

    with Watchdog(Loop(), None, systemd.notifier, daily):
        assert [systemd.next() for _ in range(3)] == ["WATCHDOG=1"] * 3
    is_written.set()
    systemd.socket.close()


def test_a_disk_that_refuses_is_told_and_caught_up_with(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        with taking_no_entries(appliance.journal):
            with pytest.raises(PressError, match="cannot write to the journal"):
                appliance.table.handle(NameSeats(names=("A", "B", "C", "D"), by="owner"))
            health = appliance.health()
            assert (health.troubles, health.journal.waiting) == (["journal"], 0)
            assert appliance.table.board.latest.names == ("", "", "", "")
        watchdog = Watchdog(Loop(appliance.table.retry_journal), None, Notifier(), lambda: None)
        assert watchdog.ping_watchdog()
        assert appliance.health().is_ok
