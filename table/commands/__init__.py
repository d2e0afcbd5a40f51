"""The commands of `tachiai`: one module each, with `register(commands)` and `run(args) -> exit code`.

Only commands that work are listed; heavy imports wait until a command runs.
"""

from __future__ import annotations

from typing import Final

COMMANDS: Final[tuple[str, ...]] = (
    "demo",
    "run",
    "check",
    "calibrate",
    "record",
    "backup",
    "restore",
    "hall",
    "read",
    "scan",
    "replay",
    "audit",
    "score",
    "export",
    "film",
    "rules",
    "bench",
)
"""Modules of this package, in the order of `tachiai --help`."""
STOPPED: Final = 130
"""The exit code after Ctrl-C."""
