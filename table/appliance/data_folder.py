"""The folder of a table's data: what its files are called."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

JOURNAL: Final = "table.journal"
SECRETS: Final = "secrets.json"
BACKUPS: Final = "backups"
CLIPS: Final = "clips"
_log = logging.getLogger(__name__)


def made_folder(folder: Path) -> Path:
    """Returns the folder, created if it was missing and can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _log.error("expected to create the folder for the journal, got: %s", error)
    return folder
