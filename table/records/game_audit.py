"""Replays recorded games as a table would see them, through `advance`.

`table.records.seen_events` provides what a table sees of a hand; everything else is left to the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import zip_longest
from typing import Any

from table.game.announcement_json import announcement_line
from table.game.journal.fold import LoggedAnnouncement
from table.records.audit_verdict import (
    Disagreement,
    disagreements,
    final_disagreement,
    record_statements,
    rules_results,
    win_disagreements,
)
from table.records.entered_wins import Place, ValuedWins, valued_again
from table.records.formats.game_record import Corrected, Deal, GameRecord, HandRecord, RecordedWin
from table.records.mjai.mjai_reader import MjaiReader
from table.records.seen_events import entered_hands, seen_events
from table.rules import events
from table.rules.advance import advance, new_game
from table.rules.events import Event
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import end_game
from table.rules.state import GameState
from table.rules.terms.announcements import Suspicion
from table.rules.terms.results import AbortReason, DeclaredResult, Deltas, ResultKind, Settlement, Win, add
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from table.rules.transitions.aborts import SEEN
from table.rules.transitions.next_deal import facts_at
from table.runtime.table_errors import RecordError

__all__ = (
    "AuditedEnd",
    "AuditedHand",
    "Auditor",
    "Line",
    "Play",
    "audit_game",
    "audit_stream",
    "seen_events",
    "valued",
)

Line = dict[str, Any]
"""One line of the contract as a JSON object."""


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

    def as_json(self) -> Line:
        """Returns its line of the contract."""
        settlement, play = self.settlement, self.play
        return {
            "log": self.log,
            "hand": play.number,
            "round": repr(self.deal.round),
            "honba": self.deal.honba,
            "deposits": self.deal.deposits,
            "riichi": [int(seat) for seat in play.accepted],
            "ippatsu": [int(seat) for seat in play.ippatsu],
            "result": settlement.kind.value,
            "abort": settlement.reason.value if settlement.reason else None,
            "wins": [_win_line(win) for win in settlement.wins],
            "deltas": list(settlement.deltas),
            **({} if settlement.chips is None else {"chips": list(settlement.chips)}),
            "scores": list(play.state.history[-1].scores),
            "announcements": [announcement_line(logged) for logged in play.announcements],
            "suspicions": [_suspicion_line(suspicion) for suspicion in play.suspicions],
            "disagreements": [each.as_json() for each in self.disagreements],
            **({} if self.is_checked else {"checked": False}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedEnd:
    """The points at the end of a record."""

    log: str
    final: Sequence[int]
    disagreements: Sequence[Disagreement] = ()
    """Facts on which the record disagrees."""

    def as_json(self) -> Line:
        """Returns its line of the contract."""
        said = [each.as_json() for each in self.disagreements]
        return {"log": self.log, "final": list(self.final), "disagreements": said}


def audit_game(record: GameRecord, *, log: str, ruleset: Ruleset | None = None) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields the rules' result for each complete hand, then the final points.

    Args:
        record: the game.
        log: its name.
        ruleset: rules to use instead of the record's; red fives that they lack are treated as plain fives.

    Raises:
        RecordError: after the complete hands of a record cut short, or for a hand that cannot have happened.
    """
    auditor = Auditor(log=log, own=record.ruleset, other=ruleset)
    for hand, following in zip_longest(record.hands, record.hands[1:]):
        yield auditor.hand(hand, None if following is None else following.deal.left_scores)
    if record.cut_short is not None:
        raise RecordError(f"{log}: expected a whole game, got a truncated one: {record.cut_short}")
    if record.hands:
        yield auditor.end(record.final, record.corrected)


def audit_stream(
    lines: Iterable[str],
    *,
    log: str,
    ruleset: Ruleset | None = None,
    on_repeated: Callable[[int], None] = lambda _: None,
) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields the same as `audit_game` for a stream of mjai lines, each hand as soon as it is over.

    The stream may contain several games. `on_repeated` is told of each hand that comes again and is left out, by its
    number in the game, from 0.

    Raises:
        RecordError: for a line that is not mjai, or a stream that ends during a game.
    """
    reader, auditor = MjaiReader(where=log), None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if reader.ended:
            reader, auditor = MjaiReader(where=log), None
        reader.take_text(line, number, is_last=False)
        while reader.repeated:
            on_repeated(reader.repeated.pop(0))
        while reader.hands:
            auditor = auditor or Auditor(log=log, own=reader.ruleset, other=ruleset)
            yield auditor.hand(reader.hands.pop(0), None)
        if reader.ended and auditor is not None:
            yield auditor.end(reader.final, reader.corrected)
    if not reader.ended:
        raise RecordError(f"{log}: expected a whole game, got a truncated one: the lines end before end_game")


@dataclass(slots=True, kw_only=True)
class Auditor:
    """Audits one game hand by hand."""

    log: str
    own: Ruleset
    """The rules that the record names."""
    other: Ruleset | None = None
    """Rules to use instead; red fives that they lack are treated as plain fives."""
    state: GameState | None = None

    @property
    def rules(self) -> Ruleset:
        """The rules in use."""
        return self.other or self.own

    @property
    def _same_rules(self) -> bool:
        """Whether the rules are those of the record, except for the length of the game, which affects no payment."""
        return replace(self.rules, length=self.own.length) == self.own

    def hand(self, hand: HandRecord, after: Deltas | None) -> AuditedHand:
        """Plays the next hand.

        Args:
            hand: the hand.
            after: the points at the start of the hand after it, without what people corrected; None if unknown.

        Raises:
            RecordError: the hand cannot have happened.
        """
        state = self.state or new_game(self.rules)
        fitting = hand if self.other is None else _fitted(hand, self.other)
        played = _play(state, fitting, self.rules, f"{self.log}: hand {len(state.history)}")
        self.state = played.state
        finished = played.state.history[-1]
        settlement = played.ended
        found = rules_results(settlement, finished, played.accepted)
        said = disagreements(
            record_statements(hand, after),
            found,
            wins=settlement.wins if hand.is_entered else hand.wins,
            found_wins=settlement.wins,
            same_rules=self._same_rules or hand.is_entered,
        )
        entered = self._entered_wins(fitting, settlement) if hand.is_entered else ValuedWins(wins=settlement.wins)
        return AuditedHand(
            log=self.log,
            deal=hand.deal,
            settlement=replace(settlement, wins=entered.wins),
            play=played,
            disagreements=[*said, *entered.disagreements],
            is_checked=not hand.is_entered or entered.are_valued,
        )

    def _entered_wins(self, hand: HandRecord, settlement: Settlement) -> ValuedWins:
        deal, shown = hand.deal, {each.seat: each for each in entered_hands(hand)}
        place = Place(round=deal.round, dealer=deal.dealer, honba=deal.honba)
        hands = [shown.get(seat) for seat in SEATS]
        return valued_again(settlement.wins, hands, place, self.rules, same_rules=self._same_rules)

    def end(self, final: Deltas | None, corrected: Corrected | None = None) -> AuditedEnd:
        """Returns the points at the end.

        Args:
            final: the points in the record; None if it has none.
            corrected: what people corrected after the last hand.
        """
        points = final_points(self.state or new_game(self.rules), self.rules, corrected)
        return AuditedEnd(
            log=self.log, final=points, disagreements=final_disagreement(final, points, same_rules=self._same_rules)
        )


def _fitted(hand: HandRecord, ruleset: Ruleset) -> HandRecord:
    """Returns the hand with red fives that the rules lack replaced by plain fives."""
    missing = {Tile(f"0{suit}") for suit, reds in ruleset.reds.items() if not reds}
    fitted: HandRecord = _plain(hand, missing) if missing else hand
    return fitted


def _plain(value: Any, missing: set[Tile]) -> Any:
    """Returns a value with the `missing` red fives in it replaced, at any depth."""
    if isinstance(value, Tile):
        return value.plain if value in missing else value
    if isinstance(value, tuple):
        return tuple(_plain(each, missing) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _plain(getattr(value, field.name), missing) for field in fields(value)})
    return value


def valued(record: GameRecord) -> GameRecord:
    """Returns the record with what its wins and payments lack computed by its rules, if the hands are known.

    Where a record tells some of a win's value, the rest is added only if the rules find no other value.
    """
    return replace(record, hands=tuple(_valued_hand(hand, record.ruleset) for hand in record.hands))


def _valued_hand(hand: HandRecord, rules: Ruleset) -> HandRecord:
    if hand.is_entered or (hand.deltas is not None and not any(map(_lacks_value, hand.wins))):
        return hand
    try:
        settlement = _play(new_game(rules), hand, rules, "").settlement
    except (RecordError, RulesError):
        return hand
    if settlement is None or len(settlement.wins) != len(hand.wins):
        return hand
    wins = tuple(_valued_win(win, found) for win, found in zip(hand.wins, settlement.wins, strict=True))
    return replace(hand, wins=wins, deltas=hand.deltas or settlement.deltas, chips=hand.chips or settlement.chips)


def _lacks_value(win: RecordedWin) -> bool:
    return win.points is None or not win.yaku or (not win.yakuman and None in (win.han, win.fu))


def _valued_win(win: RecordedWin, found: Win) -> RecordedWin:
    is_other = win.seat is not found.seat
    if is_other or (win.points is not None and any(win_disagreements([win], [found]))):
        return win
    return replace(win, han=found.han, fu=found.fu, yaku=found.yaku, yakuman=found.yakuman, points=found.points)


@dataclass(slots=True)
class Play:
    """One hand while the rules follow it."""

    state: GameState
    rules: Ruleset
    number: int
    """The number of the hand in the game, from 0."""
    events: int = 0
    ippatsu: tuple[Seat, ...] = ()
    announcements: list[LoggedAnnouncement] = field(default_factory=list)
    suspicions: list[Suspicion] = field(default_factory=list)

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of the hand; None while it is being played."""
        history = self.state.history
        return history[-1].settlement if len(history) > self.number else None

    @property
    def ended(self) -> Settlement:
        """The settlement of the hand.

        Raises:
            ValueError: the hand is still being played.
        """
        if self.settlement is None:
            raise ValueError("expected a hand that was played to its end, got one in play")
        return self.settlement

    @property
    def accepted(self) -> list[Seat]:
        """The seats whose riichi was accepted, in order."""
        hand = self.state.hand
        if hand is None:
            return []
        accepted = (seat for seat in SEATS if hand.riichi[seat].is_accepted)
        return sorted(accepted, key=lambda seat: hand.riichi[seat].discard_number or 0)

    def feed(self, event: Event) -> None:
        """Applies one event."""
        self.events += 1
        if isinstance(event, events.ClaimsConfirmed):
            self.ippatsu = open_windows(self.state)
        step = advance(self.state, event, self.rules)
        self.state = step.state
        self.suspicions += step.suspicions
        for announcement in step.announcements:
            self.announcements.append(
                LoggedAnnouncement.of_hand(self.number, announcement, self.events, cause=(self.events,))
            )


def _play(state: GameState, hand: HandRecord, rules: Ruleset, where: str) -> Play:
    """Plays a hand; facts that a record lacks (a stick, indicators) are requested once and then ignored, as at a table.

    An abort that the rules do not have is declared by people, since the record ends with it.
    """
    play = Play(state=state, rules=rules, number=len(state.history))
    for event in seen_events(hand):
        try:
            play.feed(event)
        except RulesError as error:
            raise RecordError(f"{where}, event {play.events}, {event}: {error}") from error
    settle(play, hand, where)
    return play


def settle(play: Play, hand: HandRecord, where: str) -> None:
    """Confirms a hand at the end of its record.

    Raises:
        RecordError: an indispensable fact is missing.
    """
    if play.settlement is None:
        is_unknown = hand.reason is not None and hand.reason in SEEN and not play.rules.has_abort(hand.reason)
        play.feed(_declared_abort(play.state, hand.reason) if is_unknown else events.ClaimsConfirmed())
    if play.settlement is None:
        play.feed(events.ClaimsConfirmed())
    if play.settlement is None:
        missing = play.state.hand.missing if play.state.hand else ()
        raise RecordError(
            f"{where}: expected a settled hand, got one that lacks {', '.join(map(str, missing)) or 'an end'}"
        )


def _declared_abort(state: GameState, reason: AbortReason | None) -> events.ResultDeclared:
    riichi = () if state.hand is None else tuple(seat for seat in SEATS if state.hand.riichi[seat].is_declared)
    return events.ResultDeclared(result=DeclaredResult(kind=ResultKind.ABORT, reason=reason, riichi=riichi))


def open_windows(state: GameState) -> tuple[Seat, ...]:
    """Returns the seats for which a win would now surely score ippatsu."""
    hand = state.hand
    return () if hand is None else tuple(seat for seat in SEATS if hand.ippatsu[seat].is_open)


def _win_line(win: Win) -> Line:
    return {
        "seat": int(win.seat),
        "from": int(win.from_seat),
        "han": win.han,
        "fu": win.fu,
        "yaku": [list(pair) for pair in win.yaku],
        "yakuman": win.yakuman,
        "points": win.points,
    }


def _suspicion_line(suspicion: Suspicion) -> Line:
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


def final_points(state: GameState, rules: Ruleset, corrected: Corrected | None = None) -> Sequence[int]:
    """Returns the points at the end, even if the record stops although the rules would continue.

    Args:
        state: the game after its last hand.
        rules: its rules.
        corrected: what people corrected after that hand.
    """
    change = corrected or Corrected(points=(0, 0, 0, 0))
    left = state.history[-1].settlement if state.history else None
    if state.is_over or left is None:
        return add(state.scores, change.points)
    facts = facts_at(state.history[-1], state.history)
    facts = replace(facts, scores=add(facts.scores, change.points))
    deposits = left.deposits + change.sticks
    return end_game(facts, rules, deposits=deposits, deposit_points=left.deposit_points).scores
