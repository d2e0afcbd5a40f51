"""Writes a game record as common mjai lines: with draws, hidden tiles as ``?``, the first dealer as actor 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, assert_never

from table.records.formats.game_record import AcceptedWithoutStick, Drawn, GameRecord, HandRecord, Move
from table.records.formats.header_rules import rules_fields
from table.records.formats.late_penalties import late_fields
from table.records.mjai.fields.mjai_corrections import corrected_fields
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_melds import melds_lines
from table.records.mjai.fields.mjai_reasons import REASON_NAMES
from table.records.mjai.fields.mjai_tiles import mjai_texts, to_mjai
from table.records.mjai.fields.mjai_wins import liable_fields, worth_line
from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.melds import MeldKind
from table.rules.terms.results import STICK, AbortReason
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import RecordError

_DRAWN: Final = {Origin.DRAWN: True, Origin.HAND: False, Origin.UNKNOWN: None}


def write_mjai(record: GameRecord) -> Iterator[MjaiLine]:
    """Yields the lines of a game.

    Raises:
        RecordError: for a record without any hand, or with a kan added to no pon.
    """
    if not record.hands:
        raise RecordError("expected a record with a hand, got none")
    first = record.hands[0].deal
    writer = _Writer(first.dealer.plus(1 - first.round.number))
    yield {"type": "start_game", "names": writer.by_seat(record.names), **rules_line(record.ruleset)}
    for hand in record.hands:
        yield from paid_on_acceptance(writer.hand_lines(hand))
    if record.cut_short is None:
        changes = corrected_fields(record.corrected, writer.by_seat)
        changes |= late_fields(record.dues, writer.by_seat, earlier=record.earlier_dues)
        end: MjaiLine = {"type": "end_game", **changes}
        yield end if record.final is None else {**end, "scores": writer.by_seat(record.final)}


def paid_on_acceptance(lines: Iterable[MjaiLine]) -> Iterator[MjaiLine]:
    """Yields the lines with payments as other programs read them: each `reach_accepted` has already paid its stick."""
    payers: list[int] = []
    for line in lines:
        if line["type"] == "start_kyoku":
            payers = []
        elif line["type"] == "reach_accepted":
            payers.append(line["actor"])
        if line.get("deltas") is None:
            yield line
        else:
            yield {
                **line,
                "deltas": [delta + STICK * payers.count(actor) for actor, delta in enumerate(line["deltas"])],
            }


def rules_line(ruleset: Ruleset) -> MjaiLine:
    """Returns the fields of a line that name the rules; other programs read of them whether there are red fives."""
    return {**rules_fields(ruleset), "aka_flag": ruleset.red_man > 0}


class _Writer:
    """Writes hands with seats counted from the first dealer."""

    def __init__(self, first: Seat) -> None:
        self._first = first
        self._pons: dict[tuple[Seat, int], tuple[Tile, ...]] = {}

    def by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Returns values by seat in the format's order."""
        return [values[self._first.plus(turns)] for turns in range(4)]

    def hand_lines(self, hand: HandRecord) -> Iterator[MjaiLine]:
        """Yields the lines of a hand."""
        self._pons = {}
        yield self._start(hand)
        for move in hand.moves:
            yield from self._move(move)
        yield from self._end(hand)
        yield {"type": "end_kyoku"}

    def _actor(self, seat: Seat) -> int:
        return seat.after(self._first)

    def _start(self, hand: HandRecord) -> MjaiLine:
        deal = hand.deal
        return {
            "type": "start_kyoku",
            "bakaze": deal.round.wind.letter,
            "dora_marker": to_mjai(deal.indicator),
            "kyoku": deal.round.number,
            "honba": deal.honba,
            "kyotaku": deal.deposits,
            "oya": self._actor(deal.dealer),
            "scores": self.by_seat(deal.scores),
            "tehais": self.by_seat([mjai_texts(tiles) for tiles in deal.hands]),
            **corrected_fields(deal.corrected, self.by_seat),
        }

    def _move(self, move: Move) -> Iterator[MjaiLine]:
        match move:
            case DoraTurned():
                yield {"type": "dora", "dora_marker": to_mjai(move.indicator)}
            case StickPlaced():
                yield {"type": "reach_accepted", "actor": self._actor(move.seat)}
            case AcceptedWithoutStick():
                yield {"type": "reach_accepted", "actor": self._actor(move.seat), "stick": False}
            case Drawn():
                yield {"type": "tsumo", "actor": self._actor(move.seat), "pai": to_mjai(move.tile)}
            case Discarded():
                yield from self._discard(move)
            case Called() | AddedKan() | ClosedKan():
                yield self._meld(move)
            case _:
                assert_never(move)

    def _discard(self, move: Discarded) -> Iterator[MjaiLine]:
        actor = self._actor(move.seat)
        if move.sideways:
            yield {"type": "reach", "actor": actor}
        yield {"type": "dahai", "actor": actor, "pai": to_mjai(move.tile), "tsumogiri": _DRAWN[move.origin]}

    def _meld(self, move: Called | AddedKan | ClosedKan) -> MjaiLine:
        actor = self._actor(move.seat)
        if isinstance(move, ClosedKan):
            return {"type": "ankan", "actor": actor, "consumed": mjai_texts(move.tiles)}
        pai = to_mjai(move.tile)
        if isinstance(move, AddedKan):
            pon = self._pons.get((move.seat, move.tile.kind))
            if pon is None:
                raise RecordError(f"expected a pon before a kan is added to it, got none of {move.tile!r}")
            return {"type": "kakan", "actor": actor, "pai": pai, "consumed": mjai_texts(pon)}
        if move.kind.value == MeldKind.PON.value:
            self._pons[move.seat, move.tile.kind] = (*move.own, move.tile)
        target = self._actor(move.from_seat)
        return {"type": move.kind.mjai, "actor": actor, "target": target, "pai": pai, "consumed": mjai_texts(move.own)}

    def _end(self, hand: HandRecord) -> Iterator[MjaiLine]:
        """Yields the lines of the hand's end; the last of several wins has the payments."""
        points: MjaiLine = {}
        if hand.deltas is not None and hand.scores is not None:
            points = {"deltas": self.by_seat(hand.deltas), "scores": self.by_seat(hand.scores)}
        if hand.entered_riichi is not None:
            points["entered_riichi"] = [self._actor(seat) for seat in hand.entered_riichi]
        if hand.foul_payments is not None:
            points["foul_payments"] = self.by_seat(hand.foul_payments)
        points |= late_fields(hand.dues, self.by_seat)
        if not hand.wins:
            yield {**self._draw(hand), **points}
        for place, win in enumerate(hand.wins):
            yield {
                "type": "hora",
                "actor": self._actor(win.seat),
                "target": self._actor(win.from_seat),
                "pai": to_mjai(win.winning_tile),
                "uradora_markers": mjai_texts(win.ura),
                "hora_tehais": mjai_texts(win.concealed),
                **({} if win.melds is None else {"entered_melds": melds_lines(win.melds)}),
                **worth_line(win),
                **liable_fields(map(self._actor, win.liable)),
                **(points if place == len(hand.wins) - 1 else {}),
            }

    def _draw(self, hand: HandRecord) -> MjaiLine:
        shown_hands = self.by_seat(hand.shown_hands)
        line: MjaiLine = {"type": "ryukyoku", "reason": REASON_NAMES[hand.reason]}
        if hand.reason is AbortReason.NINE_TERMINALS and hand.claimants:
            line["actor"] = self._actor(hand.claimants[0])
        tehais = [["?"] * 13 if tiles is None else mjai_texts(tiles) for tiles in shown_hands]
        tenpais = self.by_seat([seat in hand.tenpai_seats for seat in SEATS])
        return {**line, "tehais": tehais, "tenpais": tenpais}
