from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import table.game.referee
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import HandPress, PressFoulButton, Undo
from table.game.journal.entries import Source
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent
from table.game.referee.press_events import events_of
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.events import Event, FoulCancelled, FoulLogged, RiichiOpened
from table.rules.notation.event_notation import parse_event
from table.rules.state import GameState
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import parse_tiles
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.contracts import assert_keeps
from tests.table.game.by_hand import with_all_seen
from tests.table.game.dealing import DealingReferee
from tests.table.rules.situations import play
from vision.felt import Felt, FeltReport


def events(press: dict[str, Any]) -> list[Event]:
    """What a press means in a hand that has just begun; the press keeps its contract."""
    assert_keeps("press", press)
    read = read_press(press)
    assert isinstance(read, HandPress)
    return list(events_of(read, play("").hand))


def test_a_foul_names_its_offender_clause_option_and_what_people_know() -> None:
    press = {"press": "foul", "seat": 2, "clause": "7-06-01", "option": "d", "facts": ["exposed=3", "deliberate"]}
    event = FoulLogged(seat=Seat.FAR, clause="7-06-01", option="d", facts=("exposed=3", "deliberate"))
    assert events(press) == [event]


def test_a_foul_that_nobody_named_yet_names_its_offender_only() -> None:
    assert events({"press": "foul", "seat": 1}) == [FoulLogged(seat=Seat.RIGHT, clause="other")]


def test_a_foul_is_cancelled_by_its_number_with_a_reason() -> None:
    press = {"press": "cancel", "foul": 0, "reason": "the tiles were right"}
    assert events(press) == [FoulCancelled(foul=0, reason="the tiles were right")]


def test_a_fact_that_is_none_is_refused() -> None:
    with pytest.raises(PressError, match=r"in a 'foul' press: expected a condition .* did you mean deliberate"):
        events({"press": "foul", "seat": 1, "clause": "7-06-02", "facts": ["deliberat"]})


def dealt_table(journal: Journal) -> Table:
    """A table that plays by the home penalties, or takes up the journal's game."""
    return Table(journal=journal, referee=DealingReferee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())


def press(table: Table, **fields: Any) -> None:
    table.handle(read_press(fields))


def test_a_chombo_goes_from_press_to_the_next_deal_and_a_restart_finds_it_so(journal: Journal) -> None:
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    press(table, press="foul", seat=1, clause="7-05-01", facts=["offender_opened_hand"])
    press(table, press="confirm")
    line = table.state.history[-1]
    assert line.settlement is not None
    assert (line.settlement.reason, line.scores) == (AbortReason.CHOMBO, (29000, 17000, 27000, 27000))
    assert with_all_seen(dealt_table(journal).state) == table.state


def test_a_foul_pressed_by_mistake_is_taken_back_and_a_restart_finds_it_so(journal: Journal) -> None:
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    press(table, press="foul", seat=1, clause="7-05-11")
    assert table.state.deposit_points == 1000
    press(table, press="cancel", foul=0, reason="it was heard")
    assert (table.state.deposit_points, table.state.scores) == (0, (25000,) * 4)
    assert with_all_seen(dealt_table(journal).state) == table.state


def test_a_foul_considered_when_the_next_hand_is_dealt_is_considered_no_more(journal: Journal) -> None:
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    table.handle(PressFoulButton(seat=Seat.RIGHT))
    assert table.board.latest.proposal is not None
    table.report(FeltReport(frame=1, t_ns=0, changes=(), felt=Felt()))
    assert table.board.latest.proposal is None


def test_a_foul_of_an_earlier_hand_is_cancelled_by_its_hand_and_a_restart_finds_it_so(journal: Journal) -> None:
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    press(table, press="foul", seat=1, clause="7-05-01", facts=["offender_opened_hand"])
    press(table, press="confirm")
    table.report(FeltReport(frame=1, t_ns=0, changes=(), felt=Felt()))
    press(table, press="cancel", foul=0, hand=0, reason="it was valid", by="owner")
    assert table.state.scores == (25000,) * 4
    assert with_all_seen(dealt_table(journal).state) == table.state


def test_the_camera_never_logs_a_foul() -> None:
    """Of all that turns the felt into events, only what people press knows fouls."""
    folder = Path(table.game.referee.__file__).parent
    modules = {path.stem for path in folder.rglob("*.py") if "FoulLogged" in path.read_text("utf-8")}
    assert modules == {"press_events"}


def undo_last(table: Table) -> None:
    """Takes the last act back, as a phone does."""
    last = table.board.latest.changes.undo
    assert last is not None
    table.handle(Undo(act=last, by="owner"))


@pytest.mark.parametrize("when", ["in the hand", "after its settlement", "in the next hand"])
def test_fouls_and_cancellations_are_taken_back_like_any_act(journal: Journal, when: str) -> None:
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    before = [table.state.scores]
    press(table, press="foul", seat=1, clause="7-05-11")
    if when != "in the hand":
        press(table, press="draw")
        press(table, press="confirm")
    if when == "in the next hand":
        table.report(FeltReport(frame=1, t_ns=0, changes=(), felt=Felt()))
    charged_state = table.state
    press(table, press="cancel", foul=0, hand=0, reason="heard", by="owner")
    assert [table.state.scores] == before
    assert table.board.latest.changes.all[-1].reason == "heard"
    undo_last(table)
    assert table.state == charged_state
    assert with_all_seen(dealt_table(journal).state) == charged_state


def test_a_riichi_is_opened_by_a_press_with_its_tiles() -> None:
    assert events({"press": "open", "seat": 1, "tiles": "45p"}) == [
        RiichiOpened(seat=Seat.RIGHT, tiles=parse_tiles("45p"))
    ]
    with pytest.raises(PressError, match="in an 'open' press: expected from 1 to 13 tiles"):
        events({"press": "open", "seat": 1})


class DeclaringReferee(DealingReferee):
    """Sees a hand dealt, and a riichi tile laid at once."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        yield from super().on_report(report, get_state)
        yield FoundEvent(event=parse_event("0 discards 5z sideways"), source=Source.CAMERA, frame=1, confidence=1.0)
        self._report = report


@pytest.mark.parametrize(
    "answer",
    [
        {"press": "riichi", "seat": 0},
        {"press": "draw", "then": "confirm"},
    ],
)
def test_r08_a_riichi_that_nobody_heard_is_asked_about_until_it_is_said_or_the_hand_is_settled(
    journal: Journal, answer: dict[str, Any]
) -> None:
    rules = rules_named("ema-2025").ruleset.but(ask_unvoiced_riichi=True)
    table = Table(journal=journal, referee=DeclaringReferee(), ruleset=rules, clock=LogicalClock())
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    assert [suspicion.clause for suspicion in table.board.latest.suspicions] == ["R08"]
    then = answer.pop("then", None)
    press(table, **answer)
    while then is not None and not table.state.history:
        assert [suspicion.clause for suspicion in table.board.latest.suspicions] == ["R08"]
        press(table, press=then)
    assert table.board.latest.suspicions == ()


def test_what_a_cancelled_foul_made_of_later_ones_is_taken_back_with_the_cancellation(journal: Journal) -> None:
    """7-05-10 c: the third costs 1000, and nothing once it is the second; its hand was settled meanwhile."""
    table = dealt_table(journal)
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    for _ in range(3):
        press(table, press="foul", seat=1, clause="7-05-10", option="c")
    press(table, press="draw")
    press(table, press="confirm")
    third = table.state
    assert third.deposit_points == 1000
    press(table, press="cancel", foul=0, hand=0, reason="it was none", by="owner")
    assert (table.state.deposit_points, table.state.scores) == (0, (25000,) * 4)
    assert with_all_seen(dealt_table(journal).state) == table.state
    undo_last(table)
    assert table.state == third == with_all_seen(dealt_table(journal).state)
