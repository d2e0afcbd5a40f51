"""What the owner does to the computer from the phone, on a whole one that is booted: real systemd, logind and polkit.

The installer runs in it as on a Pi, from a checkout whose repository then gets a newer version. Where no computer can
be booted, this skips and says so.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from tests.pi.booted_trixie import Computer, computer_root
from tests.pi.trixie_root import RootUnavailableError
from tests.places import ROOT

pytestmark = pytest.mark.long

INSTALL_S: Final = 900.0
"""How long an installation may take, where the machine does much else."""
START_S: Final = 300.0
PIN: Final = "604817"
CHECKOUT: Final = "/home/host/tachiai"
UPSTREAM: Final = "/srv/upstream"
PREPARED: Final = f"""
cd {UPSTREAM} && git init --quiet --initial-branch=main && git add --all && git commit --quiet -m begun &&
useradd --create-home host && runuser -u host -- git config --global --add safe.directory '*' &&
runuser -u host -- git clone --quiet {UPSTREAM} {CHECKOUT}
"""


class Phone:
    """The owner's browser."""

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, **form: str) -> tuple[int, str]:
        """Opens a page, or sends a form; 0 where nobody answers."""
        body = urlencode({"token": self.token(), **form}).encode() if form else None
        return self._computer.in_its_network(lambda: self._answer(f"http://127.0.0.1{path}", body))

    def _answer(self, address: str, body: bytes | None) -> tuple[int, str]:
        try:
            with self._opener.open(address, body, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)

    def token(self) -> str:
        session: dict[str, Any] = json.loads(self.ask("/api/session")[1])
        return str(session["token"])


class BootedTable:
    """The computer with the table installed, and its owner's phone."""

    def __init__(self, computer: Computer) -> None:
        self.computer, self.phone = computer, Phone(computer)

    def run(self, command: str, *, timeout_s: float = 60.0) -> str:
        """What a command says that must succeed."""
        code, output = self.computer.run(command, timeout_s=timeout_s)
        assert code == 0, f"{command}: {output[-4000:]}"
        return output

    def wait_for(self, happens: Callable[[], bool], timeout_s: float = START_S) -> None:
        until = time.monotonic() + timeout_s
        while not happens():
            assert time.monotonic() < until, self.computer.run("journalctl --no-pager --lines=80")[1]
            time.sleep(0.5)

    def answers(self) -> bool:
        return self.phone.ask("/api/session")[0] == 200

    def update(self) -> dict[str, str]:
        """How the update stands; nothing while the table begins again."""
        status, text = self.phone.ask("/device/update")
        found: dict[str, str] = json.loads(text) if status == 200 else {}
        return found


def checkout() -> bytes:
    """The checkout as it is, packed by `tar`."""
    list_files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(list_files, cwd=ROOT, capture_output=True, check=True)
    tar = ["tar", "--create", "--null", "--files-from=-", "--ignore-failed-read"]
    return subprocess.run(tar, cwd=ROOT, input=files.stdout, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def booted_table() -> Iterator[BootedTable]:
    try:
        root = computer_root()
    except RootUnavailableError as reason:
        pytest.skip(f"NO COMPUTER WAS BOOTED: systemd and polkit are NOT TRIED: {reason}")
    with Computer(root) as computer:
        table = BootedTable(computer)
        computer.unpack(checkout(), UPSTREAM)
        table.run(PREPARED, timeout_s=120)
        table.run(f"{CHECKOUT}/firmware-config/install.sh", timeout_s=INSTALL_S)
        table.wait_for(table.answers)
        assert table.phone.ask("/begin/pin", pin=PIN, again=PIN)[0] == 200
        yield table


def test_the_table_runs_as_its_unit_says(booted_table: BootedTable) -> None:
    properties = booted_table.run("systemctl show --property=ActiveState,User,NRestarts tachiai.service")
    assert set(properties.split()) == {"ActiveState=active", "User=tachiai", "NRestarts=0"}
    status, page = booted_table.phone.ask("/health")
    assert (status, "rpicam-hello" in page) == (200, True), "no camera is there, and the table is kept by hand"


@pytest.mark.parametrize(
    "forbidden",
    ["start tachiai-access-point.service", "stop tachiai-update.service", "restart tachiai.service", "halt"],
)
def test_the_tables_user_is_refused_everything_else(forbidden: str, booted_table: BootedTable) -> None:
    code, output = booted_table.computer.run(f"runuser -u tachiai -- systemctl --no-ask-password {forbidden}")
    assert code != 0
    assert re.search(r"authentication|Access denied|not authorized", output), output


def test_an_update_by_phone_brings_the_newest_version_and_the_games_stay(booted_table: BootedTable) -> None:
    before = booted_table.run("readlink /opt/tachiai/current")
    booted_table.run(f"cd {UPSTREAM} && echo newer >> README.md && git commit --quiet --all -m newer")
    assert "Update Tachiai" in booted_table.phone.ask("/device")[1]
    status, page = booted_table.phone.ask("/device", do="update", sure="yes")
    assert status == 202, page
    steps = list[str]()

    def is_over() -> bool:
        found = booted_table.update()
        if found and (not steps or steps[-1] != found["step"]):
            steps.append(found["step"])
        return found.get("state") in ("done", "failed", "cut")

    booted_table.wait_for(is_over, INSTALL_S)
    assert booted_table.update()["state"] == "done", booted_table.run(
        "cat /opt/tachiai/update.txt; journalctl -u tachiai-update"
    )
    assert steps[-1] == "switch"
    assert len(steps) >= 3, steps
    assert booted_table.run("readlink /opt/tachiai/current") != before
    assert booted_table.run(f"tail -n 1 {CHECKOUT}/README.md").strip() == "newer"
    assert "Updated, " in booted_table.phone.ask("/device")[1], "the owner's phone is still the owner's"


def test_an_update_that_cannot_be_had_is_told_and_leaves_the_table_as_it_was(booted_table: BootedTable) -> None:
    before = booted_table.run("readlink /opt/tachiai/current")
    booted_table.run(f"mv {UPSTREAM} {UPSTREAM}.away")
    try:
        assert booted_table.phone.ask("/device", do="update", sure="yes")[0] == 202
        booted_table.wait_for(lambda: booted_table.update().get("state") == "failed")
    finally:
        booted_table.run(f"mv {UPSTREAM}.away {UPSTREAM}")
    assert "did not work (the newest version is fetched)" in booted_table.phone.ask("/device")[1]
    assert booted_table.run("readlink /opt/tachiai/current") == before


def test_a_restart_by_phone_keeps_the_log_of_all_starts_and_the_table_comes_back(booted_table: BootedTable) -> None:
    assert booted_table.phone.ask("/device", do="reboot", sure="yes")[0] == 202
    assert booted_table.computer.ended_by() == "restart"
    booted_table.computer.start()
    booted_table.wait_for(booted_table.answers)
    status, log = booted_table.phone.ask("/device/log.txt")
    assert status == 200
    assert log.count("Started tachiai.service") >= 3, "the installation's, the update's, and this start's"
    assert "-- Boot " in log
    assert "tachiai-update.service" in log


def test_switched_off_by_phone_the_computer_is_off(booted_table: BootedTable) -> None:
    assert booted_table.phone.ask("/device", do="poweroff", sure="yes")[0] == 202
    assert booted_table.computer.ended_by() == "off"
