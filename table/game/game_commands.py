"""What people do to a game from their phones beyond the presses of a recording: tell a result, amend, undo, begin anew.

Each act says who does it. What is amended is never overwritten: the journal keeps both, with who, when and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from table.game.journal.entries import Names
from table.game.presses import MOST_FU, MOST_HAN, read_number, read_text
from table.rules.ruleset import Ruleset
from table.rules.scoring.possible_counts import check_yaku
from table.rules.terms.results import AbortReason, ResultKind, ToldResult, ToldWin
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import PressError

NAME_LENGTH = 24
"""Letters of a player's name at most."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """How a hand ended, confirmed by the table."""

    result: ToldResult
    hand: int
    """Which hand of the game it is about, from 0: a second phone that settles the same hand is told so."""
    game: int | None = None
    """The entry that opened the game it is about; None is the one being played."""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A finished hand ended otherwise; everything after it is computed again."""

    result: ToldResult
    hand: int
    game: int | None = None
    """As in `Tell`."""
    why: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The last act is taken back."""

    act: int
    """The act that the phone shows as the last one: nothing else is taken back."""
    why: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo:
    """An act that was taken back counts again."""

    act: int
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseat:
    """Who was said to sit at seat n sits at `order[n]`."""

    order: tuple[Seat, Seat, Seat, Seat]
    why: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSeats:
    """Who plays, by seat."""

    names: Names
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGame:
    """A new game begins; the one before stays as it is."""

    names: Names = ("", "", "", "")
    first_dealer: Seat = Seat.NEAR
    ruleset: Ruleset | None = None
    """None: the rules played so far."""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """The game ends here, before the rules end it; a hand in play does not count."""

    why: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime:
    """Time is called: the rules say which hand is the last."""

    by: str = ""


Act = CallTime | Tell | Edit | Undo | Redo | Reseat | NameSeats | OpenGame | EndGame


def read_result(data: object) -> ToldResult:
    """Reads a told result from its JSON object.

    ``{"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 40}], "riichi": [1]}``; a win may have `yakuman`
    instead of han, `yaku` as ``[["riichi", 1]]``, `pao` as ``{"big_three_dragons": 2}`` and the `chips` of each payer.
    A draw has `tenpai` and `nagashi`, an abort its `reason`.

    Raises:
        PressError: names what was expected and what came.
    """
    fields = _object("a result", data, ("kind", "wins", "reason", "tenpai", "nagashi", "riichi"))
    try:
        return ToldResult(
            kind=_one_of("kind", fields.get("kind"), {each.value: each for each in ResultKind}),
            wins=tuple(_win(each) for each in _list("wins", fields.get("wins"), 3)),
            reason=_reason(fields.get("reason")),
            tenpai=_seats("tenpai", fields.get("tenpai")),
            nagashi=_seats("nagashi", fields.get("nagashi")),
            riichi=_seats("riichi", fields.get("riichi")),
        )
    except RulesError as error:
        raise PressError(str(error)) from error


def read_names(data: object) -> Names:
    """Reads the four players by seat; an empty text where nobody is named.

    Raises:
        PressError: as in `read_result`.
    """
    names = [read_text("a name", each, NAME_LENGTH).strip() for each in _list("names", data, 4)]
    if len(names) != 4:
        raise PressError(f"expected four names by seat, got {len(names)}")
    return names[0], names[1], names[2], names[3]


def read_order(data: object) -> tuple[Seat, Seat, Seat, Seat]:
    """Reads where the people of the four seats really sit.

    Raises:
        PressError: as in `read_result`.
    """
    seats = _seats("order", data)
    if sorted(seats) != sorted(SEATS):
        raise PressError(f"expected each seat once in order, got {data!r}")
    return seats[0], seats[1], seats[2], seats[3]


def read_seat(data: object) -> Seat:
    """Reads a seat.

    Raises:
        PressError: as in `read_result`.
    """
    return SEATS[read_number("a seat", data, 3)]


def _win(data: object) -> ToldWin:
    fields = _object("a win", data, ("seat", "from", "han", "fu", "yakuman", "yaku", "pao", "chips"))
    pao = fields.get("pao") or {}
    if not isinstance(pao, dict):
        raise PressError(f"expected pao as yakuman with seats, got {pao!r}")
    return ToldWin(
        seat=read_seat(fields.get("seat")),
        from_seat=read_seat(fields.get("from")),
        han=None if fields.get("han") is None else read_number("han", fields["han"], MOST_HAN),
        fu=None if fields.get("fu") is None else read_number("fu", fields["fu"], MOST_FU),
        yakuman=read_number("yakuman", fields.get("yakuman") or 0, 6),
        yaku=_each_yaku(fields.get("yaku")),
        pao=tuple((str(name), read_seat(seat)) for name, seat in pao.items()),
        chips=None if fields.get("chips") is None else read_number("chips", fields["chips"], 99),
    )


def _each_yaku(data: object) -> tuple[tuple[str, int], ...]:
    yaku = tuple(_yaku(each) for each in _list("yaku", data, 30))
    try:
        check_yaku(yaku)
    except InvalidValueError as error:
        raise PressError(str(error), says=error.says, **error.values) from error
    return yaku


def _yaku(data: object) -> tuple[str, int]:
    name, han = pair if isinstance(data, list) and len(pair := data) == 2 else (None, None)
    if not isinstance(name, str):
        raise PressError(f"expected a yaku with its han, got {data!r}")
    return name, read_number("han", han, MOST_HAN)


def _object(name: str, data: object, keys: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise PressError(f"expected {name} as an object, got {data!r}")
    if unknown := sorted(set(data) - set(keys)):
        raise PressError(f"expected {', '.join(keys)} in {name}, got {unknown[0]!r}")
    return data


def _list(name: str, data: object, most: int) -> list[Any]:
    if data is None:
        return []
    if not isinstance(data, list) or len(data) > most:
        raise PressError(f"expected {name} as a list of {most} at most, got {data!r}")
    return data


def _seats(name: str, data: object) -> tuple[Seat, ...]:
    return tuple(read_seat(each) for each in _list(name, data, 4))


def _one_of(name: str, data: object, allowed: Mapping[str, T]) -> T:
    if not isinstance(data, str) or data not in allowed:
        raise PressError(f"expected {name} out of {', '.join(allowed)}, got {data!r}")
    return allowed[data]


def _reason(data: object) -> AbortReason | None:
    return None if data is None else _one_of("reason", data, {each.value: each for each in AbortReason})
