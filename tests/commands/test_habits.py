"""What all commands have in common: help by task, suggestions, `-v` anywhere, colour, completion, light imports."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shlex
import subprocess
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from table.camera.simulation.script_recording import FPS
from table.cli import COMMANDS, entry
from table.cli.command_parser import verbosity
from table.cli.live_commands import calibrate_arguments
from table.cli.main import build_parser, main
from table.cli.record_commands import film_arguments
from table.cli.streams.colour import RED, coloured
from table.cli.streams.output_files import check_folder, check_outputs
from table.cli.streams.progress import progress
from table.cli.tasks import TASKS
from table.records.mjai.mjai_writer import write_mjai
from table.runtime.table_errors import ConfigError
from tests.commands.commanded import command, tachiai
from tests.fakes.disks import small_disk, take_no_writes
from tests.fakes.silent_streams import taking_nothing
from tests.places import ROOT
from tests.table.records.selfplay import selfplay_game
from vision.geometry.markers import Paper

HEAVY = ("numpy", "cv2", "flask", "onnxruntime")


def code_of(*words: str) -> object:
    try:
        return main([*words])
    except SystemExit as stopped:
        return stopped.code


@pytest.mark.parametrize("word", ["--help", "--version", "-h"])
def test_help_and_version_load_nothing_that_is_heavy(word: str) -> None:
    code = (
        "import sys\nfrom table.cli.main import main\ntry:\n    main([sys.argv[1]])\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, word], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert done.stdout


def test_help_on_a_command_loads_nothing_that_is_heavy_either() -> None:
    code = (
        "import sys\nfrom table.cli import COMMANDS\nfrom table.cli.main import main\n"
        "for name in COMMANDS:\n    try:\n        main([name, '--help'])\n    except SystemExit: pass\n"
        f"    print(name, [each for each in {HEAVY} if each in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == [f"{name} []" for name in COMMANDS]
    assert [line.split()[2] for line in done.stdout.splitlines() if line.startswith("usage: tachiai ")] == [*COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
def test_after_its_usage_help_begins_with_what_a_command_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(name, "--help") == 0
    usage, does = capsys.readouterr().out.split("\n\n")[:2]
    assert usage.startswith(f"usage: tachiai {name}")
    assert re.match(r"[A-Z][a-z]+s[ :]", does), "the usage has said the command's name"


def test_what_help_says_without_loading_it_is_what_there_is() -> None:
    assert film_arguments.FPS == FPS
    assert tuple(paper.name.lower() for paper in Paper) == calibrate_arguments.PAPERS


def test_help_lists_every_command_once_by_task_with_an_example_that_is_understood() -> None:
    help_text = build_parser(["--help"]).format_help()
    for name in COMMANDS:
        assert help_text.count(f"\n    {name} ") == 1
        (examples,) = [guides[name][1] for guides in TASKS.values() if name in guides]
        assert f"tachiai {examples}" in help_text
        words = shlex.split(examples)
        assert build_parser(words).parse_args(words).run
    assert all(f"{task}:" in help_text for task in TASKS)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [("scoer 123m", "score"), ("audti game", "audit"), ("rules shwo home", "show"), ("completion bsh", "bash")],
)
def test_a_mistyped_command_is_answered_by_the_nearest(
    words: str, suggestion: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(*words.split()) == 2
    assert f"did you mean {suggestion!r}?" in capsys.readouterr().err


def test_a_mistyped_flag_is_answered_by_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("score", "123m", "--tusmo") == 2
    err = capsys.readouterr().err
    assert err.startswith("usage: tachiai score ")
    assert err.endswith("tachiai score: error: unrecognized arguments: --tusmo; did you mean --tsumo?\n")


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [("--vesrion", "--version"), ("audit --jsno", "--json"), ("rules diff home --langauge ja", "--language")],
)
def test_a_mistyped_flag_is_why_another_word_is_missing(
    words: str, suggestion: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(*words.split()) == 2
    assert f"did you mean {suggestion}?" in capsys.readouterr().err


def test_help_on_a_full_disk_fails_like_any_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert code_of("score", "--help") == 1
        monkeypatch.undo()
    assert "expected room on the disk, got none" in capsys.readouterr().err


def test_what_is_missing_is_said_where_every_flag_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("audit", "--json") == 2
    assert capsys.readouterr().err.endswith("the following arguments are required: LOG\n")


def test_why_a_camera_cannot_be_opened_is_said_once(tmp_path: Path) -> None:
    done = tachiai("calibrate", "--camera", "http://127.0.0.1:9/x", "--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("tachiai calibrate: expected a stream of pictures, got no answer, at http://127.0.0.1:9/x\n")


@pytest.mark.parametrize(
    "words", ["score 123m --tsum", "audit x --js", "export x --form csv", "rules list --rule home"]
)
def test_no_flag_is_abbreviated(words: str) -> None:
    assert code_of(*words.split()) == 2


@pytest.mark.parametrize(
    ("words", "loud"),
    [
        ("score 1m", 0),
        ("-v score 1m", 1),
        ("score -v 1m", 1),
        ("score 1m -vv", 2),
        ("-v score 1m --verbose", 2),
        ("rules list -v", 1),
        ("rules -v list -v", 2),
    ],
)
def test_louder_may_be_said_anywhere(words: str, loud: int) -> None:
    assert verbosity(build_parser(words.split()).parse_args(words.split())) == loud


def test_colour_is_for_terminals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        assert coloured("x", RED, to=terminal) == "\033[31mx\033[0m"
        assert coloured("x", RED, to=io.StringIO()) == "x"
        monkeypatch.setenv("NO_COLOR", "1")
        assert coloured("x", RED, to=terminal) == "x"
        monkeypatch.delenv("NO_COLOR")
        monkeypatch.setenv("TERM", "dumb")
        assert coloured("x", RED, to=terminal) == "x"
    os.close(ours)


def test_progress_is_for_terminals_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress([1, 2, 3], "counting")) == [1, 2, 3]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "tachiai" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tachiai sco", {"score"}),
        ("tachiai re", {"read", "record", "replay", "restore"}),
        ("tachiai score 123m --ro", {"--round-wind", "--robbing-kan"}),
        ("tachiai rules sh", {"show"}),
        ("tachiai export x --format c", {"csv"}),
    ],
)
def test_the_tab_key_offers_what_fits(line: str, offered: set[str], tmp_path: Path) -> None:
    out = tmp_path / "offered"
    tachiai(
        _ARGCOMPLETE="1",
        COMP_LINE=line,
        COMP_POINT=str(len(line)),
        _ARGCOMPLETE_IFS="\n",
        _ARGCOMPLETE_STDOUT_FILENAME=str(out),
    )
    assert {word.strip() for word in out.read_text().split("\n") if word.strip()} == offered


def test_bash_itself_takes_the_completion() -> None:
    script = 'eval "$(%s)"; complete -p tachiai' % shlex.join(command("completion", "bash"))  # noqa: UP031
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"complete .*-F \w+ tachiai", done.stdout)


def test_a_folder_that_takes_no_files_is_told_before_any_work(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", size_kb=16) as disk:
        take_no_writes(disk)
        with pytest.raises(ConfigError, match="expected a writable folder, got: Read-only"):
            check_outputs([disk / "out"], [])
        with pytest.raises(ConfigError, match="expected a writable folder, got: Read-only"):
            check_folder(disk / "new" / "recording")


def test_no_folder_for_what_is_found_is_told_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "table.journal").write_text("no journal, which is told only if it is read")
    data, impossible = str(tmp_path), str(tmp_path / "file" / "in")
    for words in (
        ["calibrate", "--camera", "none", "--data", impossible],
        ["backup", "--data", data, "--to", impossible],
        ["restore", str(tmp_path / "table.journal"), "--data", impossible],
        ["restore", str(tmp_path / "table.journal"), "--data", str(tmp_path / "link")],
        ["broker", str(tmp_path / "link"), "one"],
    ):
        assert main(words) == 1
        told = capsys.readouterr().err
        assert "expected a writable folder" in told, words
        assert "exists" not in told, words


def test_ctrl_c_before_the_command_line_is_loaded_is_a_word_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopped(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            if name == "table.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "table.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Stopped(), *sys.meta_path])
    assert entry.main() == 130
    assert capsys.readouterr().err == "tachiai: stopped\n"


@pytest.mark.parametrize("is_full", [True, False], ids=["on a full disk", "without a reader"])
@pytest.mark.parametrize(
    ("words", "code"),
    [("score 123m456p789s1122z --honba x", 2), ("export missing", 1), ("audit --json game.mjson", 0)],
)
def test_the_exit_code_stays_where_standard_error_takes_nothing(
    words: str, code: int, is_full: bool, tmp_path: Path
) -> None:
    """`audit --json` says there, at its end, how many hands agree."""
    lines = map(json.dumps, write_mjai(selfplay_game(1)))
    (tmp_path / "game.mjson").write_text("\n".join(lines), encoding="utf-8")
    with taking_nothing(is_full=is_full) as stderr:
        done = subprocess.run(
            command(*words.split()),
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert (done.returncode, b"final" in done.stdout) == (code, code == 0)


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 5000, "1e-300", "-1", "nan", "inf"])
@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--headless", "--speed"),
        ("demo", "--headless", "--seed"),
        ("bench", "--rounds"),
        ("export", "a.journal", "--game"),
        ("film", "a.mjson", "out", "--fps"),
        ("film", "a.mjson", "out", "--hand"),
        ("score", "123m456p789s1122z", "--win", "1z", "--honba"),
    ],
    ids=" ".join,
)
def test_a_number_that_no_flag_can_be_is_wrong_use(
    words: tuple[str, ...], number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(*words[:-1], f"{words[-1]}={number}") == 2
    err = capsys.readouterr().err
    assert f"argument {words[-1]}: expected a" in err
    assert len(err.splitlines()[-1]) < 250
