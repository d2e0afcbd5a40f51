"""Converts a game record to the journal that a table would have kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.game.journal.fold import fold, opened_game
from table.game.journal.history.game_history import GameHistory, game_history
from table.records.audit.played_hand import CONFIRMATIONS, closing_event
from table.records.audit.record_values import final_points, with_costs_at_end, with_late_fines
from table.records.audit.seen_events import seen_events
from table.records.formats.game_record import GameRecord, PointCorrection
from table.records.formats.late_penalties import late_dues
from table.rules.advance import advance
from table.rules.events import Event, GameEnded, HandStarted, PointsAdjusted
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.results import add, subtract
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, four


def journal_of(record: GameRecord) -> tuple[Entry, ...]:
    """Returns the entries of a game, from its opening, without times.

    A whole game ends with its record, even where the rules would continue. If the rules end the game with its last
    hand, points that people corrected after that hand are corrected before its end: a foul that the record lacks ended
    the game later.
    """
    bodies = list(_bodies(record))
    if (corrected := record.corrected) is not None:
        state = fold(opened_game(_entry(1, bodies[0])), _entries(bodies)[1:]).state
        if state.is_over:
            place = max(at for at, body in enumerate(bodies) if isinstance(body, HandStarted)) + 1
            bodies.insert(place, _adjusted(_with_sticks_handed_out(corrected, state, record.ruleset)))
        else:
            bodies.append(_adjusted(corrected))
    if record.cut_short is None:
        bodies.append(GameEnded())  # refused, and so without effect, if the rules have ended the game
    return _entries(bodies)


def history_of(record: GameRecord, entries: Sequence[Entry]) -> GameHistory:
    """Returns the history of a record's journal, with the penalties that change its result but are in no entry.

    Those of which the record does not say for which hand they are count for the last one. A record of an unfinished
    game has only those of its hands.
    """
    game = game_history(entries)
    state = _with_late_fines(record, game.state)
    given = record.dues or late_dues([due for hand in record.hands for due in hand.dues])
    if not state.history or (not given and state is game.state):
        return game
    by_hand = [hand.dues for hand in record.hands[: len(state.history)]]
    known = [replace(due, amount=-due.amount) for dues in by_hand for due in dues]
    by_hand[-1] += late_dues([*given, *known])
    lines = (replace(line, dues=line.dues + dues) for line, dues in zip(state.history, by_hand, strict=True))
    state = replace(state, history=tuple(lines))
    return replace(game, state=with_costs_at_end(state, given, game.ruleset) if state.is_over else state)


def _with_late_fines(record: GameRecord, state: GameState) -> GameState:
    """Returns a game with the fines that were found after its last win; after another hand its deal has them."""
    fines = record.hands[-1].late_fines if record.hands and len(record.hands) == len(state.history) else 0
    corrected = record.corrected if any(each.hand == len(state.history) for each in state.adjustments) else None
    return with_late_fines(state, fines, record.ruleset, corrected) if fines else state


def _adjusted(corrected: PointCorrection) -> PointsAdjusted:
    return PointsAdjusted(points=corrected.points, sticks=corrected.sticks, reason="corrected by hand")


def _with_sticks_handed_out(corrected: PointCorrection, state: GameState, rules: Ruleset) -> PointCorrection:
    """Returns a correction of points alone, which gives the corrected sticks to whoever gets them at the end."""
    points = PointCorrection(points=corrected.points)
    shares = subtract(four(final_points(state, rules, corrected)), four(final_points(state, rules, points)))
    return replace(points, points=add(points.points, shares))


def _entries(bodies: Sequence[Body]) -> tuple[Entry, ...]:
    return tuple(_entry(number, body) for number, body in enumerate(bodies, start=1))


def _entry(number: int, body: Body) -> Entry:
    return Entry(number=number, envelope=Envelope(utc="", source=Source.CAMERA), body=body)


def _bodies(record: GameRecord) -> Iterator[Body]:
    first_dealer = record.hands[0].deal.dealer if record.hands else SEATS[0]
    opening = GameOpened(
        ruleset=record.ruleset, names=record.names, first_dealer=first_dealer, asks_for_sticks_in_play=False
    )
    yield opening
    state = opened_game(_entry(1, opening)).state
    for hand in record.hands:
        number = len(state.history) + (state.live is not None)  # one in play ends unsettled
        for event in seen_events(hand, record.ruleset):
            yield event
            state = _after(state, event, record.ruleset)
        for _ in range(CONFIRMATIONS):
            if state.live is not None and len(state.history) == number:
                event = closing_event(state, hand, record.ruleset)
                yield event
                state = _after(state, event, record.ruleset)


def _after(state: GameState, event: Event, rules: Ruleset) -> GameState:
    """Returns the game after an event; unchanged if it cannot have happened, as a journal is read."""
    try:
        return advance(state, event, rules).state
    except RulesError:
        return state
