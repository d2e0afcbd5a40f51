"""The forms on the page of the game: the fields of their commands, as in the API."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
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
MOST_DIGITS_OF_ENTRY: Final = 15
MOST_OF_POINTS: Final = 9_999_999
"""Limit of a corrected score, up or down."""
Form = Mapping[str, str]
Fields = dict[str, Any]


def with_present_names(form: Form, names: Sequence[str]) -> Form:
    """Returns a form with the present names where nobody changed them: players may have joined since it was opened.

    A new name is that of the person whose former name the form showed, wherever that person sits now.
    """
    present = dict(enumerate(names))
    for seat in range(len(names)):
        was, given = form.get(f"was{seat}", ""), form.get(f"name{seat}", "")
        if given != was:
            present[names.index(was) if was and was in names and given not in names else seat] = given
    return {**form, **{f"name{seat}": name for seat, name in present.items()}}


def entry_number(form: Form, name: str) -> int | None:
    """Returns the number of a journal's entry in a form or an address; None if there is none."""
    return whole_number(form.get(name, ""), 0, 10**MOST_DIGITS_OF_ENTRY - 1)


def _names(form: Form) -> Fields:
    return {"names": [form.get(f"name{seat}", "") for seat in range(4)], "substitute": "substitute" in form}


def _swapped(form: Form) -> Fields:
    one, other = (read_seat(_number(form, name)) for name in ("one", "other"))
    order = [other if seat is one else one if seat is other else seat for seat in SEATS]
    return {"order": [int(seat) for seat in order], "why": form.get("why"), "seen": form.get("seen") or None}


def _opened(form: Form) -> Fields:
    names = _names(form)["names"]
    if "draw" in form:  # the names of the seats
        secrets.SystemRandom().shuffle(names)
    return {
        "names": names,
        "first_dealer": _number(form, "first_dealer"),
        "rules": form.get("rules") or None,
        "game": _game(form),
    }


def _game(form: Form) -> int | None:
    """Returns the entry that opened the game that the page showed."""
    return entry_number(form, "game")


def _number(form: Form, name: str) -> int | None:
    return whole_number(form.get(name, ""), 0, 10**MOST_DIGITS - 1)


def _adjusted(form: Form) -> Fields:
    """Returns the corrected values; the form contains the new values besides the former ones."""
    shown, now = ([_points(form, f"{name}{seat}") for seat in range(4)] for name in ("was", "points"))
    points = [after - before for before, after in zip(shown, now, strict=True)]
    sticks = _points(form, "sticks") - _points(form, "sticks_was")
    honba = _points(form, "honba")
    return {
        "points": points,
        "scores": shown,
        "sticks": sticks,
        "honba": None if honba == _points(form, "honba_was") else honba,
        "total": sum(points) + STICK * sticks if "sum" in form else 0,
        "hand": _number(form, "hand"),
        "game": _game(form),
        "seen": form.get("seen") or None,
        "why": form.get("why", ""),
    }


def _points(form: Form, name: str) -> int:
    """Reads a whole number, which may be negative.

    Raises:
        PressError: it is not a whole number.
    """
    text = form.get(name, "")
    number = whole_number(text, -MOST_OF_POINTS, MOST_OF_POINTS)
    if number is None:
        raise PressError(f"expected a whole number as {name}, got {text!r}", says="whole_number")
    return number


def _timed(form: Form) -> Fields:
    return {"game": _game(form)}


def _ended(form: Form) -> Fields:
    return {"why": form.get("why"), "game": _game(form)}


def _counted(form: Form) -> Fields:
    return {"counts": form.get("counts") == "yes", "game": _game(form)}


FORMS: Final[Mapping[str, tuple[type[JournalCommand], Callable[[Form], Fields]]]] = {
    "names": (NameSeats, _names),
    "swap": (Reseat, _swapped),
    "open": (OpenGame, _opened),
    "end": (EndGame, _ended),
    "season": (CountInSeason, _counted),
    "time": (CallTime, _timed),
    "adjust": (AdjustPoints, _adjusted),
}
"""The commands of the page's forms, and their fields as in the API."""
