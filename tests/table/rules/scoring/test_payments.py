from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandValue, value_of, yakuman_payments
from table.rules.scoring.payments import Stakes, ValuedWin, settle_abort, settle_draw, settle_wins
from table.rules.terms.results import AbortReason, ResultKind, Settlement
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import SEATS, Seat, seat_wind
from tests.table.rules.hands import value

HOME = Ruleset()
EAST, SOUTH, WEST, NORTH = SEATS


def ron(seat: Seat, from_seat: Seat, han: int = 1, fu: int = 30, dealer: Seat = EAST) -> ValuedWin:
    """A ron of that value."""
    worth = value_of(han=han, fu=fu, is_tsumo=False, is_dealer=seat == dealer, ruleset=HOME)
    return ValuedWin(seat=seat, from_seat=from_seat, value=worth)


def tsumo(seat: Seat, han: int = 1, fu: int = 30, dealer: Seat = EAST) -> ValuedWin:
    """A tsumo of that value."""
    worth = value_of(han=han, fu=fu, is_tsumo=True, is_dealer=seat == dealer, ruleset=HOME)
    return ValuedWin(seat=seat, from_seat=seat, value=worth)


def three_dragons(seat: Seat, from_seat: Seat, liable: Seat, *, also_honors: bool = False) -> ValuedWin:
    """Big three dragons of the dealer's left-hand neighbours' making, with somebody liable."""
    other_tiles = "3334z" if also_honors else "234m9s"
    facts: dict[str, Any] = {"is_tsumo": seat == from_seat, "seat_wind": seat_wind(seat, EAST)}
    worth = value(other_tiles, other_tiles[-2:], "555z,666z,777z", **facts)
    return ValuedWin(seat=seat, from_seat=from_seat, value=worth, pao=(("big_three_dragons", liable),))


def stakes(**fields: object) -> Stakes:
    """What is at stake in a hand that seat 0 deals."""
    return Stakes(dealer=EAST, **fields)  # type: ignore[arg-type]  # fields of Stakes


def assert_points_stay(before: Stakes, after: Settlement) -> None:
    """Points only move between seats and the table."""
    old_sticks = before.deposits - len(before.riichi)
    difference = 1000 * (old_sticks - after.deposits) + before.deposit_points - after.deposit_points
    assert sum(after.deltas) == difference


def test_a_ron_is_paid_by_the_discarder_with_counters_and_sticks() -> None:
    found = settle_wins(stakes(honba=2, deposits=2, riichi=(WEST,)), [ron(SOUTH, WEST)], HOME)
    assert found.deltas == (0, 1000 + 600 + 2000, -1000 - 600 - 1000, 0)
    assert (found.kind, found.deposits, found.dealer_stays, found.honba) == (ResultKind.RON, 0, False, 0)


def test_a_tsumo_is_paid_by_all_and_the_dealer_pays_twice() -> None:
    found = settle_wins(stakes(honba=1), [tsumo(WEST)], HOME)
    assert found.deltas == (-500 - 100, -300 - 100, 1100 + 300, -300 - 100)


def test_a_winning_dealer_stays_with_one_counter_more() -> None:
    found = settle_wins(stakes(honba=3), [tsumo(EAST)], HOME)
    assert (found.deltas, found.dealer_stays, found.honba) == ((1500 + 900, -800, -800, -800), True, 4)


def test_a_ronned_riichi_tile_costs_no_stick() -> None:
    assert settle_wins(stakes(), [ron(SOUTH, WEST)], HOME).deltas == (0, 1000, -1000, 0)


def test_of_several_rons_the_first_after_the_discarder_takes_counters_and_sticks() -> None:
    at = stakes(honba=1, deposits=3, riichi=(WEST, NORTH))
    found = settle_wins(at, [ron(NORTH, SOUTH), ron(WEST, SOUTH)], HOME)
    assert found.deltas == (0, -2300, 1300 + 3000 - 1000, 1000 - 1000)
    assert [win.seat for win in found.wins] == [WEST, NORTH]


def test_own_sticks_may_come_back_and_the_rest_go_to_the_first() -> None:
    ruleset = HOME.but(sticks_on_multiple_ron="own_returned_rest_to_first")
    at = stakes(deposits=3, riichi=(EAST, NORTH))
    assert settle_wins(at, [ron(NORTH, SOUTH), ron(WEST, SOUTH)], ruleset).deltas == (-1000, -2000, 3000, 1000)


def test_penalty_points_in_the_pot_go_with_the_rest_of_the_sticks() -> None:
    at = stakes(deposits=1, deposit_points=2000, riichi=(NORTH,))
    ruleset = HOME.but(sticks_on_multiple_ron="own_returned_rest_to_first")
    assert settle_wins(at, [ron(NORTH, SOUTH), ron(WEST, SOUTH)], ruleset).deltas == (0, -2000, 3000, 1000)


def test_counters_may_be_paid_to_each_winner() -> None:
    ruleset = HOME.but(honba_on_multiple_ron="each")
    found = settle_wins(stakes(honba=1), [ron(WEST, SOUTH), ron(NORTH, SOUTH)], ruleset)
    assert found.deltas == (0, -2600, 1300, 1300)


def test_head_bump_pays_only_the_first_after_the_discarder() -> None:
    found = settle_wins(stakes(), [ron(EAST, SOUTH), ron(WEST, SOUTH)], HOME.but(multiple_ron="head_bump"))
    assert (found.deltas, found.dealer_stays) == ((0, -1000, 1000, 0), False)


def test_three_rons_are_paid_or_abort_the_hand() -> None:
    wins = [ron(EAST, SOUTH), ron(WEST, SOUTH), ron(NORTH, SOUTH)]
    assert settle_wins(stakes(), wins, HOME).deltas == (1500, -3500, 1000, 1000)
    aborted = settle_wins(stakes(honba=1, deposits=1), wins, HOME.but(triple_ron="abort"))
    assert (aborted.kind, aborted.reason, aborted.deltas) == (
        ResultKind.ABORT,
        AbortReason.TRIPLE_RON,
        (0, 0, 0, 0),
    )
    assert (aborted.honba, aborted.deposits) == (2, 1)


def test_three_rons_under_head_bump_are_one_ron_unless_they_abort() -> None:
    wins = [ron(EAST, SOUTH), ron(WEST, SOUTH), ron(NORTH, SOUTH)]
    assert settle_wins(stakes(), wins, HOME.but(multiple_ron="head_bump")).deltas == (0, -1000, 1000, 0)


def test_who_fed_the_third_dragon_pays_a_drawn_yakuman_alone_with_the_counters() -> None:
    found = settle_wins(stakes(honba=1), [three_dragons(WEST, WEST, NORTH)], HOME)
    assert found.deltas == (0, 0, 32300, -32300)


def test_at_a_ron_the_liable_seat_and_the_discarder_share_it() -> None:
    won = [three_dragons(WEST, SOUTH, NORTH)]
    assert settle_wins(stakes(honba=1), won, HOME).deltas == (0, -16000, 32300, -16300)
    assert settle_wins(stakes(honba=1), won, HOME.but(pao_honba="discarder")).deltas == (0, -16300, 32300, -16000)


def test_nobody_is_liable_beside_its_own_discard_or_where_it_is_not_played() -> None:
    assert settle_wins(stakes(), [three_dragons(WEST, SOUTH, SOUTH)], HOME).deltas == (0, -32000, 32000, 0)
    without_pao = settle_wins(stakes(), [three_dragons(WEST, SOUTH, NORTH)], HOME.but(pao_dragons=False))
    assert without_pao.deltas == (0, -32000, 32000, 0)


@pytest.mark.parametrize(
    ("yakuman", "melds", "on", "off"),
    [
        ("big_four_winds", "111z,222z,333z,444z", {"pao_winds": True}, {"pao_winds": False}),
        ("four_kans", "1111m,2222p,3333s,4444m", {"pao_kans": True}, {"pao_kans": False}),
    ],
)
def test_liability_for_winds_and_for_kans_can_each_be_off(
    yakuman: str, melds: str, on: dict[str, bool], off: dict[str, bool]
) -> None:
    worth = value("9s", "9s", melds, is_tsumo=True, seat_wind=seat_wind(WEST, EAST))
    won = ValuedWin(seat=WEST, from_seat=WEST, value=worth, pao=((yakuman, NORTH),))
    assert worth.yakuman == 1
    assert settle_wins(stakes(), [won], HOME.but(**on)).deltas == (0, 0, 32000, -32000)
    assert settle_wins(stakes(), [won], HOME.but(**off)).deltas == (-16000, -8000, 32000, -8000)


@pytest.mark.parametrize(("honba_value", "deltas"), [(300, (0, 1600, 0, -1600)), (1500, (0, 4000, 0, -4000))])
def test_a_counter_is_worth_what_the_rules_say(honba_value: int, deltas: tuple[int, ...]) -> None:
    assert settle_wins(stakes(honba=2), [ron(SOUTH, NORTH)], HOME.but(honba_value=honba_value)).deltas == deltas


@pytest.mark.parametrize(
    ("at_tsumo", "by_ron", "drawn"),
    [
        ("same", 600, (-700, 1700, -500, -500)),
        (1500, 600, (-1500, 4100, -1300, -1300)),
        (0, 600, (-500, 1100, -300, -300)),
    ],
)
def test_a_counter_at_a_tsumo_may_be_worth_more_or_less_than_at_a_ron(
    at_tsumo: object, by_ron: int, drawn: tuple[int, ...]
) -> None:
    ruleset = HOME.but(honba_value_tsumo=at_tsumo)
    assert settle_wins(stakes(honba=2), [ron(SOUTH, NORTH)], ruleset).deltas == (0, 1000 + by_ron, 0, -1000 - by_ron)
    assert settle_wins(stakes(honba=2), [tsumo(SOUTH)], ruleset).deltas == drawn


def test_a_liable_seat_pays_the_counters_of_a_tsumo() -> None:
    won = [three_dragons(WEST, WEST, NORTH)]
    assert settle_wins(stakes(honba=2), won, HOME.but(honba_value_tsumo=1500)).deltas == (0, 0, 35000, -35000)


def test_the_liable_seat_pays_only_its_yakuman_of_several() -> None:
    found = settle_wins(stakes(), [three_dragons(WEST, WEST, NORTH, also_honors=True)], HOME)
    assert found.deltas == (-16000, -8000, 64000, -32000 - 8000)
    by_ron = settle_wins(stakes(), [three_dragons(WEST, SOUTH, NORTH, also_honors=True)], HOME)
    assert by_ron.deltas == (0, -16000 - 32000, 64000, -16000)


def test_the_liable_seat_may_answer_for_the_whole_hand() -> None:
    whole = HOME.but(pao_scope="whole")
    drawn = settle_wins(stakes(honba=1), [three_dragons(WEST, WEST, NORTH, also_honors=True)], whole)
    assert drawn.deltas == (0, 0, 64300, -64300)
    by_ron = settle_wins(stakes(honba=1), [three_dragons(WEST, SOUTH, NORTH, also_honors=True)], whole)
    assert by_ron.deltas == (0, -32000, 64300, -32300)
    from_liable = settle_wins(stakes(), [three_dragons(WEST, NORTH, NORTH, also_honors=True)], whole)
    assert from_liable.deltas == (0, 0, 64000, -64000)
    alone = settle_wins(stakes(), [three_dragons(WEST, SOUTH, NORTH)], whole)
    assert alone.deltas == (0, -16000, 32000, -16000)


def dragons_and_kans(won_by_ron_of: Seat | None, *pao: tuple[str, Seat], several: bool = True) -> ValuedWin:
    """Big three dragons of four kans by West, drawn or from that seat, with seats liable for both."""
    facts: dict[str, Any] = {"is_tsumo": won_by_ron_of is None, "seat_wind": seat_wind(WEST, EAST)}
    ruleset = HOME.but(multiple_yakuman=several)
    worth = value("9s", "9s", "5555z,6666z,7777z,2222p", ruleset=ruleset, **facts)
    return ValuedWin(seat=WEST, from_seat=WEST if won_by_ron_of is None else won_by_ron_of, value=worth, pao=pao)


@pytest.mark.parametrize("scope", ["part", "whole"])
def test_two_liable_seats_answer_for_a_yakuman_each(scope: str) -> None:
    pao = (("big_three_dragons", NORTH), ("four_kans", SOUTH))
    ruleset = HOME.but(pao_kans=True, pao_scope=scope)
    assert settle_wins(stakes(), [dragons_and_kans(None, *pao)], ruleset).deltas == (0, -32000, 64000, -32000)
    by_ron = settle_wins(stakes(), [dragons_and_kans(EAST, *pao)], ruleset)
    assert by_ron.deltas == (-32000, -16000, 64000, -16000)


@pytest.mark.parametrize("scope", ["part", "whole"])
def test_where_yakuman_do_not_add_up_two_liable_seats_share_the_one(scope: str) -> None:
    pao = (("big_three_dragons", NORTH), ("four_kans", SOUTH))
    ruleset = HOME.but(pao_kans=True, pao_scope=scope, multiple_yakuman=False)
    drawn = settle_wins(stakes(), [dragons_and_kans(None, *pao, several=False)], ruleset)
    assert drawn.deltas == (0, -16000, 32000, -16000)
    by_ron = settle_wins(stakes(), [dragons_and_kans(EAST, *pao, several=False)], ruleset)
    assert by_ron.deltas == (-16000, -8000, 32000, -8000)


@pytest.mark.parametrize(
    ("discarder", "deltas"),
    [(None, (0, -42600, 128000, -85400)), (EAST, (-64000, -21300, 128000, -42700))],
)
def test_two_liable_seats_share_a_whole_hand_in_sticks_of_100_and_lose_no_point(
    discarder: Seat | None, deltas: tuple[int, ...]
) -> None:
    """A liability for two yakuman and one for one: four yakuman are not three shares of a hundred each."""
    ruleset = HOME.but(pao_kans=True, pao_scope="whole", double_yakuman=True)
    facts: dict[str, Any] = {"is_tsumo": discarder is None, "seat_wind": seat_wind(WEST, EAST)}
    worth = value("7z", "7z", "1111z,2222z,3333z,4444z", ruleset=ruleset, **facts)
    pao = (("big_four_winds", NORTH), ("four_kans", SOUTH))
    won = ValuedWin(seat=WEST, from_seat=WEST if discarder is None else discarder, value=worth, pao=pao)
    assert (worth.yakuman, settle_wins(stakes(), [won], ruleset).deltas) == (4, deltas)


@pytest.mark.parametrize(
    ("tenpai", "deltas"),
    [
        ((), (0, 0, 0, 0)),
        ((SOUTH,), (-1000, 3000, -1000, -1000)),
        ((SOUTH, WEST), (-1500, 1500, 1500, -1500)),
        ((EAST, SOUTH, WEST), (1000, 1000, 1000, -3000)),
        (SEATS, (0, 0, 0, 0)),
    ],
)
def test_noten_hands_pay_three_thousand_in_all(tenpai: tuple[Seat, ...], deltas: tuple[int, ...]) -> None:
    found = settle_draw(stakes(deposits=1, honba=1), tenpai, (), HOME)
    assert (found.deltas, found.deposits, found.honba) == (deltas, 1, 2)
    assert found.dealer_stays == (EAST in tenpai)


def test_noten_payments_can_be_off() -> None:
    assert settle_draw(stakes(), (SOUTH,), (), HOME.but(noten_payment=0)).deltas == (0, 0, 0, 0)


def test_riichi_of_the_hand_is_charged_at_a_draw_and_its_stick_stays() -> None:
    found = settle_draw(stakes(deposits=1, riichi=(SOUTH,)), (SOUTH,), (), HOME)
    assert (found.deltas, found.deposits) == ((-1000, 2000, -1000, -1000), 1)


def test_nagashi_mangan_is_paid_as_a_drawn_mangan_without_counters() -> None:
    found = settle_draw(stakes(honba=2, deposits=1), (EAST,), (WEST,), HOME)
    assert found.deltas == (-4000, -2000, 8000, -2000)
    assert (found.kind, found.reason) == (ResultKind.DRAW, AbortReason.NAGASHI)
    assert (found.dealer_stays, found.deposits, found.honba) == (True, 1, 3)
    assert settle_draw(stakes(), (), (EAST,), HOME).deltas == (12000, -4000, -4000, -4000)


def test_where_nagashi_is_not_played_the_draw_is_plain() -> None:
    found = settle_draw(stakes(), (SOUTH,), (WEST,), HOME.but(nagashi_mangan=False))
    assert (found.reason, found.deltas) == (None, (-1000, 3000, -1000, -1000))


@pytest.mark.parametrize(
    ("repeat", "won", "tenpai"), [("win_or_tenpai", True, True), ("win", True, False), ("never", False, False)]
)
def test_what_keeps_the_deal_is_a_switch(repeat: str, won: bool, tenpai: bool) -> None:
    ruleset = HOME.but(dealer_repeat=repeat)
    assert settle_wins(stakes(), [ron(EAST, SOUTH)], ruleset).dealer_stays == won
    assert settle_draw(stakes(), (EAST,), (), ruleset).dealer_stays == tenpai
    assert settle_abort(stakes(), AbortReason.FOUR_WINDS, ruleset).dealer_stays == won


def test_an_abort_leaves_the_sticks_and_adds_a_counter() -> None:
    found = settle_abort(stakes(honba=1, deposits=4, riichi=SEATS), AbortReason.FOUR_RIICHI, HOME)
    assert (found.deltas, found.deposits, found.honba) == ((-1000,) * 4, 4, 2)
    assert found.dealer_stays
    assert not settle_abort(stakes(), AbortReason.FOUR_WINDS, HOME.but(abort_keeps_deal=False)).dealer_stays


@pytest.mark.parametrize(
    "wins",
    [
        [],
        [tsumo(EAST), ron(SOUTH, WEST)],
        [ron(EAST, SOUTH), ron(NORTH, WEST)],
        [ron(EAST, SOUTH), ron(EAST, SOUTH)],
    ],
    ids=["none", "a tsumo with a ron", "two discarders", "a seat twice"],
)
def test_wins_that_cannot_be_together_are_refused(wins: list[ValuedWin]) -> None:
    with pytest.raises(InvalidValueError, match="expected"):
        settle_wins(stakes(), wins, HOME)


def test_fewer_sticks_than_riichi_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="stick of each riichi"):
        stakes(riichi=(SOUTH,))


@given(
    seed=st.integers(0, 10_000),
    honba=st.integers(0, 8),
    old=st.integers(0, 5),
    pot=st.sampled_from((0, 1000, 3500)),
    changes=st.fixed_dictionaries(
        {
            "sticks_on_multiple_ron": st.sampled_from(("all_to_first", "own_returned_rest_to_first")),
            "multiple_ron": st.sampled_from(("all", "head_bump")),
            "triple_ron": st.sampled_from(("ron", "abort")),
            "pao_honba": st.sampled_from(("liable", "discarder")),
            "pao_scope": st.sampled_from(("part", "whole")),
            "multiple_yakuman": st.booleans(),
        }
    ),
)
def test_points_always_sum(seed: int, honba: int, old: int, pot: int, changes: dict[str, object]) -> None:
    rng = random.Random(seed)
    riichi = tuple(rng.sample(SEATS, rng.randrange(5)))
    at = stakes(honba=honba, deposits=old + len(riichi), deposit_points=pot, riichi=riichi)
    ruleset = HOME.but(**changes)
    assert_points_stay(at, settle_wins(at, _random_wins(rng), ruleset))
    tenpai = rng.sample(SEATS, rng.randrange(5))
    assert_points_stay(at, settle_draw(at, tenpai, rng.sample(SEATS, rng.choice((0, 0, 1, 2))), ruleset))
    assert_points_stay(at, settle_abort(at, AbortReason.FOUR_KANS, ruleset))


def _random_wins(rng: random.Random) -> list[ValuedWin]:
    discarder, *others = rng.sample(SEATS, 4)
    if rng.random() < 0.3:
        return [tsumo(discarder, rng.randint(1, 13), 40)]
    if rng.random() < 0.2:
        return [three_dragons(others[0], rng.choice((others[0], discarder)), others[1])]
    return [ron(seat, discarder, rng.randint(1, 13), 40) for seat in others[: rng.randint(1, 3)]]


def test_values_of_yakuman_and_of_counted_hands_come_from_the_same_tables() -> None:
    worth = HandValue(han=None, fu=None, payments=yakuman_payments(1, is_tsumo=False, is_dealer=False), yakuman=1)
    won = ValuedWin(seat=SOUTH, from_seat=WEST, value=worth)
    assert settle_wins(stakes(), [won], HOME).deltas == settle_wins(stakes(), [ron(SOUTH, WEST, 13)], HOME).deltas
