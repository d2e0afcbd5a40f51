"""``python3 -m table COMMAND …`` in a checkout: sets itself up, then is `tachiai COMMAND …`."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from table.cli.bootstrap import SetupError, ensure


def main() -> int:
    """Runs the command line, in the checkout's own environment where this one lacks the packages."""
    if all(find_spec(name) for name in ("cv2", "onnxruntime", "flask", "uvicorn", "mahjong", "segno", "markdown_it")):
        try:
            from table.cli.main import main as tachiai  # noqa: PLC0415 - only now are its imports known to be there

            return tachiai()
        except KeyboardInterrupt:  # before the command line was read
            return 130
    try:
        python = ensure()
    except SetupError as error:
        print(f"tachiai: {error}", file=sys.stderr)
        return 1
    return _become(python)


def _become(python: Path) -> NoReturn:
    os.execv(python, [str(python), "-m", "table", *sys.argv[1:]])  # noqa: S606 - the environment's own Python


if __name__ == "__main__":
    sys.exit(main())
