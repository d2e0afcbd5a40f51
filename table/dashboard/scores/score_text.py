"""Settlements, the score sheet and the final result, in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from table.dashboard.scores.result_preview import (
    LIMITS,
    chips_text,
    declared_hand_view,
    leftover_text,
    moved_chips_view,
)
from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.game.journal.history.game_history import standings_of
from table.i18n import Catalogue, lasting_names, payments_text, running_text, seat_name, short_round, signed
from table.rules.foul_totals import in_force
from table.rules.penalties.consequence import after_uma, game_end_costs
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import YAKUMAN_HAN, HandValue
from table.rules.state import Adjustment, FinishedHand, GameState
from table.rules.terms.results import AbortReason, Deltas, ResultKind, Settlement, Win, add, subtract
from table.rules.terms.seats import Seat, seats_from

_LIMITS: Final = {han: name for name, han in LIMITS}


def sheet_view(
    history: tuple[FinishedHand, ...], texts: Catalogue, adjustments: Sequence[Adjustment] = ()
) -> list[View]:
    """Returns a row for each finished hand, oldest first; `adjustments`, which have rows of their own, are no part."""
    rows = []
    for index, hand in enumerate(history):
        deltas = hand.settlement.deltas if hand.settlement else _difference(history, index, adjustments)
        rows.append(
            {
                "round": short_round(hand.round, texts),
                "honba": hand.honba,
                "dealer": int(hand.dealer),
                **payments_view(deltas),
                "scores": list(hand.scores),
                "score_texts": [signed(score, plus="") for score in hand.scores],
                "told": declared_hand_view(hand),
                "settled": None if hand.settlement is None else _settlement_view(hand, hand.settlement, texts),
                **chips_view(None if hand.settlement is None else hand.settlement.chips),
                **_chip_texts(hand, texts),
                "fouls": _foul_payments(hand),
            }
        )
    return rows


def _chip_texts(hand: FinishedHand, texts: Catalogue) -> View:
    """Returns the chips of each seat in words; nothing if the hand moved none."""
    view = moved_chips_view(None if hand.settlement is None else hand.settlement.chips, texts)
    return {name: value for name, value in view.items() if name == "chip_texts"}


def _foul_payments(hand: FinishedHand) -> list[View]:
    """Returns what each foul added to the payments of a hand, with its offender; empty if a penalty ended the hand."""
    settlement = hand.settlement
    if settlement is None or settlement.penalty is not None:
        return []
    return [
        {"seat": int(foul.seat), **payments_view(foul.outcome.deltas)}
        for foul in in_force(hand.fouls)
        if any(foul.outcome.deltas)
    ]


def _difference(history: tuple[FinishedHand, ...], index: int, adjustments: Sequence[Adjustment]) -> Deltas | None:
    """Returns the change of scores in a hand without a settlement, as far as the hands around it show."""
    if not index:
        return None
    corrections = (adjustment.event.points for adjustment in adjustments if adjustment.hand == index)
    return subtract(history[index].scores, reduce(add, corrections, history[index - 1].scores))


def graph_view(game: GameState) -> list[list[int]]:
    """Returns the four scores before the first hand, if known, after each one, and at the end if it moved points."""
    if not game.history:
        return []
    after = [list(hand.scores) for hand in game.history]
    if game.is_over and game.scores != game.history[-1].scores:
        after.append(list(game.scores))
    first = game.history[0]
    if first.settlement is None:
        return after
    return [[score - delta for score, delta in zip(first.scores, first.settlement.deltas, strict=True)], *after]


def final_view(game: GameState, ruleset: Ruleset, texts: Catalogue) -> list[View] | None:
    """Returns the seats from first to last place with uma and oka; None before the game has ended."""
    if not game.is_over:
        return None
    standings = standings_of(game, ruleset, game.first_dealer)
    worth = standings.points
    return [
        {
            "seat": int(seat),
            "place": texts.text("page.place", place=standings.places[seat]),
            "score_text": score_text(game, seat, texts),
            "points": thousands(worth[seat]),
            "worth": " · ".join(worth_texts(game, ruleset, seat, worth[seat], texts)),
            **({} if (chips := game.chips) is None else {"chips": chips[seat]}),
        }
        for seat in game.ranking
    ]


def tie_text(game: GameState, ruleset: Ruleset, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns what the final points leave open: who took the last sticks, and how equal scores are placed."""
    is_tied = game.is_over and len(set(game.scores)) < len(game.scores)
    tie = texts.text(f"page.tie_{ruleset.ties}") if is_tied else ""
    return running_text((leftover_text(game, texts, lasting_names(names, texts)), tie))


def worth_texts(game: GameState, ruleset: Ruleset, seat: Seat, points: int, texts: Catalogue) -> list[str]:
    """Returns the parts of a seat's `points` besides its score: uma with oka, a bust bonus, penalties after uma."""
    bust = game.bust_bonus[seat] if game.bust_bonus else 0
    fines = after_uma([due for hand in game.history for due in hand.dues])[seat]
    uma = points - (game.scores[seat] - ruleset.zero_points) - bust - fines
    parts = {"page.uma_oka": uma, "page.bust_bonus": bust, "page.fined": fines}
    return [texts.text(key, points=thousands(part)) for key, part in parts.items() if part]


def thousands(points: int) -> str:
    """Returns points as in league tables: in thousands, with one decimal and a sign."""
    return f"{points / 1000:+.1f}".replace("-", "−")


def score_text(game: GameState, seat: Seat, texts: Catalogue) -> str:
    """Returns the seat's points, with its chips if the rules have chips."""
    points = signed(game.scores[seat], plus="")
    if (chips := game.chips) is None:
        return points
    return f"{points} · {texts.text('result.chips', count=signed(chips[seat]))}"


def chips_view(chips: Deltas | None) -> View:
    """Returns the chips that each seat gains or pays; nothing without chips."""
    return {} if chips is None else {"chips": list(chips)}


def payments_view(deltas: Deltas | None) -> View:
    """Returns what each seat gains or pays, as numbers and as texts; nothing if unknown."""
    return {
        "deltas": None if deltas is None else list(deltas),
        "delta_texts": ["" if deltas is None else signed(points) for points in deltas or (0, 0, 0, 0)],
    }


def win_title(seat: Seat, from_seat: Seat | None, dealer: Seat, texts: Catalogue, names: Sequence[str] = NOBODY) -> str:
    """Returns who wins, and from whom: for a tsumo, from oneself; None if that is not known yet."""
    winner = seat_name(seat, dealer, texts, names)
    if from_seat is None:
        return texts.text("result.ron_unseen", winner=winner)
    if seat == from_seat:
        return texts.text("result.tsumo", winner=winner)
    return texts.text("result.ron", winner=winner, loser=seat_name(from_seat, dealer, texts, names))


def value_text(han: int | None, fu: int | None, yakuman: int, texts: Catalogue) -> str:
    """Returns a hand's value as announced: people who give no fu mean a limit by its least han."""
    if yakuman > 1:
        return texts.text("result.yakumans", count=yakuman)
    if yakuman == 1 or han is None:
        return texts.text("result.yakuman")
    if fu is None and han in _LIMITS:
        return texts.text(f"limit.{_LIMITS[han]}")
    if fu is None:
        return texts.text("result.han", han=han)
    return texts.text("result.han_fu", han=han, fu=fu)


def points_text(points: int, texts: Catalogue) -> str:
    """Returns points with their unit."""
    return texts.text("result.points", points=signed(points, plus=""))


def worth_text(value: HandValue, texts: Catalogue) -> str:
    """Returns a hand's value as announced, and its points."""
    return f"{value_text(value.han, value.fu, value.yakuman, texts)} · {points_text(value.points, texts)}"


def yaku_texts(yaku: tuple[tuple[str, int], ...], texts: Catalogue) -> list[str]:
    """Returns each yaku with its han, a yakuman without."""
    names = [(texts.name("yaku", name), han) for name, han in yaku]
    return [name if han >= YAKUMAN_HAN else texts.text("result.yaku", name=name, han=han) for name, han in names]


def fu_texts(value: HandValue, texts: Catalogue) -> list[str]:
    """Returns the reason for each fu."""
    return [f"{texts.name('fu', reason)} {fu}" for reason, fu in value.fu_parts]


def _settlement_view(hand: FinishedHand, settlement: Settlement, texts: Catalogue) -> View:
    """Returns how a hand ended, without naming seats: winds change with each hand, and the columns show the seats."""
    is_void = settlement.penalty is not None and hand.fouls and not any(in_force(hand.fouls))
    title = texts.text("result.foul_cancelled") if is_void else settlement_title(settlement, texts)
    late = [
        texts.text(f"result.{name}", points=signed(points, plus=""))
        for name, cost in game_end_costs(hand.dues).items()
        for points in cost
        if points
    ]
    return {
        "kind": settlement.kind.value,
        "title": " · ".join(filter(None, (title, *late, _chips_text(settlement, texts)))),
        "wins": [_win(win, texts) for win in settlement.wins],
    }


def _chips_text(settlement: Settlement, texts: Catalogue) -> str:
    """Returns the number of chips for the winners, if any."""
    won_chips = sum(count for count in settlement.chips or () if count > 0)
    return texts.text("result.chips", count=signed(won_chips)) if won_chips else ""


def settlement_title(settlement: Settlement, texts: Catalogue, dealer: Seat | None = None) -> str:
    """Returns how a hand ended.

    Args:
        settlement: how it was settled.
        texts: the language.
        dealer: the hand's dealer, to name the seats in tenpai by their winds; None to count them only.
    """
    if settlement.wins:
        return texts.text(f"result.by_{settlement.kind.value}")
    if settlement.kind is ResultKind.ABORT and settlement.reason is not None:
        return abort_title(settlement.reason, texts)
    if settlement.reason is not None:
        return texts.text("result.draw_special", reason=texts.name("abort", settlement.reason.value))
    if dealer is not None and settlement.tenpai:
        seats = (seat for seat in seats_from(dealer) if seat in settlement.tenpai)
        return texts.text("result.draw_tenpai", seats=texts.list_text(seat_name(seat, dealer, texts) for seat in seats))
    return texts.text("result.draw", count=len(settlement.tenpai))


def settled_text(
    settlement: Settlement,
    dealer: Seat,
    texts: Catalogue,
    names: Sequence[str],
    *,
    sticks: Sequence[int],
) -> str:
    """Returns how a hand ended, with the value of each win, and who receives and pays.

    `sticks` are the seats whose payments contain the riichi stick of this hand.
    """
    values = [value_text(win.han, win.fu, win.yakuman, texts) for win in settlement.wins]
    payments = payments_text(settlement.deltas, dealer, texts, names, sticks=sticks)
    chips = chips_text(settlement.chips, dealer, texts, names)
    result = " · ".join((settlement_title(settlement, texts), *values))
    return running_text((texts.text("said.settled", what=result, payments=payments), chips))


def abort_title(reason: AbortReason, texts: Catalogue) -> str:
    """Returns how a hand ended that an abortive draw or a penalty ended."""
    key = "result.penalty" if reason.is_penalty else "result.abort"
    return texts.text(key, reason=texts.name("abort", reason.value))


def _win(win: Win, texts: Catalogue) -> View:
    return {
        "seat": int(win.seat),
        "value": value_text(win.han, win.fu, win.yakuman, texts),
        "points": points_text(win.points, texts),
        "yaku": yaku_texts(win.yaku, texts),
    }
