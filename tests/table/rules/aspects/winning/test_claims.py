"""Claimed wins: what is collected, taken back, and asked about when the hand lies open."""

from __future__ import annotations

import pytest

from table.rules.advance import advance
from table.rules.events import WinClaimed, WinKind
from table.rules.state import Phase
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from tests.table.rules.situations import TANYAO, discards, play, settlement_of

ROUND = discards("9m 9p 9s 1z")


def test_several_winners_are_collected_until_the_confirmation() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 ron han=2 fu=30; confirm")
    assert [int(win.seat) for win in settlement_of(table).wins] == [1, 2]
    assert table.state.scores == (25000 - 1000 - 2000, 27000, 26000, 25000)


def test_a_claim_may_name_its_han_and_fu_and_a_second_one_replaces_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 2 ron han=2 fu=30; confirm")
    assert table.state.scores == (23000, 25000, 27000, 25000)


def test_entered_han_without_fu_count_as_thirty() -> None:
    assert play(f"{ROUND}; 0 discards 5p; 2 ron han=1; confirm").state.scores[2] == 26000


def test_a_shown_hand_goes_before_entered_han() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=8 fu=30; 2 shows {TANYAO} with 5p; confirm")
    assert settlement_of(table).wins[0].han != 8


def test_a_win_without_a_hand_waits_for_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed("confirm; confirm")
    assert table.missing == ("hand 2",)
    assert table.hand.is_live
    assert table.sayings == []
    table = table.feed(f"2 shows {TANYAO} with 5p")
    assert table.missing == ()
    assert not table.feed("confirm").hand.is_live


def test_an_unread_tile_in_a_winning_hand_waits_for_people() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron; 2 shows 234m567m34567p2s? with 5p").feed("confirm")
    assert table.missing == ("hand 2",)
    assert table.clauses == []


def test_a_shown_hand_may_come_before_the_claim() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 shows {TANYAO} with 5p; 2 ron; confirm")
    assert not table.hand.is_live


def test_a_ron_without_a_named_discarder_is_on_the_last_tile() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron")
    assert table.hand.claims[0].from_seat == 0


@pytest.mark.parametrize(
    ("hand", "clause", "evidence"),
    [
        ("234m567m34567p2s1s with 5p", "7-05-01", "the shown hand is not complete"),
        ("234m567m34567p2s with 5p", "7-04-02", "the hand was shown with 12 concealed tiles instead of 13"),
        ("234m567m34567p222s with 5p", "7-04-01", "the hand was shown with 14 concealed tiles instead of 13"),
        ("123m567m46p22288s with 5p", "7-05-01", "the shown hand has no yaku"),
        ("234m567m34567p22s with 8p", "7-05-01", "8p was shown as the winning tile, 5p lies"),
    ],
)
def test_a_shown_hand_that_cannot_win_is_asked_about_with_its_reason(hand: str, clause: str, evidence: str) -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed(f"2 shows {hand}")
    assert [(suspicion.clause, suspicion.evidence) for suspicion in table.suspicions] == [(clause, (evidence,))]


def test_people_have_the_last_word_on_a_furiten_ron() -> None:
    table = play("0 discards 9m; 1 discards 9p; 2 discards 2p; 3 discards 1z; 0 discards 5p; 2 ron")
    assert ("7-05-01", 2) in table.feed(f"2 shows {TANYAO} with 5p").clauses
    assert not table.feed("confirm").hand.is_live


@pytest.mark.parametrize(
    ("play_until", "again"),
    [
        (f"{discards('9m 9p 2p 1z')}; 0 discards 5p; 2 ron; 2 shows {TANYAO}", "2 ron"),
        ("0 discards 5z; 1 pon 5z from 0 with 55z; 1 tsumo", "1 tsumo"),
        (f"{ROUND}; 0 discards 5p; 2 ron; 1 ron", "2 ron from 0"),
    ],
    ids=["furiten", "after a call", "two wins"],
)
def test_a_win_that_is_claimed_twice_is_announced_and_asked_about_once(play_until: str, again: str) -> None:
    """As by a press, after the open hand was seen."""
    table = play(play_until)
    before = table.state
    table.feed(again)
    assert (table.state, table.sayings, table.clauses) == (before, [], [])


def test_an_open_riichi_cannot_be_valued() -> None:
    opening = "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m sideways; 1 stick; 2 discards 5p"
    table = play(f"{opening}; 1 ron; 1 shows 234m34567p22s with 5p; 1 ura 9m").feed("confirm")
    assert table.missing == ("hand 1",)


def test_a_tsumo_says_that_the_tile_before_it_passed() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways").feed("1 tsumo")
    assert ("riichi_accepted", 0) in table.sayings


def test_a_tsumo_out_of_turn_is_asked_about() -> None:
    table = play(ROUND).feed("2 tsumo")
    assert table.clauses == [("7-05-09", 2)]
    assert ("missing_discard", 2) in table.sayings


def test_a_tsumo_right_after_a_call_is_asked_about() -> None:
    assert play("0 discards 5z; 1 pon 5z from 0 with 55z").feed("1 tsumo").clauses == [("7-05-01", 1)]


def test_a_tsumo_shown_without_its_winning_tile_waits_for_it() -> None:
    table = play(f"{ROUND}; 0 tsumo; 0 shows {TANYAO}; confirm")
    assert table.missing == ("hand 0",)


def test_a_tsumo_while_a_ron_is_claimed_is_asked_about_and_not_collected() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed("1 tsumo")
    assert table.clauses == [("7-05-10", 1)]
    assert [int(claim.seat) for claim in table.hand.claims] == [2]


def test_a_ron_on_the_tile_before_a_claimed_tsumo_replaces_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 1 tsumo").feed("2 ron from 0")
    assert table.clauses == [("7-05-15", 1)]
    assert [int(claim.seat) for claim in table.hand.claims] == [2]
    assert table.hand.turn is None


def test_a_ron_needs_anothers_tile() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a discard to win on"):
        play("1 ron")
    with pytest.raises(ImpossibleEventError, match="expected a discard of seat 2 to win on, got none"):
        play("0 discards 1m; 1 ron from 2")
    with pytest.raises(ImpossibleEventError, match="expected a ron on another seat's tile"):
        play("0 discards 1m; 0 ron")


def test_only_a_claimed_win_can_be_taken_back() -> None:
    with pytest.raises(ImpossibleEventError, match="expected a claimed win of seat 1"):
        play("0 discards 1m; 1 withdraws")


def test_play_goes_on_when_the_last_claim_is_taken_back() -> None:
    table = play("0 discards 1m; 1 ron; 2 ron; 1 withdraws")
    assert table.hand.phase is Phase.CLAIMED
    table = table.feed("2 withdraws")
    assert table.hand.phase is Phase.PLAY
    assert table.clauses == []
    assert table.feed("1 discards 2m").clauses == []


def test_a_win_taken_back_after_the_hand_was_shown_is_asked_about() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed("2 withdraws")
    assert table.clauses == [("7-05-01", 2)]


def test_play_that_goes_on_while_a_win_is_claimed_is_asked_about() -> None:
    assert play("0 discards 1m; 2 ron").feed("1 discards 2m").clauses == [("7-05-01", 1)]
    assert ("7-05-01", 1) in play("0 discards 1m; 2 ron").feed("1 closed 7777p").clauses


def test_the_last_tile_and_the_replacement_tile_are_known_from_the_count() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    last_draw = play(discards(" ".join(tiles[:69]))).feed("1 tsumo; 1 shows 55m55p55s2233445z with 5z")
    assert "last_tile_tsumo" in dict(settlement_of(last_draw.feed("confirm")).wins[0].yaku)
    last_discard = play(discards(" ".join([*tiles[:69], "5p"]))).feed(
        "0 ron; 0 shows 555m55p55s555666z with 5p; confirm"
    )
    assert "last_tile_ron" in dict(settlement_of(last_discard).wins[0].yaku)
    after_kan = play("0 discards 9m; 1 closed 7777z; dora 9m; 1 tsumo; 1 shows 123m4555p666s with 3p; confirm")
    assert "after_a_kan" in dict(settlement_of(after_kan).wins[0].yaku)


def test_blessings_and_the_first_go_round() -> None:
    heaven = play(f"0 tsumo; 0 shows {TANYAO} with 5p; confirm")
    assert settlement_of(heaven).wins[0].yakuman == 1
    earth = play(f"0 discards 9m; 1 tsumo; 1 shows {TANYAO} with 5p; confirm")
    assert settlement_of(earth).wins[0].yakuman == 1
    after_call = play(
        f"0 discards 5z; 3 pon 5z from 0 with 55z; 3 discards 9m; 0 discards 9p; 1 tsumo; 1 shows {TANYAO} with 5p"
    )
    assert settlement_of(after_call.feed("confirm")).wins[0].yakuman == 0


def test_a_withdrawn_tsumo_leaves_the_turn_with_its_seat() -> None:
    table = play(f"{ROUND}; 0 tsumo; 0 withdraws")
    assert table.hand.phase is Phase.PLAY
    assert table.hand.turn == 0


def test_a_robbed_kan_that_was_taken_as_passed_is_open_again() -> None:
    pon = "0 discards 6z; 1 pon 6z from 0 with 66z; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 1p"
    table = play(f"{pon}; 1 adds 6z; pass; 2 ron")
    assert table.hand.turn is None
    assert table.hand.claimable_tile is not None
    assert not table.hand.has_passed


def test_a_draw_called_over_a_claimed_win_is_asked_about_and_takes_the_claim_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed("draw")
    assert table.clauses == [("7-05-01", 2)]
    assert table.hand.phase is Phase.ENDING
    assert table.hand.claims == ()


def test_two_seats_cannot_both_have_drawn_the_winning_tile() -> None:
    table = play("0 tsumo")
    with pytest.raises(ImpossibleEventError, match="expected one own draw at a time, got that of seat 1"):
        table.feed("1 tsumo")
    assert [claim.seat for claim in table.hand.claims] == [Seat.NEAR]


@pytest.mark.parametrize(("han", "fu"), [(3, 7), (0, 30), (1, 1000)])
def test_a_win_counted_as_no_hand_can_be_waits_for_its_hand(han: int, fu: int) -> None:
    """The notation refuses it; journals of older programs hold it."""
    table = play("")
    claim = WinClaimed(seat=Seat.NEAR, kind=WinKind.TSUMO, han=han, fu=fu)
    table.state = advance(table.state, claim, table.ruleset).state
    table.feed("confirm; confirm")
    assert table.missing == ("hand 0",)
    assert table.state.history == ()
