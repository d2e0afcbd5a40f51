"""What the end of a hand waits for, in words, and what the sheet by hand begins with to answer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue, seat_name
from table.rules.state import GameState, HandState

TENPAI: Final = "tenpai"
"""The fact that only people know at a draw that went unseen: who was tenpai."""
_QUESTIONS: Final = ("nagashi",)
"""Facts that the table asks about: a confirmation means no, and the sheet by hand says yes."""


def missing_text(what: str, hand: HandState, texts: Catalogue, names: Sequence[str] = NOBODY) -> str:
    """Returns in words what a hand's settlement is waiting for: `hand 2`, `ura 1`, `stick 0`, `dora`, `tenpai`."""
    kind, _, seat = what.partition(" ")
    if kind == "dora" and not hand.dora_indicators:
        kind = "first_dora"
    return texts.text(f"missing.{kind}", seat=seat_name(int(seat), hand.dealer, texts, names) if seat else "")


def by_hand_view(hand: HandState, game: GameState, texts: Catalogue) -> View | None:
    """Returns how to answer what is missing with the sheet by hand; None if there is nothing to answer there.

    Args:
        hand: the hand with the facts that a confirmation would miss.
        game: the game, whose hand has the facts that people were asked for already.
        texts: the language.
    """
    if TENPAI in hand.missing:
        return {"kind": "draw", "hint": _hint("enter_by_hand", texts)}
    if not any(each.partition(" ")[0] in _QUESTIONS for each in hand.missing):
        return None
    asked = () if game.live is None else game.live.missing
    return {"kind": "draw", "hint": _hint("if_so_again" if set(hand.missing) <= set(asked) else "if_so", texts)}


def _hint(key: str, texts: Catalogue) -> str:
    return texts.text(f"page.{key}", by_hand=texts.text("page.by_hand"), confirm=texts.text("page.confirm"))
