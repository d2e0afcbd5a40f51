"""Trying the panel out: lights on request, presses told back and not done."""

from __future__ import annotations

from dataclasses import replace

from table.game.commands.game_commands import PressFoulButton
from table.panel.buttons import Push
from table.panel.panel_driver import HEARD_HZ
from table.panel.panel_port import FOULS, TABLE, WINS
from table.panel.panel_trial import TIMEOUT_S, PanelTrial
from table.panel.seat_lights import DARK
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.terms.seats import Seat
from tests.fakes.panels import FIRST, PanelBench


def test_presses_are_told_back_and_mean_nothing_while_it_is_tried_out() -> None:
    bench = PanelBench()
    bench.driver.trial.begin()
    bench.push(WINS[2])
    bench.push(TABLE, ms=1000)
    assert bench.driver.trial.pressed == {"win 2": "short", "table": "held"}
    assert bench.presses == []
    assert HEARD_HZ in bench.panel.tones
    bench.driver.trial.end()
    bench.push(FOULS[0])
    assert bench.presses == [PressFoulButton(seat=Seat.NEAR)]
    assert "foul 0" not in bench.driver.trial.pressed


def test_two_buttons_together_save_no_clip_while_the_panel_is_tried_out() -> None:
    bench = PanelBench()
    bench.driver.trial.begin()
    bench.panel.pressed |= {TABLE, FOULS[1]}
    bench.wait(100)
    bench.panel.pressed.clear()
    bench.wait(100)
    assert bench.flagged == []
    assert bench.driver.trial.pressed == {"table": "short", "foul 1": "short"}


def test_a_hand_that_is_played_ends_the_trial_even_if_no_page_is_open() -> None:
    bench = PanelBench()
    bench.driver.trial.begin()
    game = new_game(HOME)
    for version, text in enumerate(("start E1 scores=25000,25000,25000,25000", "0 discards 1m"), start=2):
        bench.push(FOULS[version])
        for event in parse_events(text):
            game = advance(game, event, HOME).state
        bench.board.publish(replace(FIRST, version=version, game=game))
    bench.push(FOULS[1])
    assert bench.driver.trial.pressed == {"foul 2": "short", "foul 3": "short"}
    assert (bench.driver.trial.is_on, bench.presses) == (False, [PressFoulButton(seat=Seat.RIGHT)])


def test_one_seat_is_lit_as_asked_and_the_others_are_dark() -> None:
    bench = PanelBench()
    bench.driver.trial.begin()
    bench.driver.trial.light(Seat.FAR, "green")
    bench.wait(100)
    assert bench.panel.lit == (DARK, DARK, (0, 255, 0), DARK)


def test_a_trial_that_nobody_looks_at_ends_by_itself() -> None:
    now = [0.0]
    trial = PanelTrial(now=lambda: now[0])
    trial.begin()
    now[0] += TIMEOUT_S - 1
    trial.record_press(TABLE, Push.SHORT)
    assert trial.pressed == {"table": "short"}
    now[0] += TIMEOUT_S - 1
    was_on = trial.is_on
    now[0] += 2
    assert (was_on, trial.is_on) == (True, False)
    assert (trial.pressed, trial.is_on) == ({"table": "short"}, False)
