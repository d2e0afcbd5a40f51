from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.table.rules.one_seat import replay


@pytest.fixture
def logs(shared: Path) -> list[Path]:
    return sorted((shared / "logs" / "one-seat").glob("*.log"))


def _replay_all(paths: list[Path]) -> tuple[list[str], Counter[str]]:
    found: list[str] = []
    checks: Counter[str] = Counter()
    for path in paths:
        differences, answers = replay(path.read_text(encoding="utf-8", errors="replace"))
        found += [f"{path.name}: {difference}" for difference in differences]
        checks.update(answers)
    return found, checks


def test_a_sample_of_win_offers_and_furiten_messages_agrees_with_the_server(logs: list[Path]) -> None:
    found, checks = _replay_all(logs[::14])
    assert found == []
    assert min(checks[kind] for kind in ("furiten", "ron", "tsumo")) > 0


@pytest.mark.long
def test_all_win_offers_and_furiten_messages_agree_with_the_server(logs: list[Path]) -> None:
    found, checks = _replay_all(logs)
    assert found == []
    assert checks["furiten"] > 500
    assert checks["ron"] > 300
