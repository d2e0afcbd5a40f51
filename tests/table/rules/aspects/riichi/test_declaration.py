"""Riichi as in sections A, B, C, F of the requirements."""

from __future__ import annotations

import pytest

from table.rulebook import SHIPPED, rules_named
from table.rules.aspects.riichi.declaration import is_answered
from table.rules.state import Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.results import AbortReason
from tests.table.rules.situations import START, Table, discards, discards_until, play, ruling

ROUND = discards("9m 9p 9s 1z")
"""One discard each, so that a riichi after it is no double one."""
RIICHI = f"{ROUND}; 0 discards 5z sideways"


def stage(table: Table, seat: int) -> RiichiStage:
    return table.hand.riichi[seat].stage


def test_r01_riichi_beside_an_open_meld_is_asked_about() -> None:
    table = play("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    table.feed("1 discards 2m sideways")
    assert table.clauses == [("R01", 1)]
    assert stage(table, 1) is RiichiStage.DECLARED


def test_r01_a_closed_kan_does_not_open_the_hand() -> None:
    table = play("0 closed 1111m; 0 discards 5z; 1 discards 1p; 2 discards 1s; 3 discards 2s; 0 discards 2m sideways")
    assert table.clauses == []


def test_r03_no_riichi_without_a_sideways_tile_even_with_a_stick() -> None:
    table = play(f"{ROUND}; 0 stick; 0 discards 5z; 1 discards 1m")
    assert stage(table, 0) is RiichiStage.NONE
    assert table.state.scores == (25000, 25000, 25000, 25000)


@pytest.mark.parametrize(("below", "clauses"), [(False, [("7-05-13", 0)]), (True, [])])
def test_r04_r05_riichi_needs_a_thousand_points_unless_debt_is_allowed(
    below: bool, clauses: list[tuple[str, int]]
) -> None:
    table = play("", riichi_below_1000=below)
    table.feed("start E1 scores=900,25000,25000,49100 dora=1z").feed("0 discards 5z sideways")
    assert table.clauses == clauses


def test_r04_a_thousand_points_are_enough() -> None:
    table = play("").feed("start E1 scores=1000,25000,25000,49000 dora=1z").feed("0 discards 5z sideways; 0 stick")
    assert table.clauses == []
    assert table.state.scores[0] == 0


@pytest.mark.parametrize(
    ("min_tiles", "left", "is_asked"), [(4, 4, False), (4, 3, True), (1, 1, False), (1, 0, True), (0, 0, False)]
)
def test_r06_riichi_needs_tiles_left_to_draw(min_tiles: int, left: int, is_asked: bool) -> None:
    table = play(discards_until(left), min_tiles_left=min_tiles)
    seat = table.hand.discards % 4
    table.feed(f"{seat} discards 5z sideways")
    assert table.hand.tiles_left == left
    assert (("7-05-08", seat) in table.clauses) is is_asked


def test_r07_a_call_that_takes_the_last_own_draw_away_is_no_foul() -> None:
    table = play(discards_until(4))
    seat = table.hand.discards % 4
    table.feed(f"{seat} discards 5z sideways; {(seat + 1) % 4} pon 5z from {seat} with 55z")
    assert table.clauses == []


def test_r09_a_sideways_tile_declares_and_its_passing_accepts() -> None:
    table = play(ROUND).feed("0 discards 5z sideways")
    assert table.sayings == [("riichi_declared", 0)]
    assert stage(table, 0) is RiichiStage.DECLARED
    table.feed("1 discards 1m")
    assert ("riichi_accepted", 0) in table.sayings
    assert stage(table, 0) is RiichiStage.ACCEPTED


def test_r08_riichi_said_without_a_sideways_tile_is_told_once() -> None:
    table = play(f"{ROUND}; 0 riichi").feed("0 discards 5z")
    assert table.one(AnnouncementId.RIICHI_UPRIGHT).args == {"by": "voice"}
    assert stage(table, 0) is RiichiStage.NONE
    table.feed("1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s")
    assert "riichi_upright" not in dict(table.sayings)


@pytest.mark.parametrize("sign", ["0 riichi", "0 stick"])
@pytest.mark.parametrize("name", SHIPPED)
def test_r09_a_riichi_tile_that_is_not_sideways_is_a_question_only_where_an_article_is_about_it(
    name: str, sign: str
) -> None:
    """EMA: dead hand; WRC: valid, a warning; the other rulebooks and the catalogue name no penalty."""
    found = ruling(f"{ROUND}; {sign}; 0 discards 5z", name)
    is_asked = name in ("ema-2025", "wrc-2025")
    assert found.suspicions == [("EMA 6.6", 0)] * is_asked
    assert found.announcements.count(("riichi_upright", 0)) == (not is_asked)


def test_r08_a_voiced_riichi_stays_voiced_when_it_is_declared() -> None:
    table = play(f"{ROUND}; 0 riichi; 0 discards 5z sideways")
    assert table.hand.riichi[0].is_voiced
    assert table.clauses == []


def test_r11_the_stick_laid_after_the_tile_says_that_it_passed() -> None:
    table = play(RIICHI).feed("0 stick")
    assert table.sayings == [("riichi_accepted", 0), ("ippatsu_open", 0)]
    assert table.one(AnnouncementId.RIICHI_ACCEPTED).args == {"stick": True}


def test_r11_the_riichi_stands_without_its_stick_and_nobody_is_interrupted() -> None:
    table = play(RIICHI).feed("1 discards 1m")
    assert table.sayings == [("riichi_accepted", 0), ("ippatsu_open", 0)]
    assert table.one(AnnouncementId.RIICHI_ACCEPTED).args == {"stick": False}


def test_r11_where_the_stick_is_needed_the_riichi_waits_for_it() -> None:
    table = play(RIICHI, riichi_stands_on="passed_and_stick").feed("1 discards 1m")
    assert stage(table, 0) is RiichiStage.DECLARED
    assert table.state.scores[0] == 25000
    assert ("ippatsu_open", 0) in table.sayings
    table.feed("0 stick")
    assert table.sayings == [("riichi_accepted", 0)]
    assert table.state.scores[0] == 24000


def test_r12_a_stick_laid_before_the_tile_counts() -> None:
    table = play(f"{ROUND}; 0 stick").feed("0 discards 5z sideways; pass")
    assert "stick_missing" not in dict(table.sayings)
    assert table.one(AnnouncementId.RIICHI_ACCEPTED).args == {"stick": True}


@pytest.mark.parametrize("when", ["", "pass", "0 stick", "1 discards 1m"])
def test_r13_a_ron_on_the_riichi_tile_leaves_no_riichi_and_no_charge(when: str) -> None:
    table = play(RIICHI + (f"; {when}" if when else "")).feed("2 ron from 0")
    assert ("riichi_void", 0) in table.sayings
    assert stage(table, 0) is RiichiStage.VOID
    assert table.state.scores == (25000, 25000, 25000, 25000)
    assert table.state.deposits == 0
    assert table.clauses == ([("7-05-14", 2)] if when == "1 discards 1m" else [])


def test_r14_the_winner_on_a_riichi_tile_takes_no_stick_for_it() -> None:
    table = play(f"{RIICHI}; 0 stick; 2 ron; 2 shows 234567m067p22s55z with 5z; confirm")
    assert not table.hand.is_live
    assert table.state.scores[0] - 25000 == -(table.state.scores[2] - 25000)
    assert table.state.deposits == 0


def test_r13_a_withdrawn_ron_gives_the_riichi_back() -> None:
    table = play(f"{RIICHI}; 2 ron").feed("2 withdraws")
    assert stage(table, 0) is RiichiStage.DECLARED
    table.feed("0 stick")
    assert stage(table, 0) is RiichiStage.ACCEPTED
    table = play(f"{RIICHI}; 0 stick; 2 ron").feed("2 withdraws")
    assert stage(table, 0) is RiichiStage.ACCEPTED
    table.feed("1 discards 1m")
    assert stage(table, 0) is RiichiStage.ACCEPTED
    assert table.state.scores[0] == 24000


def test_r13_a_late_ron_taken_back_leaves_the_riichi_standing() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m; 2 ron from 0").feed("2 withdraws")
    assert stage(table, 0) is RiichiStage.ACCEPTED
    assert table.state.scores[0] == 24000


def test_r13_a_riichi_declared_over_a_ron_comes_back_when_a_second_ron_on_its_own_tile_falls() -> None:
    table = play(f"{ROUND}; 0 discards 1p; 2 ron; 1 discards 5z sideways; 3 ron; 3 withdraws; 2 discards 2z")
    assert stage(table, 1) is RiichiStage.ACCEPTED


def test_r17_a_riichi_tile_called_over_a_ron_that_falls_has_passed() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 1 ron; 2 pon 5z from 0 with 55z; 1 withdraws")
    assert stage(table, 0) is RiichiStage.ACCEPTED


def test_r13_a_riichi_declared_after_a_tile_that_is_ronned_late_is_void_too() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m sideways; 2 ron from 0")
    assert stage(table, 0) is RiichiStage.VOID
    assert stage(table, 1) is RiichiStage.VOID


def test_r15_each_riichi_costs_a_thousand_points_once() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m sideways; 1 stick; 2 discards 1p")
    assert table.state.scores == (24000, 24000, 25000, 25000)
    assert table.state.deposits == 2


def test_r17_a_called_riichi_tile_lets_the_riichi_stand() -> None:
    table = play(RIICHI).feed("1 pon 5z from 0 with 55z")
    assert stage(table, 0) is RiichiStage.ACCEPTED
    assert "stick_missing" not in dict(table.sayings)


def test_r18_after_a_called_riichi_tile_the_next_discard_goes_sideways() -> None:
    table = play(f"{RIICHI}; 0 stick").feed("1 pon 5z from 0 with 55z")
    assert ("next_sideways", 0) in table.sayings
    assert table.hand.sideways_due == (True, False, False, False)
    table.feed("1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s sideways")
    assert table.clauses == []
    assert table.hand.sideways_due == (False,) * 4


@pytest.mark.parametrize(("rule", "clauses"), [("must", [("R18", 0)]), ("may", [])])
def test_r18_a_replacement_that_is_not_sideways_is_asked_about_where_it_must_be(
    rule: str, clauses: list[tuple[str, int]]
) -> None:
    table = play(f"{RIICHI}; 0 stick; 1 pon 5z from 0 with 55z; 1 discards 1m", replacement_sideways=rule)
    assert table.feed("2 discards 1p; 3 discards 1s; 0 discards 2s").clauses == clauses


@pytest.mark.parametrize(
    "acts",
    [
        "0 discards 5z sideways; 2 pon 5z from 0 with 55z; 0 foul 7-05-13; cancel-foul 0 reason=no",
        "0 discards 5z sideways; 1 ron; 2 pon 5z from 0 with 55z; 1 withdraws",
        "0 discards 5z sideways; 0 foul 7-05-13; 1 ron; 2 pon 5z from 0 with 55z; cancel-foul 0 reason=no; 1 withdraws",
        "0 discards 5z; 2 pon 5z from 0 with 55z; 0 riichi-told; 0 foul 7-05-13; cancel-foul 0 reason=no",
        "0 discards 5z sideways; 0 stick; 1 ron; 2 pon 5z from 0 with 55z; 3 ron; 1 withdraws; 3 withdraws",
    ],
)
def test_r18_a_riichi_that_stands_again_has_its_called_tile_replaced(acts: str) -> None:
    table = Table(rules_named("home").ruleset).feed(f"{START}; {ROUND}; {acts}")
    assert [saying for saying in table.sayings if saying[0] == "next_sideways"][-1:] == [("next_sideways", 0)]
    assert table.hand.sideways_due[0]
    table.feed("2 discards 1m; 3 discards 1p; 0 discards 9m")
    assert table.clauses == [("R18", 0)]


def test_r20_a_replacement_called_while_its_riichi_was_void_is_replaced_as_well() -> None:
    called = "1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s sideways"
    table = play(f"{RIICHI}; 0 stick; {called}; 0 foul 7-05-13; 2 pon 2s from 0 with 22s; cancel-foul 0 reason=no")
    assert table.hand.sideways_due[0]


@pytest.mark.parametrize(
    "acts",
    [
        "0 foul 7-05-13; 1 ron; 2 pon 5z from 0 with 55z; cancel-foul 0 reason=no",
        "0 foul 7-05-13; 1 pon 5z from 0 with 55z; 1 discards 5p; draw; cancel-foul 0 reason=no",
    ],
)
def test_r18_a_riichi_that_is_ronned_or_stands_again_once_play_is_over_has_no_tile_replaced(acts: str) -> None:
    table = Table(rules_named("home").ruleset).feed(f"{START}; {ROUND}; 0 discards 5z sideways; {acts}")
    assert "next_sideways" not in dict(table.sayings)


def test_r19_the_replacement_is_not_the_declaration_tile() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s")
    table.feed("0 discards 2s sideways; 1 discards 2m")
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[0]] == [False, True, False]
    assert not table.hand.ippatsu[0].is_open
    assert ("riichi_declared", 0) not in table.sayings


def test_r20_a_called_replacement_is_replaced_again() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s")
    table.feed("0 discards 2s sideways; 2 pon 2s from 0 with 22s")
    assert ("next_sideways", 0) in table.sayings


def test_r19_a_second_sideways_tile_out_of_place_is_asked_about() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m; 2 discards 1p; 3 discards 1s").feed("0 discards 2s sideways")
    assert table.clauses == [("R19", 0)]


@pytest.mark.parametrize(("origin", "clauses"), [("hand", [("R22", 0)]), ("drawn", []), ("", [])])
def test_r21_r22_a_discard_from_the_hand_in_riichi_is_asked_about(origin: str, clauses: list[tuple[str, int]]) -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m; 2 discards 1p; 3 discards 1s").feed(f"0 discards 2s {origin}")
    assert table.clauses == clauses


def test_r23_a_call_in_riichi_is_asked_about() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 7z").feed("0 pon 7z from 1 with 77z")
    assert ("R23", 0) in table.clauses


@pytest.mark.parametrize(
    ("before", "is_double"),
    [
        ("", True),
        (discards("9m 9p"), True),
        ("0 discards 5z; 3 pon 5z from 0 with 55z; 3 discards 1m; 0 discards 1s; 1 discards 9s", False),
        ("0 discards 1m; 1 closed 7777p; 1 discards 9m", False),
        (ROUND, False),
    ],
)
def test_r37_r39_double_riichi_is_the_first_discard_with_no_call_before(before: str, is_double: bool) -> None:
    table = play(before)
    seat = (table.hand.laid_tiles[-1].seat + 1) % 4 if table.hand.laid_tiles else 0
    table.feed(f"{seat} discards 6z sideways")
    assert (("double_riichi", seat) in table.sayings) is is_double
    assert table.hand.riichi[seat].is_double is is_double


def test_r39_the_own_closed_kan_makes_it_plain_riichi() -> None:
    table = play("0 closed 7777p; 0 discards 6z sideways")
    assert not table.hand.riichi[0].is_double


def test_r37_a_called_first_discard_counts_as_a_discard() -> None:
    table = play("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s")
    table.feed("0 discards 2s sideways")
    assert ("double_riichi", 0) not in table.sayings


def test_a_stick_taken_back_is_missing_again_and_nobody_is_interrupted() -> None:
    table = play(f"{RIICHI}; 0 stick").feed("0 stick-back")
    assert (table.sayings, table.hand.riichi[0].stick_seen) == ([], False)
    assert stage(table, 0) is RiichiStage.ACCEPTED
    assert table.feed("0 stick").sayings == []
    assert table.hand.riichi[0].stick_seen


def test_a_stick_taken_back_before_any_riichi_is_nothing() -> None:
    table = play(f"{ROUND}; 0 stick; 0 stick-back")
    assert table.hand.sticks == (False,) * 4
    assert table.sayings == []


def test_r65_to_r67_four_riichi_abort_once_the_fourth_tile_has_passed_and_its_stick_lies() -> None:
    three = "0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick; 2 discards 4m sideways; 2 stick"
    table = play(f"{ROUND}; {three}").feed("3 discards 6m sideways")
    assert ("four_riichi_pending", None) in table.sayings
    table.feed("pass")
    assert ("four_riichi_abort", None) not in table.sayings
    assert table.hand.phase is Phase.PLAY
    table.feed("3 stick")
    assert ("four_riichi_abort", None) in table.sayings
    assert table.hand.abort is AbortReason.FOUR_RIICHI
    table.feed("confirm")
    assert table.missing == ("hand 0", "hand 1", "hand 2", "hand 3")
    table.feed("confirm")
    assert table.state.scores == (24000,) * 4
    assert table.state.deposits == 4
    assert table.state.next_start is not None
    assert table.state.next_start.honba == 1


FOUR = (
    f"{ROUND}; 0 discards 2m sideways; 0 stick; 1 discards 3m sideways; 1 stick; 2 discards 4m sideways; 2 stick"
    "; 3 discards 6m sideways"
)


def test_r66_a_ron_on_the_fourth_riichi_tile_is_a_win_and_no_abort() -> None:
    table = play(f"{FOUR}; 3 stick; 0 ron")
    assert table.hand.abort is None
    assert table.hand.phase is Phase.CLAIMED
    assert table.state.scores[3] == 25000


def test_r66_a_withdrawn_ron_on_the_fourth_tile_lets_the_abort_come() -> None:
    table = play(f"{FOUR}; 3 stick; 0 ron; 0 withdraws; pass")
    assert table.hand.abort is AbortReason.FOUR_RIICHI


def test_d14_a_called_fourth_riichi_tile_aborts_all_the_same() -> None:
    table = play(f"{ROUND}; 3 stick; {FOUR.removeprefix(ROUND + '; ')}; 0 pon 6m from 3 with 66m")
    assert table.hand.abort is AbortReason.FOUR_RIICHI


def test_r65_four_riichi_can_be_off() -> None:
    table = play(f"{FOUR}; 3 stick; 0 discards 1p", four_riichi=False)
    assert table.hand.abort is None
    assert table.hand.phase is Phase.PLAY


def test_r68_hands_are_checked_at_four_riichi() -> None:
    table = play(f"{FOUR}; 3 stick").feed("0 shows 123456789m1479s")
    assert table.clauses == [("7-05-07", 0)]
    assert ("noten_riichi", 0) in table.sayings


def test_a_new_hand_starts_with_no_riichi() -> None:
    table = play(f"{RIICHI}; 0 stick").feed(START.replace("E1", "E2"))
    assert table.hand.riichi[0].stage is RiichiStage.NONE


def test_r66_a_fourth_riichi_without_its_stick_stays_pending_while_play_goes_on() -> None:
    table = play(f"{FOUR}; 0 discards 1p; 1 discards 2p")
    assert table.hand.pending_abort is AbortReason.FOUR_RIICHI
    assert table.hand.abort is None
    assert table.feed("3 stick").hand.abort is AbortReason.FOUR_RIICHI


def test_a_stick_that_lies_before_an_upright_tile_is_asked_about_once() -> None:
    """R03: it makes no riichi; taken back and laid again it is asked about again."""
    table = Table(rules_named("ema-2025").ruleset).feed(START).feed("0 stick; 0 discards 9m")
    assert table.clauses == [("EMA 6.6", 0)]
    assert stage(table, 0) is RiichiStage.NONE
    around = "1 discards 9p; 2 discards 9s; 3 discards 1z"
    assert table.feed(f"{around}; 0 discards 8m").clauses == []
    assert table.feed(f"{around}; 0 stick-back; 0 stick; 0 discards 7m").clauses == [("EMA 6.6", 0)]


def test_a_stick_laid_before_the_sideways_tile_is_nothing_to_ask_about() -> None:
    assert play("0 stick; 0 discards 9m sideways").clauses == []


@pytest.mark.parametrize(("asks", "clauses"), [(True, [("R08", 0)]), (False, [])])
def test_r08_a_riichi_that_nobody_heard_is_asked_about_where_the_rules_say_so(
    asks: bool, clauses: list[tuple[str, int]]
) -> None:
    table = play(ROUND, ask_unvoiced_riichi=asks).feed("0 discards 5z sideways")
    assert table.clauses == clauses
    assert [suspicion.scope for suspicion in table.suspicions] == [Scope.STAFF] * asks
    assert table.sayings == [("riichi_declared", 0)]
    assert stage(table, 0) is RiichiStage.DECLARED


def test_r08_a_riichi_that_was_said_before_its_tile_is_not_asked_about() -> None:
    for riichi in ("0 riichi; 0 discards 5z sideways", "0 discards 5z; 0 riichi-told"):
        assert play(f"{ROUND}; {riichi}", ask_unvoiced_riichi=True).clauses == []


def test_r08_the_sideways_tile_that_replaces_a_called_one_is_no_declaration() -> None:
    table = play(f"{ROUND}; 0 riichi; 0 discards 5z sideways; 1 pon 5z from 0 with 55z", ask_unvoiced_riichi=True)
    assert table.feed("1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s sideways").clauses == []


@pytest.mark.parametrize(
    ("then", "answered"),
    [
        ("0 riichi", True),
        ("1 discards 1m; 0 riichi", True),
        ("1 riichi", False),
        ("0 stick; 1 discards 1m", False),
        ("2 ron", True),
        ("2 ron; 2 withdraws", False),
        ("0 puts-back", True),
        ("1 discards 1m; 0 riichi; 1 puts-back", True),
    ],
)
def test_r08_the_question_is_answered_once_riichi_is_said_or_stands_no_more(then: str, answered: bool) -> None:
    table = play(ROUND, ask_unvoiced_riichi=True).feed("0 discards 5z sideways")
    (suspicion,) = table.suspicions
    assert is_answered(table.feed(then).hand, suspicion) is answered


@pytest.mark.parametrize("before", ["", "; 0 stick", "; 1 riichi", "; 0 riichi"])
def test_r09_a_riichi_whose_tile_is_taken_up_again_is_said_to_count_no_more(before: str) -> None:
    table = play(f"{RIICHI}{before}").feed("0 puts-back")
    announcement = table.one(AnnouncementId.RIICHI_VOID)
    assert (announcement.seat, announcement.args) == (0, {"by": "put_back"})
    assert "riichi_void" not in dict(table.feed("0 discards 5z sideways").sayings)
    assert table.sayings[0] == ("riichi_declared", 0)


@pytest.mark.parametrize("tiles", ["1 discards 1m; 1 puts-back", "1 discards 1m; 0 stick; 1 puts-back"])
def test_r09_a_riichi_that_only_waits_again_is_not_said_to_count_no_more(tiles: str) -> None:
    assert "riichi_void" not in dict(play(RIICHI).feed(tiles).sayings)


@pytest.mark.parametrize("voice", ["0 riichi; 0 discards 5z sideways", "0 discards 5z sideways; 0 riichi"])
def test_r09_a_riichi_that_was_announced_is_asked_about_once_its_tile_lies_upright(voice: str) -> None:
    table = play(f"{ROUND}; {voice}").feed("0 puts-back; 0 discards 5z")
    assert table.one(AnnouncementId.RIICHI_UPRIGHT).args == {"by": "voice"}


def test_r09_a_riichi_that_a_foul_withdrew_is_not_asked_about_once_its_tile_lies_upright() -> None:
    table = Table(rules_named("home").ruleset).feed(f"{START}; {ROUND}; 0 riichi; 0 discards 5z sideways")
    table.feed("0 foul 7-05-12")
    table.feed("0 puts-back; 0 discards 5z")
    assert "riichi_upright" not in dict(table.sayings)


def test_other_questions_are_answered_by_people_alone() -> None:
    table = Table(rules_named("ema-2025").ruleset).feed(f"{START}; {ROUND}; 0 riichi; 0 discards 5z")
    (suspicion,) = table.suspicions
    table.feed("0 riichi")
    assert not is_answered(table.hand, suspicion)


def test_r22_is_about_drawn_tiles_and_no_tile_was_drawn_after_a_call() -> None:
    table = play(f"{RIICHI}; 0 stick; 1 discards 1m; 2 discards 1p; 3 discards 7m; 0 chi 7m from 3 with 68m")
    assert table.clauses == [("R23", 0)]
    assert table.feed("0 discards 2s hand").clauses == []


@pytest.mark.parametrize("rule", ["may", "must"])
def test_r19_a_tile_turned_where_no_other_lies_sideways_is_no_second_one(rule: str) -> None:
    """The riichi tile was called, and its replacement laid upright; a later tile marks the place (R18, R19)."""
    table = play(f"{RIICHI}; 0 stick; 1 pon 5z from 0 with 55z; 1 discards 1m", replacement_sideways=rule)
    table.feed("2 discards 1p; 3 discards 1s; 0 discards 2s")
    assert (("R18", 0) in table.clauses) is (rule == "must")
    assert table.feed("1 discards 2m; 2 discards 2p; 3 discards 3s; 0 discards 4s sideways").clauses == []
    assert table.feed("1 discards 3m; 2 discards 3p; 3 discards 5s; 0 discards 6s sideways").clauses == [("R19", 0)]
