"""The calibration file of one table: where its play surface is in the camera's picture, found once."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from vision.atomic_files import read_whole, write_whole
from vision.errors import CalibrationError, reason
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.size_limits import SideMm
from vision.json_text import read_json
from vision.strict_reader import PLAIN, Only

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedSettings:
    """The camera's settings when the table was found."""

    focus: float
    """Dioptres."""
    exposure_us: int
    gain: float
    colour_gains: tuple[float, float]
    """Red and blue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCalibration:
    """The content of the file."""

    corners_px: Annotated[
        tuple[tuple[float, float], ...], Only("four corners [[x, y], …]", lambda rows: len(rows) == 4)
    ]
    """Far left, far right, near right, near left."""
    size: tuple[int, int]
    """Width and height of the picture in which they were found."""
    side_mm: SideMm
    when: str
    """When it was found, ISO 8601."""
    by: str
    """How it was found: `picture` or `hand`; `drawing` if the table is drawn."""
    camera: LockedSettings | None = None
    """None if the camera does not report its settings."""
    agreed: bool = True
    """Whether a person confirmed or set the place; only then is the table watched there."""

    @property
    def calibration(self) -> Calibration:
        """The relation between felt and picture.

        Raises:
            CalibrationError: the corners are not those of a table.
        """
        return calibrate(self.corners_px, size=self.size, side_mm=self.side_mm)


def save(stored: StoredCalibration, path: Path) -> None:
    """Writes the file, whole or not at all.

    Raises:
        CalibrationError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({"format": FORMAT, **asdict(stored)}), mode=0o600)
    except OSError as error:
        message = f"expected a writable calibration file, got: {reason(error)}, at {path}"
        raise CalibrationError(message) from error


def load(path: Path) -> StoredCalibration | None:
    """Reads the file; None if there is none yet.

    Raises:
        CalibrationError: it does not have the documented format; the message names the file and the key.
    """
    try:
        data = read_json(read_whole(path))
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise ValueError("another file")
        stored: StoredCalibration = PLAIN.read(StoredCalibration, data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CalibrationError(f"expected a calibration of format {FORMAT}, got: {reason(error)}, in {path}") from error
    return stored
