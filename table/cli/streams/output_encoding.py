"""The encoding of what programs read from standard output: UTF-8, whatever the terminal's."""

from __future__ import annotations

import io
import sys


def use_utf8() -> None:
    """Makes standard output UTF-8 from now on, as JSON has to be and as HTML says that it is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors=sys.stdout.errors)
