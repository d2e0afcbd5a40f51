"""Converts a game's journal to a game record: what was seen or entered, with wins as they were settled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from table.game.journal.entries import Entry, GameOpened
from table.game.journal.fold import fold, opened_game
from table.game.journal.seating import SeatingHistory
from table.records.formats.game_record import GameRecord, HandRecord, RecordedWin
from table.records.formats.late_penalties import late_dues
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.mjai.from_journal.settled_points import moved_by_fouls, with_scores
from table.records.mjai.mjai_reader import read_mjai
from table.rules.state import FinishedHand
from table.rules.terms.results import ResultKind, Settlement, Win, subtract
from table.rules.terms.seats import SEATS, Seat, four
from table.runtime.table_errors import RecordError


def record_of(entries: Sequence[Entry], source: str = "the journal") -> GameRecord:
    """Returns one game, without hands that were not settled before the next deal, or whose win nobody has valued yet.

    Args:
        entries: the game's entries, from its opening.
        source: the name of the journal in messages.

    Raises:
        RecordError: there is no game, or its lines are not a game.
    """
    opening = entries[0].body if entries else None
    if not isinstance(opening, GameOpened):
        raise RecordError(f"{source}: expected a game, got none")
    game, seatings = fold(opened_game(entries[0]), entries[1:]), SeatingHistory(entries)
    history = game.state.history
    lines = "\n".join(json.dumps(line) for line in with_scores(mjai_lines(entries), history))
    record = read_mjai(lines.encode(), source)
    settled = [pair for pair in zip(history, game.hand_ends, strict=True) if pair[0].settlement is not None]
    hands = tuple(
        _as_settled(hand, settled[number][0] if number < len(settled) else None)
        for number, hand in enumerate(hand for hand in record.hands if hand.deltas is not None)
    )
    hand_names = tuple(seatings.names_at(place) for _, place in settled)
    ended = history if game.state.is_over else ()
    return replace(
        record,
        ruleset=opening.ruleset,
        hands=hands,
        names=seatings.now.names,
        hand_names=hand_names,
        dues=late_dues([due for hand in ended for due in hand.dues]),
        earlier_dues=late_dues([due for hand in ended[:-1] for due in hand.dues]),
    )


def has_ended_hand(entries: Sequence[Entry]) -> bool:
    """Whether a game has a hand that was settled, or whose settlement is proposed."""
    return any("deltas" in line for line in mjai_lines(entries))


def hand_of_record(record: GameRecord, number: int, history: Sequence[FinishedHand]) -> GameRecord:
    """Returns a record of one finished hand alone, with those who sat at the seats then.

    Args:
        record: the game.
        number: the index of the hand in `history`.
        history: all finished hands, including those without a settlement, which the record leaves out.

    Raises:
        RecordError: the hand was not settled, or the record has another one at that place.
    """
    finished = history[number]
    place = sum(line.settlement is not None for line in history[:number])
    hand = record.hands[place] if finished.settlement is not None and place < len(record.hands) else None
    if hand is None or (hand.deal.round, hand.deal.honba) != (finished.round, finished.honba):
        raise RecordError(
            f"expected hand {number + 1} of the game in the record, got {None if hand is None else hand.deal.round!r}"
        )
    return GameRecord(ruleset=record.ruleset, hands=(hand,), names=record.names_in(place))


def _as_settled(hand: HandRecord, finished: FinishedHand | None) -> HandRecord:
    """Returns the hand with its points, its end without a win, and the values of its wins, as they are in the end.

    A foul that was found or cancelled later may have changed them, and the points with which later hands started.
    """
    settlement = None if finished is None else finished.settlement
    if finished is None or settlement is None or _payers(settlement.wins) != _payers(hand.wins):
        return hand
    is_draw = settlement.kind is ResultKind.DRAW
    shown_hands = four(None if is_draw and seat not in settlement.tenpai else hand.shown_hands[seat] for seat in SEATS)
    return replace(
        hand,
        kind=settlement.kind,
        reason=settlement.reason,
        tenpai=tuple(seat for seat in settlement.tenpai if shown_hands[seat] is None),
        shown_hands=shown_hands,
        deal=replace(hand.deal, scores=subtract(finished.scores, settlement.deltas)),
        wins=_settled_wins(hand, settlement),
        deltas=settlement.deltas,
        chips=settlement.chips,
        foul_payments=moved_by_fouls(finished),
        dues=late_dues(finished.dues),
        recorded_scores=finished.scores,
    )


def _payers(wins: Sequence[Win | RecordedWin]) -> list[tuple[Seat, Seat]]:
    """Returns each winner with the seat won from."""
    return [(win.seat, win.from_seat) for win in wins]


def _settled_wins(hand: HandRecord, settlement: Settlement) -> tuple[RecordedWin, ...]:
    return tuple(
        replace(win, han=found.han, fu=found.fu, yaku=found.yaku, yakuman=found.yakuman, points=found.points)
        for win, found in zip(hand.wins, settlement.wins, strict=True)
    )
