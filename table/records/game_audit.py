"""Plays recorded games again as a table would see them, through the one door of the rules.

Fed are deals, discards, calls, indicators, sticks, claimed wins with the shown hand and ura, the nine terminals claim
and the end of the wall with the hands shown then. Passes, acceptance of riichi, ippatsu, the other aborts and all
payments are left to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any

from table.game.announcement_json import announcement_line
from table.game.journal.fold import LoggedAnnouncement, key_of
from table.records.formats.game_record import Deal, Drawn, GameRecord, HandRecord, Move, RecordedWin, Tiles
from table.rules import events
from table.rules.advance import advance, new_game
from table.rules.events import Event
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import end_game
from table.rules.state import GameState
from table.rules.terms.announcements import Suspicion
from table.rules.terms.results import AbortReason, DeclaredResult, ResultKind, Settlement, Win
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from table.rules.transitions.aborts import SEEN
from table.rules.transitions.hand_end import facts_at
from table.runtime.table_errors import RecordError

Line = dict[str, Any]
"""One line of the contract as a JSON object."""


def seen_events(hand: HandRecord) -> Iterator[Event]:
    """Yields what a table with a camera and buttons would have been told of a hand, in order."""
    yield start_of(hand.deal)
    yield from seen_moves(hand.moves)
    if hand.wins:
        yield from _seen_wins(hand)
    elif hand.reason is AbortReason.TRIPLE_RON:
        yield from _seen_triple_ron(hand)
    else:
        yield from _seen_draw(hand)
    yield events.ClaimsConfirmed()


def start_of(deal: Deal) -> events.HandStarted:
    """Returns the event by which the hand of a deal starts."""
    return events.HandStarted(
        round=deal.round,
        dealer=deal.dealer,
        scores=deal.scores,
        honba=deal.honba,
        deposits=deal.deposits,
        dora_indicator=deal.indicator,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedHand:
    """What the rules make of one hand of a record."""

    log: str
    deal: Deal
    settlement: Settlement
    play: Play

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
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedEnd:
    """The points at the end of a record."""

    log: str
    final: Sequence[int]

    def as_json(self) -> Line:
        """Returns its line of the contract."""
        return {"log": self.log, "final": list(self.final)}


def audit_game(record: GameRecord, *, log: str, ruleset: Ruleset | None = None) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields what the rules make of each complete hand, then the final points.

    Args:
        record: the game.
        log: its name.
        ruleset: rules to play by instead of those that the record names; red fives that they have not are plain ones.

    Raises:
        RecordError: after the complete hands of a record cut short, or for a hand that cannot have happened.
    """
    rules = ruleset or record.ruleset
    if ruleset is not None:
        record = _fitted(record, ruleset)
    state = new_game(rules)
    for index, hand in enumerate(record.hands):
        played = _play(state, hand, rules, f"{log}: hand {index}")
        state = played.state
        if played.settlement is not None:
            yield AuditedHand(log=log, deal=hand.deal, settlement=played.settlement, play=played)
    if record.cut_short is not None:
        raise RecordError(f"{log}: expected a whole game, got one cut short: {record.cut_short}")
    if record.hands:
        yield AuditedEnd(log=log, final=_final(state, rules))


def _fitted(record: GameRecord, ruleset: Ruleset) -> GameRecord:
    """Returns the record with those red fives plain that these rules do not have."""
    missing = {
        Tile(f"0{suit}")
        for suit, reds in zip("mps", (ruleset.red_man, ruleset.red_pin, ruleset.red_sou), strict=True)
        if not reds
    }
    return replace(record, hands=_plain(record.hands, missing)) if missing else record


def _plain(value: Any, missing: set[Tile]) -> Any:
    """Returns a value with its tiles exchanged, however deep they lie."""
    if isinstance(value, Tile):
        return value.plain if value in missing else value
    if isinstance(value, tuple):
        return tuple(_plain(each, missing) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _plain(getattr(value, field.name), missing) for field in fields(value)})
    return value


def valued(record: GameRecord) -> GameRecord:
    """Returns the record with wins and payments by its rules, where it does not tell them and the hands are known."""
    return replace(record, hands=tuple(_valued_hand(hand, record.ruleset) for hand in record.hands))


def _valued_hand(hand: HandRecord, rules: Ruleset) -> HandRecord:
    if hand.deltas is not None and all(win.points is not None for win in hand.wins):
        return hand
    try:
        settlement = _play(new_game(rules), hand, rules, "").settlement
    except RecordError:
        return hand
    if settlement is None or len(settlement.wins) != len(hand.wins):
        return hand
    wins = tuple(_valued_win(win, found) for win, found in zip(hand.wins, settlement.wins, strict=True))
    return replace(hand, wins=wins, deltas=hand.deltas or settlement.deltas, chips=settlement.chips)


def _valued_win(win: RecordedWin, found: Win) -> RecordedWin:
    if win.points is not None or win.seat is not found.seat:
        return win
    return replace(win, han=found.han, fu=found.fu, yaku=found.yaku, yakuman=found.yakuman, points=found.points)


def seen_moves(moves: Iterable[Move]) -> Iterator[Event]:
    """Yields the acts without the draws: riichi is said, and a discard also lies sideways in place of a called one."""
    due: set[Seat] = set()
    last: events.Discarded | None = None
    for move in moves:
        if isinstance(move, Drawn):
            continue
        if isinstance(move, events.Called) and last is not None and last.sideways:
            due.add(last.seat)
        if isinstance(move, events.Discarded):
            if move.sideways:
                yield events.RiichiVoiced(seat=move.seat)
            last = _seen_discard(move.seat, move.tile, move.sideways or move.seat in due)
            due.discard(move.seat)
            yield last
        else:
            yield move


@cache
def _seen_discard(seat: Seat, tile: Tile, sideways: bool) -> events.Discarded:
    """Returns the discard as a table shows it, not where it came from; the few hundred there are serve every game."""
    return events.Discarded(seat=seat, tile=tile, sideways=sideways)


def _seen_wins(hand: HandRecord) -> Iterator[Event]:
    for win in hand.wins:
        tsumo = win.seat == win.from_seat
        yield events.WinClaimed(
            seat=win.seat,
            kind=events.WinKind.TSUMO if tsumo else events.WinKind.RON,
            from_seat=None if tsumo else win.from_seat,
        )
    for win in hand.wins:
        yield events.HandShown(seat=win.seat, tiles=win.concealed, winning_tile=win.winning_tile)
        if win.ura:
            yield events.UraTurned(seat=win.seat, indicators=win.ura)


def _seen_triple_ron(hand: HandRecord) -> Iterator[Event]:
    last = next(move for move in reversed(hand.moves) if isinstance(move, events.Discarded | events.AddedKan))
    for seat in hand.claimants:
        yield events.WinClaimed(seat=seat, kind=events.WinKind.RON, from_seat=last.seat)
    for seat in hand.claimants:
        yield events.HandShown(seat=seat, tiles=hand.shown[seat] or (), winning_tile=last.tile)


def _seen_draw(hand: HandRecord) -> Iterator[Event]:
    if hand.kind is ResultKind.DRAW:
        yield events.DrawReached()
    elif hand.reason is AbortReason.NINE_TERMINALS:
        yield events.AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=hand.claimants[0] if hand.claimants else None)
    for seat in SEATS:
        tiles: Tiles | None = hand.shown[seat]
        if tiles is not None:
            yield events.HandShown(seat=seat, tiles=tiles)
        elif hand.kind is ResultKind.DRAW:
            yield events.TenpaiStated(seat=seat, is_tenpai=False)


@dataclass(slots=True)
class Play:
    """One hand while the rules see it."""

    state: GameState
    rules: Ruleset
    number: int
    """Which hand of the game it is, from 0."""
    events: int = 0
    ippatsu: tuple[Seat, ...] = ()
    announcements: list[LoggedAnnouncement] = field(default_factory=list)
    suspicions: list[Suspicion] = field(default_factory=list)

    @property
    def settlement(self) -> Settlement | None:
        """How it ended; None while it is played."""
        history = self.state.history
        return history[-1].settlement if len(history) > self.number else None

    @property
    def accepted(self) -> list[Seat]:
        """Whose riichi was accepted, in order."""
        hand = self.state.hand
        if hand is None:
            return []
        accepted = (seat for seat in SEATS if hand.riichi[seat].is_accepted)
        return sorted(accepted, key=lambda seat: hand.riichi[seat].index or 0)

    def feed(self, event: Event) -> None:
        """Shows the rules one event."""
        self.events += 1
        if isinstance(event, events.ClaimsConfirmed):
            self.ippatsu = _open_windows(self.state)
        step = advance(self.state, event, self.rules)
        self.state = step.state
        self.suspicions += step.suspicions
        for announcement in step.announcements:
            self.announcements.append(
                LoggedAnnouncement(
                    key=key_of(self.number, announcement, self.events), announcement=announcement, cause=(self.events,)
                )
            )


def _play(state: GameState, hand: HandRecord, rules: Ruleset, where: str) -> Play:
    """Plays a hand; what a record lacks (a stick, indicators) is demanded once and then let be, as at a table.

    An abort that these rules do not have is told by people: the record does not go on.
    """
    play = Play(state=state, rules=rules, number=len(state.history))
    for event in seen_events(hand):
        try:
            play.feed(event)
        except RulesError as error:
            raise RecordError(f"{where}, event {play.events}, {event!r}: {error}") from error
    settle(play, hand, where)
    return play


def settle(play: Play, hand: HandRecord, where: str) -> None:
    """Confirms a hand whose record ends.

    Raises:
        RecordError: something is missing that cannot be done without.
    """
    if play.settlement is None:
        is_unknown = hand.reason is not None and hand.reason in SEEN and not play.rules.has_abort(hand.reason)
        play.feed(_declared_abort(play.state, hand.reason) if is_unknown else events.ClaimsConfirmed())
    if play.settlement is None:
        play.feed(events.ClaimsConfirmed())
    if play.settlement is None:
        missing = play.state.hand.missing if play.state.hand else ()
        raise RecordError(f"{where}: expected a settled hand, got one that lacks {', '.join(missing) or 'an end'}")


def _declared_abort(state: GameState, reason: AbortReason | None) -> events.ResultDeclared:
    riichi = () if state.hand is None else tuple(seat for seat in SEATS if state.hand.riichi[seat].is_declared)
    return events.ResultDeclared(result=DeclaredResult(kind=ResultKind.ABORT, reason=reason, riichi=riichi))


def _open_windows(state: GameState) -> tuple[Seat, ...]:
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


def _final(state: GameState, rules: Ruleset) -> Sequence[int]:
    """Returns the points at the end; a record may stop where the rules would play on."""
    if state.is_over:
        return state.scores
    finished = state.history[-1]
    if finished.settlement is None:
        return state.scores
    left = finished.settlement
    facts = facts_at(finished, state.history)
    return end_game(facts, rules, deposits=left.deposits, deposit_points=left.deposit_points).scores
