"""Winning hands entered tile by tile: the events that record them before their result. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from table.game.commands.game_commands import DeclareResult
from table.game.journal.fold import FoldedGame
from table.rules.advance import advance
from table.rules.events import Event, HandShown, HandStarted
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import PressError


def winning_hand_events(command: DeclareResult, game: FoldedGame) -> list[HandStarted | HandShown]:
    """Returns the events that record winning hands entered tile by tile, before their result.

    There are none if the camera or people have already reported something of the hand: that takes precedence.
    """
    hand, winners = game.state.live, {win.seat for win in command.result.wins}
    hands = [shown for shown in command.hands if shown.seat in winners]
    next_start = game.state.next_start
    if not hands or (hand is None and next_start is None) or (hand is not None and _was_observed(hand)):
        return []
    return [*([] if next_start is None else [next_start]), *hands]


def check_events(events: Sequence[Event], state: GameState, ruleset: Ruleset) -> None:
    """Checks that events can happen one after another.

    Raises:
        PressError: one of them is impossible.
    """
    try:
        for event in events:
            state = advance(state, event, ruleset).state
    except RulesError as error:
        raise PressError(str(error), says=error.says, **error.values) from error


def _was_observed(hand: HandState) -> bool:
    """Whether anything of a hand in play was seen or claimed, besides riichi that people declared."""
    return hand.was_seen or bool(hand.claims) or any(hand.shown_hands) or any(hand.melds)
