"""What pages get to show: plain JSON objects; a tile as every page shows it."""

from __future__ import annotations

from typing import Any, Final

from table.i18n import Catalogue, tile_name

View = dict[str, Any]
"""A part of a page as a JSON object."""
UNREAD: Final = "unread"
"""The picture's name of a tile that nobody could read."""


def face_view(face: str, texts: Catalogue) -> View:
    """A tile by its picture's name and in words."""
    return {"face": UNREAD if face == "?" else face, "name": tile_name(face, texts)}
