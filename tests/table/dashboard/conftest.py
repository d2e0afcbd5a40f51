"""The pages of a table that nobody plays at yet, and what makes them cheap to open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from table.dashboard import create_app
from table.dashboard.web import vault
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock


@pytest.fixture(scope="session", autouse=True)
def _cheap_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiles each template once, not once a test, and hashes PINs at the least cost."""
    kept = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": kept})
        patch.setattr(vault, "_COST", {**vault._COST, "n": 2})
        yield


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal(None) as journal:
        yield journal


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())


@pytest.fixture
def app(table: Table) -> Iterator[Flask]:
    with TableLoop(table) as loop:
        yield create_app(table.board, loop)
