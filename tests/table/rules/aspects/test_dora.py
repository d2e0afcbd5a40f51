"""Indicators: when one is due, which count for a win, and what a robbed kan leaves unturned."""

from __future__ import annotations

import pytest

from table.rules.ruleset import Ruleset
from tests.table.rules.fouls.fouled_hands import at
from tests.table.rules.situations import TANYAO, Table, discards, play, ruling, settlement_of

ROUND = discards("9m 9p 9s 1z")
PON = "0 discards 8p; 1 pon 8p from 0 with 88p; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 9m"
"""Seat 1 has a pon of 8p and draws."""
OPEN_KAN = "0 discards 5z; 1 kan 5z from 0 with 555z"
OPEN_WIN = "1 tsumo; 1 shows 234m567m22s7p with 7p"
RINSHAN = "1 tsumo; 1 shows 234m567m22s34p with 5p"


def dora_han(table: Table) -> int:
    """How many han the first winner has of dora."""
    return dict(settlement_of(table).wins[0].yaku).get("dora", 0)


@pytest.mark.parametrize("rule", ["at_once", "after_discard"])
@pytest.mark.parametrize("passed", ["", "; pass"])
def test_a_robbed_added_kan_turns_no_indicator(rule: str, passed: str) -> None:
    """Also where people took the kan for passed before the robbing was said (R13)."""
    table = play(f"{PON}; 1 adds 8p{passed}; 2 ron; 2 shows {TANYAO} with 8p", open_kan_dora=rule).feed("confirm")
    assert table.missing == ()
    assert not table.hand.is_live


@pytest.mark.parametrize("rule", ["at_once", "after_discard"])
def test_an_indicator_turned_after_a_robbed_kan_is_one_too_many_and_does_not_count(rule: str) -> None:
    table = play(f"{PON}; 1 adds 8p; 2 ron; 2 shows {TANYAO} with 8p", open_kan_dora=rule)
    assert table.feed("dora 1s").clauses == [("7-06-04", 1)]
    assert dora_han(table.feed("confirm")) == 0


def test_an_indicator_turned_at_once_for_a_kan_that_is_then_robbed_does_not_count() -> None:
    table = play(f"{PON}; 1 adds 8p; dora 1s; 2 ron; 2 shows {TANYAO} with 8p; confirm", open_kan_dora="at_once")
    assert dora_han(table) == 0
    drawn = play(f"{PON}; 1 adds 8p; dora 1s; pass; 1 discards 6m; 2 ron", open_kan_dora="at_once")
    assert dora_han(drawn.feed("2 shows 234m57m345567p22s with 6m; confirm")) == 2


@pytest.mark.parametrize(
    ("rule", "kan", "counts"),
    [
        ("after_discard", OPEN_KAN, False),
        ("after_discard", f"{PON}; 1 adds 8p", False),
        ("after_discard", "0 discards 1z; 1 closed 5555z", True),
        ("at_once", OPEN_KAN, True),
    ],
)
def test_an_indicator_turned_before_it_is_due_does_not_count_for_a_win_on_the_replacement(
    rule: str, kan: str, counts: bool
) -> None:
    """Turning it at once is a habit of many tables, and no foul."""
    table = play(f"{kan}; dora 1s; {RINSHAN}; confirm", open_kan_dora=rule)
    assert (dora_han(table), table.clauses) == (2 * counts, [])


def test_an_indicator_turned_early_counts_once_the_discard_has_passed() -> None:
    table = play(f"{OPEN_KAN}; dora 1s; 1 discards 6z; 2 discards 6z; 3 discards 6z; 0 discards 3p")
    assert dora_han(table.feed(f"{RINSHAN}; confirm")) == 2


def test_a_robber_in_riichi_turns_no_ura_for_the_robbed_kan() -> None:
    opening = f"{ROUND}; 0 discards 8p; 1 pon 8p from 0 with 88p; 1 discards 9m; 2 discards 9p sideways; 2 stick"
    table = play(f"{opening}; 3 discards 9s; 0 discards 9m; 1 adds 8p; dora 1s; 2 ron", open_kan_dora="at_once")
    table.feed(f"2 shows {TANYAO} with 8p; 2 ura 4z; confirm")
    assert not table.hand.is_live
    assert dora_han(table) == 0


def test_a_closed_kan_robbed_by_thirteen_orphans_turns_no_indicator() -> None:
    table = play("0 closed 7777z; 1 ron; 1 shows 19m19p19s1123456z with 7z", orphans_rob_closed_kan=True)
    assert not table.feed("confirm").hand.is_live
    assert table.clauses == []


def test_a_claim_to_rob_that_is_taken_back_leaves_the_indicator_due() -> None:
    at_once = play(f"{PON}; 1 adds 8p; 2 ron; 2 withdraws; {OPEN_WIN.replace('234m567m22s7p', '234m567m22s7m')}")
    assert at_once.hand.dora_due == 0
    at_once = play(f"{PON}; 1 adds 8p; 2 ron; 2 withdraws; pass", open_kan_dora="at_once")
    assert at_once.hand.dora_due == 1


def test_an_added_kan_turns_its_indicator_at_once_only_when_nobody_robs_it() -> None:
    table = play(f"{PON}; 1 adds 8p", open_kan_dora="at_once")
    assert table.hand.dora_due == 0
    assert table.feed("pass").hand.dora_due == 1


@pytest.mark.parametrize(
    ("second", "rule", "dora_due"),
    [
        ("1 closed 2222s", "after_discard", 2),
        ("1 closed 2222s", "at_once", 2),
        ("1 closed 2222s; 1 closed 3333s", "after_discard", 3),
        ("1 closed 2222s; pass; 1 closed 3333s", "after_discard", 3),
        ("1 discards 6z; 2 kan 6z from 1 with 666z", "after_discard", 1),
        ("1 discards 6z; 2 kan 6z from 1 with 666z; 2 closed 2222s", "after_discard", 3),
    ],
)
def test_the_indicator_of_a_kan_is_due_when_the_next_kan_is_made(second: str, rule: str, dora_due: int) -> None:
    assert play(f"{OPEN_KAN}; {second}", open_kan_dora=rule).hand.dora_due == dora_due


def test_of_two_open_kans_in_a_row_the_second_waits_for_its_discard() -> None:
    table = play(f"{PON}; 1 closed 2222s; 1 adds 8p; pass")
    assert table.hand.dora_due == 1
    added = play(f"{PON}; 1 discards 6z; 2 discards 6s; 1 kan 6s from 2 with 666s; 1 adds 8p")
    assert added.hand.dora_due == 1
    assert added.feed("1 discards 1p").hand.dora_due == 1
    assert added.feed("pass").hand.dora_due == 2


def test_a_win_on_the_replacement_after_kans_in_a_row_waits_for_every_indicator_that_is_due() -> None:
    opening = f"{OPEN_KAN}; 1 closed 2222s; 1 tsumo; 1 shows 234m567m7p with 7p"
    table = play(opening).feed("confirm")
    assert table.missing == ("dora",)
    assert table.feed("dora 9s").missing == ("dora",)
    assert table.feed("dora 8s").missing == ()
    assert not table.feed("confirm").hand.is_live


def test_a_robbed_second_kan_leaves_the_first_ones_indicator_due() -> None:
    """The first kan's indicator is due when the second kan is made, robbed or not."""
    opening = f"{PON}; 1 discards 6z; 2 discards 6s; 1 kan 6s from 2 with 666s; 1 adds 8p"
    table = play(f"{opening}; 3 ron; 3 shows {TANYAO} with 8p").feed("confirm")
    assert table.missing == ("dora",)
    assert dora_han(table.feed("dora 1s; confirm")) == 2


def test_a_ron_on_the_discard_after_an_open_kan_takes_back_what_its_passing_made_due() -> None:
    for passed in ("", "; pass"):
        table = play(f"{OPEN_KAN}; 1 discards 5p{passed}; 2 ron; 2 shows {TANYAO} with 5p").feed("confirm")
        assert table.missing == ()
    again = play(f"{OPEN_KAN}; 1 discards 5p; pass; 2 ron; 2 withdraws; pass")
    assert again.hand.dora_due == 1


def test_no_more_than_four_indicators_are_ever_due() -> None:
    four = "0 closed 1111m; 0 closed 2222m; 0 closed 3333m; 0 closed 4444m; 0 discards 9m; 1 closed 1111p"
    assert play(four, four_kans=False).hand.dora_due == 4


def test_no_kan_makes_an_indicator_due_where_kans_turn_none() -> None:
    kans = f"{OPEN_KAN}; 1 closed 2222s; 1 discards 1m; pass"
    assert play(kans, kan_dora=False).hand.dora_due == 0


def test_a_ron_on_an_earlier_tile_asks_for_no_indicator_that_came_due_after_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 1 closed 7777z; dora 9s; 1 closed 7777s; 2 ron from 0")
    table.feed(f"2 shows {TANYAO} with 5p; confirm")
    assert not table.hand.is_live


D = "start E1 scores=25000,25000,25000,25000 dora=9s; 0 discards 5s; 1 discards 9m; 2 discards 1z; 3 discards 7p"
HASTY = f"{D}; 0 kan 7p from 3 with 777p; dora 2m; 0 discards 3p; 1 ron from 0; 1 shows 234m345678s88s45p with 3p"


@pytest.mark.parametrize(
    ("ruleset", "points"),
    [
        ("home", 2000),
        ("tenhou", 3900),
        (Ruleset().but(open_kan_dora="after_discard"), 2000),
        (Ruleset().but(open_kan_dora="with_discard"), 3900),
        (Ruleset().but(open_kan_dora="at_once"), 3900),
    ],
)
def test_a_hasty_indicator_changes_no_payment_of_a_ron_on_the_discard_after_an_open_kan(
    ruleset: str | Ruleset, points: int
) -> None:
    found = ruling(f"{HASTY}; confirm", ruleset)
    assert found.suspicions == []
    assert found.end["result"]["wins"][0]["points"] == points
    later = ruling(HASTY.replace("dora 2m; ", "") + "; confirm", ruleset)
    assert later.end["missing"] == ([] if points == 2000 else ["dora"])
    indicator = "" if points == 2000 else "; dora 2m"
    in_time = ruling(HASTY.replace("dora 2m; ", "") + f"{indicator}; confirm", ruleset)
    assert in_time.end["result"]["wins"][0]["points"] == points


def test_an_indicator_that_is_turned_with_the_discard_does_not_count_for_a_win_on_the_replacement() -> None:
    table = play(f"{OPEN_KAN}; dora 1s; {RINSHAN}; confirm", open_kan_dora="with_discard")
    assert (dora_han(table), table.clauses) == (0, [])
    assert play(f"{PON}; 1 adds 8p; 1 discards 9s", open_kan_dora="with_discard").hand.dora_due == 1
    robbed = play(f"{PON}; 1 adds 8p; 2 ron; 2 shows {TANYAO} with 8p; confirm", open_kan_dora="with_discard")
    assert not robbed.hand.is_live


@pytest.mark.parametrize("rule", ["at_once", "after_discard"])
def test_an_indicator_turned_after_the_tile_that_is_won_on_does_not_count(rule: str) -> None:
    opening = f"{ROUND}; 0 discards 5p; 1 closed 7777z; dora 1s; 2 ron from 0; 2 shows {TANYAO} with 5p"
    assert dora_han(play(f"{opening}; confirm", open_kan_dora=rule)) == 0
    events = f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p"
    table = play(events, open_kan_dora=rule).feed("dora 1s")
    assert table.clauses == [("7-06-04", 0)]
    assert dora_han(table.feed("confirm")) == 0


def test_an_indicator_without_a_kan_is_a_question_and_does_not_count() -> None:
    table = play(ROUND).feed("dora 1s")
    assert table.clauses == [("7-06-04", 0)]
    table.feed(f"0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p; confirm")
    assert (dora_han(table), settlement_of(table).wins[0].seat) == (0, 2)


def test_the_indicator_of_a_kan_that_was_turned_before_the_kan_was_known_counts_from_then_on() -> None:
    """Its place in the dead wall is that of the first kan's indicator, whenever it was turned."""
    table = play(f"{ROUND}; dora 1s; 0 closed 7777z; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p; confirm")
    assert dora_han(table) == 2


RIICHI = (
    "0 discards 9m; 1 discards 9p; 2 discards 9s; 3 discards 1z; 0 discards 4z; 1 discards 4z; 2 discards 6z sideways"
)


@pytest.mark.parametrize(
    "kan",
    [
        "0 foul 7-04-01; 0 closed 7777s; dora 1s; 0 foul 7-09-02",
        "0 closed 7777s; dora 1s; 0 puts-back-meld",
    ],
)
def test_the_indicator_of_a_kan_that_is_void_or_put_back_does_not_count_and_brings_no_ura(kan: str) -> None:
    table = at(f"{RIICHI}; 2 stick; 3 discards 6z; {kan}; 0 discards 8p; 2 ron; 2 shows {TANYAO} with 8p")
    table.feed("2 ura 4z; confirm")
    assert not table.hand.is_live
    assert "dora" not in dict(settlement_of(table).wins[0].yaku)


def test_the_indicator_of_a_void_kan_counts_again_with_the_next_kan_or_if_the_foul_is_cancelled() -> None:
    end = f"0 discards 8p; 2 ron; 2 shows {TANYAO} with 8p; confirm"
    for after in ("cancel-foul 1 reason=alive", "0 closed 7777z"):
        table = at(f"{ROUND}; 0 foul 7-04-01; 0 closed 7777s; dora 1s; 0 foul 7-09-02; {after}; {end}")
        assert dora_han(table) == 2


@pytest.mark.parametrize("rule", ["at_once", "after_discard"])
@pytest.mark.parametrize(
    "end", ["2 discards 3p; 1 ron from 2", "1 tsumo", "2 discards 3p; 3 discards 9m; 1 ron from 2"]
)
def test_the_indicator_of_an_open_kan_counts_although_the_discard_after_it_was_missed(rule: str, end: str) -> None:
    """Who acts next shows that the discard has been made."""
    table = play(f"0 discards 5z; 3 kan 5z from 0 with 555z; dora 1s; {end}", open_kan_dora=rule)
    assert dora_han(table.feed("1 shows 234m567m22s456s45p with 3p; confirm")) == 2


def test_an_indicator_that_does_not_count_counts_for_no_chombo_by_hands_either() -> None:
    end = f"1 foul 7-05-01 option=a; 2 shows {TANYAO}; confirm"
    early, on_time = (
        at(f"{ROUND}; 0 discards 6z; {indicator}{end}", {"7-01": "c", "7-02": "a"}).state.scores
        for indicator in ("dora 1s; ", "")
    )
    assert early == on_time


def test_an_indicator_too_many_turned_by_a_seat_in_riichi_is_asked_about_by_7_06_05() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; {discards('2m 3m 4m', first=1)}; 0 closed 1111s; dora 3p")
    assert table.clauses == []
    assert table.feed("dora 4p").clauses == [("7-06-05", 0)]
