"""The installed `tachiai` program: runs the command line; Ctrl-C ends it with a message even while it is loading."""

from __future__ import annotations

import sys

from table.cli import EXIT_STOPPED
from table.cli.early_stop import exit_on_ctrl_c, raise_on_ctrl_c


def main() -> int:
    """Runs the command line and returns its exit code."""
    exit_on_ctrl_c()
    try:
        from table.cli.main import main as tachiai  # noqa: PLC0415 - on a small machine loading it takes a second

        return tachiai()
    except KeyboardInterrupt:
        print("tachiai: stopped", file=sys.stderr)
        return EXIT_STOPPED
    finally:
        raise_on_ctrl_c()
