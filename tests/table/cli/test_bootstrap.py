from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from table.cli import bootstrap


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands that setting up runs, none of them for real; the environment lies in a folder of the test."""
    ran: list[list[str]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        if command[1:3] == ["-m", "venv"]:
            (tmp_path / "venv" / "bin").mkdir(parents=True)
            (tmp_path / "venv" / "bin" / "python").touch()
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / "venv")
    return ran


def test_a_fresh_checkout_gets_an_environment_with_all_it_needs(commands: list[list[str]]) -> None:
    python = bootstrap.ensure_environment("dev")
    assert python == bootstrap.VENV / "bin" / "python"
    venv_command, installed = commands[-2:]
    assert venv_command[1:] == ["-m", "venv", "--clear", str(bootstrap.VENV)]
    assert installed[-1] == f"{bootstrap.ROOT}[dev]"


def test_an_environment_that_is_up_to_date_is_left_alone(commands: list[list[str]]) -> None:
    bootstrap.ensure_environment()
    commands.clear()
    bootstrap.ensure_environment()
    assert [command[1:] for command in commands] == [["-m", "pip", "--version"]]


def test_changed_dependencies_are_installed_again(commands: list[list[str]]) -> None:
    bootstrap.ensure_environment()
    commands.clear()
    (bootstrap.VENV / ".tachiai-base").write_text(hashlib.sha256(b"older").hexdigest())
    bootstrap.ensure_environment()
    assert commands[-1][-2:] == ["--editable", str(bootstrap.ROOT)]


def test_an_old_python_is_told_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sys, "version", "3.9.2 (default)")
    with pytest.raises(bootstrap.SetupError, match=r"expected Python 3\.11 or newer, got 3\.9\.2"):
        bootstrap.ensure_environment()


def test_without_debian_nothing_is_installed(monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert not bootstrap.install_debian("chromium")
    assert commands == []


class _Terminal(io.StringIO):
    """Standard input or error at which somebody sits, or nobody."""

    def __init__(self, answer: str = "", *, is_there: bool = True) -> None:
        super().__init__(answer)
        self._is_there = is_there

    def isatty(self) -> bool:
        return self._is_there


@pytest.mark.parametrize(
    ("answer", "installs"), [("y\n", True), ("yes\n", True), ("\n", False), ("n\n", False), ("", False)]
)
def test_a_system_package_is_installed_only_if_who_sits_at_the_terminal_agrees(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]], answer: str, installs: bool
) -> None:
    stderr = _Terminal()
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    monkeypatch.setattr(sys, "stderr", stderr)
    assert bootstrap.install_debian("chromium") is installs
    assert "install the system package chromium" in stderr.getvalue()
    assert [command[:2] for command in commands] == ([["sudo", "/usr/bin/apt-get"]] * 2 if installs else [])


@pytest.mark.parametrize(("user", "installs"), [(0, True), (1000, False)])
def test_with_no_terminal_to_ask_at_only_root_installs_as_in_a_container(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]], user: int, installs: bool
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr(sys, "stdin", _Terminal(is_there=False))
    assert bootstrap.install_debian("chromium") is installs
    assert bool(commands) is installs


def test_one_question_is_for_several_packages_and_one_that_fails_keeps_none_of_the_others_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr, installed = _Terminal(), list[str]()

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        installed.append(command[-1])
        return subprocess.CompletedProcess(command, command[-1] == "npm")

    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "stdin", _Terminal("y\n"))
    monkeypatch.setattr(sys, "stderr", stderr)
    assert bootstrap.may_install("npm", "chromium")
    assert stderr.getvalue().endswith("install the system packages npm and chromium with apt-get? [y/N] ")
    assert not bootstrap.install_packages("npm", "chromium")
    assert installed[1:] == ["npm", "chromium"]


def test_a_missing_venv_module_that_cannot_be_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    monkeypatch.setattr(bootstrap, "_has_ensurepip", lambda: False)
    monkeypatch.setattr(bootstrap, "install_debian", lambda package: False)
    with pytest.raises(bootstrap.SetupError, match=r"install it: sudo apt install python3\.\d+-venv"):
        bootstrap.ensure_environment()
