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

from table.cli import COMMANDS, STOPPED
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import TachiaiError, UsageError
from vision.errors import VisionError

OURS = (TachiaiError, RulesError, VisionError)
"""The errors that are meant for people; anything else is a fault of the program and keeps its traceback."""
FAILED, WRONG_USE = 1, 2
"""Exit codes."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No more can be written: a full disk, a used up share of it, or a file as long as this program may write one."""
_log = logging.getLogger(__name__)


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Returns the parser with every working command, or with the one that `argv` begins with.

    A command that is named loads nothing for the others: that is seconds on a small machine.
    """
    parser = argparse.ArgumentParser(
        prog="tachiai",
        description="Watches a physical riichi table, keeps the rules, and settles the score.",
        epilog="Ends with 0 when it is done, 2 where the command line alone is wrong, 130 after Ctrl-C, else with 1.",
    )
    parser.add_argument("--version", action="version", version=f"tachiai {version('tachiai')}")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more: -v what changed, -vv everything")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        import_module(COMMANDS[name]).register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = sys.argv[1:] if argv is None else argv
    called = "tachiai"
    try:
        args = build_parser(words).parse_args(words)
        called = f"tachiai {args.command}"
        level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(args.verbose, 2)]
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
        _print_anything()
        code: int = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        return _print_error(f"{called}: {error}", WRONG_USE)
    except OURS as error:
        return _print_error(f"{called}: {error}", FAILED)
    except KeyboardInterrupt:
        return _print_error(f"{called}: stopped", STOPPED)
    except BrokenPipeError:
        _write_no_more()  # who reads has read enough (`| head`)
        return FAILED
    except OSError as error:
        _log.debug("refused by the system", exc_info=error)
        _write_no_more()
        return _print_error(f"{called}: {_sentence(error)}", FAILED)
    return code


def _print_anything() -> None:
    """Lets standard output write letters that its encoding lacks by their numbers, as JSON does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _print_error(message: str, code: int) -> int:
    print(message, file=sys.stderr)
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
