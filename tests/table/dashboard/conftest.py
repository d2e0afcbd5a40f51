"""The pages of a table that nobody plays at yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN, join


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


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client, "owner", pin=PIN)
    return client
