"""What people press or say, by button, phone or a recording's `presses.jsonl`: one inbox for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from table.rules.notation.hand_text import read_melds
from table.rules.penalties.foul_facts import check_fact
from table.rules.scoring.possible_counts import check_count
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from table.runtime.table_errors import PressError

WHY_LENGTH: Final = 200
"""Letters of a reason at most."""
MOST_HAN: Final = 99
MOST_FU: Final = 200
MOST_TILES: Final = 34
"""Tiles of a hand or a wait at most: one of each kind."""
CLAUSE_LENGTH: Final = 64
"""Letters of a clause, an option, a fact or a meld at most."""
MOST_IN_GAME: Final = 999
"""Hands of a game, fouls and discards of a hand at most."""
MOST_FRAMES: Final = 2**53
UNNAMED_FOUL: Final = "other"
"""The clause of a foul that nobody named yet: it is refined on a phone."""


class PressKind(Enum):
    """Every press of the recording format."""

    RON = "ron"
    TSUMO = "tsumo"
    DRAW = "draw"
    ABORT = "abort"
    RIICHI = "riichi"
    TENPAI = "tenpai"
    NOTEN = "noten"
    PASS = "pass"  # noqa: S105 - a claim let pass, no secret
    CONFIRM = "confirm"
    CANCEL = "cancel"
    FOUL = "foul"
    OPEN = "open"
    """A riichi is declared with `tiles` laid open that show its wait."""
    WAIT = "wait"
    CORRECT = "correct"
    FOUL_BUTTON = "foul_button"
    """The foul button at a seat: names the seat as the offender, then steps through the house's quick fouls."""
    TABLE_BUTTON = "table_button"
    """The table's own button; `held` cancels, a short press confirms."""
    NAME_FOUL = "name_foul"
    """A foul is named on a phone; it counts once those agree who decide."""
    AGREE = "agree"
    """Somebody agrees to the foul that was named."""
    DROP = "drop"
    """The foul that was named is dropped."""


SEATED = frozenset(
    {
        PressKind.RON,
        PressKind.TSUMO,
        PressKind.RIICHI,
        PressKind.TENPAI,
        PressKind.NOTEN,
        PressKind.FOUL,
        PressKind.OPEN,
        PressKind.WAIT,
        PressKind.FOUL_BUTTON,
        PressKind.NAME_FOUL,
    }
)
"""Presses that name a seat."""
NAMING = frozenset(
    {PressKind.FOUL_BUTTON, PressKind.TABLE_BUTTON, PressKind.NAME_FOUL, PressKind.AGREE, PressKind.DROP}
)
"""Presses about a foul that nobody has confirmed yet: `table.game.foul_vote` follows them, the referee never sees
them."""
DECIDING = frozenset({PressKind.FOUL, PressKind.FOUL_BUTTON, PressKind.TABLE_BUTTON})
"""Presses that decide a foul in front of everybody: those of the panel and of recordings, never of one phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """One press. Fields that a kind does not use are None."""

    kind: PressKind
    seat: Seat | None = None
    tiles: tuple[Tile, ...] | None = None
    """The concealed hand with the winning tile last (ron, tsumo), or the told wait, or tiles laid open for riichi."""
    melds: tuple[str, ...] | None = None
    """As in `tachiai score --melds`: `123m`, `555z`, closed kans in brackets."""
    han: int | None = None
    fu: int | None = None
    reason: str | None = None
    clause: str | None = None
    option: str | None = None
    facts: tuple[str, ...] | None = None
    """What people tell about a foul, where that decides: `deliberate`, `exposed=3`, `breaker=2`."""
    foul: int | None = None
    """Which foul of the hand is cancelled, or replaced by the one named, counted from 0; None cancels a claimed win."""
    hand: int | None = None
    """Which hand of the game a foul is about, counted from 0; None is the one that people look at."""
    by: str | None = None
    """Who presses, where that matters: `owner`, or whatever tells one person from another."""
    held: bool = False
    """Whether the button was held, not tapped."""
    discard: int | None = None
    """Which discard of the hand is corrected, counted from 0."""
    to: Tile | None = None
    frame: int | None = None
    """The frame in which it was pressed, in a recording; None when it is pressed now."""

    @property
    def is_for_phones(self) -> bool:
        """Whether one person's phone may send it: what others have to agree to is named instead."""
        return self.kind not in DECIDING and not (self.kind is PressKind.CANCEL and self.foul is not None)

    def __post_init__(self) -> None:
        if self.kind in SEATED and self.seat is None:
            raise PressError(f"expected a seat from 0 to 3 for {self.kind.value!r}, got none")
        if self.kind is PressKind.CORRECT and (self.discard is None or self.to is None):
            raise PressError(f"expected 'discard' and 'to' for 'correct', got {self.discard!r} and {self.to!r}")


def parse_press(data: Mapping[str, Any]) -> Press:
    """Reads a press from its JSON object, e.g. ``{"press": "ron", "seat": 2}``; other keys of the recording are let be.

    Raises:
        PressError: names what was expected and what came.
    """
    try:
        kind = PressKind(data.get("press"))
    except ValueError:
        allowed = ", ".join(each.value for each in PressKind)
        raise PressError(f"expected a press out of {allowed}, got {data.get('press')!r}") from None
    try:
        press = Press(
            kind=kind,
            seat=_seat(data.get("seat")),
            tiles=None if data.get("tiles") is None else _tiles(data["tiles"]),
            melds=None if data.get("melds") is None else _texts("melds", data["melds"]),
            han=_number("han", data.get("han"), MOST_HAN),
            fu=_number("fu", data.get("fu"), MOST_FU),
            reason=_text("reason", data.get("reason"), WHY_LENGTH),
            clause=_text("clause", data.get("clause"), CLAUSE_LENGTH),
            option=_text("option", data.get("option"), CLAUSE_LENGTH),
            facts=None if data.get("facts") is None else _texts("facts", data["facts"]),
            foul=_number("foul", data.get("foul"), MOST_IN_GAME),
            hand=_number("hand", data.get("hand"), MOST_IN_GAME),
            by=_text("by", data.get("by"), WHY_LENGTH),
            held=_flag("held", data.get("held", False)),
            discard=_number("discard", data.get("discard"), MOST_IN_GAME),
            to=None if data.get("to") is None else _face(data["to"]),
            frame=_number("frame", data.get("frame"), MOST_FRAMES),
        )
        _check(press)
    except RulesError as error:
        raise PressError(f"in a {kind.value!r} press: {error}", says=error.says, **error.values) from error
    return press


def _check(press: Press) -> None:
    """Refuses han and fu that no hand has together, what is no meld, and facts that there are not."""
    if press.kind in (PressKind.RON, PressKind.TSUMO):
        if press.han is not None:
            check_count(press.han, press.fu, is_tsumo=press.kind is PressKind.TSUMO)
        elif press.fu is not None:
            raise PressError(f"expected han beside {press.fu} fu, got none", says="fu", fu=press.fu)
    for meld in press.melds or ():
        if len(read_melds(meld)) != 1:
            raise InvalidValueError(f"expected one meld such as 123m or (2222s), got {meld!r}")
    for fact in press.facts or ():
        check_fact(fact)


def _seat(value: object) -> Seat | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3:
        raise PressError(f"expected a seat from 0 to 3, got {value!r}")
    return SEATS[value]


def _tiles(value: object) -> tuple[Tile, ...]:
    tiles = parse_tiles(value) if isinstance(value, str) else tuple(Tile(text) for text in _texts("tiles", value))
    if len(tiles) > MOST_TILES:
        raise PressError(f"expected {MOST_TILES} tiles at most, got {len(tiles)}")
    return tiles


def _face(value: object) -> Tile:
    if isinstance(value, str) and (tile := Tile(value)).is_known:
        return tile
    raise PressError(f"expected a tile such as 1m, 0p or 7z, got {value!r}")


def _texts(name: str, value: object) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) > MOST_TILES or not all(isinstance(part, str) for part in parts):
        raise PressError(f"expected {name} as a list of texts, got {value!r}")
    return tuple(read_text(name, part, CLAUSE_LENGTH) for part in parts)


def _number(name: str, value: object, most: int) -> int | None:
    return None if value is None else read_number(name, value, most)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PressError(f"expected {name} to be true or false, got {value!r}")
    return value


def _text(name: str, value: object, most: int) -> str | None:
    return None if value is None else read_text(name, value, most)


def read_number(name: str, data: object, most: int) -> int:
    """Reads a whole number from 0 to `most`.

    Raises:
        PressError: names what was expected and what came.
    """
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= most:
        raise PressError(f"expected {name} as a number from 0 to {most}, got {data!r}")
    return data


def read_text(name: str, data: object, most: int = WHY_LENGTH) -> str:
    """Reads a text; none is an empty one.

    Raises:
        PressError: names what was expected and what came.
    """
    if data is None:
        return ""
    if not isinstance(data, str) or len(data) > most or not all(letter.isprintable() for letter in data):
        raise PressError(f"expected {name} as a line of {most} letters at most, got {data!r}")
    return data
