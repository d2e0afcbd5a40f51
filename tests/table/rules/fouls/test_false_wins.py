"""False and late wins: what they leave behind once they fall, and which of several claims counts."""

from __future__ import annotations

from typing import Any

import pytest

from table.i18n import announcement_sentence, catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import SHIPPED, rules_named
from table.rules.events import FoulLogged
from table.rules.fouls.foul_outlook import outlook_of_newest
from table.rules.state import HandState, Ippatsu, Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import CHOMBO, NOTEN, RIICHI, ROUND, TENPAI, at, four_riichi
from tests.table.rules.situations import START, Table, settlement_of

# A ron that falls leaves everything as if it had never been claimed

WITH_RIICHI = "0 discards 9m; 1 discards 9s sideways; 1 stick"
LATE = f"{WITH_RIICHI}; 2 discards 2z"
FALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("3 ron from 1; 3 foul 7-05-14", {"7-05-14": "c"}),
    ("3 ron from 1; 3 foul 7-05-01 facts='not offender_opened_hand'", {"7-05-01": "b"}),
    ("3 ron from 1; 3 foul 7-05-01", {"7-05-01": "c"}),
    ("3 ron from 1; 3 foul 7-05-01", {"7-05-01": "d"}),
    ("3 ron from 1; 3 foul 7-05-15 facts=late_caller=3", {"7-05-15": "c"}),
    ("3 ron from 1; 3 withdraws", {}),
    ("3 ron from 1; 0 ron from 1; 3 withdraws; 0 foul 7-05-14", {}),
    ("3 ron from 1; 0 ron from 2; 0 withdraws; 3 foul 7-05-14", {}),
)


def revocable_state(hand: HandState) -> tuple[Any, ...]:
    """What a ron takes back: riichi, windows, and whether the last tile has passed."""
    passed = (hand.phase, hand.turn, hand.has_drawn, hand.has_passed, hand.tiles_left, hand.pending_abort, hand.abort)
    return hand.riichi, hand.ippatsu, hand.sideways_due, *passed


@pytest.mark.parametrize(("falls", "options"), FALLS[:-1])
@pytest.mark.parametrize(
    "before",
    [
        LATE,
        f"{LATE}; 3 discards 3z",
        f"{WITH_RIICHI}; 2 discards 2z sideways; 2 stick",
        "0 discards 9m; 1 discards 9s sideways; 2 discards 2z",
        f"{WITH_RIICHI}; 2 pon 9s from 1 with 99s; 2 discards 2z",
        f"{WITH_RIICHI}; 2 discards 2z; 3 discards 3z; 0 discards 4z; pass",
    ],
)
def test_a_late_ron_on_a_riichi_tile_that_falls_leaves_riichi_stick_and_ippatsu_alone(
    before: str, falls: str, options: dict[str, str]
) -> None:
    baseline, table = at(before, options), at(f"{before}; {falls}", options)
    assert revocable_state(table.hand) == revocable_state(baseline.hand)


TSUMO_FALLS = (
    "2 tsumo; 2 foul 7-05-01 facts='not offender_opened_hand'",
    "2 tsumo; 2 foul 7-05-01 option=l facts=can_continue; cancel-foul 0 reason=no",
    "2 tsumo; 2 shows 1m; 2 foul 7-05-01 option=m facts=can_continue",
    "2 tsumo; 2 foul 7-04-01",
    "2 tsumo; 2 withdraws",
)


@pytest.mark.parametrize("falls", TSUMO_FALLS)
@pytest.mark.parametrize(
    "before",
    [
        f"{LATE}; pass",
        f"{LATE}; 3 discards 3z; pass",
        f"{ROUND}; 0 discards 5p; 3 pon 5p from 0 with 55p",
        f"{LATE}; draw",
        "0 discards 9m; abort nine_terminals by 1",
        four_riichi(),
    ],
)
def test_a_tsumo_out_of_turn_or_after_the_end_that_falls_leaves_turn_wall_and_end(before: str, falls: str) -> None:
    baseline, table = at(before), at(f"{before}; {falls}")
    assert revocable_state(table.hand) == revocable_state(baseline.hand)
    assert table.hand.missed_at == baseline.hand.missed_at
    assert table.hand.claims == ()
    deposit = table.state.deposit_points
    assert (table.state.deposits, sum(table.state.scores) + deposit) == (
        baseline.state.deposits,
        sum(baseline.state.scores),
    )


@pytest.mark.parametrize(("falls", "options"), FALLS)
def test_after_a_late_ron_that_fell_the_riichi_still_wins_with_ippatsu(falls: str, options: dict[str, str]) -> None:
    table = at(f"{LATE}; {falls}; 3 discards 3z; 0 discards 5p; 1 ron; 1 shows {TENPAI} with 5p; 1 ura 9p", options)
    win = settlement_of(table.feed("confirm")).wins[0]
    assert {"double_riichi", "ippatsu"} <= dict(win.yaku).keys()


@pytest.mark.parametrize(("falls", "options"), [each for each in FALLS if "from 2" not in each[0]])
@pytest.mark.parametrize(
    "before", [WITH_RIICHI, "0 discards 9m; 1 discards 9s sideways", f"{ROUND}; 0 discards 5p; pass"]
)
def test_a_ron_in_time_that_falls_leaves_everything_as_it_was(before: str, falls: str, options: dict[str, str]) -> None:
    seat = 0 if before.endswith("pass") else 1
    text = falls.replace("0 ron", "2 ron").replace("0 foul", "2 foul").replace("from 1", f"from {seat}")
    baseline, table = at(before, options), at(f"{before}; {text}", options)
    assert revocable_state(table.hand) == revocable_state(baseline.hand)


def test_a_stick_that_was_taken_back_for_a_ron_that_fell_is_missing_and_not_asked_for_in_play() -> None:
    table = at(f"{LATE}; 3 ron from 1; 1 stick-back; 3 foul 7-05-14")
    assert (table.hand.riichi[1].is_accepted, table.hand.riichi[1].stick_seen) == (True, False)
    assert ("stick_missing", 1) not in table.sayings


def test_a_stick_that_was_laid_meanwhile_is_seen() -> None:
    table = at("0 discards 9m; 1 discards 9s sideways; 2 discards 2z; 3 ron from 1; 1 stick; 3 foul 7-05-14")
    assert (table.hand.riichi[1].is_accepted, table.hand.riichi[1].stick_seen) == (True, True)


def test_where_a_riichi_stands_on_its_stick_one_laid_meanwhile_makes_it_stand() -> None:
    text = "0 discards 9m; 1 discards 9s sideways; 2 discards 2z; 3 ron from 1; 1 stick; 3 withdraws"
    assert at(text, riichi_stands_on="passed_and_stick").hand.riichi[1].is_accepted


def test_a_ron_on_the_fourth_riichi_tile_that_falls_leaves_the_abort() -> None:
    for falls in ("0 withdraws", "0 foul 7-05-14", "0 foul 7-05-01"):
        table = at(f"{four_riichi()}; 0 ron; {falls}")
        assert (table.hand.phase, table.hand.abort, table.hand.pending_abort) == (
            Phase.ENDING,
            AbortReason.FOUR_RIICHI,
            None,
        )


def test_play_that_went_on_over_a_ron_that_falls_closes_the_window_as_ever() -> None:
    after_call = at(f"{LATE}; 3 ron from 1; 0 pon 2z from 2 with 22z; 0 discards 3z; 3 foul 7-05-14")
    assert after_call.hand.riichi[1].is_accepted
    assert after_call.hand.ippatsu[1] is Ippatsu.CLOSED
    after_riichi = at("0 discards 9m; 1 discards 9s sideways; 3 ron; 2 discards 2z; 3 discards 3z; 3 foul 7-05-14")
    assert (after_riichi.hand.riichi[1].stage, after_riichi.hand.ippatsu[1]) == (RiichiStage.ACCEPTED, Ippatsu.OPEN)
    discarded = at(f"{LATE}; 3 ron from 1; 3 discards 3z; 0 discards 4z; 1 discards 9p; 3 withdraws")
    assert discarded.hand.ippatsu[1] is Ippatsu.CLOSED


@pytest.mark.parametrize(("option", "left"), [("a", 1), ("b", 0)])
def test_the_riichi_on_whose_tile_a_false_ron_was_claimed_goes_by_7_03_as_any_other(option: str, left: int) -> None:
    text = f"{LATE}; 3 ron from 1; 3 shows {NOTEN}; 3 foul 7-05-01; confirm"
    table = at(text, {"7-02": "a", "7-03": option})
    assert table.state.deposits == left
    assert table.state.scores == (29000, 27000 - 1000 * left, 27000, 17000)
    assert table.state.history[-1].riichi == (Seat.RIGHT,)


def test_a_chombo_over_which_the_next_hand_is_dealt_lists_the_same_riichi_as_a_confirmed_one() -> None:
    text = f"{LATE}; 3 ron from 1; 3 shows {NOTEN}; 3 foul 7-05-01 option=a"
    options = {"7-03": "a"}
    confirmed, dealt = at(f"{text}; confirm", options), at(f"{text}; start E1 scores=25000,25000,25000,25000", options)
    assert dealt.state.history[0].riichi == confirmed.state.history[0].riichi == (Seat.RIGHT,)


# "Play goes on" (7-05-01 d, f, i, j, m)

GOES_ON = [
    ("d", "not offender_opened_hand", 1000),
    ("f", "not offender_opened_hand", 0),
    ("i", "not anyone_opened_hand", 1000),
    ("j", "not anyone_opened_hand", 0),
    ("l", "can_continue", 0),
    ("m", "can_continue", 0),
    ("e", "not offender_opened_hand", 1000),
    ("g", "not anyone_opened_hand", 0),
    ("h", "not anyone_opened_hand", 0),
    ("k", "not anyone_opened_hand", 0),
]


@pytest.mark.parametrize(("option", "facts", "pot"), GOES_ON)
@pytest.mark.parametrize("has_facts", [True, False])
def test_where_play_goes_on_a_false_ron_is_dropped_and_the_next_discard_is_nobodys_fault(
    option: str, facts: str, pot: int, has_facts: bool
) -> None:
    words = f" facts='{facts}'" if has_facts or option in "lm" else ""
    table = at(f"{ROUND}; 0 discards 5p; 2 ron").feed(f"2 foul 7-05-01 option={option}{words}")
    assert (table.hand.claims, table.hand.phase, table.state.deposit_points) == ((), Phase.PLAY, pot)
    assert table.feed("1 discards 2m").clauses == []
    assert table.feed("2 discards 2m; 3 discards 2m; draw; confirm").clauses == []
    at_draw = ResultKind.ABORT if option == "l" else ResultKind.DRAW  # l: chombo at the exhaustive draw
    assert (table.missing, settlement_of(table).kind) == ((), at_draw)


@pytest.mark.parametrize(("option", "facts", "pot"), GOES_ON)
def test_where_play_goes_on_a_false_tsumo_is_dropped_too(option: str, facts: str, pot: int) -> None:
    table = at(f"{ROUND}; 0 tsumo; 0 foul 7-05-01 option={option} facts='{facts}'")
    assert (table.hand.claims, table.hand.turn, table.state.deposit_points) == ((), Seat.NEAR, pot)
    assert table.feed("0 discards 2m; 1 discards 2m").clauses == []


def test_where_opened_tiles_are_put_back_as_they_were_every_hand_is_taken_up_again() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TENPAI} with 5p; 3 shows {NOTEN}"
    table = at(f"{text}; 2 foul 7-05-01 option=m facts=can_continue")
    assert (table.hand.claims, table.hand.shown_hands) == ((), (None,) * 4)
    assert sum(table.hand.counts[:34]) == 6


def test_the_hand_of_a_valid_win_beside_it_stays_open() -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {NOTEN}; 2 ron; 2 shows {TENPAI}"
    table = at(f"{text}; 1 foul 7-05-01 option=m facts=can_continue")
    assert table.hand.openers == (Seat.FAR,)
    assert [int(win.seat) for win in settlement_of(table.feed("confirm")).wins] == [2]


def test_a_false_win_that_is_only_said_leaves_a_valid_one_beside_it_to_be_settled() -> None:
    for option in "defghijk":
        text = f"{ROUND}; 0 discards 5p; 1 ron; 2 ron han=1 fu=30; 1 foul 7-05-01 option={option}; confirm"
        assert [int(win.seat) for win in settlement_of(at(text)).wins] == [2]


def test_without_a_rule_for_it_the_referee_says_what_becomes_of_a_false_win() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron; 2 foul 7-05-01", {"7-05-01": "referee"})
    assert len(table.hand.claims) == 1
    unknown = at(f"{ROUND}; 0 discards 5p; 2 ron; 2 foul 7-05-01", {"7-05-01": "m"})
    assert len(unknown.hand.claims) == 1
    assert "cannot_continue" in unknown.hand.fouls[0].consequence.questions


@pytest.mark.parametrize("option", ["referee", "m"])
def test_a_false_win_that_is_left_to_the_referee_is_not_paid_by_a_confirmation(option: str) -> None:
    claimed = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 ron han=1 fu=30; 2 foul 7-05-01"
    table = at(f"{claimed}; confirm; confirm; confirm", {"7-05-01": option})
    assert (table.hand.is_live, table.missing) == (True, ("ruling 2",))
    assert settlement_of(table.feed("2 withdraws; confirm")).deltas == (-1000, 1000, 0, 0)
    table = at(f"{claimed}; confirm; cancel-foul 0 reason=valid; confirm", {"7-05-01": option})
    assert settlement_of(table).deltas == (-2000, 1000, 1000, 0)
    recorded = Table().feed(f"{START}; {claimed}; confirm")
    assert settlement_of(recorded).deltas == (-2000, 1000, 1000, 0)  # without penalties, fouls are only recorded


@pytest.mark.parametrize(
    "text",
    [
        "2 ron; 2 foul 7-05-01; confirm; 2 ron han=1 fu=30",
        "2 foul 7-05-01; 2 ron han=1 fu=30",
        "2 ron; 2 foul 7-05-01; 2 withdraws; 2 ron han=1 fu=30",
        "unseen; 2 ron; 2 foul 7-05-01; 2 ron from 0 han=1 fu=30",
        "unseen; 2 ron han=1 fu=30; 2 foul 7-05-01; 1 ron from 0 han=1 fu=30",
    ],
)
def test_a_false_win_that_is_left_to_the_referee_stays_so_however_it_is_valued(text: str) -> None:
    table = at(f"{ROUND}; 0 discards 5p; {text}; confirm; confirm", {"7-05-01": "referee"})
    assert (table.hand.is_live, table.missing) == (True, ("ruling 2",))


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("2 ron; 2 foul 7-05-01; 2 withdraws; 1 discards 9m; 2 tsumo han=1 fu=30", 2),
        ("1 ron; 1 foul 7-05-01; 1 withdraws; 1 tsumo han=1 fu=30", 1),
        ("1 ron han=1 fu=30; 2 ron; 2 foul 7-05-01; 2 foul 7-05-01 option=a facts=offender_opened_hand", 1),
        ("1 tsumo; 1 foul 7-05-01; 1 closed 1111m; 1 tsumo han=1 fu=30", 1),
        ("1 tsumo; 1 foul 7-05-01; 1 closed 1111m; 2 ron han=1 fu=30", 2),
    ],
)
def test_a_false_win_that_is_left_to_the_referee_holds_up_no_other_win(text: str, winner: int) -> None:
    table = at(f"{ROUND}; 0 discards 5p; {text}; confirm", {"7-05-01": "referee"})
    assert [int(win.seat) for win in settlement_of(table).wins] == [winner]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("2 ron han=1 fu=30; 2 foul {}", {"7-05-14": 2, "7-05-15": 2, "7-04-01": 2, "7-04-02": 2, "7-05-06": 2}),
        ("2 ron han=1 fu=30; 1 foul {} facts=late_caller=2", {"7-05-15": 1}),
        ("2 ron han=1 fu=30; 0 foul {}", {"7-08-02": 0, "7-07-02": 0, "7-07-03": 0}),
        ("2 foul {}; 1 discards 6p; 2 ron han=1 fu=30", {"7-04-01": 2, "7-04-02": 2, "7-05-06": 2}),
        ("1 tsumo; 1 foul {}; 1 closed 1111m; 1 puts-back-meld; 1 tsumo han=1 fu=30", {"7-05-01": 1}),
        ("1 closed 1111m; 1 tsumo; 1 foul {}; 1 tsumo han=1 fu=30", {"7-05-01": 1}),
        ("1 ron; 0 foul {}; 1 withdraws; 2 ron han=1 fu=30", {"7-07-02": 0, "7-07-03": 0}),
        ("1 tsumo; 0 foul {}; 1 withdraws; 2 ron han=1 fu=30", {"7-07-02": 0, "7-07-03": 0}),
    ],
)
def test_any_foul_that_may_spoil_a_win_holds_it_up_until_the_referee_rules(text: str, asked: dict[str, int]) -> None:
    for clause, seat in asked.items():
        table = at(f"{ROUND}; 0 discards 5p; {text.format(clause)}; confirm; confirm", {clause: "referee"})
        assert (table.hand.is_live, table.missing) == (True, (f"ruling {seat}",)), clause
        assert settlement_of(table.feed("cancel-foul 0 reason=valid; confirm")).wins


@pytest.mark.parametrize(
    "text",
    [
        "2 foul 7-05-14; 1 discards 6p; 2 ron han=1 fu=30",
        "1 foul 7-04-01; 2 ron han=1 fu=30",
        "1 foul 7-08-02; 2 ron han=1 fu=30",
        "2 ron han=1 fu=30; 2 foul 7-05-14; 2 foul 7-05-14 option=d",
        "2 foul 7-04-02; 2 foul 7-04-02 option=i; 2 ron han=1 fu=30",
        "2 foul 7-04-02; 1 discards 6p; 2 ron han=1 fu=30; confirm; 2 foul 7-04-02 option=i",
        "0 foul 7-07-02; 1 discards 6p; 2 ron han=1 fu=30; confirm; 0 foul 7-07-02 facts='not breaker_is_winner'",
        "1 ron; 0 foul 7-07-02 option=a; 1 withdraws; 1 discards 6p; 2 ron han=1 fu=30",
        "1 ron; 0 foul 7-07-02 option=a; 1 withdraws; 1 closed 1111m; 2 ron han=1 fu=30",
        "1 tsumo; 3 foul 7-07-02 option=a; 1 withdraws; 1 discards 6p; 2 ron han=1 fu=30",
        "2 ron han=1 fu=30; 1 foul 7-05-02",
        "1 ron han=1 fu=30; 2 ron han=1 fu=30; 2 foul 7-05-15 facts=late_caller=1; 1 withdraws",
        "2 ron han=1 fu=30; 2 foul 7-05-15 facts=late_caller=1",
    ],
)
def test_a_foul_left_to_the_referee_holds_up_no_win_that_it_does_not_spoil_or_that_was_ruled_valid(text: str) -> None:
    clauses = ("7-05-14", "7-05-15", "7-04-01", "7-04-02", "7-08-02", "7-05-02")
    table = at(f"{ROUND}; 0 discards 5p; {text}; confirm", dict.fromkeys(clauses, "referee"))
    assert [int(win.seat) for win in settlement_of(table).wins] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "0 foul {}; 1 discards 6p; 2 ron han=1 fu=30",
        "2 ron; 0 foul {}; 2 withdraws; 1 discards 6p; 2 ron han=1 fu=30",
        "2 ron; 0 foul {}; 1 ron han=1 fu=30; 2 withdraws",
        "2 ron; 0 foul {}; 1 discards 6p; 2 ron from 0 han=1 fu=30",
    ],
)
@pytest.mark.parametrize("clause", ["7-07-02", "7-07-03"])
def test_tiles_knocked_over_hold_up_a_win_that_they_may_be_about(text: str, clause: str) -> None:
    table = at(f"{ROUND}; 0 discards 5p; {text.format(f'{clause} option=a')}; confirm; confirm")
    assert (table.hand.is_live, table.missing) == (True, ("ruling 0",))


@pytest.mark.parametrize("win", ["1 ron", "1 tsumo"])
@pytest.mark.parametrize("later", ["1 discards 6p", "1 closed 1111m"])
def test_an_indicator_knocked_over_holds_up_every_later_win_since_it_stays_unclear(win: str, later: str) -> None:
    text = f"{ROUND}; 0 discards 5p; {win}; 3 foul 7-07-03 option=a; 1 withdraws; {later}; 2 ron han=1 fu=30; confirm"
    table = at(text)
    assert (table.hand.phase, table.missing) == (Phase.CLAIMED, ("ruling 3",))


# A valid and a false ron together (7-05-01-01)

BOTH = f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {NOTEN}; 2 ron; 2 shows {TENPAI}"
"""Seat 1 is noten; seat 2 wins by tanyao and pinfu for 2000."""


@pytest.mark.parametrize(
    ("option", "scores", "kind"),
    [
        ("a", (23000, 25000, 27000, 25000), ResultKind.RON),
        ("b", (27000, 17000, 29000, 27000), ResultKind.RON),
        ("c", CHOMBO, ResultKind.ABORT),
        ("d", CHOMBO, ResultKind.ABORT),
    ],
)
def test_a_false_ron_that_was_claimed_and_shown_falls_by_itself_and_nothing_stays_missing(
    option: str, scores: tuple[int, ...], kind: ResultKind
) -> None:
    for text in (BOTH, BOTH.replace("; 1 ron", "").replace("5p;", "5p; 2 ron; 1 ron;", 1)):
        table = at(f"{text}; 1 foul 7-05-01; confirm", {"7-05-01-01": option})
        assert (table.missing, table.state.scores, settlement_of(table).kind) == ((), scores, kind)


@pytest.mark.parametrize("house", ["a", "c"])
@pytest.mark.parametrize(
    ("option", "scores"),
    [
        ("a", (23000, 25000, 27000, 25000)),
        ("b", (27000, 17000, 29000, 27000)),
        ("c", CHOMBO),
        ("d", CHOMBO),
    ],
)
@pytest.mark.parametrize(
    "fouls",
    [
        "1 foul 7-05-01-01 option={}",
        "1 foul 7-05-01-01 option={}; 1 foul 7-05-01",
        "1 foul 7-05-01; 1 foul 7-05-01-01 option={}",
    ],
)
def test_who_logs_7_05_01_01_itself_decides_this_once_which_claim_counts_and_the_chombo_is_paid_once(
    fouls: str, option: str, scores: tuple[int, ...], house: str
) -> None:
    table = at(f"{BOTH}; {fouls.format(option)}; confirm", {"7-05-01-01": house})
    assert (table.missing, table.state.scores) == ((), scores)


def test_a_false_ron_that_was_not_shown_falls_by_7_05_01_01_too() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron; 2 ron; 2 shows {TENPAI}; 1 foul 7-05-01-01; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [2]
    assert table.missing == ()


@pytest.mark.parametrize(
    ("option", "scores"),
    [("a", (24000, 26000, 25000, 25000)), ("b", (28000, 28000, 17000, 27000)), ("d", (24000, 26000, 25000, 25000))],
)
def test_a_valid_ron_nearer_to_the_discarder_than_the_false_one(option: str, scores: tuple[int, ...]) -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron; 2 shows {NOTEN}; 2 foul 7-05-01; confirm"
    table = at(text, {"7-05-01-01": option})
    assert (table.missing, table.state.scores) == ((), scores)


@pytest.mark.parametrize(
    ("option", "winners", "scores"),
    [
        ("a", [2, 3], (23000, 25000, 26000, 26000)),
        ("b", [2, 3], (27000, 17000, 28000, 28000)),
        ("c", [], CHOMBO),
        ("d", [], CHOMBO),
    ],
)
def test_three_rons_of_which_the_first_is_false(option: str, winners: list[int], scores: tuple[int, ...]) -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {NOTEN}; 2 ron han=1 fu=30; 3 ron han=1 fu=30"
    table = at(f"{text}; 1 foul 7-05-01; confirm", {"7-05-01-01": option}, triple_ron="abort")
    assert [int(win.seat) for win in settlement_of(table).wins] == winners
    assert table.state.scores == scores


def test_by_head_bump_only_the_nearest_of_three_counts_true_or_false() -> None:
    rons = "1 ron han=1 fu=30; 2 ron han=1 fu=30; 3 ron han=1 fu=30"
    for false, scores in (
        ("2", (24000, 26000, 25000, 25000)),
        ("3", (24000, 26000, 25000, 25000)),
        ("1", CHOMBO),
        ("12", CHOMBO),
        ("23", (24000, 26000, 25000, 25000)),
    ):
        fouls = "; ".join(f"{seat} foul 7-05-01 facts=offender_opened_hand" for seat in false)
        table = at(f"{ROUND}; 0 discards 5p; {rons}; {fouls}; confirm", {"7-05-01-01": "d"})
        assert table.state.scores == scores, false


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_under_no_named_rules_a_false_ron_takes_a_valid_one_from_another_player(name: str) -> None:
    """M.League: ron first; where nothing is chosen, the lawful win counts."""
    option = "M.League false win' facts=offender_opened_hand" if name == "m-league" else "a'"
    foul = f"2 foul 7-05-01 option='{option}"
    table = Table(rules_named(name).ruleset).feed(f"{START}; {ROUND}; 0 discards 5p; 1 ron han=2 fu=30; 2 ron; {foul}")
    settlement = settlement_of(table.feed("confirm"))
    assert (settlement.kind, [win.seat for win in settlement.wins]) == (ResultKind.RON, [Seat.RIGHT])
    assert settlement.deltas == (-2000, 2000, 0, 0)
    assert table.state.history[-1].dues == ()


def test_a_false_ron_beside_a_valid_one_counts_again_once_its_foul_is_cancelled() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30")
    table.feed("1 foul 7-05-01 facts=offender_opened_hand; cancel-foul 0 reason=right; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [1, 2]


def test_a_false_ron_whose_valid_rival_is_taken_back_is_a_chombo_after_all() -> None:
    table = at(f"{BOTH}; 1 foul 7-05-01; 2 withdraws; confirm")
    assert (settlement_of(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


def test_the_sticks_go_to_the_valid_winner_and_a_false_one_in_riichi_pays_for_its_own() -> None:
    start = START.replace("E1", "E1 honba=1 deposits=2 pot=500")
    riichi = "0 discards 9m; 1 discards 9p sideways; 1 stick; 2 discards 9s; 3 discards 1z; 0 discards 5p"
    text = f"{riichi}; 1 ron; 1 shows {NOTEN}; 2 ron han=1 fu=30; 1 foul 7-05-01; confirm"
    table = at(text, start=start)
    assert (table.missing, table.state.scores) == ((), (23700, 24000, 29800, 25000))
    assert (table.state.deposits, table.state.deposit_points) == (0, 0)


# 7-05-01 k: the order of events says who opened first


@pytest.mark.parametrize(("first", "second"), [(2, 3), (3, 2), (1, 2), (2, 0)])
def test_who_opened_first_is_known_from_the_order_and_not_asked(first: int, second: int) -> None:
    shows = f"{first} shows {NOTEN}; {second} shows {TENPAI}"
    table = at(f"{ROUND}; 0 discards 5p; 2 ron; {shows}; 2 foul 7-05-01", {"7-05-01": "k"})
    assert table.hand.fouls[0].consequence.questions == ()
    deltas = settlement_of(table.feed("confirm")).deltas
    assert deltas[first] == min(deltas) < 0


TWO_RONS = f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {TENPAI} with 5p; 2 ron"


@pytest.mark.parametrize("option", ["a", "b", "c", "d"])
def test_who_opened_a_hand_for_a_lawful_win_pays_for_no_false_ron_beside_it(option: str) -> None:
    table = at(f"{TWO_RONS}; 2 foul 7-05-01", {"7-05-01": "k", "7-05-01-01": option})
    assert table.hand.fouls[0].consequence.questions == ()
    assert table.sayings[-1] == ("dead_hand", 2)
    deltas = settlement_of(table.feed("confirm")).deltas
    assert (deltas[1] > 0, deltas[2:]) == (True, (0, 0))


@pytest.mark.parametrize(("shows", "payer"), [(2, 2), (3, 3)])
def test_beside_a_lawful_win_the_first_other_to_open_pays(shows: int, payer: int) -> None:
    text = f"{TWO_RONS}; {shows} shows {NOTEN}; 2 foul 7-05-01; confirm"
    table = at(text, {"7-05-01": "k", "7-05-01-01": "c"})
    assert settlement_of(table).deltas[payer] == -8000


def test_the_first_of_two_false_winners_to_open_pays() -> None:
    text = f"{TWO_RONS}; 1 foul 7-05-01; 2 foul 7-05-01; confirm"
    assert settlement_of(at(text, {"7-05-01": "k"})).deltas == (4000, -8000, 2000, 2000)


def test_where_nobody_opened_a_hand_the_false_claimants_is_dead() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron; 2 foul 7-05-01", {"7-05-01": "k"})
    assert table.hand.fouls[0].consequence.questions == ()
    assert ("dead_hand", 2) in table.sayings


def test_a_hand_taken_up_again_was_never_the_first_to_open() -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {TENPAI}; 1 foul 7-08-02 option=d facts=ron_caller=1"
    table = at(f"{text}; 2 ron; 2 shows {NOTEN}; 2 foul 7-05-01", {"7-05-01": "k"})
    assert settlement_of(table.feed("confirm")).deltas == (4000, 2000, -8000, 2000)


def test_who_opened_first_may_be_told_otherwise() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {NOTEN}; 3 shows {TENPAI}; 2 foul 7-05-01 facts=first_to_open=3"
    assert settlement_of(at(f"{text}; confirm", {"7-05-01": "k"})).deltas[3] == -8000


def test_who_declares_anew_over_a_ron_that_falls_has_laid_a_second_sideways_tile_and_no_second_riichi() -> None:
    table = at("0 discards 9m; 1 discards 9s sideways; 3 ron; 2 discards 2z; 3 discards 3z; 0 discards 4z")
    table.feed("1 discards 9p sideways; 3 withdraws")
    assert (table.hand.riichi[1].discard_number, table.hand.riichi[1].is_accepted) == (1, True)
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[1]] == [True, False]


def test_a_void_riichi_leaves_no_declaration_tile_also_where_an_older_one_was_ronned() -> None:
    events = "0 discards 9m; 1 discards 9s sideways; 3 ron; 2 discards 2z; 3 discards 3z; 0 discards 4z"
    table = at(f"{events}; 1 discards 9p sideways; 1 foul 7-05-08 option=b")
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[1]] == [False, False]


@pytest.mark.parametrize("foul", ["2 foul 7-05-01 facts=offender_opened_hand", "2 foul 7-09-01"])
def test_d15_a_win_voids_any_chombo_beside_it_where_the_rules_say_so(foul: str) -> None:
    """EMA 2025 and WRC 2025: with a simultaneous win the penalty is void, also beside a tsumo."""
    for name in ("ema-2025", "wrc-2025"):
        table = Table(rules_named(name).ruleset).feed("start E1 scores=30000,30000,30000,30000 dora=1z; 0 discards 1m")
        table.feed(f"{foul}; told tsumo win0=1:1:2:30:0::")
        assert [win.seat for win in settlement_of(table).wins] == [1], name


# A hand that people have entered a foul about that makes any win of it false

WRONG_COUNTS = [("7-04-01", "d"), ("7-04-01", "g"), ("7-04-02", "d"), ("7-04-02", "g")]


@pytest.mark.parametrize(("clause", "option"), WRONG_COUNTS)
def test_a_hand_with_a_wrong_number_of_tiles_does_not_win_whatever_that_costs_by_itself(
    clause: str, option: str
) -> None:
    """7-04-01, 7-04-02: a win declared all the same is a false win (7-05-01)."""
    table = at(f"{ROUND}; 0 discards 5p; 2 foul {clause} option={option}").feed("2 ron han=2 fu=30")
    assert (table.clauses, table.hand.claims, table.sayings) == ([("7-05-01", 2)], (), [("win_void", 2)])
    claimed = at(f"{ROUND}; 0 discards 5p; 2 ron han=2 fu=30; 2 foul {clause} option={option}")
    assert (claimed.hand.claims, claimed.hand.phase) == ((), Phase.PLAY)
    with pytest.raises(ImpossibleEventError, match="wrong number of tiles"):
        at(f"2 foul {clause} option={option}; told ron win0=2:0:2:30:0::")
    cancelled = at(f"2 foul {clause} option={option}; cancel-foul 0 reason=no; told ron win0=2:0:2:30:0::")
    assert settlement_of(cancelled).deltas == (-2000, 0, 2000, 0)


CURED = [
    f"{ROUND}; 0 discards 5z; 1 discards 6z; 2 foul 7-04-01 option=h; 2 discards 7z; 2 discards 7z; 3 discards 4z",
    f"{ROUND}; 0 discards 5z; 1 discards 6z; 2 discards 7z; 2 foul 7-04-01 option=h; 2 discards 7z; 3 discards 4z",
    f"{ROUND}; 2 foul 7-04-02 option=i",
]


@pytest.mark.parametrize("cured", CURED)
def test_a_number_of_tiles_that_is_cured_may_win_again(cured: str) -> None:
    table = at(f"{cured}; 0 discards 5p; 2 ron han=2 fu=30; confirm")
    assert settlement_of(table).deltas == (-2000, 0, 2000, 0)


def test_7_04_01_h_a_tile_too_many_wins_nothing_before_the_extra_discard() -> None:
    table = at(f"2 foul 7-04-01 option=h; {ROUND}; 0 discards 5p").feed("2 ron han=2 fu=30")
    assert (table.clauses, table.hand.claims) == ([("7-05-01", 2)], ())
    claimed = at(f"{ROUND}; 0 discards 5p; 2 ron han=2 fu=30; 2 foul 7-04-01 option=h")
    assert (claimed.hand.claims, claimed.hand.phase) == ((), Phase.PLAY)


@pytest.mark.parametrize("before", ["", f"{ROUND}; unseen; "])
def test_7_04_01_h_who_may_have_made_the_extra_discard_unseen_may_win(before: str) -> None:
    table = at(f"{before}2 foul 7-04-01 option=h; told ron win0=2:0:2:30:0::")
    assert settlement_of(table).deltas == (-2000, 0, 2000, 0)


@pytest.mark.parametrize("name", ["home", "parlour", "ema-2025", "wrc-2025"])
def test_d4_an_illegal_kan_that_was_entered_in_play_wins_nothing_later(name: str) -> None:
    """Whether the win is counted by people or told; another player's win leaves the kan unpunished (R61)."""
    kan = f"{RIICHI}; 0 closed 7777s; dora 9s; 0 discards 7z; 0 foul 7-05-06; 1 discards 3m"
    table = Table(rules_named(name).ruleset).feed(f"{START}; {kan}").feed("0 ron han=3 fu=40")
    assert [clause for clause in table.clauses if clause[1] == 0] == [("7-05-01", 0)]
    table.feed("0 foul 7-05-01 option=a; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO
    with pytest.raises(ImpossibleEventError, match="makes it false"):
        Table(rules_named(name).ruleset).feed(f"{START}; {kan}; told ron win0=0:1:3:40:0:riichi+1: riichi=0")
    other = Table(rules_named(name).ruleset).feed(f"{START}; {kan}; told ron win0=2:1:1:30:0:: riichi=0")
    assert settlement_of(other).deltas == (-1000, -1000, 2000, 0)


# 7-07-02, 7-07-03: one of two winners knocks over the tiles that his win is checked by

TWO = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=2 fu=30"
"""1000 and 2000."""
BROKEN = [("7-07-02", "a"), ("7-07-02", "b"), ("7-07-03", "a"), ("7-07-03", "b")]


@pytest.mark.parametrize(("clause", "option"), BROKEN)
@pytest.mark.parametrize("facts", ["breaker_is_winner", "breaker_is_winner,winner=1", "winner=1"])
@pytest.mark.parametrize(
    ("precedence", "deltas"),
    [
        ("a", (-2000, 0, 2000, 0)),
        ("b", (4000 - 2000, -8000, 2000 + 2000, 2000)),
        ("c", (4000, -8000, 2000, 2000)),
        ("d", (4000, -8000, 2000, 2000)),
    ],
)
def test_a_lawful_ron_beside_one_whose_winner_made_it_unclear_goes_by_7_05_01_01(
    clause: str, option: str, facts: str, precedence: str, deltas: tuple[int, ...]
) -> None:
    table = at(f"{TWO}; 1 foul {clause} option={option} facts='{facts}'", {"7-05-01-01": precedence})
    assert table.hand.fouls[0].consequence.questions == ()
    assert settlement_of(table.feed("confirm")).deltas == deltas


# 7-09-01, 7-08-02, 7-05-14, 7-05-15: a ron that is a chombo by another clause than that of false wins

DEAD = f"1 foul 7-04-01; {ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=2 fu=30; 1 foul 7-09-01"
MISCALLED = [
    f"{TWO}; 0 foul 7-08-02 option=b facts='discarder=0,ron_caller=1'",
    f"{TWO}; 1 foul 7-05-14 option=a",
    f"{TWO}; 1 foul 7-05-15 option=a facts=late_call_is_ron",
]


@pytest.mark.parametrize("text", [DEAD, *MISCALLED])
@pytest.mark.parametrize(
    ("precedence", "deltas"),
    [
        ("a", (-2000, 0, 2000, 0)),
        ("b", (4000 - 2000, -8000, 2000 + 2000, 2000)),
        ("c", (4000, -8000, 2000, 2000)),
        ("d", (4000, -8000, 2000, 2000)),
    ],
)
def test_a_lawful_ron_beside_one_that_is_a_chombo_by_another_clause_goes_by_7_05_01_01(
    text: str, precedence: str, deltas: tuple[int, ...]
) -> None:
    table = at(text, {"7-05-01-01": precedence})
    assert settlement_of(table.feed("confirm")).deltas == deltas


@pytest.mark.parametrize("option", ["b", "d"])
@pytest.mark.parametrize("win", ["1 tsumo han=2 fu=30; {foul}; confirm", "told tsumo win0=1:1:2:30:0::; {foul}"])
def test_who_wins_by_tsumo_called_no_ron_on_a_tile_of_a_wrong_name(win: str, option: str) -> None:
    """7-08-02: who did is asked, and the tsumo is paid."""
    table = at(f"{ROUND}; 0 discards 5p; {win.format(foul=f'0 foul 7-08-02 option={option}')}")
    assert table.state.history[0].fouls[0].consequence.questions == ("ron_caller",)
    assert settlement_of(table).deltas == (-1000, 2000, -500, -500)


def test_a_dead_hand_that_claims_the_tile_of_a_told_ron_does_not_take_it_away() -> None:
    events = "0 discards 5p; 1 foul 7-04-01; 1 foul 7-09-01; told ron win0=2:0:2:30:0::"
    assert settlement_of(at(events)).deltas == (-2000, 0, 2000, 0)


def test_a_discarder_who_pays_for_a_wrong_name_pays_beside_a_lawful_ron_too() -> None:
    """7-08-02 c: only the false ron beside it is ignored, and a chombo of the discarder ends the hand."""
    table = at(f"{TWO}; 0 foul 7-08-02 option=c facts='discarder=0,ron_caller=1'; confirm")
    assert settlement_of(table).deltas == (-12000 + 4000, 4000 - 8000, 4000 + 2000, 4000 + 2000)


@pytest.mark.parametrize("clause", ["7-04-01", "7-04-02"])
@pytest.mark.parametrize(
    ("mode", "deltas"),
    [
        ("a", (-2000, 0, 2000, 0)),
        ("b", (-2000 + 4000, -8000, 2000 + 2000, 2000)),
        ("c", (4000, -8000, 2000, 2000)),
        ("d", (4000, -8000, 2000, 2000)),
    ],
)
def test_a_ron_by_a_wrong_number_of_tiles_is_a_false_one_beside_the_lawful_one(
    clause: str, mode: str, deltas: tuple[int, ...]
) -> None:
    """7-04-01, 7-04-02: a win declared all the same is a false win, and 7-05-01-01 decides about the other ron."""
    table = at(f"{TWO}; 1 foul {clause} option=a; confirm", {"7-05-01-01": mode})
    assert settlement_of(table).deltas == deltas


def test_a_wrong_number_of_tiles_of_a_seat_that_claimed_no_ron_ends_the_hand_beside_one() -> None:
    assert settlement_of(at(f"{TWO}; 3 foul 7-04-01 option=a; confirm")).reason is AbortReason.CHOMBO


def test_a_pon_that_came_late_is_no_ron_beside_the_lawful_one() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron han=2 fu=30; 1 foul 7-05-15 option=a facts='not late_call_is_ron'; confirm"
    assert settlement_of(at(text)).deltas == (4000, -8000, 2000, 2000)


def test_with_head_bump_the_lawful_ron_counts_if_it_comes_first() -> None:
    text = f"{TWO}; 2 foul 7-07-02 option=b facts=breaker_is_winner; confirm"
    assert settlement_of(at(text, {"7-05-01-01": "d"})).deltas == (-1000, 1000, 0, 0)


@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025"])
def test_a_lawful_ron_voids_the_chombo_of_the_other_winner_where_any_win_does(name: str) -> None:
    table = Table(rules_named(name).ruleset.but(multiple_ron="all")).feed(START)
    settlement = settlement_of(table.feed(f"{TWO}; 1 foul 7-07-02 option=b facts=breaker_is_winner; confirm"))
    assert (settlement.deltas, table.state.history[0].dues) == ((-2000, 0, 2000, 0), ())


CHOMBO_BY_ITSELF = ["7-04-01 option=a", "7-04-02 option=a", "7-05-02 option=a", "R60"]


@pytest.mark.parametrize("foul", CHOMBO_BY_ITSELF)
@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025", "m-league"])
@pytest.mark.parametrize("offender", [1, 2])
def test_d15_whose_chombo_a_win_voids_wins_nothing_and_bumps_nobody(name: str, offender: int, foul: str) -> None:
    """EMA 2025 and WRC 2025: a valid win voids the chombo, but the hand of the chombo has no valid win itself."""
    table = Table(rules_named(name).ruleset).feed(f"{START}; {TWO}; {offender} foul {foul}; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [3 - offender]
    assert table.state.history[0].dues == ()


@pytest.mark.parametrize(
    ("option", "scores"), [("a", (23000, 25000, 27000, 25000)), ("b", (27000, 27000, 19000, 27000))]
)
def test_7_05_01_01_decides_about_a_valid_ron_also_where_its_winner_pays_for_the_false_one(
    option: str, scores: tuple[int, ...]
) -> None:
    """7-05-01 l: who made the hand unplayable pays for the false win of another."""
    claims = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=2 fu=30"
    foul = "1 foul 7-05-01 option=l facts='cannot_continue,breaker=2'"
    assert at(f"{claims}; {foul}; confirm", {"7-05-01-01": option}).state.scores == scores


@pytest.mark.parametrize("name", ["ema-2025", "wrc-2025", "m-league"])
def test_d15_two_winners_who_each_owe_a_chombo_do_not_void_it_for_each_other(name: str) -> None:
    table = Table(rules_named(name).ruleset).feed(f"{START}; {TWO}; 1 foul 7-04-01 option=a; 2 foul R60; confirm")
    assert settlement_of(table).reason is AbortReason.CHOMBO
    assert [int(due.seat) for due in table.state.history[0].dues] == [1, 2]


def test_the_only_winner_who_makes_a_win_unclear_pays_a_chombo() -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 1 foul 7-07-02; confirm"
    assert settlement_of(at(text)).deltas == (4000, -8000, 2000, 2000)


def test_two_winners_who_both_make_their_wins_unclear_pay_a_chombo_each() -> None:
    text = f"{TWO}; 1 foul 7-07-02 facts=breaker_is_winner; 2 foul 7-07-02 facts=breaker_is_winner; confirm"
    assert settlement_of(at(text)).deltas == (8000, -6000, -6000, 4000)


# A win that does not count is announced as such


@pytest.mark.parametrize(
    ("foul", "win", "reason"),
    [
        ("1 foul 7-04-01", "1 ron", "dead_hand"),
        ("1 foul 7-04-01", "pass; 1 tsumo", "dead_hand"),
        ("1 foul 7-04-02 option=h", "1 ron", "no_win"),
        ("1 foul 7-05-01 option=c facts='not offender_opened_hand'", "1 ron", "furiten"),
        ("1 foul 7-04-01 option=g", "pass; 1 tsumo", "tsumogiri_only"),
        ("1 foul 7-05-10", "1 ron", "early_draw"),
    ],
)
@pytest.mark.parametrize("other", ["", "; 2 ron from 0"])
def test_a_win_of_a_punished_seat_is_said_not_to_count(foul: str, win: str, reason: str, other: str) -> None:
    if other and "tsumo" in win:
        return
    table = at(f"{foul}; 0 discards 5p").feed(f"{win}{other}")
    void = table.one(AnnouncementId.WIN_VOID)
    assert (void.seat, void.args, len(table.hand.claims)) == (Seat.RIGHT, {"why": reason}, bool(other))


WON = f"0 discards 5p; 1 ron from 0; 1 shows {TENPAI} with 5p"


@pytest.mark.parametrize("foul", ["2 foul 7-04-01 option=a", "2 foul 7-07-01-02", "2 foul 7-07-01-02 option=c"])
def test_a_valid_win_that_another_seats_foul_takes_away_is_said_not_to_count(foul: str) -> None:
    table = at(WON).feed(foul)
    void = table.one(AnnouncementId.WIN_VOID)
    assert (void.seat, void.args) == (Seat.RIGHT, {"why": "foul", "from": 2})
    text = announcement_sentence(void, Seat.NEAR, catalogue("en"))
    assert text == "South’s win does not count: West’s foul ends the hand."
    assert ("win_void", 1) not in table.feed("2 foul 7-05-11; confirm").sayings


def test_a_win_is_lost_to_the_seat_that_pays_the_chombo_whoever_the_foul_is_logged_for() -> None:
    """7-05-01 k: a chombo of the player who laid the hand open first; by 7-05-01-01 c it takes the valid ron away."""
    options = {"7-05-01": "k", "7-05-01-01": "c"}
    table = at(WON, options).feed("0 foul 7-05-01 facts='anyone_opened_hand,first_to_open=2'")
    assert table.one(AnnouncementId.WIN_VOID).args == {"why": "foul", "from": 2}


@pytest.mark.parametrize("seat", [1, 3])
def test_a_win_is_lost_to_the_foul_that_ends_the_hand_and_to_none_before_it(seat: int) -> None:
    table = at(f"{seat} foul 7-05-17 option=a; {WON}").feed("2 foul 7-04-01 option=a")
    void = table.one(AnnouncementId.WIN_VOID)
    assert (void.seat, void.args) == (Seat.RIGHT, {"why": "foul", "from": 2})


def test_a_win_claimed_or_told_after_the_foul_that_ends_the_hand_is_said_not_to_count() -> None:
    claimed = at("0 discards 5p; 2 foul 7-04-01 option=a").feed("1 ron from 0")
    assert ("win_void", 1) in claimed.sayings
    table = at("2 foul 7-04-01 option=a").feed("told ron win0=1:0:3:30:0:: riichi=1")
    assert (("win_void", 1) in table.sayings, settlement_of(table).reason) == (True, AbortReason.CHOMBO)


@pytest.mark.parametrize(
    ("house", "foul"),
    [
        ("ema-2025", "2 foul 7-04-01 option=a"),
        ("m-league", "2 foul 7-04-01 option=a"),
        ("home", "1 foul 7-04-01 option=a"),
        ("home", "2 foul 7-05-11"),
    ],
)
def test_no_win_is_said_not_to_count_that_counts_or_is_the_offenders_own(house: str, foul: str) -> None:
    table = Table(rules_named(house).ruleset).feed(f"{START}; {WON}").feed(foul)
    assert ("win_void", 1) not in table.sayings


def test_what_follows_from_a_foul_names_the_win_that_it_takes_away_before_people_agree() -> None:
    rules = rules_named("home").ruleset
    event = FoulLogged(seat=Seat.FAR, clause="7-04-01", option="a")
    table = at(WON).feed("2 foul 7-04-01 option=a")
    lines = list(foul_sentences(outlook_of_newest(table.state, event, rules), Seat.NEAR, catalogue("en")))
    assert lines[0] == "South’s win is void."
