"""``python3 -m table COMMAND …`` in a checkout: installs what is missing, then runs `tachiai COMMAND …`."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from table.cli.bootstrap import SetupError, ensure

NEEDED = ("cv2", "onnxruntime", "flask", "uvicorn", "mahjong", "segno", "markdown_it", "argcomplete", "tqdm")
"""Packages that the command line needs; none is imported to check this."""


def main() -> int:
    """Runs the command line, in the checkout's own environment if this one lacks packages."""
    try:
        if all(find_spec(name) for name in NEEDED):
            from table.cli.main import main as tachiai  # noqa: PLC0415 - only now are its imports known to be there

            return tachiai()
        python = ensure()
    except KeyboardInterrupt:  # before the command line was parsed
        print("tachiai: stopped", file=sys.stderr)
        return 130
    except SetupError as error:
        print(f"tachiai: {error}", file=sys.stderr)
        return 1
    return _become(python)


def _become(python: Path) -> NoReturn:
    os.execv(python, [str(python), "-m", "table", *sys.argv[1:]])  # noqa: S606 - the environment's own Python


if __name__ == "__main__":
    sys.exit(main())
