from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import GameOver, HandFacts, NextHand, after_hand, final_standings
from table.rules.terms.results import Deltas, ResultKind, Settlement, Win
from table.rules.terms.seats import SEATS, Round, Seat, four

HOME = Ruleset()
LEVEL: Deltas = (25000, 25000, 25000, 25000)


def settled_hand(
    *, stays: bool = False, honba: int = 0, deposits: int = 0, won: bool = True, pot: int = 0
) -> Settlement:
    """A settled hand; only what decides how the game goes on."""
    win = Win(seat=Seat.NEAR, from_seat=Seat.RIGHT, han=1, fu=30, yaku=(), yakuman=0, points=1500)
    return Settlement(
        kind=ResultKind.RON if won else ResultKind.DRAW,
        deltas=(0, 0, 0, 0),
        wins=(win,) if won else (),
        dealer_stays=stays,
        honba=honba,
        deposits=deposits,
        deposit_points=pot,
    )


def after(place: str, settlement: Settlement, scores: Deltas = LEVEL, **rules: object) -> NextHand | GameOver:
    """What follows a hand of a game that seat 0 began."""
    facts = HandFacts(round=Round.parse(place), first_dealer=Seat.NEAR, scores=scores)
    return after_hand(facts, settlement, HOME.but(**rules))


def goes_on(place: str, settlement: Settlement, scores: Deltas = LEVEL, **rules: object) -> str | None:
    """The next round, or None if the game is over."""
    following = after(place, settlement, scores, **rules)
    return repr(following.round) if isinstance(following, NextHand) else None


def test_the_deal_passes_and_the_next_seat_deals() -> None:
    following = after("E2", settled_hand(honba=1, deposits=2, pot=500))
    assert following == NextHand(
        round=Round.parse("E3"), dealer=Seat.FAR, honba=1, deposits=2, deposit_points=500, scores=LEVEL
    )


def test_a_dealer_who_stays_deals_the_same_round_again() -> None:
    following = after("S1", settled_hand(stays=True, honba=3))
    assert isinstance(following, NextHand)
    assert (repr(following.round), following.dealer, following.honba) == ("S1", Seat.NEAR, 3)


def test_the_first_dealer_need_not_sit_at_the_near_side() -> None:
    facts = HandFacts(round=Round.parse("E4"), first_dealer=Seat.FAR, scores=LEVEL)
    following = after_hand(facts, settled_hand(), HOME)
    assert isinstance(following, NextHand)
    assert (facts.dealer, following.dealer) == (Seat.RIGHT, Seat.FAR)


@pytest.mark.parametrize(("length", "next_round"), [("south", "S1"), ("east", None)])
def test_the_length_of_the_game_is_a_switch(length: str, next_round: str | None) -> None:
    assert goes_on("E4", settled_hand(), length=length) == next_round


@pytest.mark.parametrize(("scores", "next_round"), [(LEVEL, "W1"), ((30000, 30000, 20000, 20000), None)])
def test_west_is_entered_only_while_nobody_has_the_target(scores: Deltas, next_round: str | None) -> None:
    assert goes_on("S4", settled_hand(), scores, west_in=True) == next_round
    assert goes_on("S4", settled_hand(), scores, west_in=False) is None


def test_in_the_extra_round_the_first_to_have_the_target_ends_the_game_with_the_deal() -> None:
    reached: Deltas = (31000, 29000, 20000, 20000)
    assert goes_on("W1", settled_hand(), reached, west_in=True) is None
    assert goes_on("W1", settled_hand(stays=True), LEVEL, west_in=True) == "W1"
    assert goes_on("W4", settled_hand(), LEVEL, west_in=True) is None
    assert goes_on("W2", settled_hand(stays=True, won=False), reached, west_in=True) == "W2"


@pytest.mark.parametrize(
    ("agari_yame", "after_win", "after_draw"),
    [("never", "S4", "S4"), ("win", None, "S4"), ("win_or_tenpai", None, None)],
)
def test_a_dealer_in_front_may_end_the_last_hand(
    agari_yame: str, after_win: str | None, after_draw: str | None
) -> None:
    front: Deltas = (20000, 20000, 20000, 40000)
    assert goes_on("S4", settled_hand(stays=True), front, agari_yame=agari_yame) == after_win
    assert goes_on("S4", settled_hand(stays=True, won=False), front, agari_yame=agari_yame) == after_draw


def test_a_dealer_who_is_second_or_below_the_target_plays_on() -> None:
    assert goes_on("S4", settled_hand(stays=True), (40000, 10000, 15000, 35000)) == "S4"
    assert goes_on("S4", settled_hand(stays=True), (24000, 24000, 23000, 29000)) == "S4"
    assert goes_on("S4", settled_hand(stays=True), (35000, 10000, 20000, 35000)) == "S4"


@pytest.mark.parametrize("first_dealer", SEATS)
def test_a_dealer_who_shares_the_first_place_is_in_it_wherever_the_first_dealer_sits(first_dealer: Seat) -> None:
    last, opposite = first_dealer.plus(3), first_dealer.plus(1)
    scores = four(38000 if seat in (last, opposite) else 12000 for seat in SEATS)
    facts = HandFacts(round=Round.parse("S4"), first_dealer=first_dealer, scores=scores)
    shared = HOME.but(ties="split", end_sticks="dealer_top_only")
    found = after_hand(facts, settled_hand(stays=True, deposits=2), shared)
    assert isinstance(found, GameOver)
    assert found.scores == four(score + 1000 if score == 38000 else score for score in scores)
    assert isinstance(after_hand(facts, settled_hand(stays=True), shared.but(ties="seat")), NextHand)


@pytest.mark.parametrize(
    ("tobi", "at_zero", "below"), [("never", "E2", "E2"), ("below_zero", "E2", None), ("zero_or_below", None, None)]
)
def test_who_has_no_points_left_may_end_the_game(tobi: str, at_zero: str | None, below: str | None) -> None:
    assert goes_on("E1", settled_hand(), (50000, 25000, 25000, 0), tobi=tobi) == at_zero
    assert goes_on("E1", settled_hand(), (50000, 25000, 26000, -1000), tobi=tobi) == below


@pytest.mark.parametrize(
    ("end_sticks", "dealer_first", "other_first"),
    [("top", 42500, 42500), ("dealer_top_only", 42500, 40000), ("nobody", 40000, 40000)],
)
def test_leftover_sticks_go_to_the_top_to_a_dealer_on_top_or_to_nobody(
    end_sticks: str, dealer_first: int, other_first: int
) -> None:
    for scores, highest in (((20000, 20000, 17500, 40000), dealer_first), ((40000, 20000, 17500, 20000), other_first)):
        found = after("S4", settled_hand(deposits=2, pot=500), scores, end_sticks=end_sticks)
        assert isinstance(found, GameOver)
        assert max(found.scores) == highest
        assert sum(found.scores) + 1000 * found.deposits + found.deposit_points == 100000


def test_leftover_sticks_are_shared_where_first_place_is() -> None:
    found = after("S4", settled_hand(deposits=2), (39000, 39000, 10000, 10000), ties="split", end_sticks="top")
    assert isinstance(found, GameOver)
    assert found.scores == (40000, 40000, 10000, 10000)


def test_uma_and_oka_are_added_to_the_scores_less_the_target() -> None:
    found = final_standings((40000, 30000, 20000, 10000), HOME)
    assert found.points == (50000, 10000, -20000, -40000)
    assert found.ranking == SEATS
    wider = HOME.but(uma=(30000, 10000, -10000, -30000))
    assert final_standings((40000, 30000, 20000, 10000), wider).points == (60000, 10000, -20000, -50000)


@pytest.mark.parametrize(
    ("counted_from", "points"), [("target", (25000, 5000, -15000, -35000)), (25000, (30000, 10000, -10000, -30000))]
)
def test_final_scores_may_be_counted_from_another_number_than_the_target(counted_from: object, points: Deltas) -> None:
    rules = HOME.but(counted_from=counted_from, uma=(15000, 5000, -5000, -15000), oka=0)
    assert final_standings((40000, 30000, 20000, 10000), rules).points == points
    assert goes_on("S4", settled_hand(), (29000, 26000, 25000, 20000), counted_from=counted_from, west_in=True) == "W1"


def test_equal_scores_are_ranked_from_the_first_dealer_on() -> None:
    found = final_standings(LEVEL, HOME, first_dealer=Seat.FAR)
    assert found.ranking == (Seat.FAR, Seat.LEFT, Seat.NEAR, Seat.RIGHT)
    assert found.points[Seat.FAR] == -5000 + 20000 + 20000


def test_equal_scores_may_share_what_their_places_are_worth() -> None:
    found = final_standings((30000, 30000, 20000, 20000), HOME.but(ties="split"))
    assert found.points == (25000, 25000, -25000, -25000)
    thirds = final_standings((30000, 30000, 30000, 10000), HOME.but(ties="split", oka=0, target_points=25000))
    assert thirds.points == (11668, 11666, 11666, -35000)


def test_uma_may_depend_on_how_many_hold_the_starting_points() -> None:
    rows = ((12000, -1000, -3000, -8000), (8000, 4000, -4000, -8000), (8000, 3000, 1000, -12000))
    ruleset = HOME.but(floating_uma=rows, starting_points=30000, target_points=30000, oka=0)
    assert final_standings((50000, 29000, 21000, 20000), ruleset).points == (32000, -2000, -12000, -18000)
    assert final_standings((40000, 35000, 25000, 20000), ruleset).points == (18000, 9000, -9000, -18000)
    assert final_standings((31000, 31000, 31000, 27000), ruleset).points == (9000, 4000, 2000, -15000)
    assert final_standings((30000, 30000, 30000, 30000), ruleset).points == (0, 0, 0, 0)


@given(
    scores=st.lists(st.integers(-300, 900), min_size=3, max_size=3),
    ties=st.sampled_from(("seat", "split")),
    first=st.sampled_from(SEATS),
)
def test_standings_sum_to_nothing(scores: list[int], ties: str, first: Seat) -> None:
    one, two, three = (100 * score for score in scores)
    found = final_standings((one, two, three, 100000 - one - two - three), HOME.but(ties=ties), first_dealer=first)
    assert sum(found.points) == 0
    assert sorted(found.ranking) == list(SEATS)
