"""Journals that are written, and torn."""

from __future__ import annotations

from pathlib import Path

from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.rules.events import TilePassed
from table.rules.ruleset import Ruleset

ENVELOPE = Envelope(utc="2026-11-20T11:00:00.000+00:00", source=Source.TABLE)
DAY = "2026-11-20"


def written(path: Path, entries: int) -> Path:
    with Journal(path) as journal:
        if journal.last == 0:
            journal.append(ENVELOPE, GameOpened(ruleset=Ruleset()))
        while journal.last < entries:
            journal.append(ENVELOPE, TilePassed())
    return path


def torn(path: Path) -> None:
    """Overwrites the last page with what was never written there, and the first table page too."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096)
