from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import HandValue, Payments, evaluate, value_of, yakuman_payments
from table.rules.scoring.possible_counts import check_count
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import parse_tiles
from tests.table.rules.hands import no_win, query, random_win, value
from tests.table.rules.jansou_oracle import hand_value

PINFU = ("234m567p34s678s99s", "5s")
FLAT = Ruleset(red_man=0, red_pin=0, red_sou=0)
VARIANTS = {
    "home": Ruleset(),
    "kiriage": Ruleset(kiriage_mangan=True),
    "double wind 2 fu": Ruleset(double_wind_fu=2),
    "closed tanyao": Ruleset(open_tanyao=False),
    "kazoe sanbaiman": Ruleset(kazoe="sanbaiman"),
    "double yakuman": Ruleset(double_yakuman=True),
    "one yakuman": Ruleset(multiple_yakuman=False),
    "no reds": FLAT,
}


@pytest.mark.parametrize("name", VARIANTS)
def test_an_independent_engine_values_random_hands_alike(name: str) -> None:
    rng, ruleset = random.Random(name), VARIANTS[name]
    for _ in range(300):
        won = random_win(rng)
        found = evaluate(won, ruleset)
        ours = (found.han, found.fu, found.points) if isinstance(found, HandValue) else None
        assert ours == hand_value(won, ruleset), won


def test_the_worked_example_needs_riichi_to_win_by_ron() -> None:
    assert no_win("344556m24s678s66z", "3s") == "no_yaku"
    assert value("344556m24s678s66z", "3s", riichi=1).yaku == (("riichi", 1),)
    assert value("344556m24s678s66z", "3s", riichi=1, is_tsumo=True).han == 2


def test_riichi_with_ippatsu_is_two_han_and_double_riichi_holds_riichi() -> None:
    assert value(*PINFU, riichi=1, ippatsu=True).yaku == (("riichi", 1), ("ippatsu", 1), ("pinfu", 1))
    assert value(*PINFU, riichi=2).yaku == (("double_riichi", 2), ("pinfu", 1))


def test_ippatsu_counts_only_where_it_is_played() -> None:
    assert value(*PINFU, riichi=1, ippatsu=True, ruleset=Ruleset(ippatsu=False)).han == 2


def test_only_a_riichi_winner_counts_ura_dora() -> None:
    facts: dict[str, Any] = {"ura_indicators": "8s"}
    assert value(*PINFU, riichi=1, **facts).han == 4
    assert value(*PINFU, **facts).han == 1


@pytest.mark.parametrize(("changes", "han"), [({}, 6), ({"kan_ura": False}, 4), ({"ura_dora": False}, 2)])
def test_ura_dora_and_kan_ura_are_switches(changes: dict[str, bool], han: int) -> None:
    assert value(*PINFU, riichi=1, ura_indicators="8s8s", ruleset=Ruleset().but(**changes)).han == han


@pytest.mark.parametrize(("kan_dora", "han"), [(True, 5), (False, 3)])
def test_kan_dora_is_a_switch(kan_dora: bool, han: int) -> None:
    ruleset = Ruleset(kan_dora=kan_dora)
    assert value(*PINFU, dora_indicators="8s8s", ruleset=ruleset).han == han


@pytest.mark.parametrize(
    ("hand", "none"),
    [
        ("067m234p34s678s99s", {"red_man": 0}),
        ("234m067p34s678s99s", {"red_pin": 0}),
        ("234m234p34s067s99s", {"red_sou": 0}),
    ],
)
def test_red_fives_count_only_where_the_set_has_them(hand: str, none: dict[str, int]) -> None:
    assert value(hand, "5s").han == 2
    assert value(hand, "5s", ruleset=Ruleset().but(**none)).han == 1


def test_two_red_fives_of_one_suit_count_both() -> None:
    assert value("234m00678p678s99s", "5p", riichi=1, ruleset=Ruleset(red_pin=2)).yaku[-1] == ("red_five", 2)


@pytest.mark.parametrize(("open_tanyao", "han"), [(True, 1), (False, None)])
def test_open_tanyao_is_a_switch(open_tanyao: bool, han: int | None) -> None:
    found = evaluate(query("234567m45s88s", "6s", "234p"), Ruleset(open_tanyao=open_tanyao))
    assert (found.han if isinstance(found, HandValue) else None) == han


@pytest.mark.parametrize(("pair_fu", "fu"), [(4, 40), (2, 30)])
def test_a_double_wind_pair_is_worth_four_fu_or_two(pair_fu: int, fu: int) -> None:
    ruleset = Ruleset().but(double_wind_fu=pair_fu)
    assert value("11z555z78p456s", "9p", "123m", seat_wind=Wind.EAST, ruleset=ruleset).fu == fu


def test_a_pair_of_one_wind_alone_is_worth_two_fu_everywhere() -> None:
    for pair_fu in (2, 4):
        found = value("22z555z78p456s", "9p", "123m", ruleset=Ruleset().but(double_wind_fu=pair_fu))
        assert dict(found.fu_parts)["valued_pair"] == 2


def test_a_double_wind_triplet_is_two_han_also_where_its_pair_is_two_fu() -> None:
    found = value("99m111z78p456s", "9p", "123m", seat_wind=Wind.EAST, ruleset=Ruleset(double_wind_fu=2))
    assert found.yaku == (("seat_wind", 1), ("round_wind", 1))


@pytest.mark.parametrize(("kiriage", "points"), [(True, 8000), (False, 7700)])
def test_kiriage_rounds_four_han_thirty_fu_up_to_a_mangan(kiriage: bool, points: int) -> None:
    found = value(*PINFU, riichi=1, dora_indicators="8s", ruleset=Ruleset(kiriage_mangan=kiriage))
    assert (found.han, found.fu, found.points) == (4, 30, points)


@pytest.mark.parametrize(("kazoe", "points"), [("yakuman", 32000), ("sanbaiman", 24000)])
def test_thirteen_counted_han_are_a_yakuman_or_a_sanbaiman(kazoe: str, points: int) -> None:
    facts: dict[str, Any] = {"riichi": 1, "dora_indicators": "1m", "ura_indicators": "1m"}
    found = value("2223334445567m", "8m", ruleset=Ruleset().but(kazoe=kazoe), **facts)
    assert (found.points, found.yakuman, found.han) == (points, 0, 16)


@pytest.mark.parametrize(("pinfu_tsumo", "fu", "han"), [(True, 20, 2), (False, 30, 1)])
def test_pinfu_may_be_drawn_or_not(pinfu_tsumo: bool, fu: int, han: int) -> None:
    found = value(*PINFU, is_tsumo=True, ruleset=Ruleset(pinfu_tsumo=pinfu_tsumo))
    assert (found.fu, found.han) == (fu, han)


@pytest.mark.parametrize(("double", "count"), [(True, 2), (False, 1)])
def test_four_triplets_on_the_pair_are_one_yakuman_or_two(double: bool, count: int) -> None:
    found = value("111m333p555s777z9s", "9s", ruleset=Ruleset(double_yakuman=double))
    assert (found.yakuman, found.points, found.han, found.fu) == (count, 32000 * count, None, None)


ALL_GREEN = ("22334466888s66z", "6z")
BIG_WINDS = ("9s", "9s", "111z,222z,333z,444z")


@pytest.mark.parametrize(
    ("names", "pair_wait", "winds"),
    [
        (("four_closed_triplets_pair_wait",), 2, 1),
        (("big_four_winds", "all_green"), 1, 2),
        ((), 1, 1),
        (True, 2, 2),
        (False, 1, 1),
    ],
)
def test_a_table_names_the_yakuman_that_count_twice(names: object, pair_wait: int, winds: int) -> None:
    ruleset = Ruleset().but(double_yakuman=names)
    on_pair, big_winds = value("111m333p555s777z9s", "9s", ruleset=ruleset), value(*BIG_WINDS, ruleset=ruleset)
    assert (on_pair.yakuman, on_pair.points) == (pair_wait, 32000 * pair_wait)
    assert (big_winds.yakuman, big_winds.yaku) == (winds, (("big_four_winds", 13 * winds),))


def test_any_yakuman_may_be_named_to_count_twice() -> None:
    green = value(*ALL_GREEN, ruleset=Ruleset().but(double_yakuman=("all_green",)))
    assert (green.yakuman, green.points, green.yaku) == (2, 64000, (("all_green", 26),))


@pytest.mark.parametrize(("several", "count"), [(True, 3), (False, 1)])
def test_several_yakuman_add_up_or_not(several: bool, count: int) -> None:
    found = value("222333444z6z", "6z", "(1111z)", ruleset=Ruleset(multiple_yakuman=several))
    assert (found.yakuman, found.points) == (count, 32000 * count)


@pytest.mark.parametrize(
    ("facts", "yaku"),
    [
        ({"is_tsumo": True, "is_last_tile": True}, "last_tile_tsumo"),
        ({"is_last_tile": True}, "last_tile_ron"),
        ({"is_tsumo": True, "after_kan": True}, "after_a_kan"),
        ({"robbing_kan": True}, "robbing_a_kan"),
        ({"is_tsumo": True, "is_first_turn": True}, "chiihou"),
        ({"is_tsumo": True, "is_first_turn": True, "seat_wind": Wind.EAST}, "tenhou"),
    ],
)
def test_circumstances_are_yaku(facts: dict[str, Any], yaku: str) -> None:
    assert yaku in dict(value(*PINFU, **facts).yaku)


def test_a_replacement_tile_is_no_last_tile() -> None:
    found = dict(value(*PINFU, is_tsumo=True, after_kan=True, is_last_tile=True).yaku)
    assert "last_tile_tsumo" not in found


@pytest.mark.parametrize(
    ("renhou", "worth_of"), [("none", (1, 0, 1000)), ("five_han", (6, 0, 12000)), ("yakuman", (None, 1, 32000))]
)
def test_renhou_is_nothing_five_han_or_a_yakuman(renhou: str, worth_of: tuple[int | None, int, int]) -> None:
    found = value(*PINFU, is_first_turn=True, ruleset=Ruleset().but(renhou=renhou))
    assert (found.han, found.yakuman, found.points) == worth_of


@pytest.mark.parametrize(
    ("hand", "facts", "worth_of"),
    [
        (PINFU, {}, (("renhou", 5),)),
        (("123m456p789s5599m", "9m"), {}, (("renhou", 5),)),
        (PINFU, {"dora_indicators": "8s8s"}, (("pinfu", 1), ("dora", 4))),
        (PINFU, {"dora_indicators": "8s", "riichi": 2}, (("double_riichi", 2), ("pinfu", 1), ("dora", 2))),
        (PINFU, {"dora_indicators": "8s8s", "riichi": 2}, (("double_riichi", 2), ("pinfu", 1), ("dora", 4))),
        (ALL_GREEN, {}, (("all_green", 13),)),
    ],
    ids=["worth less", "no yaku", "a mangan too", "five han", "worth more", "a yakuman"],
)
def test_renhou_alone_is_a_mangan_or_the_hand_without_it_where_that_is_worth_more(
    hand: tuple[str, str], facts: dict[str, Any], worth_of: tuple[tuple[str, int], ...]
) -> None:
    found = value(*hand, is_first_turn=True, ruleset=Ruleset().but(renhou="mangan_alone"), **facts)
    assert found.yaku == worth_of
    assert found.points >= 8000


def test_renhou_alone_needs_a_complete_hand_and_the_first_go_round() -> None:
    alone = Ruleset().but(renhou="mangan_alone")
    assert value(*PINFU, ruleset=alone).points == 1000
    assert value(*PINFU, is_first_turn=True, ruleset=alone).points == 8000
    assert no_win("123456789m1234p", "9s", is_first_turn=True, ruleset=alone) == "not_winning"
    assert value(*PINFU, is_first_turn=True, seat_wind=Wind.EAST, ruleset=alone).points == 1500


@pytest.mark.parametrize(
    ("hand", "win", "reason"),
    [
        ("123456789m1234p", "9s", "not_winning"),
        ("1111234567999m", "1m", "too_many_copies"),
        ("123456789m123p?", "9s", "unknown_tile"),
    ],
)
def test_hands_that_cannot_win_say_why(hand: str, win: str, reason: str) -> None:
    assert no_win(hand, win) == reason


def test_riichi_contradicts_an_open_hand() -> None:
    assert no_win("567p34s678s99s", "5s", "234m", riichi=1) == "contradiction"


def test_a_hand_of_the_wrong_size_cannot_be_asked_for() -> None:
    with pytest.raises(InvalidValueError, match="expected 13 concealed tiles, got 12"):
        query("234m567p34s678s9s", "5s")


def test_payments_of_a_tsumo_are_split_by_dealer() -> None:
    assert value(*PINFU, is_tsumo=True).payments == Payments(from_dealer=700, from_others=400)
    assert value(*PINFU, is_tsumo=True, seat_wind=Wind.EAST).payments == Payments(from_others=700)
    assert value(*PINFU, is_tsumo=True).points == 1500
    assert value(*PINFU, seat_wind=Wind.EAST).payments == Payments(ron=1500)


def test_han_and_fu_counted_by_people_are_valued_too() -> None:
    found = value_of(han=3, fu=30, is_tsumo=False, is_dealer=True, ruleset=Ruleset())
    assert found.points == 5800
    with pytest.raises(InvalidValueError, match="fu such as 20, 25, 30"):
        value_of(han=3, fu=33, is_tsumo=False, is_dealer=True, ruleset=Ruleset())


def test_a_yakuman_is_paid_by_all() -> None:
    assert yakuman_payments(1, is_tsumo=True, is_dealer=False) == Payments(from_dealer=16000, from_others=8000)
    assert yakuman_payments(2, is_tsumo=False, is_dealer=True) == Payments(ron=96000)


def test_a_value_does_not_depend_on_what_was_valued_before() -> None:
    won = query(*PINFU, riichi=1, dora_indicators="8s")
    double = replace(won, dora_indicators=parse_tiles("8s8s"))
    first = evaluate(won, Ruleset())
    evaluate(double, Ruleset(double_yakuman=True))
    assert evaluate(won, Ruleset()) == first


@pytest.mark.parametrize(("tiles", "is_tsumo", "fu"), [("234s9p", False, 130), ("234s2z", True, 130)])
def test_three_closed_kans_are_four_han_with_more_than_110_fu(tiles: str, is_tsumo: bool, fu: int) -> None:
    """Three kans and three closed triplets, two han each: 32 fu a kan of terminals, counted by people as well."""
    found = value(tiles, tiles[-2:], "(1111m) (9999m) (1111p)", is_tsumo=is_tsumo)
    assert (dict(found.yaku)["three_kans"], dict(found.yaku)["three_closed_triplets"], found.fu) == (2, 2, fu)
    check_count(4, fu, is_tsumo=is_tsumo)
    with pytest.raises(InvalidValueError, match="30 … 110"):
        check_count(3, fu, is_tsumo=is_tsumo)
