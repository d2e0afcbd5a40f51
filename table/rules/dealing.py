"""Creates a hand as it is dealt, with everything known from the start."""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import tile_copies, turn
from table.rules.draft import Draft
from table.rules.events import HandStarted
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError


def live_or_next(state: GameState, ruleset: Ruleset) -> Draft:
    """Returns the draft of the hand in play or, between hands, of the next hand, which it deals.

    Raises:
        ImpossibleEventError: the game has ended.
    """
    if (hand := state.live) is not None:
        return Draft(state, hand, ruleset)
    if state.next_start is None:
        raise ImpossibleEventError("expected a hand to settle, got a game that has ended", says="game_over")
    return deal(state, state.next_start, ruleset)


def deal(state: GameState, start: HandStarted, ruleset: Ruleset) -> Draft:
    """Returns the draft of a hand with this start, with its announcement and the dealer's first draw."""
    hand = HandState(start=start)
    draft = Draft(
        replace(state, scores=start.scores, deposits=start.deposits, deposit_points=start.deposit_points), hand, ruleset
    )
    if start.dora_indicator is not None:
        tile_copies.add(draft, (start.dora_indicator,))
        draft.dora_indicators = (start.dora_indicator,)
    turn.draw(draft, start.dealer)
    draft.say(
        AnnouncementId.HAND_STARTED,
        "",
        start.dealer,
        round=repr(start.round),
        dealer=int(start.dealer),
        honba=start.honba,
        deposits=start.deposits,
    )
    return draft
