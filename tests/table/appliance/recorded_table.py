"""An appliance that watches a recorded table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from table.appliance.appliance import Appliance, run_appliance
from table.config import CameraConfig, Config, LoadedConfig, PageConfig, TableConfig
from table.game.journal.fold import LoggedAnnouncement
from tests.places import RIICHI_TSUMO
from vision.geometry.calibration_file import StoredCalibration, save
from vision.recording.recording import Recording

UNTIL_RIICHI = 24
"""Frames until the riichi tile lies and was read."""
STILL_FRAMES = 480
"""Frames of two minutes, for a slow machine to do what a test does before the table is empty again."""


def recording_part(
    folder: Path, *, first: int = 0, frames: int = UNTIL_RIICHI, fps: float = 4.0, still_frames: int = 0
) -> Path:
    """A part of a recording, to be broken; its last frame lasts for so many more, before it begins anew."""
    path = folder / f"recording {first}"
    (path / "frames").mkdir(parents=True)
    text = (RIICHI_TSUMO / "recording.toml").read_text("utf-8").replace("fps = 3.0", f"fps = {fps}")
    (path / "recording.toml").write_text(text, "utf-8")
    for k in range(first, first + frames):
        shutil.copy(RIICHI_TSUMO / "frames" / f"{k:06d}.jpg", path / "frames")
    for k in range(first + frames, first + frames + still_frames):
        (path / "frames" / f"{k:06d}.jpg").hardlink_to(path / "frames" / f"{first + frames - 1:06d}.jpg")
    return path


def keep_place(folder: Path, **changes: Any) -> None:
    """The calibration that fits the recording, or one that does not."""
    corners = Recording.open(RIICHI_TSUMO).settings.table.corners_px
    assert corners is not None
    fields = {"corners_px": corners, "size": (1000, 1000), "side_mm": 720.0, "when": "", "by": "hand", **changes}
    save(StoredCalibration(**fields), folder / "calibration.json")


def make_config(folder: Path, recording: Path, **sections: Any) -> LoadedConfig:
    return LoadedConfig(
        config=Config(
            table=TableConfig(data=str(folder)),
            page=PageConfig(host="127.0.0.1", port=0),
            camera=CameraConfig(source="recording", file=str(recording), fps=4.0),
            **sections,
        )
    )


def announcements_of(appliance: Appliance, name: str) -> list[LoggedAnnouncement]:
    return [logged for logged in appliance.table.board.latest.announcements if logged.announcement.id.value == name]


@contextmanager
def watching_appliance(folder: Path, recording: Path, **sections: Any) -> Iterator[Appliance]:
    with run_appliance(make_config(folder, recording, **sections)) as appliance:
        yield appliance
