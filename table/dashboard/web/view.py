"""What pages show, as plain JSON objects, and a tile in the form of every page."""

from __future__ import annotations

from typing import Any, Final

from table.i18n import Catalogue, tile_name

View = dict[str, Any]
"""A part of a page as a JSON object."""
UNREAD: Final = "unread"
"""The name of the picture for a tile that could not be read."""


def face_view(face: str, texts: Catalogue) -> View:
    """Returns a tile by its picture's name and in words."""
    return {"face": UNREAD if face == "?" else face, "name": tile_name(face, texts)}
