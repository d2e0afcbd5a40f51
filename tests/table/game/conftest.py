"""The journal of a table that a test plays at, and a table that a referee watches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.game.journal.journal import Journal
from tests.table.game.table_by_hand import TableByHand


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal") as journal:
        yield journal


@pytest.fixture
def by_hand() -> Iterator[TableByHand]:
    by_hand = TableByHand()
    yield by_hand
    by_hand.table.journal.close()
