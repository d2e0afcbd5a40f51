"""Amounts in English text."""

from __future__ import annotations


def amount(count: int, noun: str) -> str:
    """Returns a count in words: `1 tile`, `2 tiles`, `2 copies` for the noun `copy`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun.removesuffix('y')}ies" if noun.endswith("y") else f"{count} {noun}s"
