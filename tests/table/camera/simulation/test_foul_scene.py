"""A foul in a script: pressed on the panel alone, charged by the rules, told in the truth."""

from __future__ import annotations

import pytest

from table.camera.simulation import ScriptError, read_script
from table.camera.simulation.script_recording import prepare_show, press_line
from table.camera.simulation.script_timeline import StagedScript, stage_script
from table.game.commands.game_commands import PressFoulButton, PressTableButton
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.advance import advance, new_game
from table.rules.events import FoulLogged
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from tests.contracts import assert_keeps
from tests.table.camera.simulation.felts import LAYOUT, observations
from tests.table.camera.simulation.scripts import SHORT
from vision.felt import FeltReport

HOME = rules_named("home").ruleset
FOUL = SHORT.replace("2 6m 6m", "2 foul 1\n2 6m 6m")
"""Seat 2 makes a wrong call, the first quick foul of the house: 1000 into the pot, which the winner takes."""


def script_with_foul() -> str:
    *_, scores = [line for line in SHORT.splitlines() if line.startswith("scores")]
    points = [int(word) for word in scores.split()[1:]]
    winner = points.index(max(points))
    points[2] -= 1000
    points[winner] += 1000
    return FOUL.replace(scores, "scores " + " ".join(map(str, points)))


@pytest.fixture(scope="module")
def staged() -> StagedScript:
    return stage_script(read_script(script_with_foul()), LAYOUT)


def test_a_foul_is_pressed_on_the_panel_step_by_step(staged: StagedScript) -> None:
    presses = [press.press for press in staged.presses][:3]
    assert presses == [PressFoulButton(seat=Seat.FAR)] * 2 + [PressTableButton()]
    times = [press.time_s for press in staged.presses]
    assert times == sorted(times)


def test_its_truth_leads_to_the_scores_of_the_script(staged: StagedScript) -> None:
    state = new_game(HOME)
    for each in staged.truth:
        state = advance(state, each.event, HOME).state
    assert tuple(line.scores for line in state.history) == staged.scores
    assert [foul.clause for foul in state.history[0].fouls] == ["7-05-11"]


def test_seen_by_the_referee_it_leads_there_too(staged: StagedScript) -> None:
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        for observation in observations(staged):
            if isinstance(observation, FeltReport):
                table.report(observation)
            else:
                table.handle(observation)
        assert tuple(line.scores for line in table.state.history) == staged.scores


def test_its_presses_keep_the_contract_and_the_pot_of_earlier_hands_can_be_told() -> None:
    show = prepare_show(read_script(script_with_foul()))
    lines = [press_line(press) for press in show.presses]
    for line in lines:
        assert_keeps("press", line)
    assert [line["press"] for line in lines][:3] == ["foul_button", "foul_button", "table_button"]
    with_pot = read_script(SHORT.replace("sticks 0", "sticks 0 pot 300", 1))
    assert stage_script(with_pot, LAYOUT).truth[0].event.deposit_points == 300  # type: ignore[union-attr]


@pytest.mark.parametrize("quick", [0, 7])
def test_a_quick_foul_that_the_house_has_not_cannot_be_staged(quick: int) -> None:
    hands = read_script(FOUL.replace("2 foul 1", f"2 foul {quick}"))
    with pytest.raises(ScriptError, match=f"expected a quick foul from 1 to 6, got {quick}"):
        stage_script(hands, LAYOUT)
    with pytest.raises(ScriptError, match=f"expected no quick foul, got {quick}"):
        prepare_show(hands, ruleset=rules_named("tenhou").ruleset)


def test_a_foul_needs_its_number() -> None:
    with pytest.raises(ScriptError, match="expected a line of a script, got '2 foul'"):
        read_script(FOUL.replace("2 foul 1", "2 foul"))


def test_the_truth_names_the_foul(staged: StagedScript) -> None:
    (foul,) = [line.event for line in staged.truth if isinstance(line.event, FoulLogged)]
    assert foul == FoulLogged(seat=Seat.FAR, clause="7-05-11", by="panel")
