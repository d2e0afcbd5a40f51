"""A time signal makes one of the hands the last: the one being played, or one more. A chombo counts by the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from table.rulebook import rules_named
from table.rules.events import HandStarted
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Round, Seat
from tests.table.rules.situations import START, Table

WON = "0 discards 1m; 1 ron han=1 fu=30; confirm"
NEXT = "start E2 scores=24000,26000,25000,25000 dora=1z"


def timed(signal: str, *parts: str, penalties: bool = False) -> Table:
    """A table with that switch, at which these events happened."""
    play = rules_named("home").ruleset if penalties else Ruleset()
    table = Table(play.but(time_signal=signal))
    for part in parts:
        table.feed(part)
    return table


@pytest.mark.parametrize(
    ("signal", "last", "is_over"), [("this_hand", "this_hand", True), ("one_more", "next_hand", False)]
)
def test_the_hand_being_played_is_the_last_or_one_more_is(signal: str, last: str, is_over: bool) -> None:
    table = timed(signal, START, "0 discards 9m; time-signal")
    assert table.one(AnnouncementId.TIME_SIGNAL).args == {"last": last}
    assert not table.state.is_over
    table.feed("1 discards 1m; 2 ron han=1 fu=30; confirm")
    assert table.state.is_over is is_over
    if not is_over:
        table.feed("start E2 scores=25000,24000,26000,25000 dora=1z; 1 discards 1m; 2 ron han=1 fu=30; confirm")
        assert table.state.is_over


@pytest.mark.parametrize(("signal", "last"), [("this_hand", "none"), ("one_more", "next_hand")])
def test_between_two_hands_none_is_being_played(signal: str, last: str) -> None:
    table = timed(signal, START, WON, "time-signal")
    assert table.one(AnnouncementId.TIME_SIGNAL).args == {"last": last}
    assert table.state.is_over is (signal == "this_hand")
    if not table.state.is_over:
        assert table.feed(f"{NEXT}; 1 discards 1m; 2 ron han=1 fu=30; confirm").state.is_over


@pytest.mark.parametrize(("signal", "more"), [("this_hand", 1), ("one_more", 2)])
def test_where_nobody_watches_the_hand_told_next_is_the_one_being_played(signal: str, more: int) -> None:
    table = timed(signal, "told ron win0=1:0:1:30:0::; time-signal")
    for _ in range(more):
        assert not table.state.is_over
        table.feed("told draw")
    assert table.state.is_over


@pytest.mark.parametrize(
    ("signal", "finished", "events", "last"),
    [
        ("one_more", 1, START, "this_hand"),
        ("one_more", 2, START, "this_hand"),
        ("one_more", 1, f"{START}; {WON}", "next_hand"),
        ("one_more", 2, f"{START}; {WON}", "none"),
        ("this_hand", 1, START, "this_hand"),
        ("this_hand", 1, f"{START}; {WON}", "none"),
    ],
)
def test_a_table_that_hears_the_call_late_plays_no_more_hands_than_the_others(
    signal: str, finished: int, events: str, last: str
) -> None:
    table = timed(signal, f"{events}; time-signal finished={finished}")
    assert table.one(AnnouncementId.TIME_SIGNAL).args == {"last": last}
    assert table.state.is_over is (last == "none")


def next_hand(table: Table, events: str) -> Table:
    """Plays the next hand as the rules deal it."""
    start = table.state.next_start or HandStarted(round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000,) * 4)
    return table.feed(f"{start}; {events.format(dealer=int(start.dealer), other=int(start.dealer.plus(1)))}")


RON = "{dealer} discards 1m; {other} ron han=1 fu=30; confirm"
FALSE_RON = "{dealer} discards 1m; {other} foul 7-05-01 facts=offender_opened_hand; confirm"


@pytest.mark.parametrize("signal", ["this_hand", "one_more"])
@pytest.mark.parametrize(
    ("rules", "is_counted"), [("ema-2025", True), ("wrc-2025", False), ("home", False), ("parlour", False)]
)
def test_a_chombo_after_the_signal_counts_as_a_hand_only_where_the_rules_say_so(
    signal: Literal["this_hand", "one_more"], rules: str, is_counted: bool
) -> None:
    """EMA 2025: it is treated as a hand. WRC, 7-02 d: it is dealt again, with counters unchanged, as if not played."""
    table = Table(rules_named(rules).ruleset.but(time_signal=signal, tobi="never"))
    next_hand(table, FALSE_RON)  # before the signal: hands are counted from there
    next_hand(table, f"time-signal; {RON if signal == 'one_more' else FALSE_RON}")
    if signal == "one_more":
        next_hand(table, FALSE_RON)
    assert table.state.is_over is is_counted
    if not is_counted:
        before = table.state.next_start
        assert not next_hand(table, FALSE_RON).state.is_over
        assert before is not None
        assert table.state.next_start == replace(before, scores=table.state.scores)
        assert next_hand(table, RON).state.is_over


def test_a_chombo_after_the_signal_counts_where_the_deal_passes_or_stays_after_it() -> None:
    """7-02 a: the dealer stays and 7-02 c: the deal passes, so the hand was played."""
    for option in "abc":
        house = rules_named("home")
        rules = replace(house, choices={**house.choices, "7-02": option}).ruleset
        table = Table(rules.but(time_signal="this_hand"))
        assert next_hand(table, f"time-signal; {FALSE_RON}").state.is_over


@pytest.mark.parametrize("signal", ["this_hand", "one_more"])
@pytest.mark.parametrize("rules", ["ema-2025", "wrc-2025"])
def test_a_chombo_before_a_late_call_is_heard_counts_as_it_does_after_one_in_time(
    signal: Literal["this_hand", "one_more"], rules: str
) -> None:
    in_time, late = (Table(rules_named(rules).ruleset.but(time_signal=signal, tobi="never")) for _ in range(2))
    for table in (in_time, late):
        next_hand(table, RON)
    next_hand(in_time, f"time-signal; {FALSE_RON}")
    next_hand(late, FALSE_RON).feed("time-signal finished=1")
    assert late.state.hands_left == in_time.state.hands_left


def test_a_hand_whose_chombo_after_the_signal_is_cancelled_counts_again() -> None:
    table = Table(rules_named("home").ruleset.but(time_signal="this_hand"))
    next_hand(table, "time-signal; draw; 0 noten; 1 noten; 2 noten; 3 noten; 1 foul 7-04-01 option=a; confirm")
    assert not table.state.is_over
    assert table.feed("cancel-foul 0 reason=misread").state.is_over


def test_a_dealer_who_stays_plays_no_further_hand() -> None:
    table = timed("this_hand", START, "time-signal; 0 discards 9m; 1 discards 1m; 0 ron han=1 fu=30; confirm")
    assert table.state.is_over
    assert table.state.next_start is None


def test_the_leftover_sticks_go_as_at_any_end() -> None:
    table = timed("this_hand", START, "0 discards 9m sideways; 0 stick; time-signal; draw; 0 shows 234m567m34567p22s")
    table.feed("confirm")
    assert table.state.is_over
    assert (sum(table.state.scores), table.state.deposits) == (100000, 0)


def test_a_game_takes_one_time_signal_while_it_goes_on() -> None:
    with pytest.raises(ImpossibleEventError, match="expected one time signal in a game, got another"):
        timed("one_more", START, "time-signal; time-signal")
    with pytest.raises(ImpossibleEventError, match="expected a game in progress"):
        timed("this_hand", START, "end-game; time-signal")


def test_a_foul_found_after_the_last_hand_leaves_the_game_over() -> None:
    table = timed("this_hand", START, "time-signal", WON, penalties=True)
    table.feed("3 foul 7-06-01 option=a")
    assert table.state.is_over
    table.feed("cancel-foul 0 reason=misread")
    assert table.state.is_over


def test_a_hand_dealt_over_an_unsettled_one_counts_too() -> None:
    table = timed("one_more", START, "0 discards 1m; time-signal", NEXT, "1 discards 1m; 2 ron han=1 fu=30; confirm")
    assert table.state.is_over


def test_no_clock_calls_time_where_the_rules_have_a_limit() -> None:
    table = Table(Ruleset().but(time_limit=30))
    table.feed(f"{START}; {WON}")
    assert table.state.ends_after is None
    assert not table.state.is_over
