"""A program of the system: what it prints, or why it gave nothing."""

from __future__ import annotations

import sys

import pytest

from table.runtime.system_command import run_command


def test_a_command_gives_what_it_prints() -> None:
    assert run_command([sys.executable, "-c", "print(1)"], timeout_s=60) == "1\n"


def test_a_command_may_print_what_is_no_text() -> None:
    program = "import sys; sys.stdout.buffer.write(b'caf\\xe9')"
    assert run_command([sys.executable, "-c", program], timeout_s=60) == "caf\ufffd"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([sys.executable, "-c", "import sys; sys.exit('why')"], "why"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "ended with 3"),
        (["no-such-program"], "^no-such-program is not installed$"),
        (["sleep", "60"], "sleep does not end"),
    ],
)
def test_a_command_that_fails_is_missing_or_does_not_end_is_told(command: list[str], message: str) -> None:
    with pytest.raises(OSError, match=message):
        run_command(command, timeout_s=0.1 if command[0] == "sleep" else 60)
