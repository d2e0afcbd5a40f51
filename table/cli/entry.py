"""The installed `tachiai` program: runs the command line, and ends with a message even if stopped while loading."""

from __future__ import annotations

import sys

from table.cli import EXIT_STOPPED
from table.cli.early_stop import exit_when_stopped, raise_when_stopped


def main() -> int:
    """Runs the command line and returns its exit code."""
    exit_when_stopped()
    try:
        from table.cli.main import main as tachiai  # noqa: PLC0415 - on a small machine loading it takes a second

        return tachiai()
    except KeyboardInterrupt:
        print("tachiai: stopped", file=sys.stderr)
        return EXIT_STOPPED
    finally:
        raise_when_stopped()
