"""An appliance's device, for its owner's page."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

from vision.cameras.attached.found_cameras import FoundCamera


class FakeDevice:
    """Two cameras, and whatever a test sets; notes what it is asked for."""

    def __init__(self) -> None:
        self.done: list[object] = []
        self.sharp: int | None = 412
        self.has_autofocus = False
        self.can_update = True
        self.report = SimpleNamespace(state="failed", step="check", when="2026-11-23 02:40")

    def settings(self) -> Mapping[str, str]:
        return {
            "camera.source": "picamera",
            "camera.device": "0",
            "camera.address": "",
            "camera.mains_hz": "50",
            "camera.focus": "0.8",
            "table.side_mm": "720.0",
        }

    def choose(self, chosen: Mapping[str, str]) -> None:
        self.done.append(dict(chosen))

    def cameras(self) -> tuple[FoundCamera, ...]:
        return (
            FoundCamera(source="picamera", number=0, name="Camera Module 3 Wide NoIR"),
            FoundCamera(
                source="usb",
                number=2,
                name="HD Pro Webcam C920 with a very long name: 0",
                address="/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_8F2A3B1F-video-index0",
            ),
        )

    def sharpness(self) -> int | None:
        return self.sharp

    def focus_once(self) -> None:
        self.done.append("focus")

    def request_restart(self) -> None:
        self.done.append("again")

    def ask_machine(self, verb: str) -> None:
        self.done.append(verb)

    def update(self) -> None:
        self.done.append("update")

    def update_status(self) -> SimpleNamespace:
        return self.report

    def log_of_all_boots(self) -> str:
        return "begun\n"
