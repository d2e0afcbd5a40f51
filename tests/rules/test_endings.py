"""How hands end: claimed wins, draws, aborts, and the settlement in one confirmation."""

from __future__ import annotations

import pytest

from table.rules.announcements import Saying
from table.rules.errors import ImpossibleEventError
from table.rules.results import AbortReason, ResultKind, Settlement
from table.rules.state import Phase, RiichiStage
from tests.rules.situations import Table, discards, play

ROUND = discards("9m 9p 9s 1z")
TANYAO = "234m567m34567p22s"
"""Waits for 2p 5p 8p."""


def settled(table: Table) -> Settlement:
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    return settlement


def test_one_confirmation_closes_the_claims_and_settles() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed("confirm")
    assert [saying for saying, _ in table.sayings] == ["settlement_proposed", "settlement_confirmed"]
    assert table.hand.phase is Phase.SETTLED
    assert settled(table).kind is ResultKind.RON
    assert table.one(Saying.SETTLEMENT_CONFIRMED).args["scores"] == list(table.state.scores)


def test_several_winners_are_collected_until_the_confirmation() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 ron han=2 fu=30; confirm")
    assert [int(win.seat) for win in settled(table).wins] == [1, 2]
    assert table.state.scores == (25000 - 1000 - 2000, 27000, 26000, 25000)


def test_a_claim_may_name_its_han_and_fu_and_a_second_one_replaces_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 2 ron han=2 fu=30; confirm")
    assert table.state.scores == (23000, 25000, 27000, 25000)


def test_entered_han_without_fu_count_as_thirty() -> None:
    assert play(f"{ROUND}; 0 discards 5p; 2 ron han=1; confirm").state.scores[2] == 26000


def test_a_shown_hand_goes_before_entered_han() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron han=8 fu=30; 2 shows {TANYAO} with 5p; confirm")
    assert settled(table).wins[0].han != 8


def test_a_win_without_a_hand_waits_for_it() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed("confirm; confirm")
    assert table.hand.missing == ("hand 2",)
    assert table.hand.is_live
    assert table.sayings == []
    table = table.feed(f"2 shows {TANYAO} with 5p")
    assert table.hand.missing == ()
    assert not table.feed("confirm").hand.is_live


def test_an_unread_tile_in_a_winning_hand_waits_for_people() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron; 2 shows 234m567m34567p2s? with 5p").feed("confirm")
    assert table.hand.missing == ("hand 2",)
    assert table.clauses == []


def test_a_shown_hand_may_come_before_the_claim() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 shows {TANYAO} with 5p; 2 ron; confirm")
    assert not table.hand.is_live


def test_a_ron_without_a_named_discarder_is_on_the_last_tile() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron")
    assert table.hand.claims[0].from_seat == 0


@pytest.mark.parametrize(
    ("shown", "clause", "evidence"),
    [
        ("234m567m34567p2s1s with 5p", "7-05-01", "the shown hand is not complete"),
        ("234m567m34567p2s with 5p", "7-04-02", "12 concealed tiles were shown where 13 belong"),
        ("234m567m34567p222s with 5p", "7-04-01", "14 concealed tiles were shown where 13 belong"),
        ("123m567m46p22288s with 5p", "7-05-01", "the shown hand has no yaku"),
        ("234m567m34567p22s with 8p", "7-05-01", "8p was shown as the winning tile, 5p lies"),
    ],
)
def test_a_shown_hand_that_cannot_win_is_asked_about_with_its_reason(shown: str, clause: str, evidence: str) -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed(f"2 shows {shown}")
    assert [(each.clause, each.evidence) for each in table.suspicions] == [(clause, (evidence,))]


def test_people_have_the_last_word_on_a_furiten_ron() -> None:
    table = play("0 discards 9m; 1 discards 9p; 2 discards 2p; 3 discards 1z; 0 discards 5p; 2 ron")
    assert ("7-05-01", 2) in table.feed(f"2 shows {TANYAO} with 5p").clauses
    assert not table.feed("confirm").hand.is_live


def test_an_open_riichi_cannot_be_valued() -> None:
    opening = "0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 1m sideways; 1 stick; 2 discards 5p"
    table = play(f"{opening}; 1 ron; 1 shows 234m34567p22s with 5p; 1 ura 9m").feed("confirm")
    assert table.hand.missing == ("hand 1",)


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
    assert table.hand.missing == ("hand 0",)


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
    with pytest.raises(ImpossibleEventError, match="expected a discard of seat"):
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


def test_d13_three_rons_abort_where_the_rules_say_so() -> None:
    three = f"{ROUND}; 0 discards 5p; 1 ron han=1; 2 ron han=1; 3 ron han=1"
    table = play(three, triple_ron="abort").feed("confirm")
    assert ("triple_ron_abort", None) in table.sayings
    assert settled(table).reason is AbortReason.TRIPLE_RON
    assert table.state.scores == (25000,) * 4
    assert len(settled(play(three).feed("confirm")).wins) == 3


def test_a_triple_ron_may_be_called_as_such() -> None:
    table = play(f"{ROUND}; 0 discards 5p").feed("abort triple_ron; confirm")
    assert settled(table).reason is AbortReason.TRIPLE_RON
    assert [saying for saying, _ in table.sayings].count("triple_ron_abort") == 1


def test_r10_r11_a_missing_stick_is_demanded_at_the_settlement_before_ura() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 1 discards 5p; 0 ron; 0 shows {TANYAO} with 5p"
    table = play(opening).feed("confirm")
    assert table.hand.missing == ("stick 0", "ura 0")
    assert ("stick_missing", 0) in table.sayings
    table = table.feed("0 stick")
    assert table.hand.missing == ("ura 0",)
    table = table.feed("0 ura 9m")
    assert table.hand.missing == ()
    assert not table.feed("confirm").hand.is_live


def test_r11_a_second_confirmation_takes_the_stick_as_paid() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 1 discards 5p; 2 ron han=1"
    for rule in ("passed", "passed_and_stick"):
        table = play(opening, riichi_stands_on=rule).feed("confirm")
        assert table.hand.is_live
        table = table.feed("confirm")
        assert table.hand.riichi[0].stage is RiichiStage.ACCEPTED
        assert table.state.scores == (24000, 24000, 27000, 25000)


def test_r34_ura_are_for_a_winner_in_riichi() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; "
    assert play(opening + "2 ron").feed("2 ura 9m").clauses == [("R34", 2)]
    assert play(opening + "0 ron").feed("0 ura 9m").clauses == []
    assert play(opening).feed("0 ura 9m").clauses == [("R34", 0)]


def test_r33_ura_count_for_the_winner_in_riichi_alone() -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p"
    table = play(
        f"{opening}; 0 ron; 0 shows {TANYAO} with 5p; 2 ron; 2 shows 234m678m234s46p88s with 5p; 0 ura 1s; confirm"
    )
    by_seat = {int(win.seat): dict(win.yaku) for win in settled(table).wins}
    assert by_seat[0]["ura_dora"] == 2
    assert "ura_dora" not in by_seat[2]


@pytest.mark.parametrize(("switches", "wanted"), [({}, 2), ({"kan_ura": False}, 1), ({"ura_dora": False}, 0)])
def test_r35_how_many_ura_are_asked_for(switches: dict[str, object], wanted: int) -> None:
    opening = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 closed 7777z; dora 9m; 1 discards 2p"
    table = play(f"{opening}; 0 ron; 0 shows {TANYAO} with 2p", **switches)
    for turned in range(1, wanted):
        table = table.feed(f"0 ura {'9s' * turned}")
    table = table.feed("confirm")
    assert table.hand.missing == (("ura 0",) if wanted else ())
    if wanted:
        table = table.feed(f"0 ura {'9s' * wanted}; confirm")
    assert not table.hand.is_live


def test_a_missing_indicator_is_asked_for_once() -> None:
    table = play(f"{ROUND}; 0 closed 7777z; 0 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed("confirm")
    assert table.hand.missing == ("dora",)
    assert table.feed("dora 9m").hand.missing == ()
    assert not table.feed("confirm").hand.is_live


def test_the_last_tile_and_the_replacement_tile_are_known_from_the_count() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    last_draw = play(discards(" ".join(tiles[:69]))).feed("1 tsumo; 1 shows 55m55p55s2233445z with 5z")
    assert "last_tile_tsumo" in dict(settled(last_draw.feed("confirm")).wins[0].yaku)
    last_discard = play(discards(" ".join([*tiles[:69], "5p"]))).feed(
        "0 ron; 0 shows 555m55p55s555666z with 5p; confirm"
    )
    assert "last_tile_ron" in dict(settled(last_discard).wins[0].yaku)
    after_kan = play("0 discards 9m; 1 closed 7777z; dora 9m; 1 tsumo; 1 shows 123m4555p666s with 3p; confirm")
    assert "after_a_kan" in dict(settled(after_kan).wins[0].yaku)


def test_blessings_and_the_first_go_round() -> None:
    heaven = play(f"0 tsumo; 0 shows {TANYAO} with 5p; confirm")
    assert settled(heaven).wins[0].yakuman == 1
    earth = play(f"0 discards 9m; 1 tsumo; 1 shows {TANYAO} with 5p; confirm")
    assert settled(earth).wins[0].yakuman == 1
    called = play(
        f"0 discards 5z; 3 pon 5z from 0 with 55z; 3 discards 9m; 0 discards 9p; 1 tsumo; 1 shows {TANYAO} with 5p"
    )
    assert settled(called.feed("confirm")).wins[0].yakuman == 0


def test_pao_reaches_the_settlement() -> None:
    feeding = (
        "0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; 3 discards 6z; 2 pon 6z from 3 with 66z; 2 discards 2m"
        "; 3 discards 1p; 0 discards 1s; 1 discards 7z; 2 pon 7z from 1 with 77z; 2 discards 9m; 3 discards 9p"
    )
    table = play(f"{feeding}; 0 discards 9s; 1 discards 9s; 2 tsumo; 2 shows 345m5p with 5p; confirm")
    assert table.state.scores == (25000, 25000 - 32000, 57000, 25000)


# Draws


def test_a_draw_is_settled_by_statements_and_riichi() -> None:
    table = play(f"{ROUND}; {discards('2m 2m 3m 3m')}; draw; 0 tenpai; 1 noten; confirm")
    assert settled(table).tenpai == (0,)
    assert table.state.scores == (28000, 24000, 24000, 24000)


def test_a_shown_hand_goes_before_a_statement() -> None:
    table = play(f"{ROUND}; draw; 1 tenpai").feed("1 shows 1479m1479p1479s5z")
    assert table.clauses == [("7-05-16", 1)]
    assert settled(table.feed("confirm")).tenpai == ()


def test_a_hand_with_an_unread_tile_counts_as_stated() -> None:
    table = play(f"{ROUND}; draw; 1 tenpai; 1 shows 147m?1479p1479s5z").feed("confirm")
    assert settled(table).tenpai == (1,)


RIICHI = f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 1m; draw"


def test_r27_a_hand_in_riichi_has_to_be_shown_at_the_draw() -> None:
    table = play(RIICHI).feed("confirm")
    assert table.hand.missing == ("hand 0",)
    assert settled(table.feed("confirm")).tenpai == (0,)


def test_r27_noten_said_in_riichi_is_accepted_and_does_not_waive_the_showing() -> None:
    table = play(RIICHI).feed("0 noten")
    assert ("noten_riichi", 0) in table.sayings
    assert table.clauses == [("7-05-07", 0)]
    table = table.feed("confirm")
    assert table.hand.missing == ("hand 0",)
    assert settled(table.feed("confirm")).tenpai == ()


def test_noten_said_in_riichi_while_play_goes_on_is_only_noted() -> None:
    assert play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 0 noten").clauses == []


def test_r56_a_riichi_hand_shown_noten_is_told() -> None:
    table = play(RIICHI).feed("0 shows 1479m1479p1479s5z")
    assert ("noten_riichi", 0) in table.sayings
    assert table.clauses == [("7-05-07", 0)]
    assert settled(table.feed("confirm")).tenpai == ()


def test_r57_nothing_is_asked_of_a_riichi_hand_when_another_wins() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; 2 ron; 2 shows {TANYAO} with 5p").feed(
        "confirm"
    )
    assert not table.hand.is_live
    assert table.suspicions == []


def test_r47_sticks_stay_at_a_draw() -> None:
    table = play(RIICHI).feed(f"0 shows {TANYAO}; confirm")
    assert table.state.deposits == 1
    assert table.state.next_start is not None
    assert table.state.next_start.deposits == 1
    assert table.state.next_start.honba == 1


def test_r46_the_winner_takes_all_sticks() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 discards 5p; 2 ron han=1; confirm")
    assert table.state.scores == (24000, 24000, 27000, 25000)
    assert table.state.deposits == 0


def test_a_hand_with_a_wrong_number_of_tiles_is_asked_about_at_the_draw() -> None:
    assert play(f"{ROUND}; draw").feed("1 shows 123m").clauses == [("7-04-02", 1)]


@pytest.mark.parametrize(
    ("events", "switches", "paid"),
    [
        (ROUND, {}, True),
        (ROUND, {"nagashi_mangan": False}, False),
        ("0 discards 5z; 1 pon 5z from 0 with 55z; 1 discards 2m", {}, False),
        ("0 discards 5m; 1 discards 5p; 2 discards 5s; 3 discards ?", {}, False),
    ],
)
def test_nagashi_mangan_needs_a_whole_uncalled_river_of_orphans(
    events: str, switches: dict[str, object], paid: bool
) -> None:
    table = play(events, **switches).feed("draw; confirm")
    assert (settled(table).reason is AbortReason.NAGASHI) is paid


def test_a_win_after_the_draw_was_called_takes_the_draw_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; draw; 2 ron han=1; confirm")
    assert settled(table).kind is ResultKind.RON


def test_play_after_a_draw_was_called_takes_the_draw_back() -> None:
    table = play(f"{ROUND}; draw; 0 discards 5p")
    assert table.hand.phase is Phase.PLAY


# Aborts


def test_four_winds_abort_once_the_fourth_has_passed() -> None:
    table = play("").feed("start E1 scores=25000,25000,25000,25000 dora=3m").feed(discards("4z 4z 4z 4z"))
    assert table.hand.phase is Phase.PLAY
    table = table.feed("confirm")
    assert ("four_winds_abort", None) in table.sayings
    assert settled(table).reason is AbortReason.FOUR_WINDS


@pytest.mark.parametrize("tiles", ["4z 4z 4z 3z", "5z 5z 5z 5z", "9m 9m 9m 9m"])
def test_other_first_discards_do_not_abort(tiles: str) -> None:
    assert play(discards(tiles) + "; pass").hand.abort is None


def test_four_winds_can_be_off_and_need_an_unbroken_first_go_round() -> None:
    assert play(discards("4z 4z 4z 4z") + "; pass", four_winds=False).hand.abort is None
    assert play("0 closed 7777p; " + discards("4z 4z 4z 4z") + "; pass").hand.abort is None


def test_nine_terminals_are_called_at_the_first_own_draw_and_shown() -> None:
    table = play("0 discards 9m; abort nine_terminals by 1").feed("confirm")
    assert table.hand.missing == ("hand 1",)
    table = table.feed("1 shows 19m19p19s1234567z with 5m")
    assert table.clauses == []
    assert settled(table.feed("confirm")).reason is AbortReason.NINE_TERMINALS


def test_nine_terminals_of_the_seat_in_turn_need_no_name() -> None:
    assert play("0 discards 9m; abort nine_terminals").hand.abort_by == 1


def test_nine_terminals_with_fewer_kinds_are_asked_about() -> None:
    table = play("abort nine_terminals by 0").feed("0 shows 19m19p19s22345m55z with 5m")
    assert table.clauses == [("7-05-01", 0)]


@pytest.mark.parametrize(
    ("events", "switches"),
    [
        (f"{ROUND}; abort nine_terminals by 0", {}),
        ("0 discards 5z; 2 pon 5z from 0 with 55z; 2 discards 1m; abort nine_terminals by 3", {}),
        ("0 discards 9m; abort nine_terminals by 2", {}),
        ("abort nine_terminals by 0", {"nine_terminals": False}),
    ],
)
def test_nine_terminals_at_another_time_are_asked_about(events: str, switches: dict[str, object]) -> None:
    table = play("", **switches).feed(events)
    assert [clause for clause, _ in table.clauses] == ["7-05-01"]


def test_an_abort_of_nobody_after_the_wall_is_used_up_is_taken_as_said() -> None:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    table = play(discards(" ".join(tiles[:70]))).feed("abort nine_terminals; confirm")
    assert settled(table).reason is AbortReason.NINE_TERMINALS


def test_nagashi_is_no_abort() -> None:
    with pytest.raises(ImpossibleEventError, match="expected an abortive draw, got nagashi"):
        play("abort nagashi")


def test_people_may_call_an_abort_that_the_table_did_not_show() -> None:
    table = play("0 discards 1m; abort four_winds; confirm")
    assert settled(table).reason is AbortReason.FOUR_WINDS


# By hand


def test_a_hand_is_settled_by_people_at_any_point() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick").feed("settled draw -1000,0,0,0 deposits=1 honba=1")
    assert table.state.scores == (24000, 25000, 25000, 25000)
    assert table.state.deposits == 1
    assert not table.hand.is_live


def test_a_hand_is_settled_by_people_with_nothing_seen_at_all() -> None:
    table = Table().feed("settled ron 2000,-2000,0,0 win0=0:1:1:30:0:1500:tanyao+1 next=stays honba=1")
    assert table.state.scores == (27000, 23000, 25000, 25000)
    assert table.sayings[0] == ("hand_started", 0)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == "E1"
    assert table.feed("settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:tanyao+1").state.scores[2] == 26000


def test_payments_that_lose_points_cannot_be() -> None:
    with pytest.raises(ImpossibleEventError, match=r"expected payments that keep the points, got \+1000"):
        play("settled ron 2000,-1000,0,0 win0=0:1:1:30:0:1500:tanyao+1")


def test_the_game_ends_with_its_ranking_and_settles_no_more() -> None:
    table = Table().feed("start S4 scores=20000,35000,25000,20000 dora=1z")
    table.feed("settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:tanyao+1")
    assert table.state.is_over
    assert table.one(Saying.GAME_ENDED).args == {"scores": [20000, 34000, 26000, 20000], "ranking": [1, 2, 0, 3]}
    assert table.state.next_start is None
    with pytest.raises(ImpossibleEventError, match="expected a hand to settle"):
        table.feed("settled draw 0,0,0,0")


def test_people_may_play_on_after_the_end() -> None:
    table = Table().feed(
        "start S4 scores=20000,35000,25000,20000 dora=1z; settled ron 0,-1000,1000,0 win0=2:1:1:30:0:1000:"
    )
    assert not table.feed("start W1 scores=20000,34000,26000,20000 dora=1z").state.is_over


def test_a_withdrawn_tsumo_leaves_the_turn_with_its_seat() -> None:
    table = play(f"{ROUND}; 0 tsumo; 0 withdraws")
    assert table.hand.phase is Phase.PLAY
    assert table.hand.turn == 0


def test_a_robbed_kan_that_was_taken_as_passed_is_open_again() -> None:
    pon = "0 discards 6z; 1 pon 6z from 0 with 66z; 1 discards 9m; 2 discards 9p; 3 discards 9s; 0 discards 1p"
    table = play(f"{pon}; 1 adds 6z; pass; 2 ron")
    assert table.hand.turn is None
    assert table.hand.claimable is not None
    assert not table.hand.claimable.passed


def test_a_draw_called_over_a_claimed_win_is_asked_about_and_takes_the_claim_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 2 ron").feed("draw")
    assert table.clauses == [("7-05-01", 2)]
    assert table.hand.phase is Phase.ENDING
    assert table.hand.claims == ()


def test_a_triple_ron_called_as_such_keeps_its_claims_without_a_value() -> None:
    table = play(f"{ROUND}; 0 discards 5z sideways; 0 stick; 1 ron; 2 ron; 3 ron").feed("abort triple_ron; confirm")
    assert settled(table).reason is AbortReason.TRIPLE_RON
    assert table.clauses == []
    assert table.state.scores == (25000,) * 4


def test_play_after_a_triple_ron_was_called_takes_the_abort_back() -> None:
    table = play(f"{ROUND}; 0 discards 5p; 1 ron; abort triple_ron; 1 discards 1m")
    assert table.hand.phase is Phase.CLAIMED


def test_four_winds_called_by_people_are_said_once() -> None:
    opening = "start E1 scores=25000,25000,25000,25000 dora=3m; " + discards("4z 4z 4z 4z")
    table = play("").feed(f"{opening}; abort four_winds")
    assert [saying for saying, _ in table.sayings].count("four_winds_abort") == 1


def test_a_second_look_at_a_pending_abort_changes_nothing() -> None:
    table = play("0 closed 1111m; 0 discards 1z; 1 closed 2222m; 1 discards 1p; 2 closed 3333m; 2 discards 2p")
    table = table.feed("3 closed 4444m; 3 discards 9s; 0 ron; 0 withdraws; 0 ron; 0 withdraws; pass")
    assert table.hand.abort is AbortReason.FOUR_KANS


def test_a_noten_hand_may_be_shown_at_a_draw() -> None:
    assert play(f"{ROUND}; draw").feed("1 shows 1479m1479p1479s5z").clauses == []


def test_a_hand_shown_at_another_abort_is_not_looked_at() -> None:
    assert play(f"{ROUND}; 0 discards 5p; abort four_winds").feed("1 shows 123m").clauses == []


def test_a_shown_hand_that_held_red_fives_may_be_read_again_without_them() -> None:
    table = play(f"{ROUND}; draw; 1 shows 1470m1479p1479s5z; 1 shows 1475m1479p1479s5z")
    assert table.hand.counts[34] == 0
