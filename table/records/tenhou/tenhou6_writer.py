"""Writes a game record as tenhou.net/6 JSON, which its viewer opens.

Seats are rotated so that the first dealer is the first player. An unseen tile is written as 0, which is not a tile; but
among the discards 0 stands for an open kan, so a discard that nobody read is written as that of the unseen drawn tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from table.records.formats.game_record import AcceptedWithoutStick, Drawn, GameRecord, HandRecord, Move, RecordedWin
from table.records.formats.header_rules import rules_fields
from table.records.formats.inferred_events import with_sticks
from table.records.formats.late_penalties import late_fields
from table.records.tenhou.tenhou6_codes import (
    CALLED_KAN,
    CORRECTED,
    DUES,
    ENTERED_RIICHI,
    FOUL_PAYMENTS,
    PENALTIES,
    REASON_NAMES,
    TENPAI,
    TRUNCATED,
    TSUMOGIRI,
    WON,
    YAKU_NAMES,
    code_of,
    meld_text,
)
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.results import STICK, AbortReason, ResultKind
from table.rules.terms.seats import SEATS, Seat, seat_wind
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError

VIEWER: Final = "https://tenhou.net/6/#json="
"""The viewer's address; the record follows the hash, which browsers never send to a server."""
_LIMITS: Final = ((13, "数え役満"), (11, "三倍満"), (8, "倍満"), (6, "跳満"), (5, "満貫"))


def write_tenhou6(record: GameRecord) -> dict[str, Any]:
    """Returns the object to be written as JSON.

    The format cannot mark the end of a game: a key of our own says that a game is truncated or still in play, since
    viewers ignore keys that they do not know.

    Raises:
        RecordError: for a record without any hand, or with a kan added to no pon.
    """
    if not record.hands:
        raise RecordError("expected a record with a hand, got none")
    first = record.hands[0].deal
    seat_order = _SeatOrder(first=first.dealer.plus(1 - first.round.number))
    game: dict[str, Any] = {
        "title": ["", ""],
        "name": [record.names[seat] for seat in seat_order.order],
        "rule": _rule(record.ruleset),
        "log": [_hand(hand, seat_order) for hand in record.hands],
    }
    if record.final is not None:
        game["sc"] = [value for seat in seat_order.order for value in (record.final[seat], 0)]
    if corrections := _corrections(record, seat_order):
        game[CORRECTED] = corrections
    for key, seats_by_hand in ((TENPAI, _hidden_tenpai(record)), (ENTERED_RIICHI, _entered_riichi(record))):
        if seats_by_hand:
            game[key] = [[index, sorted(map(seat_order.number, seats))] for index, seats in seats_by_hand.items()]
    reasons = [(index, hand.reason) for index, hand in enumerate(record.hands) if hand.reason is not None]
    if penalties := [[index, reason.value] for index, reason in reasons if reason.is_penalty]:
        game[PENALTIES] = penalties
    moved = [(index, hand.foul_payments) for index, hand in enumerate(record.hands)]
    if by_hand := [[index, seat_order.values(points)] for index, points in moved if points is not None]:
        game[FOUL_PAYMENTS] = by_hand
    dues = [(index, late_fields(hand.dues, seat_order.values)) for index, hand in enumerate(record.hands)]
    if by_hand := [[index, fields] for index, fields in dues if fields]:
        game[DUES] = by_hand
    game |= late_fields(record.dues, seat_order.values, earlier=record.earlier_dues)
    if record.cut_short is not None:
        game[TRUNCATED] = True
    return game


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatOrder:
    """The order of seats in the format: the first dealer is 0."""

    first: Seat

    @property
    def order(self) -> tuple[Seat, ...]:
        """Our seats in the format's order."""
        return tuple(self.first.plus(turns) for turns in range(4))

    def number(self, seat: Seat) -> int:
        """The format's number of a seat."""
        return seat.after(self.first)

    def values(self, values: Sequence[int]) -> list[int]:
        """Returns values by seat in the format's order."""
        return [values[seat] for seat in self.order]


def _corrections(record: GameRecord, seat_order: _SeatOrder) -> list[list[Any]]:
    corrections = [*(hand.deal.corrected for hand in record.hands), record.corrected]
    return [
        [index, seat_order.values(correction.points), correction.sticks]
        for index, correction in enumerate(corrections)
        if correction is not None
    ]


def _hidden_tenpai(record: GameRecord) -> dict[int, tuple[Seat, ...]]:
    """Returns the tenpai seats of each draw whose hands are not all known, by its index."""
    return {
        index: hand.tenpai_seats
        for index, hand in enumerate(record.hands)
        if hand.tenpai_seats and UNKNOWN in chain(*hand.deal.hands)
    }


def _entered_riichi(record: GameRecord) -> dict[int, tuple[Seat, ...]]:
    """Returns the seats in riichi of each hand whose end people entered, by its index."""
    return {index: hand.entered_riichi for index, hand in enumerate(record.hands) if hand.entered_riichi is not None}


def _rule(ruleset: Ruleset) -> dict[str, Any]:
    """Returns the rules as the viewer shows them, and by name in fields of our own, which it ignores."""
    length = "東" if ruleset.length == "east" else "南"
    display_name = length + ("喰" if ruleset.open_tanyao else "") + ("赤" if ruleset.red_man else "")
    return {
        "disp": display_name,
        "aka51": ruleset.red_man,
        "aka52": ruleset.red_pin,
        "aka53": ruleset.red_sou,
        **rules_fields(ruleset),
    }


def _hand(hand: HandRecord, seat_order: _SeatOrder) -> list[Any]:
    deal = hand.deal
    indicators = [deal.indicator, *(move.indicator for move in hand.moves if isinstance(move, DoraTurned))]
    ura = max((win.ura for win in hand.wins), key=len, default=())
    lists = _lists(hand.moves)
    columns: list[Any] = []
    for seat in seat_order.order:
        columns += [_codes(deal.hands[seat]), lists[seat].draws, lists[seat].discards]
    number = 4 * deal.round.wind + deal.round.number - 1
    start = [[number, deal.honba, deal.deposits], seat_order.values(deal.scores), _codes(indicators), _codes(ura)]
    return [*start, *columns, _result(hand, seat_order)]


@dataclass(slots=True)
class _Lists:
    draws: list[int | str] = field(default_factory=list)
    discards: list[int | str] = field(default_factory=list)


def _lists(moves: Sequence[Move]) -> list[_Lists]:
    """Returns the draws and calls, and the discards, of each seat."""
    lists = [_Lists() for _ in SEATS]
    pons: dict[tuple[Seat, int], Called] = {}
    drawn: dict[Seat, Tile] = {}
    for move in moves:
        match move:
            case Drawn():
                lists[move.seat].draws.append(code_of(move.tile))
                drawn[move.seat] = move.tile
            case Discarded():
                lists[move.seat].discards.append(_discard_entry(move, drawn.pop(move.seat, None)))
            case Called():
                _add_call(lists[move.seat], move)
                pons[move.seat, move.tile.kind] = move
            case AddedKan():
                lists[move.seat].discards.append(_added_kan_text(move, pons.get((move.seat, move.tile.kind))))
            case ClosedKan():
                tiles = tuple(sorted(move.tiles))
                lists[move.seat].discards.append(meld_text("a", tiles[3], tiles[:3], 3))
            case _:
                pass
    return lists


def _discard_entry(move: Discarded, drawn: Tile | None) -> int | str:
    is_drawn = move.origin is Origin.DRAWN or (move.tile is UNKNOWN and drawn is UNKNOWN)
    code = TSUMOGIRI if is_drawn else code_of(move.tile)
    return f"r{code}" if move.sideways else code


def _add_call(lists: _Lists, move: Called) -> None:
    lists.draws.append(meld_text(move.kind.tenhou, move.tile, move.own, move.seat.after(move.from_seat)))
    if move.kind is CallKind.OPEN_KAN:
        lists.discards.append(CALLED_KAN)


def _added_kan_text(move: AddedKan, pon: Called | None) -> str:
    """Returns an added kan with the letter at the place of the pon's turned tile."""
    if pon is None:
        raise RecordError(f"expected a pon before a kan is added to it, got none of {move.tile!r}")
    steps = move.seat.after(pon.from_seat)
    tiles = [*pon.own[: min(steps - 1, 2)], pon.tile, *pon.own[min(steps - 1, 2) :]]
    codes = [f"{code_of(tile):02}" for tile in tiles]
    place = min(steps - 1, 2)
    return "".join([*codes[:place], f"k{code_of(move.tile):02}", *codes[place:]])


def _result(hand: HandRecord, seat_order: _SeatOrder) -> list[Any]:
    sticks = _sticks(hand)
    deltas = [delta + STICK * sticks.count(seat) for seat, delta in zip(SEATS, hand.deltas or (0,) * 4, strict=True)]
    if not hand.wins:
        name = REASON_NAMES[hand.reason]
        # An abort moves points if a foul ended the hand, or if riichi was reported without its tile.
        is_bare = hand.kind is ResultKind.ABORT and name != REASON_NAMES[None] and not (hand.deltas and any(deltas))
        return [name] if is_bare else [name, seat_order.values(deltas)]
    out: list[Any] = [WON]
    for place, win in enumerate(hand.wins):
        # The record has the payments of all wins together; they are written with the first.
        out += [seat_order.values(deltas if place == 0 else (0, 0, 0, 0)), _win(win, hand, seat_order)]
    return out


def _sticks(hand: HandRecord) -> list[Seat]:
    """Returns the seats that pay a stick to readers of the format: all with a sideways tile that was not ronned."""
    is_ronned = hand.kind is ResultKind.RON or hand.reason is AbortReason.TRIPLE_RON
    moves = [move for move in hand.moves if not isinstance(move, StickPlaced | AcceptedWithoutStick)]
    return [move.seat for move in with_sticks(moves, is_ronned=is_ronned) if isinstance(move, StickPlaced)]


def _win(win: RecordedWin, hand: HandRecord, seat_order: _SeatOrder) -> list[Any]:
    liable, *_ = (*win.liable, win.seat)  # the format has a place for one
    seats = [seat_order.number(win.seat), seat_order.number(win.from_seat), seat_order.number(liable)]
    return [*seats, _worth(win, hand), *_yaku(win, hand)]


def _worth(win: RecordedWin, hand: HandRecord) -> str:
    """Returns fu, han and points as text: 30符3飜3900点, 満貫8000点, 40符2飜700-1300点, 満貫4000点∀."""
    if win.points is None:
        return ""
    limit = next((name for han, name in _LIMITS if (win.han or 0) >= han), "")
    fu_and_han = "" if win.fu is None or win.han is None else f"{win.fu}符{win.han}飜"
    worth = "役満" if win.yakuman else limit or fu_and_han
    if win.seat != win.from_seat:
        return f"{worth}{win.points}点"
    if win.seat == hand.deal.dealer and win.points % 3 == 0:
        return f"{worth}{win.points // 3}点∀"
    others = None if win.seat == hand.deal.dealer else next(_shares(win.points), None)
    if others is None:  # not the payment of a tsumo: another program's record, or a table's own values
        return f"{worth}{win.points}点"
    return f"{worth}{others}-{win.points - 2 * others}点"


def _shares(points: int) -> Iterator[int]:
    """Yields the possible payments of a non-dealer at a tsumo for which the dealer pays about twice as much."""
    for others in range(100 * (points // 400), points, 100):
        if 0 <= 2 * others - (points - 2 * others) <= 100:
            yield others


def _yaku(win: RecordedWin, hand: HandRecord) -> list[str]:
    return [
        f"{_yaku_name(name, win.seat, hand)}({'役満' if win.yakuman else f'{han}飜'})" for name, han in win.yaku or ()
    ]


def _yaku_name(name: str, seat: Seat, hand: HandRecord) -> str:
    """Returns Tenhou's name; an unknown name, from an old journal, is unchanged."""
    if name == "seat_wind":
        return f"{YAKU_NAMES[name]} {'東南西北'[seat_wind(seat, hand.deal.dealer)]}"
    if name == "round_wind":
        return f"{YAKU_NAMES[name]} {'東南西北'[hand.deal.round.wind]}"
    return YAKU_NAMES.get(name, name)


def _codes(tiles: Sequence[Tile]) -> list[int]:
    return [code_of(tile) for tile in tiles]
