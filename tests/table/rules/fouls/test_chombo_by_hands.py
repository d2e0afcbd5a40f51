"""A chombo that pays the others by their own hands (7-01 c, e, i): what each of them could have won."""

from __future__ import annotations

import pytest

from tests.table.rules.fouls.fouled_hands import NOTEN, ROUND, TENPAI, at
from tests.table.rules.situations import settlement_of

PLAIN_NOTEN = "123456m123p4468s"
"""A closed hand that waits for 7s, without a yaku but by its own draw: 1 han 30 fu, 300 and 500."""
SHANPON = "111m222p333s44z66z"
"""Three closed triplets that wait for 4z 6z: four closed triplets only by the own draw."""
ORPHANS = "19m19p19s1234567z"


def chombo(before: str, hands: dict[int, str], option: str, offender: int = 1, fouls: str = "") -> tuple[int, ...]:
    """What a chombo of a seat moves while the others show these hands; who is not named is noten."""
    shows = "; ".join(f"{seat} shows {hands.get(seat, '5m')}" for seat in range(4) if seat != offender)
    text = f"{before}; {fouls}{offender} foul 7-04-01 option=a; {shows}"
    table = at(text, {"7-01": option})
    assert not any(question.startswith("hand") for question in table.hand.fouls[-1].consequence.questions)
    return settlement_of(table.feed("confirm")).deltas


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        (TENPAI, 2000),  # tanyao and pinfu: 2 han 30 fu by ron
        (PLAIN_NOTEN, 1100),  # no yaku for a ron: its own draw
        (NOTEN, 2000),  # a share of a mangan
        ("123m456p789s1234z", 2000),
        (SHANPON, 32000),  # a yakuman, though only by its own draw
        ("123m", 2000),
        ("234m567m34567p2s?", 2000),
    ],
)
def test_c_pays_a_hand_the_highest_value_that_it_could_have_had(hand: str, points: int) -> None:
    assert chombo(ROUND, {2: hand}, "c")[2] == points


def test_c_pays_a_dealer_and_a_non_dealer_by_their_own_seats() -> None:
    assert chombo(ROUND, {0: PLAIN_NOTEN}, "c")[0] == 1500
    assert chombo(ROUND, {0: TENPAI}, "c")[0] == 2900
    assert chombo(ROUND, {1: PLAIN_NOTEN}, "c", offender=0) == (-9100, 1100, 4000, 4000)


@pytest.mark.parametrize(
    "furiten",
    [
        f"{ROUND}; 0 discards 2z; 1 discards 2z; 2 discards 5p; 3 discards 2z",
        "0 discards 9m; 1 discards 9p; 2 discards 8p; 3 discards 1z",
    ],
)
def test_c_a_furiten_hand_is_paid_what_its_own_draw_could_have_won(furiten: str) -> None:
    """Tanyao, pinfu and menzen tsumo: 3 han 20 fu, 700 and 1300."""
    assert chombo(furiten, {2: TENPAI}, "c")[2] == 2700


def test_c_a_riichi_that_let_a_winning_tile_pass_wins_by_its_own_draw_only() -> None:
    riichi = "0 discards 9m; 1 discards 9p; 2 discards 9s sideways; 3 discards 1z; 2 stick"
    missed = chombo(f"{riichi}; 0 discards 5p; 1 discards 2z", {2: TENPAI}, "c")
    assert missed[2] == 8000  # double riichi, tanyao, pinfu, menzen tsumo: mangan
    free = chombo(f"{riichi}; 0 discards 9p; 1 discards 2z", {2: TENPAI}, "c")
    assert free[2] == 7700  # the same without the draw: 4 han 30 fu


def test_c_temporary_furiten_ends_with_the_next_discard_and_bars_no_ron() -> None:
    text = "0 discards 9m; 1 discards 9p; 2 discards 9s; 3 discards 5p; 0 discards 9m; 1 discards 2z"
    assert chombo(text, {2: TENPAI}, "c")[2] == 2000


@pytest.mark.parametrize(
    ("foul", "points"),
    [
        ("2 foul 7-04-01 option=f; ", 2000),  # a dead hand could not win: a share of a mangan
        ("2 foul 7-05-07 option=c; ", 2000),
        ("2 foul 7-05-01 option=c; ", 2700),  # counts as furiten: its own draw
        ("2 foul 7-04-01 option=g; ", 2000),  # each drawn tile goes: a ron, 2000 by chance
    ],
)
def test_c_what_a_punished_hand_may_still_win_is_what_counts(foul: str, points: int) -> None:
    assert chombo(ROUND, {2: TENPAI}, "c", fouls=foul)[2] == points


def test_c_who_must_discard_each_drawn_tile_could_not_have_drawn_its_win() -> None:
    assert chombo(ROUND, {2: PLAIN_NOTEN}, "c", fouls="2 foul 7-04-01 option=g; ")[2] == 2000
    assert chombo(ROUND, {2: SHANPON}, "c", fouls="2 foul 7-04-01 option=g; ")[2] == 8000


def test_c_an_open_hand_without_a_yaku_gets_a_share_and_one_with_a_yaku_its_value() -> None:
    events = "0 discards 9m; 1 discards 9p; 2 pon 9p from 1 with 99p; 2 discards 4z; 3 discards 9s"
    assert chombo(events, {2: "123m456s3367p"}, "c")[2] == 2000
    dragons = "0 discards 9m; 1 discards 7z; 2 pon 7z from 1 with 77z; 2 discards 4z; 3 discards 9s"
    assert chombo(dragons, {2: "123m456s3367p"}, "c")[2] == 1000


GONE = "0 discards 7s; 1 discards 7s; 2 discards 9s; 3 discards 7s; 0 discards 9p; 1 discards 9p; 2 discards 9p"
"""Three of the four 7s lie there."""


def test_c_a_wait_that_lies_dead_on_the_table_is_none() -> None:
    assert chombo(GONE, {2: PLAIN_NOTEN}, "c")[2] == 1100
    assert chombo(f"{GONE}; 3 discards 7s", {2: PLAIN_NOTEN}, "c")[2] == 2000


def test_c_a_copy_in_another_hand_may_still_be_discarded_and_not_drawn() -> None:
    """Tanyao on 7s wins by a ron, 1 han 40 fu; the other hand has no yaku for one."""
    assert chombo(GONE, {2: "234678m345p4468s", 0: "7s"}, "c")[2] == 1300
    assert chombo(GONE, {2: PLAIN_NOTEN, 0: "7s"}, "c")[2] == 2000


def test_c_chance_is_left_out() -> None:
    """Neither ippatsu nor ura dora: riichi, tanyao, pinfu."""
    text = f"{ROUND}; 0 discards 1m; 1 discards 9p; 2 discards 1s sideways; 2 stick"
    assert chombo(text, {2: TENPAI}, "c")[2] == 3900


# A yakuman that only the own draw makes (7-01 e, i)


@pytest.mark.parametrize(
    ("hand", "is_yakuman"),
    [
        (SHANPON, True),
        ("111m222p333s444z5z", True),
        (ORPHANS, True),
        (TENPAI, False),
        ("111m222p33s44z555z", True),
        ("111m222p33445s66z", False),
    ],
)
def test_e_a_yakuman_waited_for_makes_it_a_yakuman_for_all(hand: str, is_yakuman: bool) -> None:
    expected = (16000, -32000, 8000, 8000) if is_yakuman else (4000, -8000, 2000, 2000)
    assert chombo(ROUND, {2: hand}, "e") == expected


@pytest.mark.parametrize(
    ("before", "hand", "points"),
    [
        (ROUND, SHANPON, 16000),
        (ROUND, ORPHANS, 16000),
        (ROUND, TENPAI, 2000),
        (f"{ROUND}; 0 discards 4z; 1 discards 6z; 2 discards 6z; 3 discards 2z", SHANPON, 16000),
    ],
)
def test_i_pays_half_of_a_yakuman_that_only_the_own_draw_makes(before: str, hand: str, points: int) -> None:
    assert chombo(before, {2: hand}, "i")[2] == points


def test_i_pays_the_dealer_half_of_a_dealers_yakuman() -> None:
    assert chombo(ROUND, {0: SHANPON}, "i")[0] == 24000


def test_a_yakuman_that_may_not_be_won_is_not_waited_for() -> None:
    assert chombo(ROUND, {2: SHANPON}, "e", fouls="2 foul 7-04-01 option=f; ")[2] == 2000
    assert chombo(ROUND, {2: SHANPON}, "i", fouls="2 foul 7-04-01 option=g; ")[2] == 2000


def test_a_yakuman_whose_tiles_are_all_gone_is_not_waited_for() -> None:
    gone = "0 discards 4z; 1 discards 4z; 2 discards 9s; 3 discards 6z; 0 discards 6z; 1 discards 9m"
    for option in ("e", "i"):
        assert chombo(gone, {2: SHANPON}, option)[2] == 2000


@pytest.mark.parametrize("rule", ["passed", "passed_and_stick"])
def test_r11_c_pays_a_riichi_whose_stick_was_forgotten_as_a_riichi(rule: str) -> None:
    """Riichi, tanyao and pinfu of a non-dealer: 3 han 30 fu by ron; ippatsu is luck."""
    before = f"{ROUND}; 0 discards 9m; 1 discards 9p; 2 discards 5z sideways; 3 discards 1z"
    text = f"{before}; 1 foul 7-04-01 option=a; 2 shows {TENPAI}"
    table = at(text, {"7-01": "c", "7-02": "d"}, riichi_stands_on=rule)
    assert table.hand.fouls[-1].consequence.now.deltas[2] == 3900
