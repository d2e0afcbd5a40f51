"""The journal of a table that a test plays at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.game.journal.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal") as journal:
        yield journal
