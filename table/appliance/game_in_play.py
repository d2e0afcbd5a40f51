"""Tells the installer whether a game is being played: `python -m table.appliance.game_in_play --config FILE`.

The exit code is 3 if one is, and otherwise 0, also if no table runs in the configured folder, or none answers there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from table.appliance.files.data_folder import JOURNAL
from table.config import Config, load
from table.game.journal.storage.journal_lock import is_in_use
from table.health.own_page import json_of_own_page

EXIT_PLAYED: Final = 3
"""The exit code if a game is being played."""
PATIENCE_S: Final = 10.0


def is_played(config: Config) -> bool:
    """Returns whether a game has begun at the running table of this configuration, and is not over.

    As on the owner's page: a game has begun with its first discard or settled hand.
    """
    if not is_in_use(config.folder / JOURNAL):
        return False
    try:
        view = json_of_own_page(config.page, "/api/table", timeout_s=PATIENCE_S)
        has_begun = view["sheet"] or view["ending"] or any(seat["river"] for seat in view["seats"])
        return bool(has_begun) and view["final"] is None
    except (OSError, ValueError, LookupError, TypeError):
        return False


def main(argv: Sequence[str] | None = None) -> int:
    """Returns `EXIT_PLAYED` if a game is being played, else 0."""
    parser = argparse.ArgumentParser(prog="game_in_play", description="Tells whether a game is being played.")
    parser.add_argument("--config", type=Path, required=True, help="the table's configuration")
    return EXIT_PLAYED if is_played(load(parser.parse_args(argv).config).config) else 0


if __name__ == "__main__":
    sys.exit(main())
