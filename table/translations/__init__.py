"""All words that people read or hear, in one catalogue a language: page, command line and voice share it."""

from table.translations.catalogue import Catalogue, MissingTextError, catalogue, languages
from table.translations.po import PoError
from table.translations.sayings import round_name, saying_text, seat_name, signed, tile_name

__all__ = [
    "Catalogue",
    "MissingTextError",
    "PoError",
    "catalogue",
    "languages",
    "round_name",
    "saying_text",
    "seat_name",
    "signed",
    "tile_name",
]
