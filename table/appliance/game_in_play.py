"""Tells the installer whether a game is being played: `python -m table.appliance.game_in_play --config FILE`.

The exit code is 3 if one is, else 0: also if no table runs in the configured folder, or none answers there.
"""

from __future__ import annotations

import argparse
import json
import ssl
import sys
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from table.appliance.data_folder import JOURNAL
from table.config import Config, load
from table.game.journal.storage.journal_lock import is_in_use

PLAYED: Final = 3
"""The exit code if a game is being played."""
PATIENCE_S: Final = 10.0


def is_played(config: Config) -> bool:
    """Whether a game has begun at the running table of this configuration, and is not over.

    As on the owner's page: a game has begun with its first discard or settled hand.
    """
    if not is_in_use(config.folder / JOURNAL):
        return False
    scheme = "https" if config.page.tls_cert else "http"
    trusting = ssl._create_unverified_context()  # noqa: S323 - it is this machine's own certificate
    try:
        url = f"{scheme}://127.0.0.1:{config.page.port}/api/table"
        with urllib.request.urlopen(url, timeout=PATIENCE_S, context=trusting) as answer:  # noqa: S310 - our own page
            shown: Any = json.load(answer)
        has_begun = shown["sheet"] or shown["ending"] or any(seat["river"] for seat in shown["seats"])
        return bool(has_begun) and shown["final"] is None
    except (OSError, ValueError, HTTPException, LookupError, TypeError):
        return False


def main(argv: Sequence[str] | None = None) -> int:
    """Returns `PLAYED` if a game is being played, else 0."""
    parser = argparse.ArgumentParser(prog="game_in_play", description="Tells whether a game is being played.")
    parser.add_argument("--config", type=Path, required=True, help="the table's configuration")
    return PLAYED if is_played(load(parser.parse_args(argv).config).config) else 0


if __name__ == "__main__":
    sys.exit(main())
