"""People put points, sticks and the counter right by hand, and say why: what follows counts from there."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.situations import START, Table, play

ADJUST = "adjust points=-1000,1000,0,0 reason='paid to the wrong seat' by=owner"
WON = "0 discards 1m; 1 ron han=1 fu=30; confirm"


def test_points_move_in_the_hand_being_played_and_the_hand_ends_from_there() -> None:
    table = play(f"0 discards 9m; {ADJUST}")
    assert table.state.scores == (24000, 26000, 25000, 25000)
    table.feed("1 discards 1m; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (24000, 25000, 26000, 25000)
    assert table.state.history[0].scores == table.state.scores


def test_points_move_between_two_hands() -> None:
    table = play(f"{WON}; {ADJUST}")
    assert table.state.history[0].scores == (24000, 26000, 25000, 25000)
    assert table.state.scores == (23000, 27000, 25000, 25000)
    assert table.state.next_start is not None
    assert table.state.next_start.scores == table.state.scores


def test_it_is_said_with_what_moved() -> None:
    announcement = play(ADJUST).one(AnnouncementId.POINTS_ADJUSTED)
    assert announcement.args == {"deltas": [-1000, 1000, 0, 0], "sticks": 0, "scores": [24000, 26000, 25000, 25000]}


def test_a_forgotten_stick_and_counter_go_to_who_wins() -> None:
    table = play("adjust points=-1000,0,0,0 sticks=1 honba=2 reason='a stick was forgotten'")
    assert (table.state.deposits, table.hand.start.honba) == (1, 2)
    table.feed("0 discards 9m; 1 discards 1m; 2 ron han=1 fu=30; confirm")
    assert table.state.scores == (24000, 25000 - 1600, 25000 + 1600 + 1000, 25000)


def test_what_was_proposed_is_proposed_anew() -> None:
    proposed = play("0 discards 9m sideways; 1 discards 1m; 2 ron han=1 fu=30; confirm")
    assert proposed.missing == ("stick 0",)
    proposed.feed("adjust points=0,0,0,0 honba=3 reason=x")
    assert proposed.one(AnnouncementId.SETTLEMENT_PROPOSED).args["deltas"] == [-1000, -1900, 2900, 0]
    assert proposed.hand.proposal is not None
    assert proposed.feed("confirm").state.scores == (24000, 25000 - 1900, 25000 + 2900, 25000)


def test_it_stays_when_a_tile_is_put_back() -> None:
    table = play(f"0 discards 9m; {ADJUST}; 0 puts-back")
    assert table.state.scores == (24000, 26000, 25000, 25000)


def test_it_stays_when_a_foul_of_the_hand_before_is_found_and_cancelled() -> None:
    table = Table(rules_named("home").ruleset)
    table.feed(f"{START}; {WON}; adjust points=-1000,1000,0,0 sticks=1 honba=4 reason=x")
    before = table.state
    table.feed("0 foul 7-05-01 hand=0")
    table.feed("cancel-foul 0 reason=misread hand=0")
    assert table.state.scores == before.scores
    assert table.state.next_start == before.next_start


def test_it_counts_when_people_end_the_game() -> None:
    table = play(f"{ADJUST}; end-game")
    assert table.state.scores == (24000, 26000, 25000, 25000)
    assert table.state.ranking[0] == 1


@pytest.mark.parametrize(
    "text", ["adjust points=0,0,0,0 sticks=-1 reason=x", f"end-game; {ADJUST}"], ids=["no such stick", "over"]
)
def test_it_cannot_take_sticks_that_do_not_lie_there_nor_change_a_game_that_is_over(text: str) -> None:
    with pytest.raises(ImpossibleEventError):
        play(text)


def test_it_is_kept_with_its_hand_its_reason_and_the_counter_before() -> None:
    table = play(f"{WON}; adjust points=0,0,0,0 honba=2 reason='two counters' by='seat 1'")
    (adjustment,) = table.state.adjustments
    assert (adjustment.hand, adjustment.honba, adjustment.event.reason, adjustment.event.by) == (
        1,
        0,
        "two counters",
        "seat 1",
    )
