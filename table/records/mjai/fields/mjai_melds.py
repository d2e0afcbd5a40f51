"""The melds of a hand that people entered, in our own field of a win's line: nobody saw who discarded what.

mjai has a call as a line of its own with the seat called from, its `target`. Where that is unknown, no such line is
written, and `entered_melds` of the line `hora` lists the melds: `[{"type": "pon", "tiles": ["P", "P", "P"]}]`. A win
that people entered with its hand has the field even if the hand is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from table.records.formats.checked_values import list_of, object_of, text_of
from table.records.mjai.fields.mjai_tiles import from_mjai, to_mjai
from table.rules.terms.melds import Meld, MeldKind, meld_of

_NAMES: Final[Mapping[MeldKind, str]] = {
    MeldKind.CHI: "chi",
    MeldKind.PON: "pon",
    MeldKind.OPEN_KAN: "daiminkan",
    MeldKind.ADDED_KAN: "kakan",
    MeldKind.CLOSED_KAN: "ankan",
}


def melds_lines(melds: Sequence[Meld]) -> list[dict[str, Any]]:
    """Returns melds as the field has them."""
    return [{"type": _NAMES[meld.kind], "tiles": [to_mjai(tile) for tile in meld.tiles]} for meld in melds]


def read_melds_lines(value: Any) -> tuple[Meld, ...]:
    """Returns the melds of the field.

    Raises:
        RecordError, RulesError, ValueError: it does not hold melds.
    """
    return tuple(_meld(object_of(meld, "a meld")) for meld in list_of(value, "entered_melds"))


def _meld(line: Mapping[str, Any]) -> Meld:
    tiles = [from_mjai(text) for text in list_of(line["tiles"], "tiles")]
    return meld_of(tiles, is_closed=text_of(line["type"], "type") == _NAMES[MeldKind.CLOSED_KAN])
