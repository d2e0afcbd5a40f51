"""A hall's short evening: desk and broker are killed, and the desk's scores are those of the journals all the same."""

from __future__ import annotations

from pathlib import Path

from tests.endurance.hall_evening import play


def test_the_desks_scores_are_those_of_the_journals_whatever_was_killed(tmp_path: Path) -> None:
    outcome = play(tmp_path, tables=5, hands=2, kills=1)
    assert outcome.agree
    assert sum(outcome.kills.values()) == 4
    assert outcome.lags_ms
