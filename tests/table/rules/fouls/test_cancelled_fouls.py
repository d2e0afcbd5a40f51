"""A riichi that a foul makes void, and a foul that is cancelled."""

from __future__ import annotations

import pytest

from table.rules.state import Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.fouls.fouled_hands import RIICHI, ROUND, at, four_riichi


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


def test_a_cancelled_foul_stays_listed_with_its_reason_and_gives_everything_back() -> None:
    table = at("1 foul 7-05-07 option=b; 2 foul 7-05-11; 3 foul 7-04-01")
    table.feed("cancel-foul 0 reason=no; cancel-foul 1 reason=no; cancel-foul 2 reason=no")
    assert (table.state.scores, table.state.deposit_points) == ((25000,) * 4, 0)
    assert [foul.cancel_reason for foul in table.hand.fouls] == ["no"] * 3
    table.feed("0 discards 5p; 3 ron han=1 fu=30")
    assert len(table.hand.claims) == 1


def test_a_chombo_cancelled_before_the_confirmation_lets_play_go_on() -> None:
    table = at(f"{ROUND}; 1 foul 7-04-01 option=a; cancel-foul 0 reason=no; 0 discards 5p; confirm")
    assert table.hand.is_live


def test_a_riichi_said_late_counts_for_nothing_while_its_tile_may_still_be_claimed() -> None:
    table = at(f"{ROUND}; 0 discards 5z sideways; 0 foul 7-05-14")
    assert not table.hand.riichi[0].is_declared
    table = at(f"{ROUND}; 0 discards 5z sideways; 1 discards 2m; 0 foul 7-05-14")
    assert table.hand.riichi[0].is_declared


def test_a_void_fourth_riichi_takes_the_abort_back() -> None:
    four_declared = four_riichi().removesuffix("; 3 stick")
    assert at(f"{four_declared}; 3 foul 7-05-08").hand.pending_abort is None
    table = at(f"{four_riichi()}; 3 foul 7-05-08")
    assert (table.hand.abort, table.hand.phase) == (None, Phase.PLAY)


def test_only_a_foul_that_stands_can_be_cancelled() -> None:
    table = at("1 foul 7-05-17 option=b; cancel-foul 0 reason=no")
    for foul in (0, 1):
        with pytest.raises(ImpossibleEventError, match=f"expected a logged foul out of 1 to cancel, got {foul}"):
            table.feed(f"cancel-foul {foul} reason=no")


def test_a_new_riichi_is_not_touched_when_the_voiding_of_an_older_one_is_cancelled() -> None:
    table = at(f"{RIICHI}; 0 foul 7-05-08; 0 discards 6z sideways; cancel-foul 0 reason=no")
    assert table.hand.riichi[0].discard_number == 8
    assert [river_tile.is_declaration for river_tile in table.hand.rivers[0]] == [False, False, True]


def test_a_told_wait_hears_at_once_which_furiten_a_riichi_leaves_or_has_again() -> None:
    table = at(f"{ROUND}; 0 waits 258p; 0 discards 5z sideways drawn; 0 stick; 1 discards 5p; 2 discards 9m")
    for events, kind in (
        ("0 foul 7-05-08", "temporary"),
        ("3 discards 9s; 0 discards 9p drawn; cancel-foul 0 reason=no", "riichi"),
    ):
        assert table.feed(events).one(AnnouncementId.FURITEN).args == {"kind": kind, "tiles": ["5p"]}
