"""What a foul of an earlier hand would change in later hands, before anybody logs it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.dashboard.scores.later_hands import consequences_view
from table.dashboard.scores.score_text import abort_title
from table.game.snapshot import Snapshot
from table.i18n import Catalogue, round_name
from table.rules.advance import advance
from table.rules.events import FoulLogged
from table.rules.state import GameState
from table.rules.terms.results import AbortReason
from table.rules.transitions.hand_end import preview_settlement


def later_view(snapshot: Snapshot, event: FoulLogged, people: Sequence[str], texts: Catalogue) -> list[str]:
    """Returns a sentence about the later hands that the foul would change; empty if it changes none.

    Args:
        snapshot: the table.
        event: the foul, with its hand.
        people: one name for each seat.
        texts: the page's language.

    Raises:
        RulesError: there is no such hand, or the clause has no such option.
    """
    game, number = snapshot.game, event.hand
    if number is None or number >= len(game.history) - (game.live is None):
        return []
    after = advance(game, event, snapshot.ruleset).state
    numbers = range(len(game.history))
    changed = consequences_view(game, after, texts, people, numbers=numbers, first=number + 1)["hands"]
    hands = [*changed, *_new_ends_of_live_hand(snapshot, after, texts)]
    return [texts.text("fouls.later", hands=" · ".join(hands))] if hands else []


def _new_ends_of_live_hand(snapshot: Snapshot, after: GameState, texts: Catalogue) -> Iterator[str]:
    """Yields how the hand in play would end if the foul makes a penalty end it."""
    before, now = (_penalty(game, snapshot) for game in (snapshot.game, after))
    if now is not None and before is None and after.live is not None:
        yield texts.labelled(round_name(after.live.start.round, texts), abort_title(now, texts))


def _penalty(game: GameState, snapshot: Snapshot) -> AbortReason | None:
    ending = preview_settlement(game, snapshot.ruleset)
    return None if ending is None or ending.proposal is None else ending.proposal.penalty
