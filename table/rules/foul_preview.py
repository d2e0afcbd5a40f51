"""Previews the consequences of a foul before it is logged; nothing is changed."""

from __future__ import annotations

from table.rules.advance import advance
from table.rules.events import FoulLogged
from table.rules.fouls.foul_outlook import Outlook, outlook_of_newest
from table.rules.ruleset import Ruleset
from table.rules.state import GameState


def preview_foul(game: GameState, event: FoulLogged, ruleset: Ruleset) -> Outlook:
    """Returns the consequences that a foul would have if it were logged now, as they are reported once it is logged.

    Raises:
        ImpossibleEventError: there is no such hand.
        InvalidValueError: the clause has no such option.
    """
    return outlook_of_newest(advance(game, event, ruleset).state, event, ruleset)
