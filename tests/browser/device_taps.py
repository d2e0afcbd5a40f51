"""Taps at random on the owner's page of the device, of a whole appliance whose cameras come and go."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from table.appliance.appliance import Appliance, run_appliance
from table.appliance.machine import device_control
from table.appliance.machine.machine_control import STEPS, UpdateStatus
from table.runtime.table_errors import ConfigError, PressError
from tests.fakes.desks import PIN
from tests.table.appliance.configured import make_config
from vision.cameras.attached.found_cameras import FoundCamera

ODD: Final = re.compile(
    r"Traceback|\bexpected\b|\w+Error\b|\bException\b|\bNone\b|\bundefined\b|\bNaN\b|\bnull\b|Internal Server"
    r"|Bad Request|Conflict|Forbidden|\{\w*\}|\b(?:camera|device|table|refused)\.[a-z_]+"
)
"""What a programmer reads, and no host."""
CAMERAS: Final = (
    FoundCamera(source="picamera", number=0, name="Camera Module 3 Wide"),
    FoundCamera(source="usb", number=2, name="HD Pro Webcam C920", address="/dev/v4l/by-id/usb-046d_C920-video-index0"),
    FoundCamera(source="usb", number=4, name="Facecam <b>&amp;"),
)
PICTURES: Final = tuple(np.random.default_rng(1).integers(0, 255, (2, 64, 64, 3), np.uint8))
NUMBERS: Final = ("0.8", "", "-1", "1e9", "0", "32", "720", "1e-9", "299.9", "1500", "12345678901234567890")


@dataclass
class PlayedDevice:
    """What the machine answers, which changes by chance."""

    chance: random.Random
    pictures_chance: random.Random = field(default_factory=lambda: random.Random(1))
    """Of its own, since a page asks for pictures as often as a slow machine lets it."""
    camera: Any = None
    cameras: tuple[FoundCamera, ...] | None = CAMERAS
    update: UpdateStatus = field(default_factory=UpdateStatus)
    refuses: bool = False
    requests: Counter[str] = field(default_factory=Counter)

    def change(self) -> None:
        """Cameras come and go, updates run and end, the machine refuses."""
        chance = self.chance
        self.cameras = None if chance.random() < 0.2 else tuple(each for each in CAMERAS if chance.random() < 0.6)
        self.camera = chance.choice((None, LiveCamera(self, has_autofocus=False), LiveCamera(self, has_autofocus=True)))
        state: Any = chance.choice(("none", "running", "done", "failed", "cut"))
        self.update = UpdateStatus(state=state, step=chance.choice(STEPS), when="2026-11-23 02:40")
        self.refuses = chance.random() < 0.3

    def ask(self, request: str) -> None:
        """The machine does it, or refuses."""
        self.requests[request] += 1
        if self.refuses:
            raise PressError(f"expected a machine that may be told to {request}, got: Access denied", says="machine")


class LiveCamera:
    """A camera that may be gone when it is asked."""

    def __init__(self, device: PlayedDevice, *, has_autofocus: bool) -> None:
        self._device, self.has_autofocus = device, has_autofocus
        self.configured_camera = self

    def set_up_picture(self) -> Any:
        return self._device.pictures_chance.choice((None, *PICTURES))

    def focus_once(self) -> tuple[str, float]:
        refusal = self._device.chance.choice(
            (
                None,
                PressError("expected a camera with autofocus, got none", says="no_autofocus"),
                PressError("expected pictures from the camera, got none", says="no_camera"),
                PressError("expected something to focus on, got nothing", says="not_focused"),
                ConfigError("expected a file for choices that can be written, got: No space left on device"),
            )
        )
        if refusal is not None:
            raise refusal
        return self._device.chance.choice((("focus", 1.25), ("usb_focus", 85)))


@contextmanager
def open_device_page(phone: Page, folder: Path, patch: pytest.MonkeyPatch, seed: int) -> Iterator[Taps]:
    """The page of an appliance in a folder, on its owner's phone."""
    device = PlayedDevice(random.Random(seed))
    patch.setattr(device_control, "found_cameras", lambda: device.cameras)
    patch.setattr(device_control, "ask", device.ask)
    patch.setattr(device_control, "begin_update", lambda: device.ask("update"))
    patch.setattr(device_control, "can_update", lambda: device.chance.random() < 0.8)
    patch.setattr(device_control, "update_status", lambda: device.update)
    patch.setattr(device_control, "log_of_all_boots", lambda own_lines: "begun\n")
    with run_appliance(make_config(folder)) as appliance:
        patch.setattr(appliance.device, "request_restart", lambda: device.requests.update(["again"]))
        patch.setattr(type(appliance.device), "live_camera", property(lambda _: device.camera), raising=False)
        address = f"http://127.0.0.1:{appliance.port}"
        token = phone.request.get(f"{address}/api/session").json()["token"]
        assert phone.request.post(
            f"{address}/join", form={"token": token, "role": "owner", "pin": PIN, "again": PIN}
        ).ok
        yield Taps(phone, appliance, device)


class Taps:
    """Taps, and a look at what each left on the page."""

    def __init__(self, phone: Page, appliance: Appliance, device: PlayedDevice) -> None:
        self.phone, self.device, self._appliance = phone, device, appliance
        self._chance = device.chance
        self.address = f"http://127.0.0.1:{appliance.port}/device"
        self.done: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        phone.on("response", lambda answer: self.answers.update([answer.status]))

    def open(self) -> None:
        """Opens the page anew."""
        self.phone.goto(self.address)
        self.check_page()

    def check_page(self) -> None:
        """Fails where the page says what only a programmer understands, or is none at all."""
        expect(self.phone.locator("main h2").first).to_be_visible()
        text = self.phone.locator("body").inner_text()
        assert ODD.search(text) is None, text
        assert max(self.answers, default=200) < 500
        wide = self.phone.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "it scrolls sideways"

    def tap(self) -> None:
        """One tap of those that the page offers, after something changed behind it."""
        if self._chance.random() < 0.5:
            self.device.change()
        action = self._chance.choice(("keep", "keep", "keep", "focus", "again", "update", "reboot", "poweroff", "open"))
        form = self.phone.locator(f"form:has(input[name=do][value={action}])")
        if action == "open" or form.count() == 0:
            self.done["open"] += 1
            self.open()
            return
        if action == "keep":
            self._fill(form)
        sure = form.locator("[name=sure]")
        if sure.count():
            sure.check()
        # As an old browser sends it, which looks at no limits.
        self.phone.evaluate("for (const form of document.forms) form.noValidate = true")
        self.done[action] += 1
        with self.phone.expect_response(lambda answer: answer.request.method == "POST"):
            form.locator("button").click()
        self.phone.wait_for_load_state()
        self.check_page()

    def _fill(self, form: Any) -> None:
        options = form.locator("[name=camera] option").evaluate_all("all => all.map(each => each.value)")
        form.locator("[name=camera]").select_option(self._chance.choice(options))
        form.locator("[name=mains]").select_option(self._chance.choice(("50", "60")))
        for name in ("focus", "side"):
            if self._chance.random() < 0.5:
                form.locator(f"[name={name}]").fill(self._chance.choice(NUMBERS))
