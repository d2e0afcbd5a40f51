"""Computes the payments for wins, draws and aborts, who takes honba and sticks, and who deals next.

Deltas already include the cost of each riichi accepted in this hand, 1000, as do the sticks on the table. So the sum of
points is constant: sum(deltas) = 1000 x (sticks before the hand - sticks after it) + pot before - pot after.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass

from table.rules.ruleset import SMALLEST, Ruleset
from table.rules.scoring.hand_value import YAKUMAN_HAN, HandValue, Payments, yakuman_payments
from table.rules.terms.amounts import amount
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, Settlement, Win
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import SEATS, Seat, four


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The points at stake in addition to the hands' values."""

    dealer: Seat
    honba: int = 0
    deposits: int = 0
    """All sticks of 1000 on the table, including this hand's accepted riichi."""
    deposit_points: int = 0
    riichi: tuple[Seat, ...] = ()
    """Seats whose riichi was accepted in this hand."""

    def __post_init__(self) -> None:
        if self.deposits < len(self.riichi):
            raise InvalidValueError(f"expected a stick of each riichi among the deposits, got {self!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedWin:
    """A win with its value."""

    seat: Seat
    from_seat: Seat
    """The discarder; the winner at a tsumo."""
    value: HandValue
    pao: tuple[tuple[str, Seat], ...] = ()
    """Each yakuman with a liable seat: its name and that seat."""
    chips: int | None = None
    """Chips that each payer hands over, if people entered them."""

    @property
    def is_tsumo(self) -> bool:
        """Whether the winner drew the tile."""
        return self.seat == self.from_seat


def settle_wins(stakes: Stakes, wins: Sequence[ValuedWin], ruleset: Ruleset) -> Settlement:
    """Settles a tsumo, or the rons on one tile, in any order.

    With head bump only the first winner after the discarder is paid; three rons may abort the hand.

    Raises:
        InvalidValueError: for no win, a tsumo with another win, or rons from different seats.
    """
    _check_wins(wins)
    ordered_wins = sorted(wins, key=lambda win: (win.seat - win.from_seat) % 4)
    if is_triple_ron_abort(wins, ruleset):
        return settle_abort(stakes, AbortReason.TRIPLE_RON, ruleset)
    if ruleset.multiple_ron == "head_bump":
        ordered_wins = ordered_wins[:1]
    ledger = _Ledger(stakes)
    for place, win in enumerate(ordered_wins):
        honba = stakes.honba if place == 0 or ruleset.honba_on_multiple_ron == "each" else 0
        _pay_win(ledger, win, stakes.dealer, honba * ruleset.counter_value(is_tsumo=win.is_tsumo), ruleset)
    _hand_out_sticks(ledger, stakes, [win.seat for win in ordered_wins], ruleset)
    dealer_won = any(win.seat == stakes.dealer for win in ordered_wins)
    stays = dealer_won and ruleset.dealer_repeat != "never"
    return Settlement(
        kind=ResultKind.TSUMO if ordered_wins[0].is_tsumo else ResultKind.RON,
        deltas=ledger.deltas,
        wins=tuple(_result_of(win) for win in ordered_wins),
        dealer_stays=stays,
        honba=stakes.honba + 1 if stays else 0,
        chips=_chips(ordered_wins, ruleset),
    )


def is_triple_ron_abort(wins: Sized, ruleset: Ruleset) -> bool:
    """Whether the number of wins aborts the hand: three rons, where the rules say so."""
    return len(wins) == 3 and ruleset.triple_ron == "abort"


def settle_draw(stakes: Stakes, tenpai: Sequence[Seat], nagashi: Sequence[Seat], ruleset: Ruleset) -> Settlement:
    """Settles an exhaustive draw: noten payments, or nagashi mangan instead of them.

    Args:
        stakes: honba and sticks; both stay.
        tenpai: seats with tenpai hands.
        nagashi: seats whose whole river is terminals and honours, none of it called.
        ruleset: determines the payments.
    """
    ledger = _Ledger(stakes)
    nagashi_seats = tuple(nagashi) if ruleset.nagashi_mangan else ()
    for seat in nagashi_seats:
        _pay_nagashi(ledger, seat, stakes.dealer)
    if not nagashi_seats:
        _pay_noten(ledger, set(tenpai), ruleset.noten_payment)
    stays = ruleset.dealer_repeat == "win_or_tenpai" and stakes.dealer in tenpai
    return Settlement(
        kind=ResultKind.DRAW,
        deltas=ledger.deltas,
        reason=AbortReason.NAGASHI if nagashi_seats else None,
        tenpai=tuple(seat for seat in SEATS if seat in tenpai),
        deposits=stakes.deposits,
        deposit_points=stakes.deposit_points,
        dealer_stays=stays,
        honba=stakes.honba + 1,
        chips=no_chips(ruleset),
    )


def settle_abort(stakes: Stakes, reason: AbortReason, ruleset: Ruleset) -> Settlement:
    """Settles an abortive draw: nothing is paid, the sticks stay, and the honba increases by one (R67)."""
    return Settlement(
        kind=ResultKind.ABORT,
        deltas=_Ledger(stakes).deltas,
        reason=reason,
        deposits=stakes.deposits,
        deposit_points=stakes.deposit_points,
        dealer_stays=ruleset.abort_keeps_deal and ruleset.dealer_repeat != "never",
        honba=stakes.honba + 1,
        chips=no_chips(ruleset),
    )


def no_chips(ruleset: Ruleset) -> Deltas | None:
    """Returns the chips moved by a hand without a win: zeros, or None if the rules use no chips."""
    return _chips((), ruleset)


def _chips(wins: Sequence[ValuedWin], ruleset: Ruleset) -> Deltas | None:
    """Returns the chips moved by the wins, by seat: from the discarder, or from each other seat at a tsumo."""
    if not ruleset.chips.are_played:
        return None
    chips = [0, 0, 0, 0]
    for win in wins:
        count = win.chips if win.chips is not None else _chips_for(win.value, ruleset)
        for payer in SEATS:
            if payer != win.seat and (win.is_tsumo or payer == win.from_seat):
                chips[payer] -= count
                chips[win.seat] += count
    return four(chips)


def _chips_for(value: HandValue, ruleset: Ruleset) -> int:
    amounts, yaku = ruleset.chips, dict(value.yaku)
    if value.yakuman:
        return amounts.yakuman * value.yakuman
    luck = amounts.ippatsu * ("ippatsu" in yaku)
    return luck + amounts.ura * yaku.get("ura_dora", 0) + amounts.red * yaku.get("red_five", 0)


class _Ledger:
    """The points of one hand while they are being moved; each riichi of the hand is charged at the start."""

    def __init__(self, stakes: Stakes) -> None:
        self._points = [0, 0, 0, 0]
        for seat in stakes.riichi:
            self._points[seat] -= STICK

    def move(self, points: int, *, payer: Seat, to: Seat) -> None:
        """Moves points between seats."""
        self._points[payer] -= points
        self._points[to] += points

    def give(self, points: int, to: Seat) -> None:
        """Gives points from the table to a seat."""
        self._points[to] += points

    @property
    def deltas(self) -> Deltas:
        """The change of points by seat so far."""
        return four(self._points)


def _check_wins(wins: Sequence[ValuedWin]) -> None:
    if not wins:
        raise InvalidValueError("expected at least one win, got none", says="no_winner")
    if len(wins) > 1 and any(win.is_tsumo for win in wins):
        raise InvalidValueError(f"expected a tsumo alone, got {amount(len(wins), 'win')}", says="one_tsumo")
    if len({win.from_seat for win in wins}) > 1 or len({win.seat for win in wins}) < len(wins):
        raise InvalidValueError(
            f"expected rons of different seats from one discarder, got {_rons_text(wins)}", says="one_discarder"
        )


def _rons_text(wins: Sequence[ValuedWin]) -> str:
    return " and ".join(f"that of seat {int(win.seat)} from seat {int(win.from_seat)}" for win in wins)


def _result_of(win: ValuedWin) -> Win:
    value = win.value
    return Win(
        seat=win.seat,
        from_seat=win.from_seat,
        han=value.han,
        fu=value.fu,
        yaku=value.yaku,
        yakuman=value.yakuman,
        points=value.points,
    )


def _pay_win(ledger: _Ledger, win: ValuedWin, dealer: Seat, honba: int, ruleset: Ruleset) -> None:
    liable = _liable_seats(win, ruleset)
    if not liable:
        _pay_without_liability(ledger, win, win.value.payments, dealer, honba)
        return
    _pay_with_liability(ledger, win, liable, dealer, ruleset)
    honba_payer = win.from_seat if ruleset.pao_honba == "discarder" and not win.is_tsumo else liable[0][0]
    ledger.move(honba, payer=honba_payer, to=win.seat)


def _pay_without_liability(ledger: _Ledger, win: ValuedWin, payments: Payments, dealer: Seat, honba: int) -> None:
    if not win.is_tsumo:
        ledger.move(payments.ron + honba, payer=win.from_seat, to=win.seat)
        return
    for seat in SEATS:
        if seat != win.seat:
            points = payments.from_dealer if seat == dealer else payments.from_others
            ledger.move(points + honba // 3, payer=seat, to=win.seat)


def _liable_seats(win: ValuedWin, ruleset: Ruleset) -> list[tuple[Seat, int]]:
    """Returns each liable seat with its number of yakuman; a liable seat that is also the discarder is left out.

    If yakuman do not add up and seats are liable for more than the hand counts, only the largest count.
    """
    han_by_name = dict(win.value.yaku)
    liable = [
        (seat, han_by_name[name] // YAKUMAN_HAN)
        for name, seat in win.pao
        if name in han_by_name and name in ruleset.pao_yakuman and seat not in (win.from_seat, win.seat)
    ]
    if sum(count for _, count in liable) <= win.value.yakuman:
        return liable
    largest = max(count for _, count in liable)
    return [pair for pair in liable if pair[1] == largest]


def _pay_with_liability(
    ledger: _Ledger, win: ValuedWin, liable: list[tuple[Seat, int]], dealer: Seat, ruleset: Ruleset
) -> None:
    """Lets liable seats pay for their yakuman (half of it at a ron), and moves the rest as usual."""
    liable_count = sum(count for _, count in liable)
    covered_count = win.value.yakuman if ruleset.pao_scope == "whole" else min(liable_count, win.value.yakuman)
    points = yakuman_payments(covered_count, is_tsumo=win.is_tsumo, is_dealer=win.seat == dealer).total
    from_liable = points if win.is_tsumo else points // 2
    for seat, share in _split(from_liable, liable):
        ledger.move(share, payer=seat, to=win.seat)
    if not win.is_tsumo:
        ledger.move(points - from_liable, payer=win.from_seat, to=win.seat)
    if rest := win.value.yakuman - covered_count:
        payments = yakuman_payments(rest, is_tsumo=win.is_tsumo, is_dealer=win.seat == dealer)
        _pay_without_liability(ledger, win, payments, dealer, 0)


def _split(points: int, liable: list[tuple[Seat, int]]) -> list[tuple[Seat, int]]:
    """Splits points among liable seats by their yakuman, in sticks of 100; the first pays the remainder."""
    liable_count = sum(count for _, count in liable)
    shares = [(seat, points * count // liable_count // SMALLEST * SMALLEST) for seat, count in liable]
    (first, share), *others = shares
    return [(first, share + points - sum(percent for _, percent in shares)), *others]


def _hand_out_sticks(ledger: _Ledger, stakes: Stakes, winners: list[Seat], ruleset: Ruleset) -> None:
    own_sticks = [seat for seat in stakes.riichi if seat in winners]
    if len(winners) == 1 or ruleset.sticks_on_multiple_ron == "all_to_first":
        own_sticks = []
    for seat in own_sticks:
        ledger.give(STICK, to=seat)
    ledger.give(STICK * (stakes.deposits - len(own_sticks)) + stakes.deposit_points, to=winners[0])


def _pay_nagashi(ledger: _Ledger, seat: Seat, dealer: Seat) -> None:
    for payer in SEATS:
        if payer != seat:
            ledger.move(4000 if dealer in (payer, seat) else 2000, payer=payer, to=seat)


def _pay_noten(ledger: _Ledger, tenpai: set[Seat], payment: int) -> None:
    noten = [seat for seat in SEATS if seat not in tenpai]
    if not tenpai or not noten:
        return
    for payer in noten:
        for seat in tenpai:
            ledger.move(payment // (len(noten) * len(tenpai)), payer=payer, to=seat)
