"""Reads the address of a broadcast page: the place of each part, its colours, the delay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from table.dashboard.broadcast.past_snapshots import MOST_DELAY_S
from table.i18n import languages
from table.runtime.whole_number import whole_number

PARTS: Final = {"points": "bottom", "table": "left", "dora": "top-left", "win": "centre", "standings": "right"}
"""The parts of a page, with their default places."""
PLACES_ON_FULL_PAGE: Final = {"standings": "top-right"}
"""Other default places on the page with every part, where the won hand needs the room."""
ALL: Final = "all"
"""The name of the page with every part."""
PLACES: Final = (
    "top-left",
    "top",
    "top-right",
    "left",
    "centre",
    "right",
    "bottom-left",
    "bottom",
    "bottom-right",
)
OFF: Final = "off"
COLOURS: Final = ("ink", "panel", "accent")
_COLOUR: Final = re.compile(r"#?((?:[0-9a-fA-F]{3}){1,2}|[0-9a-fA-F]{8})")
SIZES: Final = (50, 200)
"""The least and the largest scale of a page, in per cent."""


class OverlayError(ValueError):
    """The address asks for something that cannot be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """The content of one page."""

    parts: Mapping[str, str]
    """The place of each shown part."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """The chosen colours by name, as hexadecimal digits."""
    size: int = 100
    seat: int = 0
    """The seat at the bottom, which is the first in the bar."""
    delay_s: int = 0
    key: str = ""
    language: str | None = None
    """None for the browser's language."""


def read_overlay(part: str, query: Mapping[str, str]) -> Overlay:
    """Reads the query of the address of one part's page, or of all parts.

    Raises:
        OverlayError: there is no such part, or a value of the query is invalid.
    """
    if part != ALL and part not in PARTS:
        raise OverlayError(f"expected one of the pages {', '.join((ALL, *PARTS))}, got {part!r}")
    allowed = (*PARTS, *COLOURS, "size", "seat", "delay", "key", "language", "seen")
    if unknown := [name for name in query if name not in allowed]:
        raise OverlayError(f"expected one of the names {', '.join(allowed[:-1])}, got {unknown[0]!r}")
    return Overlay(
        parts=_places(part, query),
        colours={name: _colour(name, query[name]) for name in COLOURS if query.get(name)},
        size=_whole(query, "size", 100, SIZES),
        seat=_whole(query, "seat", 0, (0, 3)),
        delay_s=_whole(query, "delay", 0, (0, MOST_DELAY_S)),
        key=query.get("key", ""),
        language=_language(query.get("language")),
    )


def _places(part: str, query: Mapping[str, str]) -> dict[str, str]:
    default_places = PARTS | PLACES_ON_FULL_PAGE if part == ALL else {part: PARTS[part]}
    places = {name: query.get(name) or default for name, default in default_places.items()}
    for name, place in places.items():
        if place not in (*PLACES, OFF):
            raise OverlayError(f"expected {name} at {', '.join(PLACES)} or {OFF}, got {place!r}")
    return {name: place for name, place in places.items() if place != OFF}


def _colour(name: str, text: str) -> str:
    found = _COLOUR.fullmatch(text)
    if found is None:
        raise OverlayError(f"expected {name} as a colour of 3, 6 or 8 hexadecimal digits like ffd25e, got {text!r}")
    return found[1]


def _whole(query: Mapping[str, str], name: str, default: int, limits: tuple[int, int]) -> int:
    text, (least, most) = query.get(name, ""), limits
    if not text:
        return default
    number = whole_number(text, least, most)
    if number is None:
        raise OverlayError(f"expected {name} as a whole number from {least} to {most}, got {text!r}")
    return number


def _language(text: str | None) -> str | None:
    if text and text not in languages():
        raise OverlayError(f"expected one of the languages {', '.join(sorted(languages()))}, got {text!r}")
    return text or None
