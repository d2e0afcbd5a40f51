"""Settles a hand by the result that people declare, or raises an error if the hand cannot have ended that way.

Nothing was seen, so only the declaration is checked: whether its parts are consistent, and whether the rule set allows
them. An abort is accepted as declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandValue, value_of, yakuman_han, yakuman_payments
from table.rules.scoring.payments import Stakes, ValuedWin, settle_abort, settle_draw, settle_wins
from table.rules.scoring.possible_counts import ANY_FU, LIMIT_HAN, check_count
from table.rules.terms.amounts import amount
from table.rules.terms.results import (
    ABORTS,
    STICK,
    AbortReason,
    DeclaredResult,
    DeclaredWin,
    Deltas,
    ResultKind,
    Settlement,
)
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.seats import Seat
from table.rules.terms.yaku import DORA


def settlement_of(
    result: DeclaredResult, stakes: Stakes, scores: Deltas, ruleset: Ruleset, may_be_noten: Sequence[Seat]
) -> Settlement:
    """Returns the payments of a declared result.

    Args:
        result: how the hand ended.
        stakes: the points at stake, with the sticks of `result.riichi`.
        scores: the most points that each seat may have had as it declared riichi.
        ruleset: determines the payments and the possible results.
        may_be_noten: seats that may be noten in riichi, since a logged foul says what follows.

    Raises:
        ImpossibleEventError: if the hand cannot have ended that way; the message gives the reason.
    """
    try:
        _check_parts(result)
        _check_riichi(result, scores, ruleset)
        if result.kind is ResultKind.DRAW:
            return _settle_draw(result, stakes, ruleset, may_be_noten)
        if result.kind is ResultKind.ABORT:
            return settle_abort(stakes, _abort_reason(result), ruleset)
        return settle_wins(stakes, [_valued_win(win, result, stakes, ruleset) for win in result.wins], ruleset)
    except InvalidValueError as error:
        raise ImpossibleEventError(str(error), says=error.says, **error.values) from error


def _check_parts(result: DeclaredResult) -> None:
    """Checks that there are wins only in a ron or tsumo, tenpai only at a draw, a reason only at an abort."""
    has_winner = result.kind in (ResultKind.RON, ResultKind.TSUMO)
    sentence = "no_winner" if has_winner else "wins_only"
    _expect(
        has_winner == bool(result.wins), f"wins in a ron or tsumo and only there, got {len(result.wins)}", says=sentence
    )
    has_reason = result.kind is not ResultKind.ABORT or result.reason is not None
    _expect(has_reason, "the reason of the abort, got none", says="no_abort")
    at_draw = result.kind is ResultKind.DRAW
    _expect(
        at_draw or not (result.tenpai or result.nagashi), "tenpai and nagashi mangan at a draw only", says="draw_only"
    )
    for seats in (result.tenpai, result.nagashi, result.riichi, [win.seat for win in result.wins]):
        _expect(len(set(seats)) == len(seats), f"each seat once, got {_seats_text(seats)}", says="seat_twice")
    for win in result.wins:
        is_tsumo = win.seat is win.from_seat
        is_matching = is_tsumo == (result.kind is ResultKind.TSUMO)
        _expect(is_matching, "a ron from another seat, a tsumo from oneself", says="own_ron")


def _check_riichi(result: DeclaredResult, scores: Deltas, ruleset: Ruleset) -> None:
    for seat in result.riichi:
        has_points = scores[seat] >= STICK or ruleset.riichi_below_1000
        expected = f"{STICK} points for riichi, got {scores[seat]} of seat {int(seat)}"
        _expect(has_points, expected, says="riichi_points", points=STICK)


def _valued_win(win: DeclaredWin, result: DeclaredResult, stakes: Stakes, ruleset: Ruleset) -> ValuedWin:
    is_tsumo, is_dealer = win.seat is win.from_seat, win.seat is stakes.dealer
    _check_pao(win, ruleset)
    _expect(win.chips is None or ruleset.chips.are_played, f"rules with chips, got {ruleset.name!r}", says="no_chips")
    if win.yakuman:
        _check_yakuman(win, ruleset)
        value = HandValue(
            han=None,
            fu=None,
            yaku=_with_pao(win, ruleset),
            yakuman=win.yakuman,
            payments=yakuman_payments(win.yakuman, is_tsumo=is_tsumo, is_dealer=is_dealer),
        )
        return ValuedWin(seat=win.seat, from_seat=win.from_seat, value=value, pao=win.pao, chips=win.chips)
    han, fu = _han_and_fu(win, is_tsumo=is_tsumo, in_riichi=win.seat in result.riichi)
    needed, yaku_han = ruleset.han_needed(stakes.honba), han - sum(count for name, count in win.yaku if name in DORA)
    expected = f"{needed} han of yaku at least with {amount(stakes.honba, 'counter')}, got {yaku_han}"
    _expect(yaku_han >= needed, expected, says="han_needed", han=needed)
    counted_value = value_of(han=han, fu=fu, is_tsumo=is_tsumo, is_dealer=is_dealer, ruleset=ruleset)
    value = HandValue(han=han, fu=win.fu, yaku=win.yaku, payments=counted_value.payments)
    return ValuedWin(seat=win.seat, from_seat=win.from_seat, value=value, chips=win.chips)


def _han_and_fu(win: DeclaredWin, *, is_tsumo: bool, in_riichi: bool) -> tuple[int, int]:
    """Returns the han and fu of a win, after checking that a hand can have them."""
    han, fu = win.han or 0, win.fu
    _expect(
        not (in_riichi and is_tsumo and han < 2),
        "two han at least for riichi and tsumo, got 1",
        says="riichi_tsumo",
    )
    _expect(han >= LIMIT_HAN or fu is not None, f"fu beside {han} han, got none", says="no_fu", han=han)
    check_count(han, fu, is_tsumo=is_tsumo)
    return han, ANY_FU if fu is None else fu


def _check_yakuman(win: DeclaredWin, ruleset: Ruleset) -> None:
    limit = ruleset.most_yakuman
    can_count = limit is None or win.yakuman <= limit
    _expect(can_count, f"{limit} yakuman at most, got {win.yakuman}", says="most_yakuman", count=limit)


def _check_pao(win: DeclaredWin, ruleset: Ruleset) -> None:
    _expect(not win.pao or win.yakuman >= len(win.pao), "a yakuman for each liability", says="pao_yakuman")
    for name, liable in win.pao:
        _expect(name in ruleset.pao_yakuman, f"rules with liability for {name}, got {ruleset.name!r}", says="pao_rules")
        _expect(liable is not win.seat, f"another seat than the winner liable, got {int(liable)}", says="pao_self")


def _with_pao(win: DeclaredWin, ruleset: Ruleset) -> tuple[tuple[str, int], ...]:
    """Returns the yaku, including the yakuman with liable seats."""
    named_yaku = {name for name, _ in win.yaku}
    return (*win.yaku, *((name, yakuman_han(name, ruleset)) for name, _ in win.pao if name not in named_yaku))


def _settle_draw(result: DeclaredResult, stakes: Stakes, ruleset: Ruleset, may_be_noten: Sequence[Seat]) -> Settlement:
    noten = [seat for seat in result.riichi if seat not in (*result.tenpai, *may_be_noten)]
    expected = f"seats in riichi among the tenpai ones, got {_seats_text(noten)} without: noten riichi is a foul"
    _expect(not noten, expected, says="noten_riichi")
    has_nagashi = ruleset.nagashi_mangan or not result.nagashi
    _expect(has_nagashi, f"rules with nagashi mangan, got {ruleset.name!r}", says="no_nagashi")
    return settle_draw(stakes, result.tenpai, result.nagashi, ruleset)


def _abort_reason(result: DeclaredResult) -> AbortReason:
    """Returns the abort that people declared and agreed on, even if the rule set does not have it."""
    reason = result.reason
    if reason not in ABORTS:
        reason_text = reason and reason.value
        raise InvalidValueError(
            f"expected an abort of the rules, got {reason_text}: penalties end hands by a foul", says="foul_abort"
        )
    is_short = reason is AbortReason.FOUR_RIICHI and len(result.riichi) < 4
    _expect(not is_short, f"four seats in riichi, got {len(result.riichi)}", says="four_riichi")
    is_riichi = reason is AbortReason.NINE_TERMINALS and len(result.riichi) == 4
    _expect(not is_riichi, "nine terminals of a seat not in riichi, got four in riichi", says="nine_in_riichi")
    return reason


def _expect(condition: bool, expected: str, *, says: str, **values: object) -> None:
    if not condition:
        raise InvalidValueError(f"expected {expected}", says=says, **values)


def _seats_text(seats: Iterable[Seat]) -> str:
    return ", ".join(f"seat {int(seat)}" for seat in seats)
