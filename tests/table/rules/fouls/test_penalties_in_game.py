"""What fouls do to a game: the hand being played, its settlement, the next deal and the final standings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.game.journal.storage.journal_codec import decode, encode
from table.rulebook import rules_named
from table.rules.advance import advance
from table.rules.notation.event_notation import parse_events
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason, ResultKind, Settlement
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError, RulesError
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import (
    CHOMBO,
    FINISH,
    FOULS,
    HOME,
    LAST,
    NOTEN,
    RIICHI,
    ROUND,
    TENPAI,
    at,
    four_riichi,
)
from tests.table.rules.situations import START, Table, discards, play


def settled(table: Table) -> Settlement:
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    return settlement


# The deal after a chombo in the last hands


@pytest.mark.parametrize(
    ("place", "best", "following"),
    [
        ("S4", 25000, "W1"),
        ("W1", 25000, "W2"),
        ("W4", 25000, "W4"),
        ("S4", 26000, "S4"),
        ("S3", 26000, "S4"),
    ],
)
def test_7_02_01_the_deal_passes_after_a_chombo_unless_that_would_end_the_game(
    place: str, best: int, following: str
) -> None:
    """7-02 c passes it; 7-02-01 a keeps it in the hand that ends the game, which in overtime depends on the points."""
    start = f"start {place} dealer=0 scores={best},{50000 - best},25000,25000 dora=1z"
    text = "0 discards 1m; 1 foul 7-06-02 option=a; confirm"
    table = at(text, {"7-02": "c", "7-02-01": "a"}, start=start, west_in=True)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == following


# A dead hand


def test_a_dead_hand_may_not_win_and_its_claim_is_asked_about() -> None:
    table = at(f"{ROUND}; 2 foul 7-04-01; 0 discards 5p").feed("2 ron")
    assert table.clauses == [("7-09-01", 2)]
    assert table.hand.phase is Phase.PLAY
    assert table.hand.claims == ()


def test_logging_a_foul_that_kills_a_hand_says_so() -> None:
    table = at("2 foul 7-04-01")
    assert [(each.id, each.seat) for each in table.announcements] == [
        (AnnouncementId.FOUL_LOGGED, Seat.FAR),
        (AnnouncementId.DEAD_HAND, Seat.FAR),
    ]
    assert table.announcements[0].args == {"clause": "7-04-01", "foul": 0, "option": "f", "questions": []}


@pytest.mark.parametrize(("option", "asked"), [("a", True), ("b", True), ("c", False)])
def test_a_call_with_a_dead_hand_is_asked_about_unless_allowed(option: str, asked: bool) -> None:
    table = at("1 foul 7-04-01; 0 discards 5p", {"7-09-02": option}).feed("1 chi 5p from 0 with 46p")
    assert (("7-09-02", 1) in table.clauses) is asked


@pytest.mark.parametrize(("option", "asked"), [("a", True), ("b", True), ("c", False)])
def test_riichi_with_a_dead_hand_is_asked_about_unless_allowed(option: str, asked: bool) -> None:
    table = at("0 foul 7-04-01", {"7-09-03": option}).feed("0 discards 5p sideways")
    assert (("7-09-03", 0) in table.clauses) is asked


@pytest.mark.parametrize(("option", "asked"), [("a", False), ("b", True), ("c", True)])
@pytest.mark.parametrize("origin", ["hand", "drawn", ""])
def test_a_hand_discard_with_a_dead_hand_is_asked_about_where_only_drawn_tiles_may_go(
    option: str, asked: bool, origin: str
) -> None:
    table = at("0 foul 7-04-01", {"7-09-04": option}).feed(f"0 discards 5p {origin}")
    assert (("7-09-04", 0) in table.clauses) is (asked and origin == "hand")


@pytest.mark.parametrize(("option", "paid"), [("a", (3000, -1000, -1000, -1000)), ("b", (1500, -1500, 1500, -1500))])
def test_a_dead_hand_at_a_draw_counts_by_7_09_05(option: str, paid: tuple[int, ...]) -> None:
    table = at(f"2 foul 7-04-01; draw; 0 shows {TENPAI}; 2 shows 234m567m34567s22p; confirm", {"7-09-05": option})
    assert settled(table).deltas == paid


def test_a_noten_dead_hand_is_noten_either_way() -> None:
    table = at(f"2 foul 7-04-01; draw; 0 shows {TENPAI}; confirm", {"7-09-05": "b"})
    assert settled(table).tenpai == (Seat.NEAR,)


@pytest.mark.parametrize(("option", "paid"), [("a", 0), ("b", 12000)])
def test_nagashi_mangan_with_a_dead_hand_counts_by_7_09_06(option: str, paid: int) -> None:
    river = discards("9m 2m 2p 2s 1z 3m 3p 3s")
    table = at(f"{river}; 0 foul 7-04-01; draw; confirm", {"7-09-06": option})
    assert settled(table).deltas[0] == paid


def test_a_dead_hand_in_riichi_is_not_asked_to_show_at_a_draw_pays_noten_and_leaves_its_stick() -> None:
    table = at(f"{RIICHI}; 0 foul 7-06-05; draw; 1 tenpai; confirm")
    assert settled(table).deltas == (-2000, 3000, -1000, -1000)
    assert (settled(table).deposits, settled(table).tenpai) == (1, (Seat.RIGHT,))


def test_a_hand_that_is_not_dead_must_show_its_riichi_at_a_draw() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 stick; draw; confirm")
    assert table.missing == ("hand 0",)


# Other bans


@pytest.mark.parametrize("option", ["7-04-02=h", "7-05-01=c", "7-04-01=g"])
def test_who_may_not_win_by_ron(option: str) -> None:
    """7-04-01 g leaves the number of tiles wrong, with which no hand wins."""
    clause, letter = option.split("=")
    table = at(f"{ROUND}; 2 foul {clause}; 0 discards 5p", {clause: letter}).feed("2 ron han=1 fu=30")
    assert (table.hand.claims, table.clauses) == ((), [("7-05-01", 2)])


@pytest.mark.parametrize(("option", "counts"), [("7-04-02=h", False), ("7-05-01=c", True), ("7-04-01=g", False)])
def test_who_may_not_win_by_tsumo(option: str, counts: bool) -> None:
    clause, letter = option.split("=")
    table = at(f"0 foul {clause}", {clause: letter}).feed("0 tsumo han=1 fu=30")
    assert bool(table.hand.claims) is counts


def test_no_win_leaves_calls_riichi_and_the_draw_free() -> None:
    """7-09 speaks of dead hands only."""
    table = at("1 foul 7-05-07; 0 discards 5p", {"7-05-07": "c"}).feed("1 chi 5p from 0 with 46p; 1 discards 9s")
    assert table.clauses == []
    assert settled(table.feed("draw; 1 tenpai; confirm")).tenpai == (Seat.RIGHT,)


def test_an_early_draw_bars_from_calls_and_rons_until_the_own_regular_draw() -> None:
    table = at("0 discards 9m; 2 foul 7-05-10").feed("2 ron han=1 fu=30")
    assert (table.clauses, table.hand.claims) == ([("7-05-10", 2)], ())
    table.feed("1 discards 5p").feed("2 chi 5p from 1 with 46p")
    assert ("7-05-10", 2) in table.clauses


def test_after_the_own_regular_draw_the_bar_is_lifted() -> None:
    table = at("0 discards 9m; 2 foul 7-05-10; 1 discards 9p; 2 discards 9s; 3 discards 5p").feed("2 ron han=1 fu=30")
    assert len(table.hand.claims) == 1


def test_a_second_early_draw_bars_again() -> None:
    early = "0 discards 9m; 2 foul 7-05-10; 1 discards 9p; 2 discards 9s; 3 discards 1z; 0 discards 5p; 2 foul 7-05-10"
    assert at(early).feed("2 ron han=1 fu=30").clauses == [("7-05-10", 2)]
    assert at(f"{early}; 1 discards 9p; 2 discards 9s; 3 discards 5p").feed("2 ron han=1 fu=30").clauses == []


def test_an_early_draw_bars_a_told_ron_as_far_as_the_discards_are_known() -> None:
    told = "told ron win0=2:0:2:30:0::"
    with pytest.raises(ImpossibleEventError, match="before the seat's next regular draw"):
        at(f"0 discards 5p; 2 foul 7-05-10; {told}")
    for text in (f"2 foul 7-05-10; {told}", f"0 discards 5p; 2 foul 7-05-10; unseen; {told}"):
        assert settled(at(text)).deltas == (-2000, 0, 2000, 0)


@pytest.mark.parametrize(("option", "tenpai"), [("b", ()), ("c", (0,))])
def test_an_illegal_kan_in_riichi_counts_as_noten_or_tenpai_at_the_draw(option: str, tenpai: tuple[int, ...]) -> None:
    riichi = f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 stick"
    table = at(f"{riichi}; 0 foul 7-05-06; draw; 0 shows {NOTEN}; confirm", {"7-05-06": option, "7-05-07": "c"})
    assert tuple(map(int, settled(table).tenpai)) == tenpai


def test_a_short_hand_in_riichi_counts_as_noten() -> None:
    table = at("0 foul 7-04-02", {"7-04-02": "h"}).feed("0 discards 5z sideways")
    assert ("7-05-07", 0) in table.clauses
    table.feed(f"0 stick; draw; 0 shows {TENPAI}; confirm")
    assert table.missing == ("ruling 0",), "its chombo is asked for once"
    table.feed("confirm")
    assert settled(table).tenpai == ()


# A chombo


def test_a_chombo_is_proposed_at_once_and_settled_by_one_confirmation() -> None:
    table = at(f"{ROUND}; 1 foul 7-05-01 facts=offender_opened_hand")
    proposed = table.one(AnnouncementId.SETTLEMENT_PROPOSED).args
    assert proposed == {"deltas": [4000, -8000, 2000, 2000], "kind": "abort", "missing": [], "penalty": "chombo"}
    assert table.state.scores == (25000,) * 4
    table.feed("confirm")
    assert (settled(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


def test_after_a_chombo_the_hand_is_dealt_again_without_another_counter() -> None:
    table = at("2 foul 7-04-01 option=a; confirm", start=START.replace("E1", "E1 honba=3 deposits=2"))
    coming = table.state.next_start
    assert coming is not None
    assert (repr(coming.round), coming.dealer, coming.honba, coming.deposits) == ("E1", Seat.NEAR, 3, 2)


@pytest.mark.parametrize(
    ("options", "offender", "coming"),
    [
        ({"7-02": "a"}, 0, "E1"),
        ({"7-02": "b"}, 0, "E2"),
        ({"7-02": "b"}, 1, "E1"),
        ({"7-02": "c"}, 1, "E2"),
        ({"7-02": "d"}, 0, "E1"),
    ],
)
def test_the_deal_after_a_chombo_goes_by_7_02(options: dict[str, str], offender: int, coming: str) -> None:
    table = at(f"{offender} foul 7-04-01 option=a; confirm", options)
    assert table.state.next_start is not None
    assert repr(table.state.next_start.round) == coming


@pytest.mark.parametrize(("option", "is_over"), [("a", False), ("b", True)])
def test_in_the_last_hand_the_deal_passes_by_7_02_01(option: str, is_over: bool) -> None:
    start = START.replace("E1", "S4").replace("25000,25000,25000,25000", "20000,20000,40000,20000")
    table = at("1 foul 7-04-01 option=a; confirm", {"7-02": "c", "7-02-01": option}, start=start)
    assert table.state.is_over is is_over


@pytest.mark.parametrize(
    ("options", "scores", "deposits"),
    [
        ({"7-02": "d"}, CHOMBO, 3),
        ({"7-02": "a", "7-03": "b"}, CHOMBO, 3),
        ({"7-02": "a", "7-03": "a"}, (28000, 17000, 27000, 27000), 4),
    ],
)
def test_riichi_sticks_of_the_hand_go_back_or_stay_and_the_older_pot_stays(
    options: dict[str, str], scores: tuple[int, ...], deposits: int
) -> None:
    table = at(f"{RIICHI}; 1 foul 7-04-01 option=a; confirm", options, start=START.replace("E1", "E1 deposits=3"))
    assert (table.state.scores, table.state.deposits) == (scores, deposits)


@pytest.mark.parametrize(
    ("returned", "scores", "pot"), [("all", CHOMBO, 500), ("riichi", (29000, 17000, 26000, 27000), 1500)]
)
def test_penalty_deposits_of_the_hand_go_back_only_where_the_house_says_all(
    returned: Any, scores: tuple[int, ...], pot: int
) -> None:
    table = Table(replace(HOME, returned_sticks=returned).ruleset)
    table.feed(START.replace("E1", "E1 pot=500")).feed("2 foul 7-05-11; 1 foul 7-04-01 option=a; confirm")
    assert (table.state.scores, table.state.deposit_points) == (scores, pot)


def test_what_the_same_option_deposits_stays_when_the_hand_is_dealt_again() -> None:
    table = Table(replace(HOME, returned_sticks="all").ruleset)
    table.feed(START).feed("1 foul 7-07-01-01 option=b facts=exposed=9; confirm")
    assert (settled(table).reason, table.state.scores) == (AbortReason.REPLAY, (25000, 17000, 25000, 25000))
    assert table.state.deposit_points == 8000


def test_a_chombo_with_play_going_on_is_paid_at_once() -> None:
    table = at("1 foul 7-05-07 option=b")
    assert (table.state.scores, table.hand.is_live) == (CHOMBO, True)
    table.feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (28000, 17000, 28000, 27000)


def test_a_chombo_may_be_paid_when_the_hand_ends() -> None:
    table = at(f"1 foul 7-04-01 option=c; {ROUND}; 0 discards 5p; 2 ron han=1 fu=30")
    assert table.state.scores == (25000,) * 4
    table.feed("confirm")
    assert (settled(table).kind, table.state.scores) == (ResultKind.RON, (28000, 17000, 28000, 27000))


def test_a_foul_punished_at_a_draw_lapses_when_somebody_wins() -> None:
    table = at(f"1 foul 7-04-01 option=d; {ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (24000, 25000, 26000, 25000)


def test_at_a_draw_it_is_a_chombo_instead_of_noten_payments() -> None:
    table = at("1 foul 7-04-01 option=d; draw; 0 tenpai; confirm")
    assert (settled(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)


@pytest.mark.parametrize(
    ("option", "scores"),
    [
        ("a", (13000, 29000, 29000, 29000)),
        ("b", (11000, 32000, 28000, 28000)),
        ("c", (23000, 28000, 24000, 24000)),
    ],
)
def test_a_noten_riichi_shown_at_a_draw(option: str, scores: tuple[int, ...]) -> None:
    table = at(
        f"{RIICHI}; 0 discards 3m; draw; 1 tenpai; 0 shows {NOTEN}; 0 foul 7-05-07; confirm", {"7-05-07": option}
    )
    assert table.state.scores == scores
    assert table.state.deposits == (0 if option == "a" else 1)


def test_a_foul_found_after_four_riichi_is_still_a_chombo() -> None:
    """R68, R69: the hand is dealt again, no counter is added, the sticks go back."""
    table = at(four_riichi())
    assert table.hand.abort is AbortReason.FOUR_RIICHI
    table.feed("1 foul 7-05-07; confirm")
    assert (settled(table).reason, table.state.scores) == (AbortReason.CHOMBO, CHOMBO)
    assert table.state.next_start is not None
    assert (table.state.next_start.honba, table.state.deposits) == (0, 0)


def test_two_offenders_at_once_both_pay() -> None:
    table = at("1 foul 7-04-01 option=a; 2 foul 7-04-01 option=a; confirm")
    assert table.state.scores == (33000, 19000, 19000, 29000)


def test_a_new_deal_settles_a_chombo_that_nobody_confirmed() -> None:
    table = at("1 foul 7-04-01 option=a").feed("start E1 scores=29000,17000,27000,27000 dora=2z")
    assert table.state.history[-1].scores == CHOMBO


# Beside a win

CLAIMS = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 ron han=1 fu=30"


@pytest.mark.parametrize(
    ("mode", "reason", "scores"),
    [
        ("a", None, (24000, 25000, 26000, 25000)),
        ("b", None, (28000, 17000, 28000, 27000)),
        ("c", AbortReason.CHOMBO, CHOMBO),
        ("d", AbortReason.CHOMBO, CHOMBO),
    ],
)
def test_a_false_ron_beside_a_valid_one_goes_by_7_05_01_01(
    mode: str, reason: AbortReason | None, scores: tuple[int, ...]
) -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-05-01 facts=offender_opened_hand; confirm"
    table = at(text, {"7-05-01-01": mode})
    assert (settled(table).reason, table.state.scores) == (reason, scores)


def test_by_head_bump_a_valid_ron_nearer_the_discarder_goes_first() -> None:
    text = f"{ROUND}; 0 discards 5p; 1 ron han=1 fu=30; 2 foul 7-05-01 facts=offender_opened_hand; confirm"
    table = at(text, {"7-05-01-01": "d"})
    assert table.state.scores == (24000, 26000, 25000, 25000)


def test_a_false_ron_that_was_only_said_is_taken_back_and_play_goes_on() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron; 1 foul 7-05-01")
    assert (table.hand.claims, table.hand.phase) == ((), Phase.PLAY)
    assert table.clauses == []
    table.feed("1 discards 2m; 2 discards 2m; 3 discards 5p").feed("1 ron")
    assert table.clauses == [("7-09-01", 1)]


def test_a_false_ron_takes_only_its_own_claim_back() -> None:
    table = at(f"{CLAIMS}; 1 foul 7-05-01; confirm")
    assert [int(win.seat) for win in settled(table).wins] == [2]


def test_a_riichi_that_a_false_ron_made_void_is_given_back() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 ron")
    assert not table.hand.riichi[0].is_declared
    table.feed("1 foul 7-05-01")
    assert table.hand.riichi[0].is_declared


def test_hands_opened_for_a_void_win_are_taken_up_again() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 ron; 1 shows {TENPAI}").feed("1 foul 7-08-02 option=d facts=ron_caller=1")
    assert (table.hand.claims, table.hand.shown[1]) == ((), None)
    assert sum(table.hand.counts[:34]) == 6


@pytest.mark.parametrize(
    ("told", "scores"),
    [("breaker=1,not win_stands", (29000, 17000, 27000, 27000)), ("breaker=2", (29000, 27000, 17000, 27000))],
)
def test_a_hand_knocked_over_while_a_win_is_checked_is_a_chombo_of_the_breaker(
    told: str, scores: tuple[int, ...]
) -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-07-02 option=a facts='{told}'; confirm")
    assert (settled(table).reason, table.state.scores) == (AbortReason.CHOMBO, scores)


def test_the_declared_value_stands_where_another_player_knocked_the_hand_over() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 2 ron han=2 fu=30; 1 foul 7-07-02; confirm")
    assert table.state.scores == (23000, 25000, 27000, 25000)


def test_no_dora_counts_where_the_winner_knocked_the_indicators_over() -> None:
    text = f"{ROUND}; 0 discards 5p; 2 ron; 2 shows {TENPAI} with 5p"
    start = START.replace("dora=1z", "dora=1s")
    plain, void = (at(f"{text}{foul}; confirm", start=start) for foul in ("", "; 2 foul 7-07-03"))
    worth = [settled(table).wins[0].han for table in (plain, void)]
    assert worth == [4, 2]


def test_a_winner_whose_dora_do_not_count_is_asked_for_no_indicator() -> None:
    """7-07-03 c, also for a riichi winner and after a kan whose indicator nobody has turned."""
    text = f"{RIICHI}; 0 discards 7z; 1 discards 9m; 2 closed 7777s; 2 discards 5p; 0 ron; 0 shows {TENPAI}"
    plain = at(f"{text}; confirm")
    assert plain.missing == ("dora", "ura 0")
    void = at(f"{text}; 0 foul 7-07-03 facts=breaker_is_winner; confirm")
    assert [win.han for win in settled(void).wins] == [3]


# The pot


def test_a_deposit_lies_apart_from_riichi_sticks_and_goes_to_the_next_winner() -> None:
    table = at("1 foul 7-05-11")
    assert (table.state.scores, table.state.deposits, table.state.deposit_points) == (
        (25000, 24000, 25000, 25000),
        0,
        1000,
    )
    table.feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert (table.state.scores, table.state.deposit_points) == ((24000, 24000, 27000, 25000), 0)


def test_after_a_draw_the_deposit_is_carried_over() -> None:
    table = at("1 foul 7-05-11 option=d; draw; confirm")
    assert table.state.next_start is not None
    assert (table.state.next_start.deposit_points, table.state.scores[1]) == (300, 24700)


def test_a_player_short_of_1000_is_excused_from_deposits_where_the_house_says_so() -> None:
    start = START.replace("25000,25000,25000,25000", "25000,900,25000,49100")
    assert at("1 foul 7-05-11", {"7-08-06": "b"}, start=start).state.deposit_points == 0
    assert at("1 foul 7-05-11", {"7-08-06": "a"}, start=start).state.deposit_points == 1000


def test_the_third_early_draw_of_a_game_costs_a_deposit() -> None:
    table = at("1 foul 7-05-10; 1 foul 7-05-10; 2 foul 7-05-10", {"7-05-10": "c"})
    assert table.state.deposit_points == 0
    table.feed("draw; confirm").feed("start E2 scores=25000,25000,25000,25000 honba=1 dora=2z; 1 foul 7-05-10")
    assert table.state.deposit_points == 1000


def test_players_who_sit_out_are_paid_from_the_offenders_points_which_leave_the_table() -> None:
    """The one penalty that says so."""
    house = replace(HOME, choices={**HOME.choices, "7-08-05": "e"})
    (foul,) = parse_events("1 foul 7-08-05 facts=outside=1")
    assert advance(at("").state, foul, house.ruleset).state.scores == (35000, -15000, 35000, 35000)


# Riichi made void


def test_a_riichi_too_late_is_void_its_stick_goes_back_and_the_hand_is_free_again() -> None:
    table = at(f"{RIICHI}; 0 foul 7-05-08")
    assert ("riichi_void", 0) in table.sayings
    assert (table.state.scores, table.state.deposits) == ((25000,) * 4, 0)
    table.feed("0 discards 3m hand")
    assert table.clauses == []


def test_cancelling_the_foul_lets_the_riichi_stand_again() -> None:
    table = at(f"{RIICHI}; 0 foul 7-05-08").feed("cancel-foul 0 reason='miscounted'")
    assert table.hand.riichi[0].is_accepted
    assert (table.state.scores[0], table.state.deposits) == (24000, 1)


# Cancelling


def test_a_cancelled_foul_stays_listed_with_its_reason_and_gives_everything_back() -> None:
    table = at("1 foul 7-05-07 option=b; 2 foul 7-05-11; 3 foul 7-04-01")
    table.feed("cancel-foul 0 reason=no; cancel-foul 1 reason=no; cancel-foul 2 reason=no")
    assert (table.state.scores, table.state.deposit_points) == ((25000,) * 4, 0)
    assert [foul.cancelled for foul in table.hand.fouls] == ["no"] * 3
    table.feed("0 discards 5p; 3 ron han=1 fu=30")
    assert len(table.hand.claims) == 1


def test_a_chombo_cancelled_before_the_confirmation_lets_play_go_on() -> None:
    table = at(f"{ROUND}; 1 foul 7-04-01 option=a; cancel-foul 0 reason=no; 0 discards 5p; confirm")
    assert table.hand.is_live


# The end of the game


def finished(foul: str, options: dict[str, str] | None = None) -> Table:
    table = at(f"{foul}; {FINISH}", options, start=LAST)
    assert table.state.is_over
    return table


def test_the_deduction_at_the_end_goes_to_the_top_player() -> None:
    table = finished("1 foul 7-05-07 option=b", {"7-01": "k"})
    assert table.state.scores == (21000, 17000, 52000, 10000)


def test_a_top_player_who_offended_pays_the_best_of_the_others() -> None:
    table = finished("2 foul 7-05-07 option=b", {"7-01": "j"})
    assert table.state.scores == (21000, 49000, 20000, 10000)


def test_the_ranking_is_lowered_by_a_place() -> None:
    table = finished("1 foul 7-05-07 option=b", {"7-01": "l", "7-01-01": "b"})
    assert list(map(int, table.state.ranking)) == [2, 0, 1, 3]
    plain = at(FINISH, start=LAST).state
    assert list(map(int, plain.ranking)) == [2, 1, 0, 3]


def test_a_lowered_place_and_points_after_uma_count_in_the_standings() -> None:
    scores = (20000, 30000, 39000, 11000)
    dues = (Due(seat=Seat.RIGHT, op=Op.LOWER_RANK, amount=1), Due(seat=Seat.FAR, op=Op.AFTER_UMA, amount=20000))
    plain, punished = final_standings(scores, Ruleset()), final_standings(scores, Ruleset(), dues=dues)
    assert plain.points == (-20000, 10000, 49000, -39000)
    assert punished.points == (0, -10000, 29000, -39000)


def test_who_is_last_already_cannot_be_lowered_further() -> None:
    dues = (Due(seat=Seat.LEFT, op=Op.LOWER_RANK, amount=1),)
    assert final_standings((20000, 30000, 39000, 11000), Ruleset(), dues=dues).ranking == (2, 1, 0, 3)


def test_riichi_without_a_stick_may_be_a_bust() -> None:
    table = at("1 foul 7-05-13; confirm", {"7-05-13": "d"})
    assert (table.state.is_over, settled(table).reason, table.state.scores) == (True, AbortReason.BUST, (25000,) * 4)


def test_a_second_yellow_card_costs_points_after_uma_in_m_league() -> None:
    table = Table(rules_named("m-league").ruleset)
    table.feed(START).feed("1 foul 'M.League manner'; draw; confirm")
    assert [due.op for due in table.state.history[-1].dues] == [Op.CARD]
    table.feed("start E2 scores=25000,25000,25000,25000 honba=1 dora=2z; 1 foul 'M.League unvoiced'; draw; confirm")
    assert [(due.op, due.amount) for due in table.state.history[-1].dues] == [(Op.CARD, 0), (Op.AFTER_UMA, 20000)]


def test_a_chombo_after_the_last_discard_is_a_dead_hand_under_ema() -> None:
    table = Table(rules_named("ema-2025").ruleset)
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z; draw; 1 foul 7-05-01 facts=offender_opened_hand")
    assert (AnnouncementId.DEAD_HAND, Seat.RIGHT) in [(each.id, each.seat) for each in table.announcements]
    assert settled(table.feed("confirm")).kind is ResultKind.DRAW


# What is known, and what is asked


def test_what_nobody_knows_is_asked() -> None:
    table = at("1 foul 7-06-02", {"7-06-02": "b"})
    assert table.one(AnnouncementId.FOUL_LOGGED).args["questions"] == ["deliberate"]


def test_a_chombo_may_pay_each_tenpai_player_what_the_own_hand_could_have_won() -> None:
    """Seat 2 could win 3 han 30 fu on 2p, the dora; seat 3 four closed triplets; seat 0 waits for nothing."""
    shown = f"2 shows {TENPAI}; 0 shows 147m369p258s1234z; 3 shows 111m222p333s444z5z"
    start = START.replace("dora=1z", "dora=1p")
    for option, deltas in (("c", (4000, -39900, 3900, 32000)), ("i", (2000, -20000, 2000, 16000))):
        table = at(f"draw; {shown}; 1 foul 7-04-01 option=d; confirm", {"7-01": option}, start=start)
        assert settled(table).deltas == deltas


def test_a_yakuman_tenpai_that_lies_open_is_seen_without_asking() -> None:
    table = at("draw; 3 shows 111m222p333s444z5z; 1 foul 7-04-01 option=d; confirm", {"7-01": "e"})
    assert settled(table).deltas == (16000, -32000, 8000, 8000)


def test_an_unknown_option_or_fact_changes_nothing() -> None:
    table = at(ROUND)
    with pytest.raises(InvalidValueError, match=r"expected an option of a, b, c, .* in 7-04-01, got 'z'"):
        table.feed("1 foul 7-04-01 option=z")
    with pytest.raises(RulesError, match="did you mean deliberate"):
        table.feed("1 foul 7-06-02 facts=deliberat")
    assert table.hand.fouls == ()


def test_without_penalty_rules_a_foul_is_written_down_and_nothing_follows() -> None:
    table = play("1 foul 7-04-01; 0 discards 5p; 1 ron han=1 fu=30")
    assert len(table.hand.claims) == 1
    assert table.hand.fouls[0].consequence.questions == ("7-04-01",)


@pytest.mark.parametrize("reason", ["chombo", "replay", "bust"])
def test_only_a_foul_ends_a_hand_by_a_penalty(reason: str) -> None:
    with pytest.raises(ImpossibleEventError, match=f"got {reason}, which follows from a foul"):
        at(f"abort {reason}")


def test_the_journal_keeps_the_penalties_of_the_rule_set() -> None:
    for name in ("home", "wrc-2025"):
        rules = rules_named(name).ruleset
        assert decode(Ruleset, encode(rules)) == rules


def test_a_suspicion_carries_the_options_of_its_clause() -> None:
    table = at("1 foul 7-04-01; 0 discards 5p").feed("1 ron")
    assert [(each.clause, each.options) for each in table.suspicions] == [("7-09-01", ("a", "b"))]


def test_a_late_utterance_that_counts_for_nothing_takes_a_ron_back() -> None:
    table = at(f"{ROUND}; 0 discards 5p; 1 discards 2m; 2 ron from 0; 2 foul 7-05-14")
    assert (table.hand.claims, table.hand.phase) == ((), Phase.PLAY)


def test_a_riichi_said_late_counts_for_nothing_while_its_tile_may_still_be_claimed() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 0 foul 7-05-14")
    assert not table.hand.riichi[0].is_declared
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 foul 7-05-14")
    assert table.hand.riichi[0].is_declared


def test_a_void_fourth_riichi_takes_the_abort_back() -> None:
    declared = four_riichi().removesuffix("; 3 stick")
    assert at(f"{declared}; 3 foul 7-05-08").hand.pending is None
    table = at(f"{four_riichi()}; 3 foul 7-05-08")
    assert (table.hand.abort, table.hand.phase) == (None, Phase.PLAY)


def test_a_meld_is_asked_about_where_each_drawn_tile_has_to_go() -> None:
    table = at("1 foul 7-04-01; 0 discards 5p", {"7-04-01": "g"}).feed("1 chi 5p from 0 with 46p")
    assert ("7-09-02", 1) in table.clauses


def test_with_its_own_drawn_hand_shown_a_false_tsumo_is_taken_up_again() -> None:
    table = at(f"0 tsumo; 0 shows {TENPAI} with 9m; 0 foul 7-09-01", {"7-09-01": "b"})
    assert (table.hand.claims, table.hand.shown[0]) == ((), None)
    assert sum(table.hand.counts[:34]) == 1


def test_a_hand_discard_is_known_from_where_the_tile_came() -> None:
    for origin, dead in (("hand", True), ("drawn", False)):
        table = at(f"0 discards 9m {origin}; 0 foul 7-09-04", {"7-09-04": "b"})
        assert (table.hand.fouls[0].consequence.now.ending is not None) is dead


def test_a_hand_that_was_not_read_is_worth_nothing_to_its_owner() -> None:
    shown = "0 shows 1m; 2 shows ??; 3 shows 1p"
    table = at(f"draw; {shown}; 1 foul 7-04-01 option=d; confirm", {"7-01": "c"})
    assert settled(table).deltas == (4000, -8000, 2000, 2000)


def test_a_hand_in_riichi_is_valued_with_its_riichi() -> None:
    """Riichi, tanyao and pinfu of the dealer: 3 han 30 fu; after a 2p was let pass, by the own draw: 4 han 20 fu."""
    shown = f"0 shows {TENPAI}; 2 shows 1p; 3 shows 1m"
    for passed, deltas in (("1p", (5800, -9800, 2000, 2000)), ("2p", (7800, -11800, 2000, 2000))):
        riichi = RIICHI.replace("2 discards 2p", f"2 discards {passed}")
        text = f"{riichi}; 0 discards 3m; draw; {shown}; 1 foul 7-04-01 option=d; confirm"
        assert settled(at(text, {"7-01": "c"})).deltas == deltas


def test_only_a_foul_that_stands_can_be_cancelled() -> None:
    table = at("1 foul 7-05-17 option=b; cancel-foul 0 reason=no")
    for foul in (0, 1):
        with pytest.raises(ImpossibleEventError, match=f"expected a logged foul out of 1 to cancel, got {foul}"):
            table.feed(f"cancel-foul {foul} reason=no")


def test_a_new_riichi_is_not_touched_when_the_voiding_of_an_older_one_is_cancelled() -> None:
    table = at(f"{RIICHI}; 0 foul 7-05-08; 0 discards 6z sideways; cancel-foul 0 reason=no")
    assert table.hand.riichi[0].discard_number == 8
    assert [laid.is_declaration for laid in table.hand.rivers[0]] == [False, False, True]


def test_one_tile_more_may_be_discarded_to_cure_the_count() -> None:
    table = at("0 discards 9m; 0 foul 7-04-01", {"7-04-01": "h"})
    left = table.hand.tiles_left
    table.feed("0 discards 9p; pass")
    assert (table.clauses, table.hand.turn, table.hand.tiles_left) == ([], Seat.RIGHT, left - 1)
    table.feed("0 discards 9s")
    assert ("7-05-09", 0) in table.clauses


def test_the_extra_discard_is_the_offenders_alone() -> None:
    table = at("0 discards 9m; 1 foul 7-04-01", {"7-04-01": "h"}).feed("0 discards 9p")
    assert ("7-05-09", 0) in table.clauses
    table = at("1 foul 7-04-01; 0 discards 9m; 1 discards 9p; 2 discards 9s", {"7-04-01": "h"}).feed("1 discards 1m")
    assert ("7-05-09", 1) in table.clauses


def test_one_tile_more_may_be_drawn_to_cure_the_count_and_the_wall_is_shorter_by_it() -> None:
    table = at("0 discards 9m", {"7-04-02": "i"})
    left = table.hand.tiles_left
    assert table.feed("1 foul 7-04-02").hand.tiles_left == left - 1
    assert table.feed("cancel-foul 0 reason=no").hand.tiles_left == left


@pytest.mark.parametrize("act", ["1 discards 2m", "pass", "1 chi 5p from 0 with 46p"])
def test_who_has_to_win_and_lets_a_tile_of_the_told_wait_pass_is_asked_about(act: str) -> None:
    table = at("2 waits 258p; 2 foul 7-06-05; 0 discards 5p", {"7-06-05": "c"}).feed(act)
    assert ("7-06-05", 2) in table.clauses
    other = at("2 waits 258p; 2 foul 7-06-05; 0 discards 6p", {"7-06-05": "c"}).feed(act.replace("5p", "6p"))
    assert ("7-06-05", 2) not in other.clauses


def test_an_early_draw_in_riichi_forces_a_ron_only_until_the_own_draw() -> None:
    """Seat 0 is in riichi for 2p 5p 8p and touched its tile early."""
    told = f"{RIICHI}; 0 discards 1s; 0 waits 258p; 0 foul 7-05-10"
    assert ("7-05-10", 0) in at(f"{told}; 1 discards 5p").feed("2 discards 1p").clauses
    after = f"{told}; 1 discards 1p; 2 discards 1p; 3 discards 1p; 0 discards 9m; 1 discards 5p"
    assert at(after).feed("2 discards 3z").clauses == []


@pytest.mark.parametrize(("name", "scores"), [("ema-2025", (24000, 25000, 26000, 25000)), ("home", CHOMBO)])
def test_a_valid_win_at_the_same_time_voids_any_chombo_where_the_rulebook_says_so(
    name: str, scores: tuple[int, ...]
) -> None:
    table = Table(rules_named(name).ruleset)
    table.feed(START).feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; 1 foul 7-07-01-02; confirm")
    assert table.state.scores == scores
    assert table.state.history[-1].dues == ()


def test_who_cannot_pay_a_deposit_goes_bust_in_a_parlour() -> None:
    table = Table(rules_named("parlour").ruleset)
    table.feed(START.replace("25000,25000,25000,25000", "25000,900,25000,49100")).feed("1 foul 7-05-11; confirm")
    assert (table.state.is_over, settled(table).reason) == (True, AbortReason.BUST)


@pytest.mark.parametrize(("winner", "reason"), [(0, AbortReason.CHOMBO), (2, None)])
def test_an_invalid_kan_in_riichi_is_a_chombo_when_the_offender_wins_and_nothing_when_another_does(
    winner: int, reason: AbortReason | None
) -> None:
    table = Table(rules_named("wrc-2025").ruleset)
    ron = f"{RIICHI}; 0 discards 3m; 1 discards 5p; {winner} ron han=1 fu=30"
    table.feed("start E1 scores=30000,30000,30000,30000 dora=1z").feed(f"{ron}; 0 foul 7-05-06; confirm")
    assert settled(table).reason is reason


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(FOULS), min_size=1, max_size=3),
    st.sampled_from(["draw", "0 tsumo han=2 fu=30", "1 discards 3m; 2 ron han=3 fu=30", "pass"]),
)
def test_whatever_fouls_are_logged_no_point_is_made_or_lost(fouls: list[str], end: str) -> None:
    table = at(f"{RIICHI}; {'; '.join(fouls)}")
    if table.hand.is_live:
        table.feed(end)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm")
    state = table.state
    assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == 100000


@pytest.mark.parametrize("before", ["", "2 foul 7-04-02 option=i; "])
def test_tiles_that_a_foul_lets_a_seat_draw_stay_counted_when_a_discard_is_put_back(before: str) -> None:
    left = at(f"{ROUND}; 0 discards 5p; 0 puts-back").hand.tiles_left
    table = at(f"{ROUND}; {before}0 discards 5p; 1 foul 7-04-02 option=i; 0 puts-back")
    assert table.hand.tiles_left == left - len(table.hand.fouls)
    assert table.feed(f"cancel-foul {len(table.hand.fouls) - 1} reason=no").hand.tiles_left == left - bool(before)


def test_a_discard_put_back_after_a_foul_was_cancelled_leaves_the_tiles_it_gave_back() -> None:
    left = at(f"{ROUND}; 0 discards 5p; 0 puts-back").hand.tiles_left
    text = "1 foul 7-04-02 option=i; 0 discards 5p; cancel-foul 0 reason=no; 0 puts-back"
    assert at(f"{ROUND}; {text}").hand.tiles_left == left


@pytest.mark.parametrize(
    ("foul", "rule"),
    [
        ("0 foul 7-04-01 option=a", "7-01"),
        ("0 foul 7-07-01-02 option=c", "7-07-01-02"),
        ("0 foul 7-05-13 option=d", "7-05-13"),
    ],
)
def test_a_settlement_by_a_penalty_names_the_clause_that_decides_it(foul: str, rule: str) -> None:
    table = at(foul)
    assert table.one(AnnouncementId.SETTLEMENT_PROPOSED).rule == rule
    assert table.feed("confirm").one(AnnouncementId.SETTLEMENT_CONFIRMED).rule == rule


def test_a_kan_is_counted_toward_the_abort_by_four_kans() -> None:
    assert at("0 closed 1111m").one(AnnouncementId.KAN_COUNT).rule == "four kans"
