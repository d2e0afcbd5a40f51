from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from table.presses import Press
from table.referee import Correction, Finding, Question, Referee, Ruling
from table.rules.advance import advance, new_game
from table.rules.events import Event, HandStarted, TilePassed
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.scenes import evening
from table.scenes.staging import Staged, stage
from tests.table.felts import LAYOUT, looks
from vision.felt import FeltReport


class Watched:
    """A referee with the rules behind it, and all that it found."""

    def __init__(self, rules: Ruleset | None = None, state: GameState | None = None) -> None:
        self.rules = rules or Ruleset()
        self.state = state or new_game(self.rules)
        self.referee = Referee()
        self.found: list[Finding] = []

    def take(self, whats: Iterable[FeltReport | Press]) -> Watched:
        for what in whats:
            if isinstance(what, Press):
                self._follow(self.referee.on_press(what, lambda: self.state))
            else:
                self._follow(self.referee.on_report(what, lambda: self.state))
        return self

    def _follow(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.found.append(finding)
            if isinstance(finding, Ruling):
                self.state = advance(self.state, finding.event, self.rules).state

    @property
    def events(self) -> list[Event]:
        return [finding.event for finding in self.found if isinstance(finding, Ruling)]

    @property
    def questions(self) -> list[Question]:
        return [finding for finding in self.found if isinstance(finding, Question)]


@pytest.fixture(scope="module")
def staged() -> Staged:
    return stage(evening(), LAYOUT)


def truth(staged: Staged) -> list[Event]:
    return [each.event for each in staged.truth]


def test_every_event_of_the_evening_follows_from_the_felt_and_the_presses(staged: Staged) -> None:
    assert [str(event) for event in Watched().take(looks(staged)).events] == [str(event) for event in truth(staged)]


def test_the_evening_ends_with_the_scores_of_its_script(staged: Staged) -> None:
    watched = Watched().take(looks(staged))
    assert [line.scores for line in watched.state.history] == list(staged.scores)
