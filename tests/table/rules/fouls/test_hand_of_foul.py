"""A foul may name the hand that it is about: the one in play, the next one, which it opens, or one long settled."""

from __future__ import annotations

import pytest

from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.fouls.hand_of_foul import hand_by_number
from table.rules.notation.event_notation import parse_event
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError
from tests.table.rules.situations import START, Table, settlement_of

WON = "told ron win0=1:0:3:30:0::"
"""South wins 3,900 from East, who dealt: the next dealer sits at 1."""
CHOMBO = "2 foul 7-04-01 option=a"
AFTER_WON = (21100, 28900, 25000, 25000)
NEXT = "start E2 dealer=1 scores=21100,28900,25000,25000 dora=2z"


def table(text: str = "") -> Table:
    table = Table(rules_named("home").ruleset)
    return table.feed(text) if text else table


def test_a_foul_after_a_settlement_that_names_the_next_hand_opens_that_one_undealt() -> None:
    found = table(f"{WON}; {CHOMBO} hand=1")
    assert found.state.live is not None
    assert (repr(found.hand.round), int(found.hand.dealer), found.hand.dora_indicators) == ("E2", 1, ())
    assert [line.fouls for line in found.state.history] == [()]
    assert found.state.next_start is None
    assert found.sayings.index(("hand_started", 1)) < found.sayings.index(("foul_logged", 2))
    found.feed("confirm")
    assert settlement_of(found).deltas == (2000, 4000, -8000, 2000)
    assert settlement_of(found).reason is AbortReason.CHOMBO
    assert [line.scores for line in found.state.history] == [AFTER_WON, (23100, 32900, 17000, 27000)]


def test_a_foul_opens_the_first_hand_of_a_game() -> None:
    found = table(f"{CHOMBO} hand=0; confirm")
    assert found.state.scores == (29000, 27000, 17000, 27000)
    assert repr(found.state.history[0].round) == "E1"


def test_a_foul_without_a_hand_after_a_settlement_is_about_the_hand_just_settled() -> None:
    found = table(f"{WON}; {CHOMBO}")
    assert (found.state.live, len(found.state.history[0].fouls)) == (None, 1)
    assert found.state.scores == table(f"{WON}; {CHOMBO} hand=0").state.scores


def test_a_foul_of_the_next_hand_that_is_cancelled_leaves_that_hand_in_play_and_moves_nothing() -> None:
    found = table(f"{WON}; 2 foul 7-05-11 hand=1")
    assert (found.state.scores, found.state.deposit_points) == ((21100, 28900, 24000, 25000), 1000)
    found.feed("cancel-foul 0 reason=no hand=1")
    assert (found.state.scores, found.state.deposit_points) == (AFTER_WON, 0)
    found.feed("told draw")
    assert found.state.scores == AFTER_WON


def test_a_foul_of_an_earlier_hand_is_charged_there_and_all_later_scores_move_along() -> None:
    found = table(f"{WON}; told draw")
    found.feed(f"{CHOMBO} hand=2; 2 foul 7-05-11 hand=0; 1 foul 7-04-01 option=a hand=0")
    first, second = found.state.history
    assert first.scores == (25100, 20900, 26000, 27000)
    assert second.scores == found.hand.start.scores == first.scores
    assert len(first.fouls) == 2
    assert [foul.clause for foul in found.hand.fouls] == ["7-04-01"]
    assert sum(found.state.scores) + 1000 * found.state.deposits + found.state.deposit_points == 100000


def test_a_foul_of_an_earlier_hand_can_be_cancelled_and_leaves_no_trace_in_the_points() -> None:
    found = table(f"{WON}; told draw tenpai=0; told draw tenpai=1")
    before = found.state
    found.feed("2 foul 7-05-11 hand=0; 1 foul 7-04-01 option=a hand=1")
    assert found.state.scores != before.scores
    found.feed("cancel-foul 0 reason=no hand=0; cancel-foul 0 reason=no hand=1")
    assert (found.state.scores, found.state.deposit_points) == (before.scores, before.deposit_points)
    assert [line.scores for line in found.state.history] == [line.scores for line in before.history]


def test_a_foul_found_late_in_a_hand_that_was_never_settled_moves_nothing() -> None:
    """The next deal said the points, and its cancelling moves nothing either."""
    found = table(START).feed("start E2 scores=25000,24000,25000,26000 dora=2z; 1 foul 7-05-11 hand=0")
    assert found.state.history[0].settlement is None
    assert (found.state.scores, found.state.deposit_points) == ((25000, 24000, 25000, 26000), 0)


def test_a_late_foul_counts_those_before_it_once() -> None:
    """7-05-10 c: twice without penalty, the third time 1000 into the pot."""
    found = table(START).feed("1 foul 7-05-10 option=c; told draw; 1 foul 7-05-10 option=c")
    assert found.state.deposit_points == 0
    found.feed("1 foul 7-05-10 option=c")
    assert found.state.deposit_points == 1000


@pytest.mark.parametrize(
    ("events", "message"),
    [
        (f"{CHOMBO} hand=1", "one of 0, got hand 2"),
        (f"{WON}; {CHOMBO} hand=2", "one of 1, got hand 3"),
        (f"{WON}; end-game; {CHOMBO} hand=1", "one of 1, got hand 2"),
        (CHOMBO, "got none: none was played yet"),
    ],
)
def test_a_foul_of_no_hand_is_refused(events: str, message: str) -> None:
    with pytest.raises(ImpossibleEventError, match=message):
        table(events)


@pytest.mark.parametrize("text", ["1 foul 7-05-01 hand=0", "1 foul 7-05-01 option=b note='too late' by=owner hand=12"])
def test_the_hand_is_part_of_the_notation(text: str) -> None:
    event = parse_event(text)
    assert isinstance(event, FoulLogged)
    assert event.hand == (0 if text.endswith("=0") else 12)
    assert str(event) == text


def test_the_hand_that_people_look_at() -> None:
    """The one in play; a settled one while its discards lie; else the next one."""
    found = table()
    for text, number, place in (
        ("", 0, "E1"),
        (START, 0, "E1"),
        ("0 discards 1z; told draw tenpai=0", 0, "E1"),
        ("start E1 honba=1 scores=26500,24500,24500,24500", 1, "E1"),
        (WON, 2, "E2"),
    ):
        found.feed(text)
        draft, _ = hand_by_number(found.state, found.state.on_table, found.ruleset)
        assert (found.state.on_table, repr(draft.start.round)) == (number, place)
    assert found.feed("end-game").state.on_table == 1


def test_what_a_foul_of_an_earlier_hand_costs_stays_though_a_tile_of_the_hand_in_play_is_put_back() -> None:
    found = table(f"{WON}; start E2 dealer=1 scores=21100,28900,25000,25000 dora=2z; 1 discards 9s; {CHOMBO} hand=0")
    after = (25100, 30900, 17000, 27000)
    assert found.state.scores == found.hand.start.scores == after
    found.feed("1 puts-back; 1 discards 8s; draw; confirm")
    assert found.state.scores == after


@pytest.mark.parametrize("later", ["", "; told draw", f"; {NEXT}"])
def test_a_dead_hand_of_a_hand_that_has_ended_is_not_said_of_the_hand_in_play(later: str) -> None:
    found = table(f"{WON}{later}").feed("2 foul 7-06-04 hand=0")
    assert found.sayings == [("foul_logged", 2)]


def test_a_seat_whose_earlier_hand_was_dead_wins_the_hand_in_play() -> None:
    found = table(f"{WON}; {NEXT}; 1 discards 9m; 2 foul 7-06-04 hand=0; 2 ron han=1 fu=30")
    assert (found.clauses, [int(claim.seat) for claim in found.hand.claims]) == ([], [2])


def test_a_dead_hand_of_the_hand_in_play_is_said() -> None:
    assert ("dead_hand", 2) in table(f"{WON}; told draw").feed("2 foul 7-06-04 hand=2").sayings
