"""Red fives of a record as plain ones, to play it by rules that have none."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from table.records.formats.game_record import GameRecord
from table.rules.ruleset import Ruleset
from table.rules.terms.tiles import Tile


def fitted(record: GameRecord, ruleset: Ruleset) -> GameRecord:
    """Returns the record with those red fives plain that a set of `ruleset` does not have."""
    missing = {
        Tile(f"0{suit}")
        for suit, reds in zip("mps", (ruleset.red_man, ruleset.red_pin, ruleset.red_sou), strict=True)
        if not reds
    }
    return replace(record, hands=_plain(record.hands, missing)) if missing else record


def _plain(value: Any, missing: set[Tile]) -> Any:
    """Returns a value with its tiles exchanged, however deep they lie."""
    if isinstance(value, Tile):
        return value.plain if value in missing else value
    if isinstance(value, tuple):
        return tuple(_plain(each, missing) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _plain(getattr(value, field.name), missing) for field in fields(value)})
    return value
