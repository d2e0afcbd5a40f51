"""A table kept by hand on disk: it goes on where it stood, with the same owner."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from table.cli.main import main
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import backups
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook.play_presets import HOME
from table.runtime.clock import SystemClock
from tests.commands.commanded import command
from tests.fakes.desks import PIN
from tests.fakes.free_port import free_port
from tests.fakes.processes import killed_at_last
from tests.fakes.silent_streams import taking_nothing
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import ROOT


@contextmanager
def running_table(data: Path) -> Iterator[int]:
    """The command in a process of its own; yields the page's port and ends it as a service is ended."""
    words = ["run", "--data", str(data), "--port", "0"]
    code = "import sys; from table.cli.main import main; sys.exit(main(sys.argv[1:]))"
    table = subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True)
    with killed_at_last(table) as process:
        assert process.stderr is not None
        answer = process.stderr.readline()
        found = re.search(r"http://localhost:(\d+)", answer)
        try:
            assert found, answer
            yield int(found[1])
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0


def test_a_table_goes_on_where_its_journal_stands(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())
        win = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
        table.handle(DeclareResult(result=read_result(win), hand=0))
    with (
        running_table(tmp_path) as port,
        closing(http.client.HTTPConnection("localhost", port, timeout=PATIENCE_S)) as connection,
    ):
        connection.request("GET", "/api/table")
        answer = connection.getresponse()
        assert [seat["score"] for seat in json.load(answer)["seats"]] == [21100, 28900, 25000, 25000]
        connection.request("GET", "/api/health")
        health = json.load(connection.getresponse())
        assert (health["journal"]["entries"], health["camera"], health["problems"]) == (3, None, [])
    assert (tmp_path / "secrets.json").is_file()


@pytest.mark.parametrize("kind", ["on a full disk", "without a reader", "closed"])
def test_a_table_is_kept_where_standard_error_takes_nothing(tmp_path: Path, kind: str) -> None:
    port = free_port()
    words = command("run", "-v", "-v", "--data", tmp_path, "--port", str(port))
    words = ["sh", "-c", 'exec "$@" 2>&-', "sh", *words] if kind == "closed" else words
    with taking_nothing(is_full=kind == "on a full disk") as stderr:
        table = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=stderr, cwd=ROOT)
    with killed_at_last(table) as process:
        wait_for(lambda: process.poll() is not None or _answers(port))
        owner = Owner(port)
        owner.tell()
        assert owner.scores == [21100, 28900, 25000, 25000]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    with Journal(tmp_path / "table.journal") as journal:
        assert journal.entries()


def _answers(port: int) -> bool:
    with closing(socket.socket()) as client:
        return client.connect_ex(("localhost", port)) == 0


def test_a_missing_certificate_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--tls-cert", "missing.crt", "--tls-key", "missing.key"]
    assert main(["run", "--data", str(tmp_path), "--port", "0", *words]) == 1
    assert "expected a file with the certificate for TLS" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--tls-cert", "--tls-key"])
def test_a_certificate_without_its_key_is_wrong_use(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", word, "x"]) == 2
    assert capsys.readouterr().err == "tachiai run: expected --tls-cert and --tls-key together, got one of them\n"


class Owner:
    """A browser in which the owner has signed in."""

    def __init__(self, port: int) -> None:
        self._address = f"http://localhost:{port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = json.loads(self.get("/api/session"))["token"]
        self.post("/join", role="owner", pin=PIN, again=PIN)

    def get(self, path: str) -> bytes:
        with self._opener.open(self._address + path, timeout=PATIENCE_S) as answer:
            content: bytes = answer.read()
        return content

    def post(self, path: str, **form: str) -> None:
        data = urllib.parse.urlencode({"token": self.token, **form}).encode()
        self._opener.open(self._address + path, data=data, timeout=PATIENCE_S).close()

    @property
    def scores(self) -> list[int]:
        return [seat["score"] for seat in json.loads(self.get("/api/table"))["seats"]]

    def tell(self) -> None:
        result = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
        headers = {"Content-Type": "application/json", "X-Tachiai-Token": self.token}
        body = json.dumps({"result": result, "hand": 0}).encode()
        request = urllib.request.Request(f"{self._address}/api/tell", body, headers)  # noqa: S310
        self._opener.open(request, timeout=PATIENCE_S).close()


def test_the_owner_goes_back_to_a_backup_from_the_page_while_the_table_runs(tmp_path: Path) -> None:
    with running_table(tmp_path) as port:
        owner = Owner(port)
        owner.post("/health", do="make")
        newest, *_ = backups(tmp_path / "backups", "table")  # the table makes one of its own soon after its start
        owner.tell()
        assert owner.scores == [21100, 28900, 25000, 25000]
        owner.post("/health", do="restore", name=newest.name, sure="yes")

        def is_gone_back() -> bool:
            """Whether the table that answers is the old one; it goes down while it answers."""
            with suppress(OSError, http.client.HTTPException):
                return bool(owner.scores == [25000] * 4)
            return False

        wait_for(is_gone_back)
        assert newest.name.encode() in owner.get("/health")
    old_journals = [path.name for path in tmp_path.iterdir() if "before-restore" in path.name]
    assert any(name.startswith("table.journal.before-restore-") for name in old_journals)


def test_the_game_is_told_as_mjai_lines_on_standard_output_and_nothing_else_is(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())
        win = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
        table.handle(DeclareResult(result=read_result(win), hand=0))
    words = command("run", "--data", tmp_path, "--port", "0", "--mjai", "-")
    running = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with killed_at_last(running) as process:
        assert process.stdout is not None
        lines = [json.loads(process.stdout.readline()) for _ in range(4)]
        process.send_signal(signal.SIGTERM)
        remaining, _ = process.communicate(timeout=PATIENCE_S)
    assert [line["type"] for line in lines] == ["start_game", "start_kyoku", "hora", "end_kyoku"]
    assert (lines[2]["deltas"], remaining, process.returncode) == ([-3900, 3900, 0, 0], "", 0)


TERMINATED_WHILE_STARTING = """
import os, signal, sys
from contextlib import contextmanager
from table.cli.live_commands import run
from table.cli.main import main

really, starts = run.run_appliance, []

@contextmanager
def terminated_in_start(loaded):
    starts.append(loaded)
    if len(starts) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGTERM)
    with really(loaded) as appliance:
        if len(starts) < int(sys.argv[1]):
            appliance.device.request_restart()
        yield appliance

run.run_appliance = terminated_in_start
code = main(["run", "--port", "0", "--data", sys.argv[2]])
print("starts", len(starts))
sys.exit(code)
"""


@pytest.mark.parametrize("start", ["1", "2"], ids=["first", "restart"])
def test_a_table_terminated_while_it_starts_ends_as_one_that_ran(start: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TERMINATED_WHILE_STARTING, start, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.stdout, done.returncode) == (f"starts {start}\n", 0), done.stderr


@pytest.mark.parametrize("port", ["70000", "-1", "x"])
def test_a_port_for_mjai_lines_is_one_or_standard_output(port: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["run", f"--mjai={port}"])
    assert stopped.value.code == 2
