"""What people and programs type where a whole number is asked for."""

from __future__ import annotations

from typing import Final

NO_NUMBERS: Final = (
    *("", "-", "+", "-+5", "+-5", "--5", "−+5", "- 5", "5-", "1e3", "1_0", "5.0", "５", "²", "\x005"),
    "9" * 5000,
)
"""Texts that are no whole numbers; Python's own digits and numbers are wider."""
