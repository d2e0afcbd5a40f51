"""The forms on the page of the game: the fields of their commands, as in the API."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from table.game.commands.command_reader import read_seat
from table.game.commands.game_commands import (
    AdjustPoints,
    CallTime,
    CountInSeason,
    EndGame,
    JournalCommand,
    NameSeats,
    OpenGame,
    Reseat,
)
from table.rules.terms.results import STICK
from table.rules.terms.seats import SEATS
from table.runtime.table_errors import PressError
from table.runtime.whole_number import whole_number

MOST_DIGITS: Final = 3
"""Limit of digits of a number in a form, such as a seat."""
MOST_ENTRY_DIGITS: Final = 15
MOST_POINTS: Final = 9_999_999
"""Limit of a corrected score, up or down."""
Form = Mapping[str, str]
Fields = dict[str, Any]


def entry_number(form: Form, name: str) -> int | None:
    """Returns the number of a journal's entry in a form or an address; None if there is none."""
    return whole_number(form.get(name, ""), 0, 10**MOST_ENTRY_DIGITS - 1)


def _name_fields(form: Form) -> Fields:
    return {"names": [form.get(f"name{seat}", "") for seat in range(4)], "substitute": "substitute" in form}


def _swap_fields(form: Form) -> Fields:
    one, other = (read_seat(_number(form, name)) for name in ("one", "other"))
    order = [other if seat is one else one if seat is other else seat for seat in SEATS]
    return {"order": [int(seat) for seat in order], "why": form.get("why"), "seen": form.get("seen") or None}


def _opening_fields(form: Form) -> Fields:
    names = _name_fields(form)["names"]
    if "draw" in form:  # the names of the seats
        secrets.SystemRandom().shuffle(names)
    return {
        "names": names,
        "first_dealer": _number(form, "first_dealer"),
        "rules": form.get("rules") or None,
        "game": _game_number(form),
    }


def _game_number(form: Form) -> int | None:
    """Returns the entry that opened the game that the page showed."""
    return entry_number(form, "game")


def _number(form: Form, name: str) -> int | None:
    return whole_number(form.get(name, ""), 0, 10**MOST_DIGITS - 1)


def _adjustment_fields(form: Form) -> Fields:
    """Returns the corrected values; the form contains the new values besides the former ones."""
    old_scores, new_scores = ([_points(form, f"{name}{seat}") for seat in range(4)] for name in ("was", "points"))
    points = [after - before for before, after in zip(old_scores, new_scores, strict=True)]
    sticks = _points(form, "sticks") - _points(form, "sticks_was")
    honba = _points(form, "honba")
    return {
        "points": points,
        "scores": old_scores,
        "sticks": sticks,
        "honba": None if honba == _points(form, "honba_was") else honba,
        "total": sum(points) + STICK * sticks if "sum" in form else 0,
        "hand": _number(form, "hand"),
        "game": _game_number(form),
        "seen": form.get("seen") or None,
        "why": form.get("why", ""),
    }


def _points(form: Form, name: str) -> int:
    """Reads a whole number, which may be negative.

    Raises:
        PressError: it is not a whole number.
    """
    text = form.get(name, "")
    number = whole_number(text, -MOST_POINTS, MOST_POINTS)
    if number is None:
        raise PressError(f"expected a whole number as {name}, got {text!r}", says="whole_number")
    return number


def _time_fields(form: Form) -> Fields:
    return {"game": _game_number(form)}


def _end_fields(form: Form) -> Fields:
    return {"why": form.get("why"), "game": _game_number(form)}


def _season_fields(form: Form) -> Fields:
    return {"counts": form.get("counts") == "yes", "game": _game_number(form)}


FORMS: Final[Mapping[str, tuple[type[JournalCommand], Callable[[Form], Fields]]]] = {
    "names": (NameSeats, _name_fields),
    "swap": (Reseat, _swap_fields),
    "open": (OpenGame, _opening_fields),
    "end": (EndGame, _end_fields),
    "season": (CountInSeason, _season_fields),
    "time": (CallTime, _time_fields),
    "adjust": (AdjustPoints, _adjustment_fields),
}
"""The commands of the page's forms, and their fields as in the API."""
