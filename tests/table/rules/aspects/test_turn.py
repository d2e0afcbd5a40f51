"""Turns, draws that are only inferred, copies, indicators, and what is put back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rules.state import DRAWS, Phase
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.tiles import Tile
from tests.table.rules.situations import START, Table, discards, play

ROUND = discards("9m 9p 9s 1z")


def test_the_dealer_begins_with_a_drawn_tile() -> None:
    table = play("")
    assert (table.hand.turn, table.hand.has_drawn, table.hand.tiles_left) == (0, True, DRAWS - 1)


def test_the_turn_is_nobodys_while_a_discard_may_be_claimed() -> None:
    table = play("0 discards 1m")
    assert table.hand.turn is None
    table = table.feed("pass")
    assert table.hand.turn == 1
    assert table.hand.tiles_left == DRAWS - 2


def test_a_next_discard_says_that_the_tile_before_passed() -> None:
    stated = play("0 discards 1m; pass; 1 discards 2m; pass; pass")
    inferred = play("0 discards 1m; 1 discards 2m; pass")
    assert stated.hand == inferred.hand


def test_a_discard_by_another_seat_than_expected_is_a_missing_one_first() -> None:
    table = play("0 discards 1m").feed("2 discards 2m")
    assert table.one(AnnouncementId.MISSING_DISCARD).args == {"expected": 1}
    assert table.one(AnnouncementId.MISSING_DISCARD).scope is Scope.STAFF
    assert table.clauses == [("7-05-09", 2)]
    assert "out_of_turn" not in dict(table.sayings)
    assert table.hand.has_gap
    assert table.hand.tiles_left == DRAWS - 3
    assert table.feed("3 discards 3m").clauses == []


def test_the_same_seat_twice_means_that_three_discards_are_missing() -> None:
    table = play("0 discards 1m").feed("0 discards 2m")
    assert table.clauses == [("7-05-09", 0)]
    assert table.hand.tiles_left == DRAWS - 5


def _all_but(left: int) -> str:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    return discards(" ".join(tiles[: DRAWS - left]))


def test_few_tiles_left_are_told() -> None:
    table = play(_all_but(5)).feed("pass")
    assert table.one(AnnouncementId.TILES_LEFT).args == {"count": 4}
    table = play(_all_but(2)).feed("pass")
    assert table.one(AnnouncementId.TILES_LEFT).args == {"count": 1}
    table = play(_all_but(1)).feed("pass")
    assert table.one(AnnouncementId.TILES_LEFT).args == {"count": 0}


def test_after_the_last_discard_nobody_has_a_turn() -> None:
    table = play(_all_but(0)).feed("pass")
    assert table.hand.turn is None
    assert table.hand.phase is Phase.PLAY
    assert table.feed("2 discards 5z").clauses == [("7-05-09", 2)]


def test_a_kan_with_no_tile_left_is_asked_about() -> None:
    table = play(_all_but(1)).feed("1 closed 5555z")
    assert table.clauses == [("7-05-02", 1)]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("; ".join(f"{seat} discards 5z" for seat in range(4)) + "; 0 discards 5z", "at most 4 copies of 5z, got 5"),
        ("dora 1z; 0 discards 1z; 1 discards 1z; 2 discards 1z", "at most 4 copies of 1z"),
        ("0 discards 0m; 1 discards 0m", "at most 1 copy of 0m in this set, got 2"),
        ("0 discards 5m; 1 discards 5m; 2 discards 5m; 3 discards 5m", "at most 3 copies of 5m in this set, got 4"),
        ("0 closed 1111m; 0 discards 1m", "at most 4 copies of 1m"),
        ("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 5z; 2 discards 5z", "at most 4 copies of 5z"),
        ("0 tsumo; 0 shows 11122233344m with 4m; 1 discards 1m; 2 discards 1m", "at most 4 copies of 1m"),
    ],
)
def test_more_copies_than_the_set_has_cannot_lie_on_a_table(events: str, expected: str) -> None:
    with pytest.raises(ImpossibleEventError, match=expected):
        play(events)


def test_sets_may_have_other_red_fives() -> None:
    play("0 discards 0p; 1 discards 0p", red_pin=2)
    play("; ".join(f"{seat} discards 5m" for seat in range(4)), red_man=0)
    with pytest.raises(ImpossibleEventError, match="at most 0 copies of 0m"):
        play("0 discards 0m", red_man=0)


def test_an_unread_tile_keeps_the_turn_going() -> None:
    table = play("0 discards ?")
    assert table.hand.rivers[0][0].tile is Tile("?")
    assert table.feed("1 discards 1m").clauses == []


def test_a_ronned_tile_is_counted_once_and_a_drawn_one_too() -> None:
    ron = play("0 discards 4m; 1 ron; 1 shows 1112223334m55z with 4m")
    assert ron.hand.counts[Tile("4m").kind] == 2
    tsumo = play("0 tsumo; 0 shows 1112223334m55z with 4m")
    assert tsumo.hand.counts[Tile("4m").kind] == 2


def test_a_hand_shown_again_replaces_the_first_reading() -> None:
    table = play("0 discards 4m; 1 ron; 1 shows 1112223334m55z with 4m; 1 shows 1112223334m66z with 4m")
    assert table.hand.counts[Tile("5z").kind] == 0
    assert table.hand.counts[Tile("6z").kind] == 2


def test_dora_indicators_follow_the_kans() -> None:
    table = play("0 closed 7777p").feed("dora 3m")
    assert table.hand.dora_indicators == (Tile("1z"), Tile("3m"))
    assert table.clauses == []
    assert table.feed("dora 4m").clauses == [("7-06-04", 0)]


def test_an_indicator_without_a_kan_is_asked_about() -> None:
    assert play("").feed("dora 3m").clauses == [("7-06-04", 0)]
    assert play("0 closed 7777p", kan_dora=False).feed("dora 3m").clauses == [("7-06-04", 0)]


@pytest.mark.parametrize(
    ("events", "rule", "dora_due"),
    [
        ("0 closed 7777p", "after_discard", 1),
        ("0 discards 5z; 1 kan 5z from 0 with 555z", "after_discard", 0),
        ("0 discards 5z; 1 kan 5z from 0 with 555z", "at_once", 1),
        ("0 discards 5z; 1 kan 5z from 0 with 555z; 1 discards 1m", "after_discard", 0),
        ("0 discards 5z; 1 kan 5z from 0 with 555z; 1 discards 1m; pass", "after_discard", 1),
        ("0 discards 5z; 1 kan 5z from 0 with 555z; 1 discards 1m; 2 chi 1m from 1 with 23m", "after_discard", 1),
    ],
)
def test_when_an_indicator_is_due(events: str, rule: str, dora_due: int) -> None:
    assert play(events, open_kan_dora=rule).hand.dora_due == dora_due


def test_a_first_indicator_may_be_turned_after_the_deal() -> None:
    table = play("").feed("start E1 scores=25000,25000,25000,25000").feed("dora 3m")
    assert table.hand.dora_indicators == (Tile("3m"),)
    assert table.clauses == []


@pytest.mark.parametrize(
    ("before", "act", "back"),
    [
        (ROUND, "0 discards 5z sideways", "0 puts-back"),
        (f"{ROUND}; 0 discards 5z sideways", "1 discards 1m", "1 puts-back"),
        (f"{ROUND}; 0 discards 5z", "1 pon 5z from 0 with 55z", "1 puts-back-meld"),
        (ROUND, "0 closed 7777p", "0 puts-back-meld"),
        (
            "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m; 2 discards 1p; 3 discards 1s; 0 discards 2s",
            "1 adds 5z",
            "1 puts-back-meld",
        ),
    ],
)
def test_what_is_put_back_leaves_the_table_as_it_was(before: str, act: str, back: str) -> None:
    table = play(before)
    old_state = table.state
    assert table.feed(f"{act}; {back}").state == old_state


def test_sticks_fouls_and_indicators_stay_when_a_tile_is_put_back() -> None:
    table = play(f"{ROUND}; 0 closed 7777p; 0 discards 5z sideways; 1 stick; 0 stick; dora 3m; 0 foul R22; 0 puts-back")
    assert table.hand.sticks == (True, True, False, False)
    assert table.hand.dora_indicators == (Tile("1z"), Tile("3m"))
    assert len(table.hand.fouls) == 1
    assert table.hand.counts[Tile("3m").kind] == 1
    assert table.state.scores == (25000,) * 4


def test_a_stick_seen_stays_seen_when_a_later_tile_is_put_back() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 1 discards 1m; 0 stick; 1 puts-back")
    assert table.hand.riichi[0].stick_seen


@pytest.mark.parametrize("back", ["0 puts-back", "1 puts-back-meld", "2 puts-back"])
def test_only_the_last_tile_or_meld_can_be_put_back(back: str) -> None:
    with pytest.raises(ImpossibleEventError, match="expected the last"):
        play(f"0 discards 1m; 1 discards 2m; {back}")


def test_nothing_can_be_put_back_before_the_first_discard() -> None:
    with pytest.raises(ImpossibleEventError, match="expected the last discard to be of seat 0"):
        play("0 puts-back")


def test_exposed_tiles_are_asked_about() -> None:
    assert play("2 exposes 5z1m").clauses == [("7-06-01", 2)]


def test_fouls_are_logged_and_cancelled_by_people_alone() -> None:
    table = play("").feed("1 foul 7-05-01 option=b note='late'")
    assert table.one(AnnouncementId.FOUL_LOGGED).args == {"clause": "7-05-01", "foul": 0}
    table = table.feed("cancel-foul 0 reason='misread'")
    assert table.one(AnnouncementId.FOUL_CANCELLED).args == {"clause": "7-05-01", "foul": 0}
    assert table.hand.fouls[0].cancel_reason == "misread"


@pytest.mark.parametrize(
    "events", ["cancel-foul 0", "1 foul R22; cancel-foul 0; cancel-foul 0", "1 foul R22; cancel-foul 1"]
)
def test_only_a_standing_foul_can_be_cancelled(events: str) -> None:
    with pytest.raises(ImpossibleEventError, match="expected a logged foul out of"):
        play(events)


def test_a_foul_may_be_logged_after_the_settlement() -> None:
    table = play("draw; confirm").feed("1 foul 7-05-16")
    assert len(table.hand.fouls) == 1
    assert table.state.next_start is not None


def test_a_stick_that_does_not_lie_there_cannot_be_taken_back() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a stick of seat 0"):
        play("0 stick-back")


def test_nothing_happens_between_hands_but_starts_settlements_and_fouls() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a hand in play"):
        play("draw; confirm").feed("0 discards 1m")
    with pytest.raises(ImpossibleEventError, match="expected a hand in play"):
        play("draw; confirm").feed("confirm")


def test_a_start_says_where_the_game_stands() -> None:
    table = play("").feed("start S2 scores=20000,30000,25000,23000 honba=1 deposits=2 dora=3m")
    announcement = table.one(AnnouncementId.HAND_STARTED)
    assert announcement.args == {"round": "S2", "dealer": 1, "honba": 1, "deposits": 2}
    assert table.state.deposits == 2


def test_a_hand_dealt_over_an_open_one_is_listed_without_a_settlement() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick").feed(START.replace("E1", "E2"))
    (line,) = table.state.history
    assert line.settlement is None
    assert line.scores == (25000,) * 4
    assert repr(table.hand.round) == "E2"


def test_a_hand_dealt_over_a_proposed_settlement_takes_it() -> None:
    table = play("0 tsumo han=2 fu=30").feed("start E2 scores=27000,24000,24500,24500 dora=3m")
    (line,) = table.state.history
    assert line.settlement is not None
    assert ("settlement_confirmed", None) in table.sayings
    assert ("hand_started", 1) in table.sayings


def test_a_win_that_nobody_can_value_is_left_without_a_settlement() -> None:
    table = play("0 tsumo").feed("start E2 scores=27000,24000,24500,24500 dora=3m")
    assert table.state.history[0].settlement is None


def test_a_foul_needs_a_hand() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a hand, got none"):
        Table().feed("1 foul R22")


def test_a_confirmation_in_play_lets_the_tile_pass() -> None:
    table = play("0 discards 1m; confirm")
    assert table.hand.turn == 1
    assert table.hand.is_live


def test_a_game_has_four_scores() -> None:
    with pytest.raises(InvalidValueError, match="expected four scores"):
        replace(Table().state, scores=(25000, 25000, 25000))  # type: ignore[arg-type]  # that is the point


def test_a_hand_knows_its_place_and_dealer() -> None:
    table = play("").feed("start S2 scores=25000,25000,25000,25000")
    assert (repr(table.hand.round), table.hand.dealer) == ("S2", 1)


def test_others_who_let_a_claimed_tile_pass_do_not_undo_the_claim() -> None:
    table = play("0 discards 1m; 1 ron; pass")
    assert table.hand.turn is None
    assert table.hand.phase is Phase.CLAIMED
