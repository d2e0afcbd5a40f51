"""All texts for people, in one catalogue per language shared by page, command line and voice."""

from table.i18n.announcement_text import (
    PENALTY,
    addressed,
    adjustment_text,
    announcement_dealer,
    announcement_sentence,
    lasting_name,
    lasting_names,
    payments_text,
    round_name,
    seat_name,
    short_round,
    signed,
    tile_name,
)
from table.i18n.isolation import isolated
from table.i18n.message_catalogue import Catalogue, MissingTextError, catalogue, languages, running_text
from table.i18n.po_file import PoError

__all__ = [
    "PENALTY",
    "Catalogue",
    "MissingTextError",
    "PoError",
    "addressed",
    "adjustment_text",
    "announcement_dealer",
    "announcement_sentence",
    "catalogue",
    "isolated",
    "languages",
    "lasting_name",
    "lasting_names",
    "payments_text",
    "round_name",
    "running_text",
    "seat_name",
    "short_round",
    "signed",
    "tile_name",
]
