"""Whole numbers as people type them in the fields of forms, in files and in addresses."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
"""As many digits as any of our numbers can have; reading thousands of them would take long."""


def whole_number(text: str, least: int, most: int) -> int | None:
    """Returns a typed whole number; None if the text is none from `least` to `most`.

    It may have blanks around it and one sign before it, also the minus sign that our own pages show.
    """
    plain = text.strip().replace("−", "-")
    number = int(plain) if _NUMBER.fullmatch(plain) else None
    return number if number is not None and least <= number <= most else None
