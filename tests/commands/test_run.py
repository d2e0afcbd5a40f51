"""A table kept by hand on disk: it goes on where it stood, with the same owner."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from table.acts import Tell, read_result
from table.cli import main
from table.clock import SystemClock
from table.ledger.journal import Journal
from table.loop import Table
from table.referee import Referee
from table.rules.presets import HOME


@contextmanager
def running(data: Path) -> Iterator[int]:
    """The command in a process of its own; yields the page's port and ends it as a service is ended."""
    words = ["run", "--data", str(data), "--port", "0"]
    code = "import sys; from table.cli import main; sys.exit(main(sys.argv[1:]))"
    with subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://localhost:(\d+)", told)
        try:
            assert found, told
            yield int(found[1])
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def test_a_table_goes_on_where_its_journal_stands(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())
        win = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
        table.act(Tell(result=read_result(win), hand=0))
    with running(tmp_path) as port, closing(http.client.HTTPConnection("localhost", port, timeout=20)) as connection:
        connection.request("GET", "/api/table")
        answer = connection.getresponse()
        assert [seat["score"] for seat in json.load(answer)["seats"]] == [21100, 28900, 25000, 25000]
        connection.request("GET", "/api/health")
        told = json.load(connection.getresponse())
        assert (told["journal"]["entries"], told["camera"], told["problems"]) == (3, None, [])
    assert (tmp_path / "secrets.json").is_file()


@pytest.mark.parametrize("words", [["--tls-cert", "missing.crt", "--tls-key", "missing.key"], ["--tls-key", "x.key"]])
def test_a_missing_certificate_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["run", "--data", str(tmp_path), "--port", "0", *words]) == 1
    assert "expected a file with the certificate for TLS" in capsys.readouterr().err
