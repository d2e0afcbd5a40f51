from __future__ import annotations

import argparse
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from table.cli import COMMANDS, main
from table.runtime.table_errors import RecordError
from tests.places import ROOT


def test_wrong_use_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main.main(["dance"])
    assert stopped.value.code == 2
    assert "invalid choice: 'dance'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "code", "message"),
    [
        (lambda args: 0, 0, ""),
        (lambda args: fail(RecordError("expected a log, got a poem, in x.txt")), 1, "tachiai try: expected a log"),
    ],
    ids=["done", "failed"],
)
def test_a_failure_is_one_message_and_exit_code_1(
    run: Callable[[argparse.Namespace], int],
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run, command="try", verbose=0)
    monkeypatch.setattr(main, "build_parser", lambda _words: parser)
    assert main.main([]) == code
    assert capsys.readouterr().err.startswith(message)


def test_ctrl_c_that_python_hides_in_another_error_is_a_word_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden = RuntimeError("Error calling __set_name__")
    hidden.__cause__ = KeyboardInterrupt()
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=lambda args: fail(hidden), command="try", verbose=0)
    monkeypatch.setattr(main, "build_parser", lambda _words: parser)
    assert main.main([]) == 130
    assert capsys.readouterr().err == "tachiai try: stopped\n"


STOPPED_WHILE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Stop:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Stop())
sys.argv = ["tachiai", "film", "game.mjson", "out"]
from table.cli.entry import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("module", "number", "end"),
    [
        ("table.cli.main", signal.SIGINT, (130, "tachiai: stopped\n")),
        ("table.camera.simulation.script_recording", signal.SIGINT, (130, "tachiai: stopped\n")),
        ("table.cli.main", signal.SIGTERM, (-signal.SIGTERM, "")),
    ],
)
def test_ctrl_c_while_modules_are_imported_is_a_word_and_130_and_a_termination_a_proper_end(
    module: str, number: signal.Signals, end: tuple[int, str]
) -> None:
    code = STOPPED_WHILE.format(module=module, number=int(number))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == end


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=lambda args: fail(KeyError("a bug")), command="try", verbose=0)
    monkeypatch.setattr(main, "build_parser", lambda _words: parser)
    with pytest.raises(KeyError):
        main.main([])


def fail(error: Exception) -> int:
    raise error


@pytest.mark.parametrize("module", ["table", "table.rules.advance", "vision", "table.cli.main"])
def test_importing_has_no_heavy_or_pi_only_effect(module: str) -> None:
    heavy = "'picamera2', 'gpiozero', 'onnxruntime', 'torch'"
    code = f"import sys, {module}; print([name for name in ({heavy}) if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_named_command_loads_nothing_for_the_others() -> None:
    code = "import sys; from table.cli.main import build_parser; build_parser(['score']); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


PATHS = (
    "ADDRESS",
    "BACKUP",
    "FILE",
    "FOLDER",
    "GAME",
    "IMAGE",
    "LOG",
    "ONNX",
    "OUT",
    "PHOTO",
    "PLAYERS.csv",
    "RECORDING",
)


def actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every argument of a command and of its actions."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from actions_of(each)


def test_an_empty_path_is_wrong_use_in_every_command() -> None:
    paths = [action for action in actions_of(main.build_parser()) if action.metavar in PATHS and action.dest != "ca"]
    assert len(paths) > 40
    for action in paths:
        assert callable(action.type), action
        with pytest.raises(argparse.ArgumentTypeError, match="got an empty text"):
            action.type("")


def test_an_empty_folder_is_not_the_current_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main.main(["run", "--data", ""])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith(
        "tachiai run: error: argument --data: expected a folder, got an empty text\n"
    )
    assert not list(tmp_path.iterdir())


def test_help_names_every_command() -> None:
    help_text = main.build_parser([]).format_help()
    assert [name for name in COMMANDS if f"\n    {name} " not in help_text] == []


@pytest.mark.parametrize("name", ["check", "score", "rules"])
def test_the_usage_of_a_command_begins_with_what_is_typed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main([name, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: tachiai {name} ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_printed_where_the_terminal_has_no_letters_for_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stdout, encoding="ascii"))
    with pytest.raises(SystemExit) as stopped:
        main.main([name, "--help"])
    sys.stdout.flush()
    assert stopped.value.code == 0
    assert stdout.getvalue().startswith(f"usage: tachiai {name} ".encode())
