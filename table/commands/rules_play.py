"""`tachiai rules play`: a hand followed in the notation of events, and what the rules make of it."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from table.errors import ConfigError
from table.rules.grammar import EXAMPLE, FORMS, INTRODUCTION, Form
from table.rules.notation import split_events
from table.rules.ruleset import Ruleset
from table.walkthrough import Walkthrough, end_line, event_line

WIDTH: Final = 100
STANDARD_INPUT: Final = "-"
_TOLD: Final = "Follows a hand event by event: what each means, what is suspected, what is missing, where it leads."


def add_play(actions: Any) -> argparse.ArgumentParser:
    """Adds the action's parser; its help shows the whole notation."""
    parser: argparse.ArgumentParser = actions.add_parser(
        "play",
        help="a hand in the notation of events, followed through these rules",
        description=_TOLD,
        epilog=notation_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object an event, then one of how it stands")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default=STANDARD_INPUT, help="the events; - or none: standard input"
    )
    return parser


def notation_help() -> str:
    """Returns the grammar of the notation: each form, what it says, and an example."""
    lines = ["The notation", "", INTRODUCTION, ""]
    for form in FORMS:
        lines += [*_form_lines(form), ""]
    return "\n".join([*lines, "A question in one line:", f"    {EXAMPLE}"])


def play(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Prints what the events bring; returns 1 if one of them could not be read or cannot have happened.

    Raises:
        ConfigError: the file cannot be read.
    """
    walk, count, failed = Walkthrough(ruleset), 0, 0
    for text in _events(args.file):
        followed = walk.follow(text)
        count, failed = count + 1, failed + (followed.error is not None)
        print(json.dumps(event_line(followed), ensure_ascii=False), flush=True)
    print(json.dumps(end_line(walk.end(), ruleset), ensure_ascii=False))
    if failed:
        print(f"tachiai rules: {failed} of {count} events could not be followed", file=sys.stderr)
    return 1 if failed else 0


def _events(file: str) -> Iterator[str]:
    """Yields the events as they are written, each line as soon as it is there.

    Raises:
        ConfigError: the file cannot be read.
    """
    where = "standard input" if file == STANDARD_INPUT else file
    try:
        if file == STANDARD_INPUT:
            for line in sys.stdin:
                yield from split_events(line)
            return
        with Path(file).open(encoding="utf-8-sig") as lines:
            for line in lines:
                yield from split_events(line)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where}: expected events in UTF-8, got: {error}") from error


def _form_lines(form: Form) -> Iterator[str]:
    yield from textwrap.wrap(form.written, WIDTH, initial_indent="  ", subsequent_indent="      ")
    yield from textwrap.wrap(form.says, WIDTH, initial_indent="      ", subsequent_indent="      ")
    yield f"      {form.example}"
