"""Quotes addresses and other values in messages, without the passwords in them."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 200
"""The most characters of a value that a message quotes."""
_LONG: Final = re.compile(r"\d{20,}")
"""More digits than any number that can be used."""


def without_secrets(address: str) -> str:
    """Returns an address as messages may show it: without user, password, query and fragment.

    Some cameras have user and password in the path, as in `/user=admin&password=…`: it is cut before such a part.
    """
    if "//" not in address:
        return re.sub(r"\A[^/]*:.*@", "", address, flags=re.DOTALL)
    plain = re.sub(r"[?#].*", "", re.sub(r"//.*@", "//", address, flags=re.DOTALL), flags=re.DOTALL)
    return re.sub(r"(?<!/)/(?!/)[^/]*=.*", "/…", plain, flags=re.DOTALL)


def printable(name: str) -> str:
    """Returns a name from somebody else's file without characters that could control a terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in name)


def quoted(value: object) -> str:
    """Returns a value as messages quote it: shortened, without an address's secrets or a huge number's digits."""
    text = value if isinstance(value, str) else _repr_text(value)
    if "://" in text or "@" in text:
        text = without_secrets(text)
    text = repr(text) if isinstance(value, str) else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _repr_text(value: object) -> str:
    try:
        return _LONG.sub(lambda digits: f"(a number of {len(digits[0])} digits)", repr(value))
    except ValueError:  # Python refuses to write a number of more than 4300 digits
        return "a number of thousands of digits"
