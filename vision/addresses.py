"""Addresses in messages: nobody is told the passwords in them."""

from __future__ import annotations

import re


def without_secrets(address: str) -> str:
    """Returns an address fit for messages: without user, password, signature and query."""
    if "//" not in address:
        return re.sub(r"\A[^/]*:.*@", "", address, flags=re.DOTALL)
    return re.sub(r"[?#].*", "", re.sub(r"//.*@", "//", address, flags=re.DOTALL), flags=re.DOTALL)


def shown(value: object) -> str:
    """Returns any value as it is quoted in messages; what may be an address is shown without its secrets."""
    text = value if isinstance(value, str) else repr(value)
    if "://" in text or "@" in text:
        text = without_secrets(text)
    return repr(text) if isinstance(value, str) else text
