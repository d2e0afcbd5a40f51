"""Completes records by the rules: missing values, the points at the end, and plain fives for missing red ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from table.records.audit.audit_verdict import win_disagreements
from table.records.audit.played_hand import play_hand
from table.records.formats.game_record import GameRecord, HandRecord, PointCorrection, RecordedWin
from table.rules.advance import new_game
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import deduct_dues, end_game, final_standings
from table.rules.state import GameState
from table.rules.terms.results import Win, add, subtract
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import four
from table.rules.terms.tiles import Tile
from table.rules.transitions.next_deal import facts_at
from table.runtime.table_errors import RecordError


def with_values(record: GameRecord) -> GameRecord:
    """Returns the record with what its wins and payments lack computed by its rules, if the hands are known.

    If a record states part of a win's value, the rest is added only if the rules agree with that part.
    """
    return replace(record, hands=tuple(_valued_hand(hand, record.ruleset) for hand in record.hands))


def _valued_hand(hand: HandRecord, rules: Ruleset) -> HandRecord:
    if hand.is_entered or (hand.deltas is not None and not any(map(_lacks_value, hand.wins))):
        return hand
    try:
        settlement = play_hand(new_game(rules), hand, rules, "").settlement
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


def final_points(
    state: GameState, rules: Ruleset, corrected: PointCorrection | None = None, dues: Sequence[Due] = ()
) -> Sequence[int]:
    """Returns the points at the end, even if the record stops although the rules would continue.

    Args:
        state: the game after its last hand.
        rules: its rules.
        corrected: what people corrected after that hand.
        dues: penalties at the end that no hand of the state has.
    """
    change = corrected or PointCorrection(points=(0, 0, 0, 0))
    last_settlement = state.history[-1].settlement if state.history else None
    if last_settlement is None or (state.is_over and not change.sticks):
        return deduct_dues(add(state.scores, change.points), dues, state.first_dealer, rules)
    facts = facts_at(state.history[-1], state.history)
    facts = replace(facts, scores=add(facts.scores, change.points), dues=(*facts.dues, *dues))
    deposits = last_settlement.deposits + change.sticks
    return end_game(facts, rules, deposits=deposits, deposit_points=last_settlement.deposit_points).scores


def with_more_in_pot(state: GameState, points: int) -> GameState:
    """Returns the game as if its last hand had left more points of penalties in the pot, before they are handed out."""
    *earlier, line = state.history
    if line.settlement is None:
        return state
    settlement = replace(line.settlement, deposit_points=line.settlement.deposit_points + points)
    return replace(state, history=(*earlier, replace(line, settlement=settlement)), ranking=())


def with_late_fines(
    state: GameState, fines: int, rules: Ruleset, corrected: PointCorrection | None = None
) -> GameState:
    """Returns the game with the fines that were found after its last win: they lie in the pot.

    At the end of a game they go where the rules let the rest of the pot go.

    Args:
        state: the game after that hand.
        fines: the points that they paid into the pot.
        rules: the rules of the game.
        corrected: what people corrected after the hand.
    """
    with_fines = with_more_in_pot(state, fines)
    if not state.is_over:
        start = state.next_start
        start = None if start is None else replace(start, deposit_points=start.deposit_points + fines)
        return replace(with_fines, deposit_points=state.deposit_points + fines, next_start=start)
    before, after = (four(final_points(each, rules, corrected)) for each in (with_more_in_pot(state, 0), with_fines))
    taken = subtract(after, before)
    rest = state.deposit_points + fines - sum(taken)
    return replace(state, history=with_fines.history, scores=add(state.scores, taken), deposit_points=rest)


def with_costs_at_end(state: GameState, dues: Sequence[Due], rules: Ruleset) -> GameState:
    """Returns a finished game with the points and places that fouls cost at its end, which no settlement has."""
    scores = deduct_dues(state.scores, dues, state.first_dealer, rules)
    standings = final_standings(scores, rules, first_dealer=state.first_dealer, dues=dues)
    return replace(state, scores=scores, ranking=standings.ranking)


def without_missing_reds(hand: HandRecord, ruleset: Ruleset) -> HandRecord:
    """Returns the hand with red fives that the rules lack replaced by plain fives."""
    missing = {Tile(f"0{suit}") for suit, reds in ruleset.reds.items() if not reds}
    fitting: HandRecord = _with_plain_fives(hand, missing) if missing else hand
    return fitting


def _with_plain_fives(value: Any, missing: set[Tile]) -> Any:
    """Returns a value with the `missing` red fives in it replaced, at any depth."""
    if isinstance(value, Tile):
        return value.without_red if value in missing else value
    if isinstance(value, tuple):
        return tuple(_with_plain_fives(item, missing) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{field.name: _with_plain_fives(getattr(value, field.name), missing) for field in fields(value)}
        )
    return value
