from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from table.dashboard.web.access.command_rights import refusal
from table.dashboard.web.access.roles import Role, Visitor
from table.game.commands.command_reader import read_press
from table.game.commands.foul_vote import SIGNALS, FoulProposal, VoteStep, apply_press
from table.game.commands.game_commands import CancelFoul, CancelWin, Confirm, FoulVotePress, LogFoul, NameFoul
from table.game.journal.authors import OWNER, PANEL, TABLE
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.penalties.penalty_rules import MOST_QUICK, PenaltyRules, QuickFoul
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.contracts import assert_keeps
from tests.table.game.dealing import DealingReferee
from vision.felt import Felt, FeltReport

HOME = rules_named("home").penalties
BY_OWNER = replace(HOME, fouls_decided_by="owner")


def read_vote(**fields: Any) -> FoulVotePress:
    assert_keeps("press", fields)
    press = read_press(fields)
    assert isinstance(press, FoulVotePress)
    return press


def button(seat: int) -> FoulVotePress:
    return read_vote(press="foul_button", seat=seat)


CONFIRM, HOLD = read_vote(press="table_button"), read_vote(press="table_button", held=True)


def after(*presses: FoulVotePress, rules: PenaltyRules = HOME) -> VoteStep:
    """What the last of these presses led to."""
    found = VoteStep(proposal=None)
    for press in presses:
        found = apply_press(found.proposal, press, rules)
    return found


# The panel alone


def test_the_foul_button_names_the_offender_and_further_presses_step_through_the_quick_fouls_of_the_house() -> None:
    proposal = None
    signals = []
    for _ in range(8):
        proposal = apply_press(proposal, button(2), HOME).proposal
        assert proposal is not None
        signals.append((proposal.step, proposal.clause, proposal.facts))
    assert signals == [
        (0, "other", ()),
        *((place, foul.clause, foul.facts) for place, foul in enumerate(HOME.quick, 1)),
        (0, "other", ()),
    ]


def test_each_step_is_told_apart_by_colour_by_blinks_and_by_tone() -> None:
    assert len(SIGNALS) == MOST_QUICK + 1
    for field in ("rgb", "blinks", "tone_hz"):
        assert len({getattr(signal, field) for signal in SIGNALS}) == len(SIGNALS)
    assert [signal.blinks for signal in SIGNALS] == list(range(MOST_QUICK + 1))
    assert FoulProposal(seat=Seat.FAR, step=3).signal is SIGNALS[3]


def test_a_press_at_another_seat_names_that_one() -> None:
    assert after(button(2), button(2), button(3)).proposal == FoulProposal(seat=Seat.LEFT)


def test_a_house_without_quick_fouls_names_the_offender_only() -> None:
    assert after(button(2), button(2), rules=PenaltyRules()).proposal == FoulProposal(seat=Seat.FAR)


def test_the_table_button_confirms_the_named_foul() -> None:
    found = after(button(1), button(1), CONFIRM)
    assert found.proposal is None
    assert found.commands == (LogFoul(seat=Seat.RIGHT, clause="7-05-11", facts=(), reason="", by=PANEL),)


def test_the_table_button_held_cancels_it() -> None:
    assert after(button(1), button(1), HOLD) == VoteStep(proposal=None)


@pytest.mark.parametrize(("press", "kind"), [(CONFIRM, Confirm), (HOLD, CancelWin)])
def test_with_no_foul_named_the_table_button_confirms_or_cancels_what_the_hand_waits_for(
    press: FoulVotePress, kind: type[Confirm | CancelWin]
) -> None:
    assert after(press) == VoteStep(proposal=None, commands=(kind(),))


# On phones


def name_foul(by: str, **more: Any) -> NameFoul:
    press = read_vote(press="name_foul", seat=1, clause="7-05-11", by=by, **more)
    assert isinstance(press, NameFoul)
    return press


def agree(by: str) -> FoulVotePress:
    return read_vote(press="agree", by=by)


def test_two_people_decide_a_foul_named_on_a_phone() -> None:
    first = after(name_foul("ann"))
    assert (first.proposal, first.commands) == (FoulProposal(seat=Seat.RIGHT, clause="7-05-11", agreed_by=("ann",)), ())
    assert after(name_foul("ann"), agree("ann")).commands == ()
    assert [press.by for press in after(name_foul("ann"), agree("bo")).commands] == ["ann, bo"]


def test_an_owners_vote_alone_decides() -> None:
    assert [press.by for press in after(name_foul(OWNER)).commands] == [OWNER]
    assert [press.by for press in after(name_foul("ann"), agree(OWNER)).commands] == ["ann, owner"]


def test_the_vote_for_the_whole_table_decides_unless_only_the_owner_may() -> None:
    found = after(name_foul("seat 0"), agree(TABLE))
    assert ([press.by for press in found.commands], found.voters) == (["seat 0, table"], ())
    assert after(name_foul("seat 0"), agree(TABLE), rules=BY_OWNER).commands == ()


def test_one_owner_decides_where_the_house_says_so() -> None:
    assert after(name_foul("ann"), agree("bo"), rules=BY_OWNER).commands == ()
    assert [press.by for press in after(name_foul("ann"), agree(OWNER), rules=BY_OWNER).commands] == ["ann, owner"]
    assert [press.by for press in after(name_foul(OWNER), rules=BY_OWNER).commands] == [OWNER]


def test_the_table_button_decides_a_foul_named_on_a_phone_too() -> None:
    assert [press.by for press in after(name_foul("ann"), CONFIRM).commands] == ["ann, panel"]


def test_a_named_foul_can_be_dropped() -> None:
    assert after(name_foul("ann"), read_vote(press="drop")) == VoteStep(proposal=None)


def test_what_the_panel_left_unnamed_is_named_on_a_phone() -> None:
    assert after(button(1), name_foul("ann")).proposal == FoulProposal(
        seat=Seat.RIGHT, clause="7-05-11", agreed_by=("ann",)
    )


def test_the_panels_button_starts_anew_where_a_phone_had_named_something() -> None:
    assert after(name_foul("ann"), button(1)).proposal == FoulProposal(seat=Seat.RIGHT)


def test_a_foul_that_puts_another_right_cancels_that_one_first() -> None:
    cancel_command, log_command = after(name_foul("ann", foul=0, option="d"), agree("bo")).commands
    assert isinstance(cancel_command, CancelFoul)
    assert isinstance(log_command, LogFoul)
    assert (cancel_command.foul, cancel_command.reason) == (0, "7-05-11 instead")
    assert (log_command.option, log_command.by) == ("d", "ann, bo")


def withdraw_foul(by: str, **more: Any) -> FoulVotePress:
    return read_vote(press="name_foul", seat=1, foul=0, by=by, **more)


def test_cancelling_a_logged_foul_takes_a_reason_and_those_who_decide() -> None:
    (cancelled,) = after(withdraw_foul("ann", reason="it was heard", hand=2), agree("bo")).commands
    assert isinstance(cancelled, CancelFoul)
    assert (cancelled.foul, cancelled.hand) == (0, 2)
    assert (cancelled.reason, cancelled.by) == ("it was heard", "ann, bo")
    with pytest.raises(PressError, match="expected a reason to cancel a foul, got none"):
        after(withdraw_foul("ann"))


def test_an_owner_alone_may_cancel_in_any_house() -> None:
    for rules in (HOME, BY_OWNER):
        assert [press.by for press in after(withdraw_foul(OWNER, reason="no"), rules=rules).commands] == [OWNER]
    assert after(withdraw_foul("ann", reason="no"), agree("bo"), rules=BY_OWNER).commands == ()


@pytest.mark.parametrize(
    ("press", "may"),
    [
        ({"press": "foul", "seat": 1}, False),
        ({"press": "foul_button", "seat": 1}, False),
        ({"press": "table_button"}, False),
        ({"press": "cancel", "foul": 0}, False),
        ({"press": "cancel"}, True),
        ({"press": "name_foul", "seat": 1, "by": "ann"}, True),
        ({"press": "agree", "by": "ann"}, True),
        ({"press": "ron", "seat": 1}, True),
    ],
)
def test_one_phone_alone_decides_no_foul(press: dict[str, Any], may: bool) -> None:
    who = Visitor(role=Role.SEAT, seat=Seat.NEAR)
    assert (refusal(read_press(press), who) is None) is may


@pytest.mark.parametrize(
    ("presses", "message"),
    [
        ((agree("ann"),), "expected a named foul to agree, got none"),
        ((read_vote(press="drop"),), "expected a named foul to drop, got none"),
        ((name_foul("ann"), name_foul("bo")), "expected one foul at a time"),
        ((name_foul("ann", option="z"),), r"in a 'name_foul' press: expected an option of a, b, .* got 'z'"),
        ((replace(name_foul("ann"), facts=("deliberat",)),), "did you mean deliberate"),
        ((NameFoul(seat=Seat.FAR),), "expected the author of 'name_foul', got nobody"),
    ],
)
def test_what_cannot_be_named_or_decided_is_refused(presses: tuple[FoulVotePress, ...], message: str) -> None:
    with pytest.raises(PressError, match=message):
        after(*presses)


def test_a_house_has_at_most_six_quick_fouls_out_of_its_own_clauses() -> None:
    foul = QuickFoul(clause="7-05-11")
    with pytest.raises(ValueError, match="at most 6 quick fouls, got 7"):
        replace(HOME, quick=(foul,) * 7)
    with pytest.raises(ValueError, match=r"out of this house's clauses, got 'EMA 6\.6'"):
        replace(HOME, quick=(QuickFoul(clause="EMA 6.6"),))


# At the table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "journal") as journal:
        table = Table(
            journal=journal, referee=DealingReferee(), ruleset=rules_named("home").ruleset, clock=LogicalClock()
        )
        table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
        yield table


def test_from_the_panel_alone_a_foul_is_named_shown_confirmed_and_charged(table: Table) -> None:
    for press in (button(1), button(1)):
        table.handle(press)
    proposal = table.board.latest.proposal
    assert proposal is not None
    assert (proposal.seat, proposal.signal.blinks, table.state.deposit_points) == (Seat.RIGHT, 1, 0)
    table.handle(CONFIRM)
    assert (table.board.latest.proposal, table.state.deposit_points) == (None, 1000)
    assert table.state.hand is not None
    assert table.state.hand.fouls[0].by == PANEL


def test_what_is_refused_stays_named(table: Table) -> None:
    table.handle(read_press({"press": "foul", "seat": 1, "clause": "7-05-11"}))
    table.handle(name_foul("ann", foul=0))
    table.handle(read_press({"press": "cancel", "foul": 0, "reason": "it was heard"}))
    with pytest.raises(PressError, match="cancel is not possible now"):
        table.handle(agree("bo"))
    assert table.board.latest.proposal is not None


def test_a_foul_found_after_the_settlement_can_be_named_until_the_next_deal(table: Table) -> None:
    for word in ("draw", "confirm"):
        table.handle(read_press({"press": word}))
    assert table.state.live is None
    for press in (button(1), button(1), CONFIRM):
        table.handle(press)
    assert table.state.scores == (25000, 24000, 25000, 25000)
    table.handle(button(2))
    table.report(FeltReport(frame=1, t_ns=1, changes=(), felt=Felt()))
    assert table.board.latest.proposal is None


def test_every_press_about_a_named_foul_is_followed() -> None:
    assert {kind.word for kind in get_args(FoulVotePress)} == {
        "foul_button",
        "table_button",
        "name_foul",
        "agree",
        "drop",
    }
