"""What the terminal prints for phones: an address that they can open, and a QR code that a camera reads."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli.live_commands.phone_invitation import print_invitation
from table.dashboard.web.addresses.network_address import own_address
from tests.commands.commanded import command
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import PATIENCE_S

SCALE = 8


def read_code(lines: list[str]) -> str:
    """Reads a QR code as a phone's camera does off a dark terminal: what is printed is light."""
    halves = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    rows = [[halves[letter][half] for letter in line] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8), np.ones((SCALE, SCALE), np.uint8))
    return str(cv2.QRCodeDetector().detectAndDecode(np.pad(picture, 32).astype(np.uint8))[0])


def printed_lines(words: list[str | Path], last: str) -> list[str]:
    """What a command that serves a page prints on its terminal, up to a line that begins so; then it is ended."""
    master, slave = pty.openpty()
    with (
        killed_at_last(subprocess.Popen(command(*words), stdin=slave, stderr=slave, stdout=slave)) as process,
        os.fdopen(master) as out,
    ):
        os.close(slave)
        lines: list[str] = []
        while not (lines and lines[-1].startswith(last)):
            lines.append(out.readline().rstrip("\r\n"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    return lines


@pytest.mark.skipif(own_address() is None, reason="NO NETWORK: this machine has no address that phones could open")
def test_run_prints_the_address_in_the_network_and_its_code(tmp_path: Path) -> None:
    lines = printed_lines(["run", "--data", tmp_path, "--port", "0", "--host", "0.0.0.0"], last="▀▀▀▀▀▀▀▀▀▀▀▀")  # noqa: S104
    invitation = next(line for line in lines if line.startswith("tachiai: phones on this network open "))
    address = invitation.rpartition(" ")[2]
    assert address.startswith(f"http://{own_address()}:")
    assert read_code([line for line in lines if set(line) <= set(" █▀▄") and line]) == address


def test_a_page_for_this_machine_alone_says_how_phones_get_there(capsys: pytest.CaptureFixture[str]) -> None:
    print_invitation("the table is shown at", host="127.0.0.1", port=8000)
    address, hint = capsys.readouterr().err.splitlines()
    assert address == "tachiai: the table is shown at http://localhost:8000"
    assert "--host 0.0.0.0" in hint


@pytest.mark.parametrize("host", ["::1", "fd00::5"])
def test_an_ipv6_address_is_printed_in_brackets_as_a_browser_needs_it(
    capsys: pytest.CaptureFixture[str], host: str
) -> None:
    print_invitation("the table is shown at", host=host, port=8000)
    assert capsys.readouterr().err.startswith(f"tachiai: the table is shown at http://[{host}]:8000\n")


def test_no_code_is_printed_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    print_invitation("the table is kept at", host="192.168.1.4", port=8000, scheme="https")
    assert capsys.readouterr().err.splitlines() == [
        "tachiai: the table is kept at https://192.168.1.4:8000",
        "tachiai: phones on this network open https://192.168.1.4:8000",
    ]
