"""Colour on terminals; none in files and pipes, or when NO_COLOR is set."""

from __future__ import annotations

import os
from typing import Final, TextIO

BOLD: Final = "1"
RED: Final = "31"
GREEN: Final = "32"


def coloured(text: str, *styles: str, to: TextIO | None) -> str:
    """Returns the text in these styles if `to` is a terminal that shows colour, else unchanged."""
    return f"\033[{';'.join(styles)}m{text}\033[0m" if shows_colour(to) else text


def shows_colour(stream: TextIO | None) -> bool:
    """Returns whether output to this stream may be coloured."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
