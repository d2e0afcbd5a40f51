"""The files of a table's data folder that are no game records, though their names end like those of records."""

from __future__ import annotations

from pathlib import Path
from typing import Final

OWN_FILES: Final = frozenset(
    {
        "access-point.json",
        "calibration.json",
        "calibration-drawn.json",
        "choices.json",
        "people.json",
        "rehearsal.json",
        "season.counted",
        "secrets.json",
    }
)
"""Their names. What they hold is secret, or private, or simply no game."""


def is_own_file(path: Path) -> bool:
    """Whether a table keeps its own state in a file of that name; nobody looks for a game there."""
    return path.name in OWN_FILES
