"""Asks the table that runs in a data folder how it is."""

from __future__ import annotations

import os
from typing import Any, Final

from table.appliance.files.data_folder import JOURNAL
from table.config import Config
from table.game.journal.storage.journal_lock import is_in_use
from table.health.health_report import Health
from table.health.own_page import json_of_own_page

PATIENCE_S: Final = 5.0
"""How long a running table may take to answer."""


def running_table(config: Config) -> dict[str, Any] | None:
    """Returns the running table's health and its last log lines; None if no table of this folder answers.

    A table of another folder may answer at the same port; this folder's table holds the lock of its journal.
    """
    is_writable = os.access(config.folder, os.W_OK)
    if not config.folder.is_dir() or (is_writable and not is_in_use(config.folder / JOURNAL)):
        return None
    try:
        line = json_of_own_page(config.page, "/api/health", timeout_s=PATIENCE_S)
    except (OSError, ValueError):
        return None
    return line if isinstance(line, dict) and line.get("name") == config.table.name else None


def is_this_version(line: dict[str, Any]) -> bool:
    """Returns whether the answer comes from a table of this version."""
    try:
        Health.from_json(line)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return isinstance(line.get("log"), list)
