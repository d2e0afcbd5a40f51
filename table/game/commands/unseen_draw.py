"""A draw where nobody saw who was tenpai: people say so before anything is settled."""

from __future__ import annotations

from table.game.commands.game_commands import Confirm, HandPress
from table.rules.aspects.exhaustive_draw import is_tenpai_unstated
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.transitions.hand_end import preview_settlement
from table.runtime.table_errors import PressError


def is_unseen(hand: HandState, *, is_blind: bool) -> bool:
    """Whether the camera sees nothing, or has seen no discard since play may have gone unseen."""
    return hand.is_behind or is_blind


def is_tenpai_unknown(game: GameState, ruleset: Ruleset, *, is_blind: bool) -> bool:
    """Whether the hand ends in a draw that went unseen, and people have not said yet who was tenpai.

    `is_blind` says whether the camera sees nothing now.
    """
    hand = game.live
    if hand is None or not is_unseen(hand, is_blind=is_blind) or not is_tenpai_unstated(hand):
        return False
    hand_at_end = preview_settlement(game, ruleset)
    return hand_at_end is None or hand_at_end.proposal is None or hand_at_end.proposal.penalty is None


def check_tenpai_known(press: HandPress, game: GameState, ruleset: Ruleset, *, is_blind: bool) -> None:
    """Refuses to confirm a draw while nobody knows who was tenpai.

    Raises:
        PressError: people must first say who was tenpai.
    """
    if isinstance(press, Confirm) and is_tenpai_unknown(game, ruleset, is_blind=is_blind):
        raise PressError(
            f"expected who was tenpai before {press.word!r}, got a draw that went unseen", says="draw_unseen"
        )
