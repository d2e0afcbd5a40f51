from __future__ import annotations

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from table.cli import COMMANDS
from table.cli.main import build_parser
from table.config import load
from table.rules.terms.announcements import AnnouncementId
from table.runtime.table_errors import TachiaiError
from tests.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)


def test_the_table_of_commands_lists_exactly_those_that_work() -> None:
    table = (ROOT / "table" / "cli" / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\| `tachiai (\w+)", table, re.MULTILINE)
    assert commands == [name.removesuffix("_") for name in COMMANDS]


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


def test_the_readme_is_one_screen() -> None:
    assert len(README.splitlines()) <= 72


@pytest.mark.parametrize("target", re.findall(r"(?:\]\(|src=\")([\w/.-]+)", README))
def test_every_link_in_the_readme_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    assert 'exec python3 -m tests "$@"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python3 -m tests" in SHELL


def _documents() -> list[Path]:
    """Every page of ours about the house; a room's own README among them."""
    rooms = ("table", "vision", "models", "tests", "firmware-config")
    found = [path for room in rooms for path in (ROOT / room).rglob("README.md") if "node_modules" not in path.parts]
    names = ("CONTRIBUTING.md", "CHANGELOG.md", "README.md", "SECURITY.md", "models/EXPERIMENTS.md")
    return [*(ROOT / name for name in names), *found]


def _manuals() -> list[Path]:
    """What is written for people at a table, who know no modules."""
    return sorted((ROOT / "table" / "manual").glob("*.md"))


PLACEHOLDERS = {"COMMAND": "demo", "ACTION": "list", "SHELL": "bash"}
"""Words that stand for one of several."""
MERELY_NAMED = ("are required", "expected one argument")
"""What is said of a command or a flag that a sentence names without what belongs to it."""


def _commands(text: str) -> tuple[list[str], list[str]]:
    """The command lines of a document: those to be typed, in blocks, and those that its sentences name."""
    blocks = re.findall(r"^ *```(?:sh)?\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    command = r"\s*(?:sudo -u tachiai )?(?:\.venv/bin/)?(?:tachiai|python3 -m table) ([^|#]+)"
    lines = [line for block in blocks for line in block.splitlines()]
    return tuple([found[1] for each in texts if (found := re.match(command, each))] for texts in (lines, spans))  # type: ignore[return-value]


def _refusal(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Why a command line is not understood; empty where it is."""
    words = [PLACEHOLDERS.get(word, word) for word in shlex.split(command.replace("…", ""))]
    try:
        build_parser(words).parse_args(words)
    except (SystemExit, TachiaiError) as error:
        return "" if getattr(error, "code", 1) == 0 else f"{command}: {error} {capsys.readouterr().err}"
    return ""


@pytest.mark.parametrize("document", _documents() + _manuals(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_line_of_a_document_is_understood(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed, mentioned = _commands(document.read_text(encoding="utf-8"))
    wrong = [refusal for command in typed if (refusal := _refusal(command, capsys))]
    wrong += [
        refusal
        for command in mentioned
        if (refusal := _refusal(command, capsys)) and not any(each in refusal for each in MERELY_NAMED)
    ]
    assert wrong == []


def test_a_wrong_command_line_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    typed, mentioned = _commands("```sh\ntachiai read\n```\n`tachiai raed x` `tachiai run --kamera 0` `tachiai read`")
    assert (typed, mentioned) == (["read"], ["raed x", "run --kamera 0", "read"])
    assert all(_refusal(command, capsys) for command in (*typed, *mentioned))


def test_the_configurations_that_documents_show_are_right(tmp_path: Path) -> None:
    blocks = [
        block
        for document in _documents() + _manuals()
        for block in re.findall(r"```toml\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert blocks
    for block in blocks:
        file = tmp_path / "tachiai.toml"
        file.write_text(block, encoding="utf-8")
        file.chmod(0o600)
        assert load(file).problems == ()


def test_the_announcement_that_an_example_of_home_assistant_waits_for_is_one() -> None:
    text = (ROOT / "table" / "manual" / "makers.md").read_text(encoding="utf-8")
    waited = re.findall(r"payload_json\.id == '(\w+)'", text)
    assert waited
    assert set(waited) <= {each.value for each in AnnouncementId}


def _exists(path: str, folder: Path) -> bool:
    """Whether something lies there, from a document's folder, a package's or the checkout; `.py` may be left out."""
    places = [folder, ROOT, *(ROOT / package for package in ("table", "vision", "models/training"))]
    return any(
        next(place.glob(f"{path.rstrip('/')}{end}"), None) is not None for place in places for end in ("", ".py")
    )


def _is_module(dotted: str, folder: Path) -> bool | None:
    """Whether a dotted name is a module of ours, or stands in one; None where it begins with no room of ours."""
    parts = dotted.split(".")
    for place in (ROOT, folder, ROOT / "table", ROOT / "vision"):
        path, rest = place / parts[0], parts[1:]
        if not (path / "__init__.py").is_file():
            continue
        while rest and (path / rest[0]).is_dir():
            path, rest = path / rest[0], rest[1:]
        if rest and (path / f"{rest[0]}.py").is_file():
            path, rest = path / f"{rest[0]}.py", rest[1:]
        text = (path / "__init__.py" if path.is_dir() else path).read_text(encoding="utf-8")
        return all(re.search(rf"\b{name}\b", text) for name in rest)
    return None


def wrong_names(text: str, folder: Path) -> list[str]:
    """The paths and modules of a document in `folder` that are not there: in backticks, links and after `-m`."""
    quoted = [span for span in re.findall(r"`([^`\n]+)`", text) if re.fullmatch(r"[\w.*-]+(/[\w.*-]*)*", span)]
    paths = [span for span in quoted if "/" in span and re.search("[a-z]", span)]
    paths += re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    files = [span for span in quoted if re.fullmatch(r"[\w-]+\.(py|js|html)", span)]
    modules = [
        span
        for span in quoted
        if re.fullmatch(r"[a-z_]\w*(\.\w+)+", span) and not re.search(r"\.(py|js|html|toml|json)$", span)
    ]
    started = [name for name in re.findall(r"-m ([\w.]+)", text) if name.split(".")[0] in ("table", "models", "tests")]
    wrong = [path for path in paths if not _exists(path, folder)]
    wrong += [name for name in files if not _exists(f"**/{name}", folder)]
    return wrong + [name for name in (*modules, *started) if _is_module(name, folder) is False]


@pytest.mark.parametrize("document", _documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_and_module_that_a_document_names_is_there(document: Path) -> None:
    assert wrong_names(document.read_text(encoding="utf-8"), document.parent) == []


def test_a_wrong_path_link_file_or_module_is_found() -> None:
    right = "`vision/felt.py` `table.game.live_table.Table` [x](table/README.md) `game/referee` `python -m tests.fakes`"
    wrong = "`vision/eyes.py` `table.game.presses.Press` [heart](table/heart) `sighted.py` `python -m tests.blinds`"
    assert wrong_names(right, ROOT) == []
    assert wrong_names(wrong, ROOT) == [
        "vision/eyes.py",
        "table/heart",
        "sighted.py",
        "table.game.presses.Press",
        "tests.blinds",
    ]


TOUR = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGES = (
    "abort",
    "aspect",
    "rule switch",
    "setting",
    "page",
    "language",
    "panel button",
    "tile art",
    "command",
    "clause",
    "penalty option",
    "export format",
    "field of the journal",
    "announcement",
    "camera",
    "preset",
)


def test_the_tour_says_of_the_commonest_changes_which_files_they_touch() -> None:
    rows = dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", TOUR, re.MULTILINE))
    assert tuple(rows) == CHANGES
    assert [name for name, row in rows.items() if not re.search(r"`[\w*-]+/[\w./*-]+\.(py|toml)`", row)] == []


LAYERS = [
    each
    for each in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    if each["type"] == "layers"
]


@pytest.mark.parametrize("contract", LAYERS, ids=lambda contract: str(contract["name"]))
def test_the_readme_of_a_package_says_each_of_its_rooms_in_one_line(contract: dict[str, list[str]]) -> None:
    (package,) = contract["containers"]
    folder = ROOT / package.replace(".", "/")
    readme = folder / "README.md" if (folder / "README.md").is_file() else folder.parent / "README.md"
    (rows,) = re.findall(r"^\| room.*\n((?:\|.*\n)+)", readme.read_text(encoding="utf-8"), re.MULTILINE)
    cells = re.findall(r"^\| (.*?) \| .+ \|$", rows, re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"`(\w+)(?:/\*?)?`", cell)]
    rooms = [room for layer in contract["layers"] for room in layer.split(" | ")]
    assert {room: names.count(room) for room in rooms} == dict.fromkeys(rooms, 1)


@pytest.mark.parametrize("document", _documents() + _manuals(), ids=lambda path: str(path.relative_to(ROOT)))
def test_prose_is_no_wider_than_the_code(document: Path) -> None:
    prose = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [line for line in prose.splitlines() if len(line) > 120 and not line.startswith(("|", "!", "<"))] == []


def test_makers_are_told_of_every_topic_that_a_table_sends() -> None:
    room, manual = ((ROOT / "table" / name).read_text("utf-8") for name in ("mqtt/README.md", "manual/makers.md"))
    topics = re.findall(
        r"^\| `(\w+)` \| ", room.partition("## What a table sends")[2].partition("\n## ")[0], re.MULTILINE
    )
    assert sorted(re.findall(r"^\| `tachiai/NAME/(\w+)` \|", manual, re.MULTILINE)) == sorted(topics)


PI_README = (ROOT / "firmware-config" / "README.md").read_text(encoding="utf-8")
PI_CONFIG = "--config /etc/tachiai/tachiai.toml"
ON_DATA = "restore|calibrate|check|backup|record"
"""The commands that work in a table's data folder."""


def test_commands_on_a_pi_work_in_the_table_s_own_folder_as_its_own_user() -> None:
    """As they stand, they once looked into the current folder, or left files that the table could not read."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PI_README, flags=re.DOTALL))
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", PI_README, re.DOTALL)).splitlines()
    commands = [line.strip() for line in (*blocks, *spans) if re.search(rf"\btachiai ({ON_DATA}) ", line)]
    others = [line for line in commands if not re.search(r"--(mounting|sheet)", line)]
    assert {line.split()[4] for line in others} == {"restore", "calibrate", "check"}
    assert all(line.startswith("sudo -u tachiai tachiai ") and PI_CONFIG in line for line in others), others


@pytest.mark.parametrize("document", [*_manuals(), ROOT / "firmware-config" / "README.md"], ids=lambda path: path.name)
def test_the_installer_is_called_where_it_lies(document: Path) -> None:
    spans = re.findall(r"`((?:sudo )?\S*install\.sh(?: [^`]*)?)`", document.read_text(encoding="utf-8"))
    assert [span for span in spans if "firmware-config/install.sh" not in span] == []
