from __future__ import annotations

import pytest

from table.camera.simulation import evening, read_script
from table.camera.simulation.script_timeline import StagedScript, stage_script
from table.game.commands.game_commands import CallAbort, CallDraw
from table.game.journal.entries import Source
from table.game.referee import FoundEvent
from table.rules.events import AbortCalled, Discarded, DrawReached, Event, TilePassed, WinWithdrawn
from table.rules.state import Phase
from table.rules.terms.results import AbortReason
from tests.table.camera.simulation.felts import LAYOUT, observations
from tests.table.camera.simulation.scripts import KANS, RIICHI_TSUMO, SHORT
from tests.table.game.referee.felt_by_hand import FeltByHand, RefereedGame


@pytest.fixture(scope="module")
def staged() -> StagedScript:
    return stage_script(evening(), LAYOUT)


def truth(staged: StagedScript) -> list[Event]:
    return [line.event for line in staged.truth]


def test_every_event_of_the_evening_follows_from_the_felt_and_the_presses(staged: StagedScript) -> None:
    assert RefereedGame(is_complete=True).take(observations(staged)).events == truth(staged)


def test_the_evening_ends_with_the_scores_of_its_script(staged: StagedScript) -> None:
    game = RefereedGame(is_complete=True).take(observations(staged))
    assert [line.scores for line in game.state.history] == list(staged.scores)
    assert not game.questions


@pytest.mark.parametrize("script", [KANS, SHORT, RIICHI_TSUMO], ids=["kans", "called riichi tile", "riichi and tsumo"])
def test_every_event_of_a_short_script_follows_from_the_felt(script: str) -> None:
    staged = stage_script(read_script(script), LAYOUT)
    game = RefereedGame(is_complete=True).take(observations(staged))
    assert game.events == truth(staged)
    assert [line.scores for line in game.state.history] == list(staged.scores)


@pytest.mark.parametrize("first", [1, 2])
def test_two_discards_between_two_looks_come_in_the_order_of_play(staged: StagedScript, first: int) -> None:
    skipped = list(range(first, 21, 2))
    game = RefereedGame(is_complete=True).take(observations(staged, skip=skipped))
    assert [event for event in game.events if isinstance(event, Discarded)][:20] == [
        each for each in truth(staged) if isinstance(each, Discarded)
    ][:20]


def test_a_called_tile_that_no_look_saw_in_the_river_is_known_from_its_meld(staged: StagedScript) -> None:
    first_call = next(number for number, contents in enumerate(staged.contents) if any(contents.melds))
    game = RefereedGame(is_complete=True).take(observations(staged, skip=[first_call - 1]))
    assert game.events == truth(staged)
    guessed = next(
        finding for finding in game.found if isinstance(finding, FoundEvent) and finding.source is Source.INFERRED
    )
    assert isinstance(guessed.event, Discarded)
    assert guessed.confidence <= 0.5


def test_a_press_made_before_its_tile_was_seen_is_taken_back_and_made_again(staged: StagedScript) -> None:
    first_open = next(number for number, contents in enumerate(staged.contents) if any(contents.are_open))
    game = RefereedGame(is_complete=True).take(observations(staged, skip=[first_open - 1]))
    assert any(isinstance(event, WinWithdrawn) for event in game.events)
    assert game.state.history[0].scores == staged.scores[0]


def test_a_restarted_referee_goes_on_where_the_state_stands(staged: StagedScript) -> None:
    inputs = list(observations(staged))
    before = RefereedGame(is_complete=True).take(inputs[:30])
    after = RefereedGame(before.state, is_complete=True).take(inputs[30:])
    assert before.events + after.events == truth(staged)


def test_a_press_lets_what_waits_be_told_first() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m")).press(CallDraw)
    assert [type(event) for event in table.game.events[-2:]] == [Discarded, DrawReached]


@pytest.mark.parametrize(
    "reason", [AbortReason.NINE_TERMINALS, AbortReason.FOUR_WINDS, AbortReason.FOUR_RIICHI, AbortReason.FOUR_KANS]
)
def test_a_discard_seen_after_an_abort_was_called_makes_no_draw_of_it(reason: AbortReason) -> None:
    table = FeltByHand().discard((0, "3z")).press(CallAbort, reason=reason.value).discard((1, "3z"))
    events = [event for event in table.game.events if not isinstance(event, TilePassed)]
    assert [type(event) for event in events[-3:]] == [AbortCalled, Discarded, AbortCalled]
    hand = table.game.state.hand
    assert hand is not None
    assert (hand.phase, hand.abort) == (Phase.ENDING, reason)


def test_play_that_goes_on_after_four_winds_is_neither_a_draw_nor_called_again() -> None:
    table = FeltByHand().discard((0, "3z"), (1, "3z"), (2, "3z"), (3, "3z"))
    table = table.press(CallAbort, reason=AbortReason.FOUR_WINDS.value).discard((0, "1m"))
    assert isinstance(table.game.events[-1], Discarded)
    hand = table.game.state.hand
    assert hand is not None
    assert (hand.phase, hand.abort) == (Phase.PLAY, None)
