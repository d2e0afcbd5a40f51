from __future__ import annotations

import json
import socket
import urllib.request

import pytest

from table.appliance.table_server import serve_table
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rules.ruleset import Ruleset
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import ConfigError
from tests.fakes.waiting import PATIENCE_S


def table(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=Ruleset(), clock=LogicalClock())


def test_a_live_table_serves_its_state_and_ends_cleanly() -> None:
    with Journal(None) as journal, serve_table(table(journal), host="127.0.0.1", port=0) as running:
        url = f"http://127.0.0.1:{running.port}/api/table"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            assert json.load(answer)["version"] == 1


@pytest.mark.parametrize("port", ["taken", 70000])
def test_an_address_that_cannot_be_served_is_told(port: str | int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other_server, Journal(None) as journal:
        number = other_server.getsockname()[1] if port == "taken" else 70000
        with (
            pytest.raises(ConfigError, match=f"expected an address to serve on, got 127.0.0.1:{number}"),
            serve_table(table(journal), host="127.0.0.1", port=number),
        ):
            pass
