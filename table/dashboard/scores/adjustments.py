"""What moves points between hands, in words, for the score sheet: corrections by hand, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from table.dashboard.scores.result_preview import end_text
from table.dashboard.scores.score_text import payments_view
from table.dashboard.scores.scorekeeping import by_text
from table.dashboard.web.view import View
from table.game.journal.entries import Names
from table.i18n import Catalogue, adjustment_text, lasting_names, signed
from table.records.score_sheet import adjusted_scores, points_at_end
from table.rules.state import Adjustment, GameState
from table.rules.terms.seats import Seat


def adjustments_view(
    game: GameState,
    texts: Catalogue,
    names: Sequence[str],
    *,
    all_names_then: Sequence[Names | None],
) -> list[View]:
    """Returns the corrections made by hand, oldest first: in or before which hand, who, what and why.

    Each correction names those who sat at the seats then, by `all_names_then`; where that is unknown, by `names`.
    """
    return [
        {
            "hand": adjustment.hand,
            **payments_view(adjustment.event.points),
            "score_texts": [signed(score, plus="") for score in scores],
            "text": _adjustment(adjustment, game, texts, names, names_then or names),
        }
        for (adjustment, scores), names_then in zip_longest(
            adjusted_scores(game), all_names_then[: len(game.adjustments)]
        )
    ]


def end_view(game: GameState, texts: Catalogue, names: Sequence[str]) -> list[View]:
    """Returns a row like those of the corrections for what the end of a game moved; none if nothing.

    Seats without a name are called by their numbers, since no hand gives them winds any more.
    """
    points = points_at_end(game)
    if points is None:
        return []
    return [
        {
            "hand": len(game.history),
            **payments_view(points),
            "score_texts": [signed(score, plus="") for score in game.scores],
            "text": end_text(game, texts, lasting_names(names, texts)),
        }
    ]


def _adjustment(
    adjustment: Adjustment, game: GameState, texts: Catalogue, names: Sequence[str], names_then: Sequence[str]
) -> str:
    event, dealer = adjustment.event, _dealer_of(adjustment.hand, game)
    correction = adjustment_text(event.points, dealer, texts, names_then, sticks=event.sticks, honba=event.honba)
    return texts.text("adjust.line", by=by_text(event.by, names, texts), what=correction, reason=event.reason)


def _dealer_of(hand: int, game: GameState) -> Seat:
    """Returns the dealer of a finished hand, else of the one in play or the next; without one, the first dealer."""
    if hand < len(game.history):
        return game.history[hand].dealer
    start = game.present_start
    return game.first_dealer if start is None else start.dealer
