"""The calibration of one table on disk: where its play surface lies in the camera's picture, found once."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from vision.atomic_files import write_whole
from vision.errors import CalibrationError
from vision.geometry.calibration import Calibration, calibrate

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """How a camera was set when the table was found, from the first frames on."""

    focus: float
    """Dioptres."""
    exposure_us: int
    gain: float
    colour_gains: tuple[float, float]
    """Red and blue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the file holds."""

    corners_px: tuple[tuple[float, float], ...]
    """Far left, far right, near right, near left."""
    size: tuple[int, int]
    """Width and height of the picture that they were found in."""
    side_mm: float
    when: str
    """ISO 8601: when it was found."""
    by: str
    """`markers`, `felt` or `hand`."""
    camera: Locked | None = None
    """None where the camera does not tell."""

    @property
    def calibration(self) -> Calibration:
        """How felt and picture belong together.

        Raises:
            CalibrationError: the corners are none.
        """
        return calibrate(self.corners_px, size=self.size, side_mm=self.side_mm)


def save(kept: Kept, path: Path) -> None:
    """Writes the file beside and swaps it in.

    Raises:
        CalibrationError: it cannot be written.
    """
    data = {
        "format": FORMAT,
        "corners_px": [list(corner) for corner in kept.corners_px],
        "size": list(kept.size),
        "side_mm": kept.side_mm,
        "when": kept.when,
        "by": kept.by,
        "camera": None if kept.camera is None else asdict(kept.camera),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data))
    except OSError as error:
        raise CalibrationError(f"expected a calibration file that can be written, got: {error}, at {path}") from error


def load(path: Path) -> Kept | None:
    """Reads the file; None where there is none yet.

    Raises:
        CalibrationError: it is none of the documented format; names the file and the key.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CalibrationError(f"expected a calibration, got: {error}, in {path}") from error
    try:
        return _kept(data)
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(f"expected a calibration of format {FORMAT}, got: {error!r}, in {path}") from error


def _kept(data: Any) -> Kept:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r}")
    corners = tuple((float(x), float(y)) for x, y in data["corners_px"])
    if len(corners) != 4:
        raise ValueError(f"{len(corners)} corners")
    width, height = (int(each) for each in data["size"])
    return Kept(
        corners_px=corners,
        size=(width, height),
        side_mm=float(data["side_mm"]),
        when=str(data["when"]),
        by=str(data["by"]),
        camera=_locked(data.get("camera")),
    )


def _locked(data: Any) -> Locked | None:
    if data is None:
        return None
    red, blue = data["colour_gains"]
    return Locked(
        focus=float(data["focus"]),
        exposure_us=int(data["exposure_us"]),
        gain=float(data["gain"]),
        colour_gains=(float(red), float(blue)),
    )
