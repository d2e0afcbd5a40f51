"""Host arguments: a name or an address. An empty text (an unset variable) is refused: it would mean any network."""

from __future__ import annotations

import argparse


def host_name(text: str) -> str:
    """Reads a host name or address; for argparse."""
    from table.config import is_host  # noqa: PLC0415 - help needs none

    if not is_host(text):
        raise argparse.ArgumentTypeError(f"expected a name or an address like 192.168.1.5, got {text!r:.80}")
    return text
