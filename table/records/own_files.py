"""Files that are no game records, though their names end like those of records: of tables, halls and recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

OWN_FILES: Final = frozenset(
    {
        "access-point.json",
        "calibration.json",
        "calibration-drawn.json",
        "choices.json",
        "desk.jsonl",
        "frames.jsonl",
        "moment.json",
        "people.json",
        "presses.jsonl",
        "recording.toml",
        "rehearsal.json",
        "rules.toml",
        "season.counted",
        "secrets.json",
    }
)
"""Their names. What they hold is secret, or private, or simply no game."""
OWN_SUFFIXES: Final = frozenset({".games", ".lock", ".mark", ".new", ".season", ".second", ".taps", ".tileset"})
"""The suffixes of what is counted or noted about a journal, of copies and locks, and of a set of tiles."""
_SETTINGS: Final = "recording.toml"
_TRUTH: Final = "truth.mjson"
"""As in `vision.recording.recording`, repeated here to keep `--help` free of its imports."""


def is_own_file(path: Path) -> bool:
    """Whether a table, a hall or a recording keeps something else than a game in a file of that name."""
    return path.name in OWN_FILES or path.suffix in OWN_SUFFIXES


def is_truth(path: Path) -> bool:
    """Whether a file is a recording's ground truth, which is no input: the recording is replayed."""
    return path.name == _TRUTH and (path.parent / _SETTINGS).is_file()
