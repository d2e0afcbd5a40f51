"""``python3 -m table COMMAND …`` in a checkout: installs what is missing, then runs `tachiai COMMAND …`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from table.cli.early_stop import exit_when_stopped, raise_when_stopped

NEEDED = (
    "cv2",
    "simplejpeg",
    "onnxruntime",
    "flask",
    "uvicorn",
    "mahjong",
    "segno",
    "markdown_it",
    "argcomplete",
    "tqdm",
)
"""Packages that the command line needs; none is imported to check this."""


def main() -> int:
    """Runs the command line, in the checkout's own environment if this one lacks packages."""
    exit_when_stopped()
    from importlib.util import find_spec  # noqa: PLC0415 - Ctrl-C is heeded before anything is loaded

    if all(find_spec(name) for name in NEEDED):
        from table.cli.entry import main as tachiai  # noqa: PLC0415

        return tachiai()
    return _in_own_environment()


def _in_own_environment() -> int:
    """Installs what is missing, and becomes the program there; returns an exit code only if that fails."""
    from table.cli.bootstrap import SetupError, ensure_environment  # noqa: PLC0415

    raise_when_stopped()
    try:
        python = str(ensure_environment())
    except KeyboardInterrupt:
        print("tachiai: stopped", file=sys.stderr)
        return 130
    except SetupError as error:
        print(f"tachiai: {error}", file=sys.stderr)
        return 1
    return _become(python)


def _become(python: str) -> NoReturn:
    os.execv(python, [python, "-m", "table", *sys.argv[1:]])  # noqa: S606 - the environment's own Python


if __name__ == "__main__":
    sys.exit(main())
