"""Reads the tables' messages to a hall. Pure. Anybody on the network may send one, so every message is validated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from table.config import TABLE_NAME
from table.mqtt.desk_signal import DESK
from table.mqtt.table_games import MOST_POINTS, TableAppeals, TableGame, appeals_in, games_in
from vision.json_text import read_json

MOST_BYTES: Final = 64 * 1024
"""Limit of one message; the longest real one, the health, has a few thousand bytes."""
_MOST_COUNTERS: Final = 10_000
_MOST_TROUBLES: Final = 50
_MOST_LETTERS: Final = 200
"""Limit of the name of one health trouble."""
_ROUND: Final = re.compile(r"[ESWN]\d{1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HallTable:
    """The last known state of a table."""

    name: str
    is_online: bool = False
    is_well: bool = True
    troubles: tuple[str, ...] = ()
    round: str | None = None
    honba: int = 0
    deposits: int = 0
    scores: tuple[int, ...] = ()
    announcements: int = 0
    """Number of announcements since the hall started listening."""
    games: tuple[TableGame, ...] = ()
    """Its last games, the current one last."""
    appeals: TableAppeals = field(default_factory=TableAppeals)
    """The moments flagged there."""
    sender: str = ""
    """The identity at the broker of the program that sent its last health; empty from earlier versions."""
    is_doubled: bool = False
    """Whether two running tables send messages under its name."""


def is_table_name(name: str) -> bool:
    """Whether this is a valid table name, and not the desk's; messages under other names are ignored."""
    return name != DESK and re.fullmatch(TABLE_NAME, name) is not None


def updated_table(table: HallTable, subtopic: str, payload: bytes) -> HallTable:
    """Returns the table updated by a message on a topic below its own; unchanged if `subtopic` is unknown.

    Raises:
        ValueError: no table sends such a message.
    """
    match subtopic:
        case "status":
            return replace(table, is_online=_is_online(payload))
        case "table":
            return _with_standing(table, _fields(payload))
        case "health":
            return _with_health(table, _fields(payload))
        case "games":
            return replace(table, games=games_in(_fields(payload)))
        case "appeals":
            return replace(table, appeals=appeals_in(_fields(payload)))
        case "announcement":
            if not isinstance(_fields(payload).get("id"), str):
                raise ValueError("expected id as a text")
            return replace(table, announcements=table.announcements + 1)
    return table


def _is_online(payload: bytes) -> bool:
    if payload not in (b"online", b"offline"):
        raise ValueError("expected online or offline")
    return payload == b"online"


def _fields(payload: bytes) -> Mapping[str, Any]:
    if len(payload) > MOST_BYTES:
        raise ValueError(f"expected {MOST_BYTES} bytes at most, got {len(payload)}")
    message = read_json(payload)
    if not isinstance(message, dict):
        raise ValueError(f"expected a JSON object, got {type(message).__name__}")
    return message


def _with_standing(table: HallTable, fields: Mapping[str, Any]) -> HallTable:
    round_text, scores = fields.get("round"), fields.get("scores")
    if round_text is not None and not (isinstance(round_text, str) and _ROUND.fullmatch(round_text)):
        raise ValueError("expected round as E1 to N4, or null")
    if not isinstance(scores, list) or len(scores) != 4:
        raise ValueError("expected scores as a list of four")
    return replace(
        table,
        round=round_text,
        honba=_whole(fields.get("honba"), "honba", 0, _MOST_COUNTERS),
        deposits=_whole(fields.get("deposits"), "deposits", 0, _MOST_COUNTERS),
        scores=tuple(_whole(score, "a score", -MOST_POINTS, MOST_POINTS) for score in scores),
    )


def _with_health(table: HallTable, fields: Mapping[str, Any]) -> HallTable:
    is_well, troubles = fields.get("ok"), fields.get("troubles")
    if not isinstance(is_well, bool):
        raise ValueError("expected ok as true or false")
    if not isinstance(troubles, list) or not all(isinstance(trouble, str) for trouble in troubles):
        raise ValueError("expected troubles as a list of texts")
    sender = fields.get("sender", "")
    if not isinstance(sender, str):
        raise ValueError("expected sender as a text")
    shortened = tuple(trouble[:_MOST_LETTERS] for trouble in troubles[:_MOST_TROUBLES])
    return replace(table, is_well=is_well, troubles=shortened, sender=sender[:_MOST_LETTERS])


def _whole(value: object, name: str, minimum: int, maximum: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
        raise ValueError(f"expected {name} as a whole number from {minimum} to {maximum}")
    return value
