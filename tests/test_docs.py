from __future__ import annotations

import re
import shlex
from importlib import import_module

import pytest

from table.cli import COMMANDS
from table.cli.main import build_parser
from tests.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)


def test_the_readme_lists_exactly_the_commands_that_work() -> None:
    listed = re.findall(r"^\| `tachiai (\w+)", README, re.MULTILINE)
    assert listed == [name.removesuffix("_") for name in COMMANDS]


@pytest.mark.parametrize("line", [line for block in SHELL for line in block.splitlines()])
def test_every_command_line_in_the_readme_is_understood(line: str) -> None:
    words = shlex.split(line)
    assert words[:2] == ["python3", "-m"]
    if words[2] == "table":
        assert build_parser().parse_args(words[3:]).run
    else:
        assert words[2:] == ["tests"]


def test_every_command_has_help_and_a_description() -> None:
    for name in COMMANDS:
        assert str(import_module(COMMANDS[name]).__doc__).startswith(f"`tachiai {name}")


@pytest.mark.parametrize("target", re.findall(r"\]\(([\w/.]+)\)", README))
def test_every_link_in_the_readme_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    assert 'exec python3 -m tests "$@"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python3 -m tests" in SHELL
