"""Settlements, the score sheet and the final result, in words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from table.rules.results import Deltas, ResultKind, Settlement, Win
from table.rules.seats import Seat
from table.rules.state import FinishedHand, GameState, HandState
from table.translations import Catalogue, seat_name

View = dict[str, Any]


def signed(points: int, plus: str = "+") -> str:
    """Points with thousands apart and a true minus sign; `plus` goes before positive ones."""
    sign = "−" if points < 0 else plus if points > 0 else ""
    return f"{sign}{abs(points):,}"


def proposal_view(hand: HandState | None, texts: Catalogue) -> View | None:
    """Returns the settlement that waits for people's confirmation, or None."""
    if hand is None or hand.proposal is None or not hand.is_live:
        return None
    return _settlement(hand.proposal, hand.dealer, texts)


def sheet_view(history: tuple[FinishedHand, ...], texts: Catalogue) -> list[View]:
    """Returns a row for each finished hand, oldest first."""
    rows = []
    for at, hand in enumerate(history):
        deltas = hand.settlement.deltas if hand.settlement else _difference(history, at)
        rows.append(
            {
                "round": repr(hand.round),
                "honba": hand.honba,
                "dealer": int(hand.dealer),
                "deltas": None if deltas is None else list(deltas),
                "delta_texts": ["" if deltas is None else signed(each) for each in deltas or (0, 0, 0, 0)],
                "scores": list(hand.scores),
                "score_texts": [signed(each, plus="") for each in hand.scores],
                "settled": None if hand.settlement is None else _settlement(hand.settlement, hand.dealer, texts),
            }
        )
    return rows


def _difference(history: tuple[FinishedHand, ...], at: int) -> Deltas | None:
    """What a hand without a settlement changed, as far as the hands around it tell."""
    for before, after in pairwise(history[max(0, at - 1) : at + 1]):
        near, right, far, left = (new - old for old, new in zip(before.scores, after.scores, strict=True))
        return near, right, far, left
    return None


def final_view(game: GameState, texts: Catalogue) -> list[View] | None:
    """Returns the seats from first to last place once the game has ended, else None."""
    if not game.is_over:
        return None
    return [
        {
            "seat": int(seat),
            "place": texts.text("page.place", place=place),
            "score_text": signed(game.scores[seat], plus=""),
        }
        for place, seat in enumerate(game.ranking, start=1)
    ]


def _settlement(settlement: Settlement, dealer: Seat, texts: Catalogue) -> View:
    return {
        "kind": settlement.kind.value,
        "title": _title(settlement, dealer, texts),
        "wins": [_win(win, dealer, texts) for win in settlement.wins],
        "deltas": list(settlement.deltas),
        "delta_texts": [signed(each) for each in settlement.deltas],
    }


def _title(settlement: Settlement, dealer: Seat, texts: Catalogue) -> str:
    if settlement.wins:
        return " · ".join(_win_title(win, dealer, texts) for win in settlement.wins)
    if settlement.kind is ResultKind.ABORT and settlement.reason is not None:
        return texts.text("result.abort", reason=texts.name("abort", settlement.reason.value))
    if settlement.reason is not None:
        return texts.text("result.draw_special", reason=texts.name("abort", settlement.reason.value))
    if settlement.tenpai:
        seats = ", ".join(seat_name(seat, dealer, texts) for seat in settlement.tenpai)
        return texts.text("result.draw_tenpai", seats=seats)
    return texts.text("result.draw")


def _win_title(win: Win, dealer: Seat, texts: Catalogue) -> str:
    winner = seat_name(win.seat, dealer, texts)
    if win.is_tsumo:
        return texts.text("result.tsumo", winner=winner)
    return texts.text("result.ron", winner=winner, loser=seat_name(win.from_seat, dealer, texts))


def _win(win: Win, dealer: Seat, texts: Catalogue) -> View:
    return {
        "seat": int(win.seat),
        "title": _win_title(win, dealer, texts),
        "value": _value(win, texts),
        "points": texts.text("result.points", points=signed(win.points, plus="")),
        "yaku": [texts.text("result.yaku", name=texts.name("yaku", name), han=han) for name, han in win.yaku],
    }


def _value(win: Win, texts: Catalogue) -> str:
    if win.yakuman > 1:
        return texts.text("result.yakumans", count=win.yakuman)
    if win.yakuman == 1:
        return texts.text("result.yakuman")
    if win.fu is None:
        return texts.text("result.han", han=win.han)
    return texts.text("result.han_fu", han=win.han, fu=win.fu)
