"""The facts for which the end of a hand waits, in words, and how people answer with the sheet for entering by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.dashboard.scores.score_text import value_text, yaku_texts
from table.dashboard.web.view import View
from table.game.commands.unseen_draw import is_unseen
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue, running_text, seat_name
from table.rules.aspects.winning.unseen_worth import unseen_worth
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, FactKind, GameState, HandState, MissingFact

_QUESTIONS: Final = (FactKind.NAGASHI, FactKind.UNSEEN)
"""Facts that the table asks about: a confirmation means no, and the sheet by hand says yes."""
_BY_HAND: Final = (FactKind.TENPAI, FactKind.LIABLE)
"""Facts that can only be entered on the sheet by hand."""
_INDICATORS: Final = (FactKind.DORA, FactKind.URA)
_ON_TABLE: Final = (*_INDICATORS, FactKind.HAND, FactKind.YAKU, FactKind.WINNING_TILE, FactKind.STICK)
"""Facts that the camera reads from the table, unless it sees nothing."""


def missing_text(
    fact: MissingFact, hand: HandState, ruleset: Ruleset, texts: Catalogue, names: Sequence[str] = NOBODY
) -> str:
    """Returns in words a fact that a hand's settlement is waiting for."""
    if fact.kind is FactKind.DORA and not hand.dora_indicators:
        return texts.text("missing.first_dora")
    if fact.seat is None:
        return texts.text(f"missing.{fact.kind}")
    values = {"seat": seat_name(fact.seat, hand.dealer, texts, names)}
    if fact.kind is FactKind.UNSEEN:
        values["what"] = texts.list_text(texts.text(f"page.{tick}") for tick in unseen_worth(hand, fact.seat, ruleset))
    return texts.text(f"missing.{fact.kind}", **values)


def by_hand_view(hand: HandState, game: GameState, texts: Catalogue, *, is_blind: bool) -> View | None:
    """Returns the initial content of the sheet by hand that asks for what is missing; None if it need not be opened.

    Indicators and hands that the camera can still see are laid on the table.

    Args:
        hand: the hand, with the facts that a confirmation would find missing.
        game: the game, whose hand has the facts that people were asked for already.
        texts: the language.
        is_blind: whether the camera sees nothing now.
    """
    is_seen = not is_unseen(hand, is_blind=is_blind)
    if not _kinds(hand) & {*_BY_HAND, FactKind.DECLARATION, *_QUESTIONS, *(() if is_seen else _ON_TABLE)}:
        return None
    earlier_questions = () if game.live is None else game.live.missing
    sheet = _wins_view(hand, texts) if hand.claims else {"kind": "draw"}
    return sheet | {"hint": _hint(hand, earlier_questions, texts)}


def again_text(hand: HandState, game: GameState, texts: Catalogue) -> str:
    """Returns what another confirmation does, once one was answered by what lies missing; else an empty text.

    Takes the same as `by_hand_view`.
    """
    asked = () if game.live is None else game.live.missing
    if not hand.missing or hand.proposal is None or not set(hand.missing) <= set(asked) or _kinds(hand) - {*_ON_TABLE}:
        return ""
    return texts.text("page.lay_or_again", confirm=texts.text("page.confirm"))


def declarations_view(hand: HandState, texts: Catalogue, names: Sequence[str]) -> list[View]:
    """Returns each riichi whose tile may be the one won on, with its question and the words for both answers."""
    questions = [fact for fact in hand.missing if fact.kind is FactKind.DECLARATION]
    seats = [fact.seat for fact in questions if fact.seat is not None]
    return [
        {
            "seat": int(seat),
            "asked": texts.text("page.riichi_tile", seat=seat_name(seat, hand.dealer, texts, names)),
            "yes": texts.text("page.on_riichi_tile"),
            "no": texts.text("page.on_later_tile"),
        }
        for seat in seats
    ]


def _kinds(hand: HandState) -> set[FactKind]:
    """Returns the kinds of the missing facts, of whichever seat."""
    return {fact.kind for fact in hand.missing}


def _hint(hand: HandState, earlier_questions: Sequence[MissingFact], texts: Catalogue) -> str:
    """Returns what to tap for yes, and for no if a confirmation can settle the hand, or to enter unseen indicators."""
    names = {key: texts.text(f"page.{key}") for key in ("by_hand", "by_tiles", "confirm")}
    if not {*_BY_HAND, *_QUESTIONS} & _kinds(hand):
        return texts.text("page.enter_by_tiles", **names) if {*_INDICATORS} & _kinds(hand) else ""
    if hand.proposal is None:
        return texts.text("page.enter_by_hand", **names)
    yes = "if_so_by_tiles" if hand.claims else "if_so"
    no = "if_not_again" if set(hand.missing) <= set(earlier_questions) else "if_not"
    return running_text(texts.text(f"page.{key}", **names) for key in (yes, no))


def _wins_view(hand: HandState, texts: Catalogue) -> View:
    """Returns the winners, the discarder if known, and the values counted so far, as the sheet keeps them."""
    values = {str(int(claim.seat)): _value(claim, hand, texts) for claim in hand.claims}
    source = hand.claims[0].from_seat
    return {
        "kind": "win",
        "winners": [int(claim.seat) for claim in hand.claims],
        "from": None if source is None else int(source),
        "values": {seat: value for seat, value in values.items() if value is not None},
    }


def _value(claim: Claim, hand: HandState, texts: Catalogue) -> View | None:
    """Returns the value of a win, by its shown hand, else as people counted it; None if neither is known."""
    value = hand.values[claim.seat]
    if value is None:
        return None if claim.han is None else {"han": claim.han, **({} if claim.fu is None else {"fu": claim.fu})}
    worth = {"yakuman": value.yakuman} if value.yakuman else {"han": value.han, "fu": value.fu}
    title = value_text(value.han, value.fu, value.yakuman, texts)
    text = texts.labelled(title, texts.list_text(yaku_texts(value.yaku, texts)))
    return {**worth, "yaku": [list(yaku) for yaku in value.yaku], "said": text}
