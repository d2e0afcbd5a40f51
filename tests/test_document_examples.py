"""What the documents show is run: Python, hands and rulings, automations, addresses and the modules of the training."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from typing import Any

import pytest

from table.cli.main import main
from table.cli.tasks import TASKS
from table.rules.terms.announcements import AnnouncementId
from tests.places import ROOT

_PAGES = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in _PAGES.stdout.split() if page != "CHANGELOG.md"}
RUN_ELSEWHERE = ("table/library/README.md", "table/manual/makers.md")
"""Their Python is run by `tests/table/library`, which has the photographs and games that it reads."""


def blocks(language: str) -> list[Any]:
    """The blocks of that language in all documents, each named by its page."""
    return [
        pytest.param(block, id=page)
        for page, text in TEXTS.items()
        for block in re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        if language != "python" or page not in RUN_ELSEWHERE
    ]


def examples(pattern: str) -> list[str]:
    """The command lines of that pattern in all documents and in the help of `tachiai`."""
    texts = [*TEXTS.values(), *(f"tachiai {guide[1]}\n" for task in TASKS.values() for guide in task.values())]
    return sorted({line.strip() for text in texts for line in re.findall(pattern, text)})


@pytest.mark.parametrize("block", blocks("python"))
def test_the_python_of_a_document_runs(block: str) -> None:
    subprocess.run([sys.executable, "-c", block], cwd=ROOT, check=True)


@pytest.mark.parametrize("line", examples(r"(?:tachiai|-m table) (score [^`|\n]*\d[^`|\n]*)"))
def test_a_hand_that_a_document_shows_has_a_value(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("line", examples(r"(?:tachiai|-m table) (rules (?:diff|show|list) [a-z0-9][^`|\n]*)"))
def test_what_a_document_asks_of_the_rules_is_answered(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("line", examples(r'(echo "[^"\n]*" \| tachiai rules play)'))
def test_the_events_that_a_document_shows_are_followed(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, events, _, _, *words = shlex.split(line)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{events}\n".encode())))
    assert main(words) == 0, capsys.readouterr().out


@pytest.mark.parametrize("block", blocks("yaml"))
def test_an_automation_is_yaml_that_waits_for_an_announcement(block: str) -> None:
    yaml = pytest.importorskip("yaml", reason="comes with schemathesis")
    parts = {key.rstrip("s"): value for key, value in yaml.safe_load(block).items()}
    assert set(parts) == {"trigger", "condition", "action"}
    assert re.fullmatch(r"tachiai/[\w-]+/announcement", parts["trigger"][0]["topic"])
    (waited,) = re.findall(r"payload_json\.id == '(\w+)'", block)
    assert waited in {each.value for each in AnnouncementId}


@pytest.mark.parametrize("path", examples(r"http://tachiai\.local(/api/[\w./-]*)"))
def test_an_address_that_a_document_shows_is_described(path: str) -> None:
    described = json.loads((ROOT / "table" / "records" / "contracts" / "openapi.json").read_text(encoding="utf-8"))
    assert path in described["paths"]


@pytest.mark.parametrize("module", examples(r"python[\d.]* -m ((?:models|tests)\.[\w.]+)"))
def test_a_module_that_a_document_runs_is_there(module: str) -> None:
    place = ROOT / module.replace(".", "/")
    assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file()
    source = (place.with_suffix(".py") if not place.is_dir() else place / "__main__.py").read_text(encoding="utf-8")
    flags = {flag for line in examples(rf"-m {re.escape(module)}( [^\n`#]*)") for flag in re.findall(r"--[\w-]+", line)}
    assert {flag for flag in flags if f'"{flag}"' not in source} == set()
