"""Whole numbers as people type them in the fields of forms, in files and in addresses."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
"""As many digits as any of our numbers can have; reading thousands of them would take long."""
_GROUPED: Final = re.compile(r"([+-]?[0-9]{1,3})([,'’ \u00a0\u2009\u202f])([0-9]{3}(?:\2[0-9]{3}){0,4})")
"""Thousands apart, as our own pages show points (30,000), or as other languages do; a point would be a decimal one."""
_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９＋－，−\u3000", "0123456789+-,- ")
"""Digits and signs as Japanese and Chinese keyboards type them, and the minus sign of our own pages."""


def whole_number(text: str, minimum: int, maximum: int) -> int | None:
    """Returns a typed whole number; None if the text is not a number from `minimum` to `maximum`.

    It may have blanks around it, one sign before it, also the minus sign that our own pages show, separators between
    its thousands, and digits of full width.
    """
    digits = text.strip().translate(_FULL_WIDTH)
    if grouped := _GROUPED.fullmatch(digits):
        digits = digits.replace(grouped[2], "")
    number = int(digits) if _NUMBER.fullmatch(digits) else None
    return number if number is not None and minimum <= number <= maximum else None
