"""Files that are no game records, though their names end like those of records: of tables, halls and recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.recording.recording_files import PRESSES, SETTINGS, TIMES, TRUTH

OWN_FILES: Final = frozenset(
    {
        "access-point.json",
        "calibration.json",
        "calibration-drawn.json",
        "choices.json",
        "dated.txt",
        "desk.jsonl",
        TIMES,
        "moment.json",
        "people.json",
        PRESSES,
        SETTINGS,
        "rehearsal.json",
        "rules.toml",
        "season.counted",
        "secrets.json",
    }
)
"""Their names; their content is secret, private, or simply not a game."""
OWN_SUFFIXES: Final = frozenset({".games", ".lock", ".mark", ".new", ".season", ".second", ".taps", ".tileset"})
"""The suffixes of caches and notes about a journal, of copies and locks, and of a scanned tile set."""


def is_own_file(path: Path) -> bool:
    """Whether a table, a hall or a recording keeps something other than a game in a file of that name."""
    return path.name in OWN_FILES or path.suffix in OWN_SUFFIXES


def is_truth(path: Path) -> bool:
    """Whether a file is a recording's ground truth, which is not read as a game: the recording itself is replayed."""
    return path.name == TRUTH and (path.parent / SETTINGS).is_file()
