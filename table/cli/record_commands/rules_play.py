"""`tachiai rules play`: follows a hand written in the event notation, and prints what the rules say about it."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from table.cli.arguments.path_arguments import file_name
from table.cli.arguments.user_language import add_language
from table.cli.streams.input_files import BLOCK_BYTES, STANDARD_INPUT, input_name, lines_of
from table.i18n import catalogue
from table.records.walkthrough import EndPosition, FollowedEvent, Walkthrough, end_line, event_line
from table.rules.notation.event_notation import split_events
from table.rules.notation.notation_forms import EXAMPLE, FORMS, INTRODUCTION
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.written_forms import Form
from table.runtime.table_errors import ConfigError
from vision.errors import reason

WIDTH: Final = 100
_DESCRIPTION: Final = (
    "Follows a hand event by event: what each event means, suspected fouls, missing facts, and the result."
)


def add_play(actions: Any) -> argparse.ArgumentParser:
    """Adds the action's parser; its help shows the whole notation."""
    parser: argparse.ArgumentParser = actions.add_parser(
        "play",
        help="follow a hand, written in the event notation, by these rules",
        description=_DESCRIPTION,
        epilog=notation_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--json", action="store_true", help="print a JSON object for each event, then one for the final state"
    )
    add_language(parser)
    parser.add_argument(
        "file",
        metavar="FILE",
        type=file_name,
        nargs="?",
        default=STANDARD_INPUT,
        help="the events' file (default: standard input)",
    )
    return parser


def notation_help() -> str:
    """Returns the grammar of the notation: each form, its meaning, and an example."""
    lines = ["The notation", "", INTRODUCTION, ""]
    for form in FORMS:
        lines += [*_form_lines(form), ""]
    return "\n".join([*lines, "A question in one line:", f"    {EXAMPLE}"])


def play(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Prints the outcome of each event; returns 1 if one cannot be read or cannot have happened.

    Raises:
        ConfigError: the file cannot be read.
    """
    walk, count, failed = Walkthrough(ruleset), 0, 0
    writer: PlayWriter = _JsonWriter(ruleset) if args.json else _text_writer(ruleset, args.language)
    for text in _events(args.file):
        followed = walk.follow(text)
        count, failed = count + 1, failed + (followed.error is not None)
        print("\n".join(writer.event_lines(followed)), flush=True)
    print("\n".join(writer.end_lines(walk.end())))
    if failed:
        print(f"tachiai rules: {failed} of {amount(count, 'event')} could not be followed", file=sys.stderr)
    return 1 if failed else 0


class PlayWriter(Protocol):
    """Writes a run as lines of text."""

    def event_lines(self, followed: FollowedEvent) -> Iterator[str]:
        """Yields the lines of one event."""

    def end_lines(self, end: EndPosition) -> Iterator[str]:
        """Yields the lines of the final state."""


def _text_writer(ruleset: Ruleset, language: str) -> PlayWriter:
    """Returns the writer for people; the catalogue is loaded only for it."""
    module = import_module("table.cli.record_commands.rules_play_text")
    writer: PlayWriter = module.PlayText(ruleset, catalogue(language), width=WIDTH)
    return writer


class _JsonWriter:
    """Writes the JSON lines of the contract."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._rules = ruleset

    def event_lines(self, followed: FollowedEvent) -> Iterator[str]:
        """Yields the object of one event."""
        yield json.dumps(event_line(followed), ensure_ascii=False)

    def end_lines(self, end: EndPosition) -> Iterator[str]:
        """Yields the object of the final state."""
        yield json.dumps(end_line(end, self._rules), ensure_ascii=False)


def _events(file: str) -> Iterator[str]:
    """Yields the events as written, each line as soon as it arrives.

    Raises:
        ConfigError: the file cannot be read, or has a line that is no text.
    """
    name = input_name(file)
    try:
        with lines_of(Path(file)) as lines:
            for index, line in enumerate(lines):
                if len(line) >= BLOCK_BYTES:
                    raise ConfigError(f"{name}: expected lines of at most {BLOCK_BYTES} bytes, got more")
                yield from split_events(line.decode("utf-8" if index else "utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"{name}: expected a file of events, there is no such file") from error
    except OSError as error:
        raise ConfigError(f"{name}: expected a file of events, it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: expected events in UTF-8, got: {reason(error)}") from error


def _form_lines(form: Form) -> Iterator[str]:
    yield from textwrap.wrap(form.pattern, WIDTH, initial_indent="  ", subsequent_indent="      ")
    yield from textwrap.wrap(form.meaning, WIDTH, initial_indent="      ", subsequent_indent="      ")
    yield f"      {form.example}"
