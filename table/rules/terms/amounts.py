"""Amounts in English text."""

from __future__ import annotations


def numbered(noun: str, numbers: range) -> str:
    """Returns what is expected of some things by their numbers: `a hand from 0 to 7`, or `no hand` where none is."""
    return f"a {noun} from {numbers[0]} to {numbers[-1]}" if numbers else f"no {noun}"


def amount(count: int, noun: str) -> str:
    """Returns a count in words: `1 tile`, `2 tiles`, `2 copies` for the noun `copy`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun.removesuffix('y')}ies" if noun.endswith("y") else f"{count} {noun}s"
