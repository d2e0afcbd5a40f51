"""Reads one hand of tenhou.net/6: its start, its moves, and its win, draw or abort."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from table.records.formats.checked_values import checked_number, four_numbers, list_of, one_of, seat_of, text_of
from table.records.formats.game_record import Deal, Drawn, HandRecord, Move, RecordedWin, Tiles
from table.records.formats.hidden_hands import HiddenHands
from table.records.formats.inferred_events import likely_reason, robbed_kan, with_sticks
from table.records.tenhou.tenhou6_codes import DRAWN, REASONS, WON, tile_of, yaku_of
from table.records.tenhou.tenhou6_turns import moves_in_order, with_kan_indicators
from table.rules.events import AddedKan, Discarded, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind
from table.rules.terms.seats import SEATS, Round, Seat, Wind, four
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError

_POINTS: Final = re.compile(r"(\d+)(?:-(\d+))?点(∀)?")
_FU: Final = re.compile(r"(\d+)符")
_HAN: Final = re.compile(r"(\d+)[翻飜]")


def read_hand(entry: list[Any], rules: Ruleset) -> HandRecord:
    """Reads one element of the log.

    Args:
        entry: the element.
        rules: the rules of the game, which say when the indicators of kans are turned.

    Raises:
        RecordError: for a hand whose lists fit no order of turns.
    """
    number, honba, sticks = (
        checked_number(each, "round, honba and sticks", minimum=0) for each in list_of(entry[0], "start")
    )
    indicators = _tiles(entry[2])
    deal = Deal(
        round=Round(Wind(number // 4), number % 4 + 1),
        dealer=Seat(number % 4),
        honba=honba,
        deposits=sticks,
        scores=four_numbers(entry[1], "starting scores"),
        indicator=indicators[0],
        hands=four(_tiles(entry[4 + 3 * seat]) for seat in SEATS),
    )
    result = list_of(entry[16], "result")
    hand = _Hand(deal=deal, rules=rules, indicators=indicators, ura=_tiles(entry[3]), result=result)
    draws = [list_of(entry[5 + 3 * seat], "draws") for seat in SEATS]
    discards = [list_of(entry[6 + 3 * seat], "discards") for seat in SEATS]
    if not any(discards) and not any(tile.is_known for tile in chain(*deal.hands)):
        return hand.record(())  # only the result was entered: a last draw has no turns before it
    moves = moves_in_order(draws, discards, deal.dealer)
    if moves is None:
        raise RecordError("expected draws, calls and discards that fit an order of turns, got some that fit none")
    return hand.record(moves)


@dataclass(slots=True)
class _Hand:
    """A hand as its list states it, without its moves."""

    deal: Deal
    rules: Ruleset
    indicators: tuple[Tile, ...]
    ura: Tiles
    result: list[Any]

    def record(self, moves_read: Sequence[Move]) -> HandRecord:
        """Returns the hand with facts that its lists omit: sticks, indicators of kans, hands."""
        is_won = text_of(self.result[0], "result") == WON
        reason = None if is_won else one_of(REASONS, self.result[0], f"a result such as {WON}, or an end")
        are_known = UNKNOWN not in chain(*self.deal.hands)
        if self.result[0] == DRAWN and are_known and not any(chain(*self.result[1:])):
            reason = likely_reason(moves_read)
        is_ronned = (is_won and self.result[2][0] != self.result[2][1]) or reason is AbortReason.TRIPLE_RON
        moves = with_kan_indicators(with_sticks(moves_read, is_ronned=is_ronned), self.indicators[1:], self.rules)
        hidden = HiddenHands(self.deal.hands)
        for move in moves:
            hidden.apply(move)
        sticks = [move.seat for move in moves if isinstance(move, StickPlaced)]
        if is_won:
            return self._won_hand(self._with_robbed(moves, hidden), hidden, sticks)
        shown_hands = _shown_hands(hidden, reason, moves)
        changes = four_numbers((self.result[1] if len(self.result) > 1 else ()) or [0, 0, 0, 0], "payments")
        return HandRecord(
            deal=self.deal,
            moves=moves,
            kind=ResultKind.DRAW if reason in (None, AbortReason.NAGASHI) else ResultKind.ABORT,
            deltas=_less_sticks(changes, sticks),
            reason=reason,
            shown_hands=shown_hands,
            claimants=_claimants(reason, moves),
        )

    def _with_robbed(self, moves: tuple[Move, ...], hidden: HiddenHands) -> tuple[Move, ...]:
        winner, loser = (seat_of(seat, "winner and loser") for seat in list_of(self.result[2], "win")[:2])
        kan = robbed_kan(moves, hidden, winner, loser)
        if kan is None:
            return moves
        hidden.apply(kan)
        return (*moves, kan)

    def _won_hand(self, moves: tuple[Move, ...], hidden: HiddenHands, sticks: list[Seat]) -> HandRecord:
        changes = [0, 0, 0, 0]
        wins = []
        for deltas, detail in zip(self.result[1::2], self.result[2::2], strict=True):
            changes = [sum(pair) for pair in zip(changes, four_numbers(deltas, "payments"), strict=True)]
            wins.append(self._win(detail, moves, hidden))
        return HandRecord(
            deal=self.deal,
            moves=moves,
            kind=ResultKind.TSUMO if wins[0].seat == wins[0].from_seat else ResultKind.RON,
            deltas=_less_sticks(changes, sticks),
            wins=tuple(wins),
        )

    def _win(self, detail: list[Any], moves: Sequence[Move], hidden: HiddenHands) -> RecordedWin:
        seat, from_seat, liable = (seat_of(each, "winner, loser and liable") for each in list_of(detail, "win")[:3])
        is_tsumo = seat == from_seat
        laid_tiles = (move.tile for move in reversed(moves) if isinstance(move, Discarded | AddedKan))
        tile = hidden.last_drawn if is_tsumo else next(laid_tiles, UNKNOWN)
        yaku = _yaku(detail[4:])
        yakuman = sum("役満" in text for text in detail[4:])
        fu = _FU.search(detail[3])
        has_riichi = any(name in ("riichi", "double_riichi") for name, _ in yaku)
        has_stick = any(isinstance(move, StickPlaced) and move.seat == seat for move in moves)
        return RecordedWin(
            seat=seat,
            from_seat=from_seat,
            concealed=hidden.concealed(seat, without=tile if is_tsumo else None),
            winning_tile=tile,
            ura=self.ura if has_riichi or has_stick else (),
            han=None if yakuman else _written_han(detail[3], yaku),
            fu=int(fu[1]) if fu and not yakuman else None,
            yaku=yaku or None,
            yakuman=yakuman,
            points=_points(detail[3]),
            liable=() if liable == seat else (liable,),
        )


def _shown_hands(
    hidden: HiddenHands, reason: AbortReason | None, moves: Sequence[Move]
) -> tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None]:
    if reason in (None, AbortReason.NAGASHI):
        seats = hidden.tenpai()
    else:
        seats = SEATS if reason is AbortReason.FOUR_RIICHI else _claimants(reason, moves)
    return four(hidden.concealed(seat) if seat in seats else None for seat in SEATS)


def _claimants(reason: AbortReason | None, moves: Sequence[Move]) -> tuple[Seat, ...]:
    last = next((move for move in reversed(moves) if isinstance(move, Drawn | Discarded)), None)
    if last is None:
        return ()
    if reason is AbortReason.NINE_TERMINALS:
        return (last.seat,)
    return tuple(seat for seat in SEATS if seat != last.seat) if reason is AbortReason.TRIPLE_RON else ()


def _yaku(texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Returns the yaku with their han; empty if another program uses an unknown name."""
    try:
        return tuple((name, han) for name, han in map(yaku_of, texts) if han)
    except ValueError:
        return ()


def _written_han(worth: str, yaku: Sequence[tuple[str, int]]) -> int | None:
    """Returns the han given with the points, else the sum of the yaku's, since from mangan on only these show it."""
    match = _HAN.search(worth)
    if match is not None:
        return int(match[1])
    return sum(han for _, han in yaku) if yaku else None


def _points(text: str) -> int | None:
    match = _POINTS.search(text)
    if match is None:
        return None
    if match[3]:
        return 3 * int(match[1])
    return 2 * int(match[1]) + int(match[2]) if match[2] else int(match[1])


def _less_sticks(changes: Sequence[int], sticks: list[Seat]) -> Deltas:
    return four(change - STICK * sticks.count(seat) for seat, change in zip(SEATS, changes, strict=True))


def _tiles(codes: Any) -> Tiles:
    return tuple(tile_of(code) for code in list_of(codes, "tiles"))
