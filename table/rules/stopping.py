"""People end a game before the rules do: it is late, somebody has to leave."""

from __future__ import annotations

from table.rules.announcements import Announcement, Saying
from table.rules.errors import ImpossibleEventError
from table.rules.events import GameEnded
from table.rules.game import HandFacts, end_game
from table.rules.notation import public_text
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Step


def stop(state: GameState, event: GameEnded, ruleset: Ruleset) -> Step:
    """Ends the game where it stands, as after its last hand; the rules say who takes the leftover sticks.

    A hand in play does not count: its sticks go back, and so does what was paid for fouls in it.

    Raises:
        ImpossibleEventError: it has ended already.
    """
    start = state.next_start if state.live is None else state.live.start
    if start is None:
        raise ImpossibleEventError(f"expected a game that goes on, got one that has ended for {public_text(event)!r}")
    facts = HandFacts(
        round=start.round,
        first_dealer=start.dealer.plus(1 - start.round.number),
        scores=start.scores,
        dues=tuple(due for hand in state.history for due in hand.dues),
    )
    over = end_game(facts, ruleset, deposits=start.deposits, deposit_points=start.deposit_points)
    ranking = [int(seat) for seat in over.ranking]
    said = Announcement(saying=Saying.GAME_ENDED, rule="R48", args={"scores": list(over.scores), "ranking": ranking})
    return Step(
        state=GameState(
            scores=over.scores,
            deposits=over.deposits,
            deposit_points=over.deposit_points,
            hand=None if state.live is not None else state.hand,
            history=state.history,
            ranking=over.ranking,
        ),
        announcements=(said,),
    )
