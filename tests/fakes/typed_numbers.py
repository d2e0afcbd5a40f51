"""What people and programs type where a whole number is asked for."""

from __future__ import annotations

from typing import Final

NO_NUMBERS: Final = (
    *("", "-", "+", "-+5", "+-5", "--5", "−+5", "- 5", "5-", "1e3", "1_0", "5.0", "²", "٥", "\x005"),
    *("3,0", "30,00", ",300", "300,", "1,000 000", "0000,000", "30,,000", "30.000", "1, 000"),
    "9" * 5000,
)
"""Texts that are no whole numbers; Python's own digits and numbers are wider."""
