"""All words that people read or hear, in one catalogue a language: page, command line and voice share it."""

from table.i18n.announcement_text import NOBODY, adjustment_text, round_name, saying_text, seat_name, signed, tile_name
from table.i18n.message_catalogue import Catalogue, MissingTextError, catalogue, languages
from table.i18n.po_file import PoError

__all__ = [
    "NOBODY",
    "Catalogue",
    "MissingTextError",
    "PoError",
    "adjustment_text",
    "catalogue",
    "languages",
    "round_name",
    "saying_text",
    "seat_name",
    "signed",
    "tile_name",
]
