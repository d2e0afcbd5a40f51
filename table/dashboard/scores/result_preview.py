"""Previews of declared results: the payments, the game afterwards, and the present result of a finished hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.dashboard.scores.later_hands import consequences_view, lost_hand_in_play
from table.dashboard.scores.payment_arrows import (
    NO_EARLIER_PAYMENTS,
    EarlierPayments,
    earlier_payments_of,
    payment_arrows,
)
from table.dashboard.scores.scorekeeping import rules_mark
from table.dashboard.web.view import View
from table.game.commands.game_commands import DeclareResult, EditResult
from table.game.journal.fold import FoldedGame
from table.game.journal.history.kept_hands import numbers_after
from table.game.snapshot import Snapshot
from table.i18n import Catalogue, payments_text, round_name, seat_name, signed
from table.records.score_sheet import is_sticks_alone, points_at_end
from table.rules.foul_totals import in_force
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import is_bust
from table.rules.scoring.hand_value import YAKU, YAKUMAN_HAN, HandValue, value_of, yakuman_payments
from table.rules.state import FinishedHand, GameState, LoggedFoul
from table.rules.terms.results import NOTHING, Deltas, ResultKind, Settlement, Win, add
from table.rules.terms.seats import SEATS, Seat, four

FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
LIMITS: Final = (("mangan", 5), ("haneman", 6), ("baiman", 8), ("sanbaiman", 11))
"""The limits, with the least han of each; whether thirteen han are a sanbaiman or a yakuman depends on the rules."""
MOST_YAKUMAN: Final = 4
"""The most yakuman offered for one hand where they add up."""


def values_view(ruleset: Ruleset, texts: Catalogue) -> View:
    """Returns the payments for each han and fu, for dealer and others, by ron and tsumo, with a name for the rules."""
    grids = {
        f"{who}_{how}": _grid(ruleset, texts, is_dealer=who == "dealer", is_tsumo=how == "tsumo")
        for who in ("dealer", "other")
        for how in ("ron", "tsumo")
    }
    return {"rules": rules_mark(ruleset), **grids}


def _grid(ruleset: Ruleset, texts: Catalogue, *, is_dealer: bool, is_tsumo: bool) -> View:
    def payment(han: int, fu: int) -> str:
        value = value_of(han=han, fu=fu, is_tsumo=is_tsumo, is_dealer=is_dealer, ruleset=ruleset)
        return win_payment_text(value, texts)

    yakuman = yakuman_payments(1, is_tsumo=is_tsumo, is_dealer=is_dealer)
    limits = [{"han": han, "name": texts.text(f"limit.{name}"), "text": payment(han, 30)} for name, han in LIMITS]
    whole = HandValue(han=None, fu=None, yakuman=1, payments=yakuman)
    return {
        "fu": list(FU),
        "cells": [[payment(han, fu) if _is_possible(han, fu, is_tsumo) else "" for fu in FU] for han in range(1, 5)],
        "limits": limits,
        "counted": payment(YAKUMAN_HAN, 30),
        "yakuman": {
            "name": texts.text("result.yakuman"),
            "text": win_payment_text(whole, texts),
            "most": ruleset.most_yakuman or MOST_YAKUMAN,
        },
    }


def _is_possible(han: int, fu: int, is_tsumo: bool) -> bool:
    if fu == 20:
        return is_tsumo and han >= 2
    if fu == 25:
        return han >= (3 if is_tsumo else 2)
    return fu < 110 or not is_tsumo or han >= 2


def win_payment_text(value: HandValue, texts: Catalogue) -> str:
    """Returns a win's payments as announced: `3,900`, `1,000/2,000`, `2,000 all`."""
    payments = value.payments
    if payments.ron:
        return signed(payments.ron, plus="")
    others = signed(payments.from_others, plus="")
    if payments.from_dealer:
        return f"{others}/{signed(payments.from_dealer, plus='')}"
    return texts.text("result.all", points=others)


def outcome_view(
    command: DeclareResult | EditResult,
    outcome: FoldedGame,
    snapshot: Snapshot,
    texts: Catalogue,
) -> View:
    """Returns the payments of a declared result, the scores afterwards, and how the game would continue.

    For the hand in play, they are the payments still to be made: those that change the points shown at the table. An
    edit of an earlier hand also says what becomes of later ones.

    Args:
        command: the result, or the edit of an earlier one.
        outcome: the game after it.
        snapshot: the table before it.
        texts: the page's language.
    """
    before, after, names, ruleset = snapshot.game, outcome.state, snapshot.names, snapshot.ruleset
    hand = after.history[command.hand]
    settlement = hand.settlement
    earlier_payments = earlier_payments_of(before.live) if isinstance(command, DeclareResult) else NO_EARLIER_PAYMENTS
    deltas = NOTHING if settlement is None else left_to_pay(settlement, earlier_payments)
    numbers = numbers_after(snapshot.hand_ends, outcome.hand_ends)
    is_edit = isinstance(command, EditResult)
    lost_hands = numbers.count(None) + (is_edit and lost_hand_in_play(before, after) is not None)
    return {
        "flows": []
        if settlement is None
        else arrows_view(settlement, hand.riichi, hand.honba, ruleset, hand.fouls, earlier_payments=earlier_payments),
        "deltas": list(deltas),
        "delta_texts": [signed(delta) for delta in deltas] if settlement else [""] * 4,
        "score_texts": [signed(score, plus="") for score in after.scores],
        **moved_chips_view(None if settlement is None else settlement.chips, texts),
        "notes": []
        if settlement is None
        else [
            *_notes(command, settlement, after, texts, names),
            *earlier_payment_notes(earlier_payments, hand.dealer, texts, names),
        ],
        "next": next_text(after, ruleset, texts, names),
        "lost": texts.text("page.lost", count=lost_hands) if lost_hands else "",
        **({"later": _later(command.hand, snapshot, after, numbers, texts)} if is_edit else {}),
    }


def _later(edited: int, snapshot: Snapshot, after: GameState, numbers: Sequence[int | None], texts: Catalogue) -> View:
    """Returns what else the edit of a hand changes; seats without a name have that hand's winds.

    `numbers` are those that the finished hands have afterwards.
    """
    people = [seat_name(seat, snapshot.game.history[edited].dealer, texts, snapshot.names) for seat in SEATS]
    return consequences_view(snapshot.game, after, texts, people, numbers=numbers, first=edited + 1)


def left_to_pay(settlement: Settlement, earlier_payments: EarlierPayments) -> Deltas:
    """Returns the points by seat that a settlement still moves, after what was paid before."""
    return add(settlement.deltas, four(-points for points in earlier_payments.deltas))


def earlier_payment_notes(
    earlier_payments: EarlierPayments, dealer: Seat, texts: Catalogue, names: Sequence[str]
) -> list[str]:
    """Returns what the payments leave out because it was paid during the hand; nothing if all is left to pay."""
    if not any(earlier_payments.deltas):
        return []
    return [texts.text("page.paid_before", payments=payments_text(earlier_payments.deltas, dealer, texts, names))]


def arrows_view(
    settlement: Settlement,
    riichi: tuple[Seat, ...],
    honba: int,
    ruleset: Ruleset,
    fouls: tuple[LoggedFoul, ...],
    *,
    earlier_payments: EarlierPayments = NO_EARLIER_PAYMENTS,
) -> list[View]:
    """Returns who still pays whom, for arrows.

    Args:
        settlement: all payments.
        riichi: the seats with a valid riichi.
        honba: the counters.
        ruleset: the value of a counter.
        fouls: the hand's fouls.
        earlier_payments: what was paid before.
    """
    counter = ruleset.counter_value(is_tsumo=settlement.kind is ResultKind.TSUMO)
    return [
        {
            "from": None if arrow.payer is None else int(arrow.payer),
            "to": None if arrow.to is None else int(arrow.to),
            "text": signed(arrow.points, plus=""),
        }
        for arrow in payment_arrows(settlement, riichi, honba * counter, fouls, earlier_payments)
    ]


def moved_chips_view(chips: Deltas | None, texts: Catalogue) -> View:
    """Returns the chips that each seat gains or pays, as numbers and in words; nothing if none move."""
    if chips is None or not any(chips):
        return {}
    return {
        "chips": list(chips),
        "chip_texts": [texts.text("result.chips", count=signed(each)) if each else "" for each in chips],
    }


def _notes(
    command: DeclareResult | EditResult,
    settlement: Settlement,
    after: GameState,
    texts: Catalogue,
    names: Sequence[str],
) -> list[str]:
    """Returns what people would not expect of a result: a win that the rules drop, chips, sticks left at the end."""
    dealer = after.history[command.hand].dealer
    winners = {win.seat for win in settlement.wins}
    dropped = [win.seat for win in command.result.wins if win.seat not in winners]
    notes = []
    if winners and dropped:
        seats = texts.list_text(seat_name(seat, dealer, texts, names) for seat in dropped)
        notes.append(texts.text("page.head_bump", seats=seats))
    voided = voided_chombo_notes(settlement, after.history[command.hand].fouls, dealer, texts, names)
    extra_notes = chips_text(settlement.chips, dealer, texts, names), leftover_text(after, texts, names)
    return [*notes, *voided, *filter(None, extra_notes)]


def voided_chombo_notes(
    settlement: Settlement, fouls: Sequence[LoggedFoul], dealer: Seat, texts: Catalogue, names: Sequence[str]
) -> list[str]:
    """Returns whose foul would have ended the hand, but costs nothing beside the valid win."""
    ended = (foul for foul in in_force(fouls) if foul.consequence.now.ending is not None and not foul.is_late)
    seats = list(dict.fromkeys(foul.seat for foul in ended if foul.outcome.is_empty)) if settlement.wins else []
    return [texts.labelled(seat_name(seat, dealer, texts, names), texts.text("follows.beside_void")) for seat in seats]


def chips_text(chips: Deltas | None, dealer: Seat, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns who gets and who gives how many chips; empty if none move."""
    if chips is None or not any(chips):
        return ""
    return texts.text("page.chips_moved", payments=payments_text(chips, dealer, texts, names))


def leftover_text(game: GameState, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns who took the sticks that lay on the table at the end of a game; empty if nobody did."""
    return end_text(game, texts, names) if is_sticks_alone(game) else ""


def end_text(game: GameState, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns whose points the end of a game changed, by sticks left on the table and late penalties; empty if none."""
    points = points_at_end(game)
    if points is None:
        return ""
    dealer = game.history[-1].dealer if game.history else game.first_dealer
    key = "page.left_sticks" if is_sticks_alone(game) else "page.moved_at_end"
    return texts.text(key, payments=payments_text(points, dealer, texts, names))


def is_last_hand(game: GameState) -> bool:
    """Returns whether the hand in play, or the next one, is the last since time was called."""
    return game.hands_left is not None and game.hands_left <= 1


def next_text(after: GameState, ruleset: Ruleset, texts: Catalogue, names: Sequence[str]) -> str:
    """Returns which hand comes next, or why none does; empty while one is played."""
    start = after.next_start
    if start is None and after.is_over and after.history:
        last = after.history[-1]
        bust = [seat_name(seat, last.dealer, texts, names) for seat in SEATS if is_bust(last.scores[seat], ruleset)]
        if bust:
            return texts.text("follows.bust", seat=texts.list_text(bust))
    if start is None:
        return texts.text("page.game_over") if after.is_over else ""
    key = "page.next_hand_last" if is_last_hand(after) else "page.next_hand"
    return texts.text(key, round=round_name(start.round, texts), honba=start.honba)


def declared_hand_view(hand: FinishedHand) -> View | None:
    """Returns a finished hand in the form that `read_result` reads, to start an edit; None without a settlement."""
    settlement = hand.settlement
    if settlement is None:
        return None
    reason = settlement.reason
    return {
        "kind": settlement.kind.value,
        "wins": [
            {
                "seat": int(win.seat),
                "from": int(win.from_seat),
                "han": win.han,
                "fu": win.fu,
                "yakuman": win.yakuman,
                "yaku": [[name, han] for name, han in win.yaku if name in YAKU],
                **_liable(win, hand),
                **_chips_each(win, settlement),
            }
            for win in settlement.wins
        ],
        "reason": reason.value if reason is not None and settlement.kind.value == "abort" else None,
        "tenpai": [int(seat) for seat in settlement.tenpai],
        "nagashi": [int(seat) for seat in hand.nagashi],
        "riichi": [int(seat) for seat in hand.riichi],
    }


def _liable(win: Win, hand: FinishedHand) -> View:
    """Returns the liable seat of each yakuman of a win; nothing if nobody is liable."""
    pao = {liability.yakuman: int(liability.liable) for liability in hand.pao if liability.winner is win.seat}
    return {"pao": pao} if pao else {}


def _chips_each(win: Win, settlement: Settlement) -> View:
    """Returns the chips that each payer gave a winner; nothing if the hand moved none."""
    if settlement.chips is None or not any(settlement.chips):
        return {}
    chips = settlement.chips[win.seat]
    return {"chips": chips // 3 if win.is_tsumo else chips}
