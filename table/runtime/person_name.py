"""One spelling for names that look alike: phones and files write the same letters in different ways."""

from __future__ import annotations

from unicodedata import normalize


def spelt(name: str) -> str:
    """Returns a name with composed letters and single spaces: ``José``, however a keyboard wrote the accent."""
    return normalize("NFC", " ".join(name.split()))
