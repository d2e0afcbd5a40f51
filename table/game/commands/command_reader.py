"""Parses commands from JSON strictly: the lines of `presses.jsonl`, and requests of phones and programs.

A field is parsed by its name, in the same way for every command that has it. A mistake raises a `PressError` that names
what was expected and what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar, get_args

from table.game.commands.game_commands import WHOLE_HAND, CancelFoul, Command, Press
from table.game.journal.entries import Names
from table.rules.events import HandShown
from table.rules.notation.hand_text import read_melds
from table.rules.penalties.foul_facts import check_fact
from table.rules.scoring.possible_counts import check_yaku
from table.rules.terms.results import AbortReason, DeclaredResult, DeclaredWin, Deltas, ResultKind
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.seats import SEATS, Seat, four
from table.rules.terms.tiles import Tile, parse_tiles, tiles_text
from table.runtime.person_name import checked_name
from table.runtime.table_errors import PressError
from table.runtime.typed_text import is_line

REASON_LENGTH: Final = 200
"""Maximum length of a reason."""
CLAUSE_LENGTH: Final = 64
"""Maximum length of a clause, an option, a fact or a meld."""
KEY_LENGTH: Final = 64
"""Maximum length of a confirmation key."""
MOST_HAN: Final = 99
MOST_FU: Final = 200
MOST_YAKUMAN: Final = 6
MOST_CHIPS: Final = 99
MOST_POINTS: Final = 1_000_000
"""Limit of a correction of points, up or down."""
MOST_STICKS: Final = 99
MOST_MELDS: Final = 4
"""Maximum number of melds of a hand."""
MOST_TILES: Final = 34
"""Maximum number of tiles in a hand or a wait: one of each kind."""
MOST_IN_GAME: Final = 999
"""Limit of hands in a game, and of fouls and discards in a hand."""
MOST_COUNTED: Final = 2**53
"""Limit of frames in a recording and of entries in a journal."""
PRESSES: Final[Mapping[str, type[Press]]] = {kind.word: kind for kind in get_args(Press) if kind is not CancelFoul}
"""Each press by its word; `cancel` with a `foul` is `CancelFoul`."""
C = TypeVar("C", bound=Command)
T = TypeVar("T")


def read_press(data: Mapping[str, Any]) -> Press:
    """Parses a press, e.g. ``{"press": "ron", "seat": 2}``; other keys of a recording are ignored.

    Raises:
        PressError: the data is invalid; the message names what was expected and what was found.
    """
    word = data.get("press")
    if not isinstance(word, str) or word not in PRESSES:
        raise PressError(f"expected a press out of {', '.join(PRESSES)}, got {word!r:.80}", says="unreadable")
    kind = CancelFoul if word == CancelFoul.word and data.get("foul") is not None else PRESSES[word]
    with _refuse_rules_errors(f"in a {word!r:.80} press: "):
        values = {name: read(data[name]) for name, read in PRESS_FIELDS.items() if name in data}
        return kind(**_field_values(kind, values))


def read_command(kind: type[C], data: Mapping[str, Any], **other_values: object) -> C:
    """Parses a command about the journal; `other_values` holds values from elsewhere: `by`, `ruleset`.

    Raises:
        PressError: as in `read_press`.
    """
    with _refuse_rules_errors():
        names = {field.name for field in fields(kind) if field.name in data or field.default is MISSING}
        values = {name: read(data.get(name)) for name, read in JOURNAL_FIELDS.items() if name in names}
        return kind(**_field_values(kind, {**values, **other_values}))


def _field_values(kind: type[C], values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values that a command has; None means omitted."""
    present = {field.name: values[field.name] for field in fields(kind) if values.get(field.name) is not None}
    for field in fields(kind):
        if field.name not in present and field.default is MISSING:
            raise PressError(
                f"expected {FIELD_DESCRIPTIONS.get(field.name, repr(field.name))} for {kind.word!r}, got none",
                says="unreadable",
            )
    return present


@contextmanager
def _refuse_rules_errors(place: str = "") -> Iterator[None]:
    """Turns errors of the rules into refusals, with their text for players."""
    try:
        yield
    except RulesError as error:
        raise PressError(f"{place}{error}", says=error.says, **error.values) from error


def read_result(data: object) -> DeclaredResult:
    """Parses a declared result.

    ``{"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 40}], "riichi": [1]}``; a win may have `yakuman`
    instead of han, `yaku` as ``[["riichi", 1]]``, `pao` as ``{"big_three_dragons": 2}`` and the `chips` of each payer.
    A draw has `tenpai` and `nagashi`, an abort its `reason`.

    Raises:
        PressError: as in `read_press`.
        RulesError: no hand can end this way.
    """
    found = _object("a result", data, ("kind", "wins", "reason", "tenpai", "nagashi", "riichi"))
    reason = found.get("reason")
    return DeclaredResult(
        kind=_one_of("kind", found.get("kind"), {kind.value: kind for kind in ResultKind}),
        wins=tuple(_win(win) for win in _list("wins", found.get("wins"), 3)),
        reason=None if reason is None else _one_of("reason", reason, {known.value: known for known in AbortReason}),
        tenpai=_seats("tenpai", found.get("tenpai")),
        nagashi=_seats("nagashi", found.get("nagashi")),
        riichi=_seats("riichi", found.get("riichi")),
    )


def read_seat(data: object) -> Seat:
    """Reads a seat.

    Raises:
        PressError: as in `read_press`.
    """
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= 3:
        raise PressError(f"expected a seat from 0 to 3, got {data!r:.80}", says="unreadable")
    return SEATS[data]


def _win(data: object) -> DeclaredWin:
    found = _object("a win", data, ("seat", "from", "han", "fu", "yakuman", "yaku", "pao", "chips"))
    pao = found.get("pao") or {}
    if not isinstance(pao, dict):
        raise PressError(f"expected pao as yakuman with seats, got {pao!r:.80}", says="unreadable")
    return DeclaredWin(
        seat=read_seat(found.get("seat")),
        from_seat=read_seat(found.get("from")),
        han=_optional(_number("han", MOST_HAN))(found.get("han")),
        fu=_optional(_number("fu", MOST_FU))(found.get("fu")),
        yakuman=_number("yakuman", MOST_YAKUMAN)(found.get("yakuman") or 0),
        yaku=_each_yaku(found.get("yaku")),
        pao=tuple((str(name), read_seat(seat)) for name, seat in pao.items()),
        chips=_optional(_number("chips", MOST_CHIPS, says="chips_range"))(found.get("chips")),
    )


def _each_yaku(data: object) -> tuple[tuple[str, int], ...]:
    yaku = tuple(_yaku(named) for named in _list("yaku", data, 30))
    check_yaku(yaku)
    return yaku


def _yaku(data: object) -> tuple[str, int]:
    name, han = pair if isinstance(data, list) and len(pair := data) == 2 else (None, None)
    if not isinstance(name, str):
        raise PressError(f"expected a yaku with its han, got {data!r:.80}", says="unreadable")
    return name, _number("han", MOST_HAN)(han)


def _object(name: str, data: object, keys: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise PressError(f"expected {name} as an object, got {data!r:.80}", says="unreadable")
    if unknown_keys := sorted(set(data) - set(keys)):
        raise PressError(f"expected {', '.join(keys)} in {name}, got {unknown_keys[0]!r:.80}", says="unreadable")
    return data


def _list(name: str, data: object, limit: int) -> list[Any]:
    if data is None:
        return []
    if not isinstance(data, list) or len(data) > limit:
        raise PressError(f"expected {name} as a list of {limit} at most, got {data!r:.80}", says="unreadable")
    return data


def _seats(name: str, data: object) -> tuple[Seat, ...]:
    return tuple(read_seat(seat) for seat in _list(name, data, 4))


def _one_of(name: str, data: object, allowed: Mapping[str, T]) -> T:
    if not isinstance(data, str) or data not in allowed:
        raise PressError(f"expected {name} out of {', '.join(allowed)}, got {data!r:.80}", says="unreadable")
    return allowed[data]


def _names(data: object) -> Names | None:
    """Returns the four names by seat, each empty if nothing of it can be seen; None if they were omitted."""
    if not data:
        return None
    names = [_name(name) for name in _list("names", data, 4)]
    if len(names) != 4:
        raise PressError(f"expected four names by seat, got {len(names)}", says="unreadable")
    return names[0], names[1], names[2], names[3]


def _name(data: object) -> str:
    if data is not None and not isinstance(data, str):
        raise PressError(f"expected a name as text, got {data!r:.80}", says="unreadable")
    return checked_name(data or "")


def _order(data: object) -> tuple[Seat, Seat, Seat, Seat]:
    """Returns, for each seat, where the person who was entered there actually sits."""
    seats = _seats("order", data)
    if sorted(seats) != sorted(SEATS):
        raise PressError(f"expected each seat once in order, got {data!r:.80}", says="unreadable")
    return seats[0], seats[1], seats[2], seats[3]


def _tiles(data: object) -> tuple[Tile, ...]:
    tiles = parse_tiles(data) if isinstance(data, str) else tuple(Tile(text) for text in _texts("tiles", data))
    if len(tiles) > MOST_TILES:
        raise PressError(f"expected {MOST_TILES} tiles at most, got {len(tiles)}", says="unreadable")
    return tiles


def _hands(data: object) -> tuple[HandShown, ...]:
    """Returns winning hands, the winning tile last: ``[{"seat": 1, "tiles": "456p11z", "melds": "123m,789s,555z"}]``.

    `melds` may be missing.
    """
    hands = [_object("a hand", hand, ("seat", "tiles", "melds")) for hand in _list("hands", data, 3)]
    return tuple(
        _hand(read_seat(hand.get("seat")), _tiles(hand.get("tiles")), _melds(hand.get("melds") or [])) for hand in hands
    )


def _hand(seat: Seat, tiles: tuple[Tile, ...], melds: tuple[str, ...]) -> HandShown:
    if len(melds) > MOST_MELDS:
        raise PressError(f"expected {MOST_MELDS} melds of a hand at most, got {len(melds)}", says="unreadable")
    tile_count = WHOLE_HAND - 3 * len(melds)
    if len(tiles) != tile_count or not all(tile.is_known for tile in tiles):
        raise PressError(f"expected {tile_count} known tiles of a hand, got {tiles_text(tiles)}", says="unreadable")
    return HandShown(seat=seat, tiles=tiles[:-1], winning_tile=tiles[-1], melds=read_melds(",".join(melds)))


def _melds(data: object) -> tuple[str, ...]:
    """Returns melds as in `tachiai score --melds`: `123m`, `555z`, closed kans in brackets."""
    melds = _texts("melds", data)
    for meld in melds:
        if len(read_melds(meld)) != 1:
            raise InvalidValueError(f"expected one meld such as 123m or (2222s), got {meld!r:.80}")
    return melds


def _facts(data: object) -> tuple[str, ...]:
    facts = _texts("facts", data)
    for fact in facts:
        check_fact(fact)
    return facts


def _face(data: object) -> Tile:
    if isinstance(data, str) and (tile := Tile(data)).is_known:
        return tile
    raise PressError(f"expected a tile such as 1m, 0p or 7z, got {data!r:.80}", says="unreadable")


def _flag(name: str) -> Callable[[object], bool]:
    """Returns a parser of true or false."""

    def read(data: object) -> bool:
        if not isinstance(data, bool):
            raise PressError(f"expected {name} to be true or false, got {data!r:.80}", says="unreadable")
        return data

    return read


def _texts(name: str, data: object) -> tuple[str, ...]:
    parts = data.split(",") if isinstance(data, str) else data
    if not isinstance(parts, list) or len(parts) > MOST_TILES or not all(isinstance(part, str) for part in parts):
        raise PressError(f"expected {name} as a list of texts, got {data!r:.80}", says="unreadable")
    return tuple(_text(name, CLAUSE_LENGTH)(part) for part in parts)


def _optional(read: Callable[[object], T]) -> Callable[[object], T | None]:
    """Returns a parser of a value that may be null."""
    return lambda data: None if data is None else read(data)


def _number(name: str, limit: int, *, says: str = "unreadable") -> Callable[[object], int]:
    """Returns a parser of an integer from 0 to `limit`."""

    def read(data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= limit:
            raise PressError(f"expected {name} as a number from 0 to {limit}, got {data!r:.80}", says=says, most=limit)
        return data

    return read


def _change(name: str, limit: int) -> Callable[[object], int]:
    """Returns a parser of an integer from -`limit` to `limit`."""

    def read(data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or abs(data) > limit:
            raise PressError(
                f"expected {name} as a number from -{limit} to {limit}, got {data!r:.80}", says="unreadable"
            )
        return data

    return read


def _points(name: str) -> Callable[[object], Deltas]:
    """Returns a parser of points by seat."""

    def read(data: object) -> Deltas:
        found = [_change(name, MOST_POINTS)(number) for number in _list(name, data, 4)]
        if len(found) != 4:
            raise PressError(f"expected four numbers by seat as {name}, got {len(found)}", says="unreadable")
        return four(found)

    return read


def _text(name: str, limit: int) -> Callable[[object], str]:
    """Returns a parser of a line of text with `limit` letters at most."""

    def read(data: object) -> str:
        if not isinstance(data, str) or len(data) > limit or not is_line(data):
            error = f"expected {name} as a line of {limit} letters at most, got {data!r:.80}"
            raise PressError(error, says="long_line", most=limit)
        return data

    return read


PRESS_FIELDS: Final[Mapping[str, Callable[[object], Any]]] = {
    **{
        name: _optional(read)
        for name, read in {
            "seat": read_seat,
            "discarder": read_seat,
            "tiles": _tiles,
            "melds": _melds,
            "han": _number("han", MOST_HAN),
            "fu": _number("fu", MOST_FU),
            "reason": _text("reason", REASON_LENGTH),
            "clause": _text("clause", CLAUSE_LENGTH),
            "option": _text("option", CLAUSE_LENGTH),
            "facts": _facts,
            "foul": _number("foul", MOST_IN_GAME),
            "hand": _number("hand", MOST_IN_GAME),
            "by": _text("by", REASON_LENGTH),
            "discard": _number("discard", MOST_IN_GAME),
            "to": _face,
            "frame": _number("frame", MOST_COUNTED),
            "seen": _text("seen", KEY_LENGTH),
        }.items()
    },
    "held": _flag("held"),
}
"""The keys of a line of `presses.jsonl`; each must be null or valid even if its press does not use it."""
PRESS_KEYS: Final = frozenset(("press", *PRESS_FIELDS))
"""Every key that a line of `presses.jsonl` may have."""
JOURNAL_FIELDS: Final[Mapping[str, Callable[[object], Any]]] = {
    "result": read_result,
    "hands": _hands,
    "hand": _number("hand", MOST_IN_GAME),
    "game": _optional(_number("game", MOST_COUNTED)),
    "act": _number("act", MOST_COUNTED),
    "order": _order,
    "names": _names,
    "substitute": _flag("substitute"),
    "counts": _flag("counts"),
    "first_dealer": lambda data: SEATS[_number("first_dealer", 3)(data)],
    "why": _optional(_text("why", REASON_LENGTH)),
    "seen": _optional(_text("seen", KEY_LENGTH)),
    "points": _points("points"),
    "sticks": _change("sticks", MOST_STICKS),
    "honba": _optional(_number("honba", MOST_STICKS)),
    "total": _change("total", 4 * MOST_POINTS),
    "scores": _optional(_points("scores")),
}
"""The keys of commands about the journal; their author and rule set come from elsewhere."""
FIELD_DESCRIPTIONS: Final = {"seat": "a seat from 0 to 3", "names": "four names by seat"}
"""Descriptions of missing fields whose names are not clear enough."""
