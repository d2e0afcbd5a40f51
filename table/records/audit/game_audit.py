"""Replays recorded games as a table would see them, through `advance`.

`table.records.audit.seen_events` provides what a table sees of a hand; everything else is left to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from table.game.announcement_json import announcement_line
from table.records.audit.audit_verdict import (
    Disagreement,
    disagreements,
    final_disagreement,
    record_statements,
    rules_results,
)
from table.records.audit.entered_wins import HandPlace, ValuedWins, revalued_wins
from table.records.audit.played_hand import Play, play_hand
from table.records.audit.record_values import final_points, with_more_in_pot, without_missing_reds
from table.records.audit.seen_events import entered_hands
from table.records.formats.game_record import Deal, GameRecord, HandRecord, PointCorrection
from table.records.mjai.mjai_reader import MjaiReader
from table.rules.advance import new_game
from table.rules.events import Discarded
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import Suspicion
from table.rules.terms.results import NOTHING, STICK, Deltas, Settlement, Win, add
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import RecordError

AuditJson = dict[str, Any]
"""One line of the contract `audit.schema.json` as a JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedHand:
    """The rules' result for one hand of a record."""

    log: str
    deal: Deal
    settlement: Settlement
    play: Play
    disagreements: Sequence[Disagreement] = ()
    """Facts on which the record disagrees."""
    is_checked: bool = True
    """False if only the result was entered, so that nothing shows what the rules find."""

    def as_json(self) -> AuditJson:
        """Returns its line of the contract."""
        settlement, play = self.settlement, self.play
        return {
            "log": self.log,
            "hand": play.number,
            "round": repr(self.deal.round),
            "honba": self.deal.honba,
            "deposits": self.deal.deposits,
            "riichi": [int(seat) for seat in play.accepted_riichi],
            "ippatsu": [int(seat) for seat in play.ippatsu],
            "result": settlement.kind.value,
            "abort": settlement.reason.value if settlement.reason else None,
            "wins": [_win_line(win) for win in settlement.wins],
            "deltas": list(settlement.deltas),
            **({} if settlement.chips is None else {"chips": list(settlement.chips)}),
            "scores": list(play.state.history[-1].scores),
            "announcements": [announcement_line(announcement) for announcement in play.announcements],
            "suspicions": [_suspicion_line(suspicion) for suspicion in play.suspicions],
            "disagreements": [disagreement.as_json() for disagreement in self.disagreements],
            **({} if self.is_checked else {"checked": False}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedEnd:
    """The points at the end of a record."""

    log: str
    final: Sequence[int]
    disagreements: Sequence[Disagreement] = ()
    """Facts on which the record disagrees."""

    def as_json(self) -> AuditJson:
        """Returns its line of the contract."""
        disagreement_lines = [disagreement.as_json() for disagreement in self.disagreements]
        return {"log": self.log, "final": list(self.final), "disagreements": disagreement_lines}


def audit_game(record: GameRecord, *, log: str, ruleset: Ruleset | None = None) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields the rules' result for each complete hand, then the final points.

    Args:
        record: the game.
        log: its name.
        ruleset: rules to use instead of the record's; red fives that they lack are treated as plain fives.

    Raises:
        RecordError: after the complete hands of a record cut short, or for a hand that cannot have happened.
    """
    auditor = Auditor(log=log, source=log, recorded_rules=record.ruleset, other_rules=ruleset)
    for hand, next_hand in zip_longest(record.hands, record.hands[1:]):
        yield auditor.audit_hand(hand, None if next_hand is None else next_hand.deal.left_scores)
    if record.cut_short is not None:
        raise RecordError(f"{log}: expected a whole game, got a truncated one: {record.cut_short}")
    if record.hands:
        yield auditor.audit_end(record.final, record.corrected, record.dues)


def audit_stream(
    lines: Iterable[str],
    *,
    log: str,
    source: str | None = None,
    ruleset: Ruleset | None = None,
    on_repeated: Callable[[int], None] = lambda _: None,
) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields the same as `audit_game` for a stream of mjai lines, each hand as soon as it is over.

    The stream may contain several games.

    Args:
        lines: the stream.
        log: its name in the results.
        source: its name in messages; the same if None.
        ruleset: as for `audit_game`.
        on_repeated: called for each hand that comes again and is left out, with its number in the game, from 0.

    Raises:
        RecordError: for a line that is not mjai, or a stream that ends during a game.
    """
    source = log if source is None else source
    reader, auditor = MjaiReader(source=source), None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if reader.has_ended:
            reader, auditor = MjaiReader(source=source), None
        reader.read_line(line, number, is_last=False)
        while reader.repeated:
            on_repeated(reader.repeated.pop(0))
        while reader.hands:
            auditor = auditor or Auditor(log=log, source=source, recorded_rules=reader.ruleset, other_rules=ruleset)
            yield auditor.audit_hand(reader.hands.pop(0), None)
        if reader.has_ended and auditor is not None:
            yield auditor.audit_end(reader.final, reader.corrected, reader.dues)
    if not reader.has_ended:
        raise RecordError(f"{source}: expected a whole game, got a truncated one: the lines end before end_game")


@dataclass(slots=True, kw_only=True)
class Auditor:
    """Audits one game hand by hand."""

    log: str
    """The record's name in the results."""
    source: str
    """Its name in messages."""
    recorded_rules: Ruleset
    """The rules that the record names."""
    other_rules: Ruleset | None = None
    """Rules to use instead; red fives that they lack are treated as plain fives."""
    state: GameState | None = None

    @property
    def rules(self) -> Ruleset:
        """The rules in use."""
        return self.other_rules or self.recorded_rules

    @property
    def _has_same_rules(self) -> bool:
        """Whether the rules are those of the record, except for the length of the game, which affects no payment."""
        return replace(self.rules, length=self.recorded_rules.length) == self.recorded_rules

    def audit_hand(self, hand: HandRecord, next_scores: Deltas | None) -> AuditedHand:
        """Plays the next hand.

        Args:
            hand: the hand.
            next_scores: the points at the start of the hand after it, without what people corrected; None if unknown.

        Raises:
            RecordError: the hand cannot have happened.
        """
        state = self.state or new_game(self.rules)
        fitting = hand if self.other_rules is None else without_missing_reds(hand, self.other_rules)
        play = play_hand(state, fitting, self.rules, f"{self.source}: hand {len(state.history)}")
        if hand.foul_payments is not None and not hand.is_entered:
            play.state = _with_fouls(play.state, play.final_settlement, hand)
            play.suspicions = [suspicion for suspicion in play.suspicions if not _is_of_fines(suspicion, hand)]
        self.state = play.state
        finished = play.state.history[-1]
        settlement = play.final_settlement
        found = rules_results(settlement, finished, play.accepted_riichi)
        statements = record_statements(hand, next_scores)
        if hand.is_entered:
            statements["riichi"] = _certain_riichi(hand, hand.riichi)
            found["riichi"] = _certain_riichi(hand, play.accepted_riichi)
        found_disagreements = disagreements(
            statements,
            found,
            wins=settlement.wins if hand.is_entered else hand.wins,
            found_wins=settlement.wins,
            same_rules=self._has_same_rules or hand.is_entered,
        )
        entered = self._entered_wins(fitting, settlement) if hand.is_entered else ValuedWins(wins=settlement.wins)
        return AuditedHand(
            log=self.log,
            deal=hand.deal,
            settlement=replace(settlement, wins=entered.wins),
            play=play,
            disagreements=[*found_disagreements, *entered.disagreements],
            is_checked=not hand.is_entered or entered.are_valued,
        )

    def _entered_wins(self, hand: HandRecord, settlement: Settlement) -> ValuedWins:
        deal, hands_by_seat = hand.deal, {each.seat: each for each in entered_hands(hand)}
        place = HandPlace(round=deal.round, dealer=deal.dealer, honba=deal.honba)
        hands = [hands_by_seat.get(seat) for seat in SEATS]
        return revalued_wins(settlement.wins, hands, place, self.rules, same_rules=self._has_same_rules)

    def audit_end(self, final: Deltas | None, corrected: PointCorrection | None, dues: Sequence[Due]) -> AuditedEnd:
        """Returns the points at the end.

        Args:
            final: the points in the record; None if it has none.
            corrected: what people corrected after the last hand.
            dues: the penalties at the end.
        """
        points = final_points(self.state or new_game(self.rules), self.rules, corrected, dues)
        return AuditedEnd(
            log=self.log, final=points, disagreements=final_disagreement(final, points, same_rules=self._has_same_rules)
        )


def _with_fouls(state: GameState, settlement: Settlement, hand: HandRecord) -> GameState:
    """Returns the game after a hand with what its fouls moved, which the rules were not told of."""
    settlement = replace(settlement, deltas=add(settlement.deltas, hand.foul_payments or NOTHING))
    state = replace(state, history=(*state.history[:-1], replace(state.history[-1], settlement=settlement)))
    return with_more_in_pot(state, hand.late_fines) if hand.late_fines else state


def _is_of_fines(suspicion: Suspicion, hand: HandRecord) -> bool:
    """Whether a seat lacked the points for its riichi only because of its fines, which may have come later."""
    seat = suspicion.seat
    return suspicion.clause == "7-05-13" and hand.deal_after_fouls.scores[seat] < STICK <= hand.deal.scores[seat]


def _certain_riichi(hand: HandRecord, riichi: Sequence[Seat]) -> list[int]:
    """Returns the riichi that acts of a hand decide, without that of the last tile: an entered end lets it not pass."""
    last = next((move for move in reversed(hand.moves) if isinstance(move, Discarded)), None)
    return [int(seat) for seat in riichi if last is None or not last.sideways or seat is not last.seat]


def _win_line(win: Win) -> AuditJson:
    return {
        "seat": int(win.seat),
        "from": int(win.from_seat),
        "han": win.han,
        "fu": win.fu,
        "yaku": [list(pair) for pair in win.yaku],
        "yakuman": win.yakuman,
        "points": win.points,
    }


def _suspicion_line(suspicion: Suspicion) -> AuditJson:
    return {
        "clause": suspicion.clause,
        "seat": int(suspicion.seat),
        "evidence": list(suspicion.evidence),
        "options": list(suspicion.options),
        "chosen": None,
        "consequence": {},
        "by": None,
        "cancelled": False,
        "reason": None,
    }
