"""The command line: `tachiai COMMAND …`.

Exit codes: 0 done; 2 the command line alone is wrong, whatever lies on the disk; 1 everything else, with one message on
stderr; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import errno
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec

from table.cli import COMMANDS, STOPPED
from table.cli.colour import BOLD, RED, coloured
from table.cli.command_parser import CommandParser, loudness
from table.cli.progress import put_away
from table.cli.tasks import listing, summary_of
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import TachiaiError, UsageError
from vision.errors import VisionError

OURS = (TachiaiError, RulesError, VisionError)
"""The errors that are meant for people; anything else is a fault of the program and keeps its traceback."""
FAILED, WRONG_USE = 1, 2
"""Exit codes."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No more can be written: a full disk, a used up share of it, or a file as long as this program may write one."""
DESCRIPTION = "Watches a physical riichi table, keeps the rules, and settles the score."
EXIT_CODES = "Ends with 0 when it is done, 2 where the command line alone is wrong, 130 after Ctrl-C, else with 1."
_log = logging.getLogger(__name__)


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Returns the parser with every working command, or with the one that `argv` names.

    A command that is named loads nothing for the others, and help on all of them loads none: that is seconds on a small
    machine.
    """
    parser = CommandParser(
        prog="tachiai",
        usage="tachiai [-h] [--version] [-v] COMMAND ...",
        description=DESCRIPTION,
        epilog=f"{listing(COMMANDS)}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tachiai {version('tachiai')}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", prog=parser.prog, help=argparse.SUPPRESS
    )
    named = next((word for word in argv if not word.startswith("-")), None)
    for name, module in COMMANDS.items():
        if not argv or name == named:
            import_module(arguments_module(module)).register(commands)
        else:
            commands.add_parser(name, help=summary_of(name))
    return parser


def arguments_module(module: str) -> str:
    """Returns where a command's arguments stand: beside it where it needs much to run, else in its own module."""
    beside = f"{module}_arguments"
    return module if find_spec(beside) is None else beside


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    called = "tachiai"
    try:
        if "_ARGCOMPLETE" in os.environ:
            complete()
        args = build_parser(words or ["--help"]).parse_args(words)
        called = f"tachiai {args.command}"
        level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(loudness(args), 2)]
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
        _print_anything()
        code: int = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        return _print_error(called, str(error), WRONG_USE)
    except OURS as error:
        return _print_error(called, str(error), FAILED)
    except KeyboardInterrupt:
        return _print_error(called, "stopped", STOPPED)
    except BrokenPipeError:
        _write_no_more()  # who reads has read enough (`| head`)
        return FAILED
    except OSError as error:
        _log.debug("refused by the system", exc_info=error)
        _write_no_more()
        return _print_error(called, _sentence(error), FAILED)
    return code


def complete() -> None:
    """Answers the shell that asks for what can stand where the tab key was pressed, and ends the program."""
    import argcomplete  # noqa: PLC0415 - only for shells

    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", "0")) or None]
    words = line.split()[1:] if line.endswith(" ") else line.split()[1:-1]
    argcomplete.autocomplete(build_parser(words or ["--help"]))


def _print_anything() -> None:
    """Lets standard output write letters that its encoding lacks by their numbers, as JSON does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _print_error(called: str, message: str, code: int) -> int:
    put_away()
    print(coloured(f"{called}:", BOLD, RED, to=sys.stderr), message, file=sys.stderr)
    return code


def _sentence(error: OSError) -> str:
    """What the system refused, as expected, got, where."""
    where = "" if error.filename is None else f", at {error.filename}"
    if error.errno in FULL:
        return f"expected room on the disk, got none: {error.strerror}{where}"
    return f"expected files and addresses that can be used, got: {error.strerror or error}{where}"


def _write_no_more() -> None:
    """Lets what standard output could not take fall, also at the end of Python."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
