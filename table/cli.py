"""The command line: `tachiai COMMAND …`.

Exit codes: 0 done; 1 the thing asked for failed, with one message on stderr; 2 wrong use.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from table.commands import COMMANDS
from table.errors import TachiaiError
from table.rules.errors import RulesError
from vision.errors import VisionError

OURS = (TachiaiError, RulesError, VisionError)
"""The errors that are meant for people; anything else is a fault of the program and keeps its traceback."""


def build_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Returns the parser with every working command, or with the one that `argv` begins with.

    A command that is named loads nothing for the others: that is seconds on a small machine.
    """
    parser = argparse.ArgumentParser(
        prog="tachiai", description="Watches a physical riichi table, keeps the rules, and settles the score."
    )
    parser.add_argument("--version", action="version", version=f"tachiai {version('tachiai')}")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more: -v what changed, -vv everything")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        import_module(f"table.commands.{name}").register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = sys.argv[1:] if argv is None else argv
    args = build_parser(words).parse_args(words)
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(args.verbose, 2)]
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    try:
        code: int = args.run(args)
    except OURS as error:
        print(f"tachiai {args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:
        # Who reads has read enough (`| head`); nothing may be written any more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code
