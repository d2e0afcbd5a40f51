"""The parser of every command: no abbreviated flags, `-v` anywhere, suggestions for mistyped words."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from table.cli.streams.colour import BOLD, RED, coloured

_VERBOSE: Final = "verbose"
_UNKNOWN_ARGUMENTS: Final = "unrecognized arguments: "
_COMMAND_NAME: Final = re.compile(r"`tachiai [^`]*`: ")
"""The beginning of a module's docstring, which names its command."""
_MISSING_ARGUMENTS: Final = "the following arguments are required: "


class CommandParser(argparse.ArgumentParser):
    """An argument parser with the conventions of all commands; its subparsers are of the same class."""

    def __init__(self, **options: Any) -> None:
        """Accepts the arguments of `argparse.ArgumentParser`."""
        options.setdefault("allow_abbrev", False)
        # The usage above the description has the name already.
        if summary := _COMMAND_NAME.sub("", options.get("description") or "", count=1):
            options["description"] = summary[0].upper() + summary[1:]
        super().__init__(**options)
        self._words: list[str] = []
        self._negative_number_matcher = re.compile(r"-\.?\d")  # also the first of several: --corners -9,0,…
        # Each level counts separately: a subparser's own count would replace the one before its name.
        self.add_argument(
            "-v",
            "--verbose",
            action="count",
            default=0,
            dest=f"{_VERBOSE}_{len(self.prog.split())}",
            help="log more: -v changes, -vv everything",
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses the arguments; a command reports unknown ones itself, with its own usage."""
        self._words = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(args, namespace)
        if unknown and len(self.prog.split()) > 1:
            self.error(_unknown_arguments(unknown))
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Reports what is wrong with the command line, suggests the closest valid word, and exits with code 2."""
        if message.startswith(_MISSING_ARGUMENTS) and (unknown := list(self._unknown_flags())):
            message = _unknown_arguments(unknown)
        self.print_usage(sys.stderr)
        hints = "".join(self._hints(message))
        self.exit(2, coloured(f"{self.prog}: ", BOLD, RED, to=sys.stderr) + f"error: {message}{hints}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Prints help or an error at once; raises `OSError` if it cannot be written."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Rejects a value that is not one of the choices, and suggests the closest one."""
        if action.choices is None or value in action.choices:
            return
        matches = get_close_matches(str(value), [str(choice) for choice in action.choices], n=1)
        hint = f", did you mean {matches[0]!r}?" if matches else ""
        choices = ", ".join(str(choice) for choice in action.choices)
        raise argparse.ArgumentError(action, f"invalid choice: {value!r:.80}{hint} (choose from {choices})")

    def _unknown_flags(self) -> Iterator[str]:
        """Yields the words that look like flags but are unknown: a mistyped one is often why another is missing."""
        flags = set(_flags(self))
        for word in self._words:
            if word == "--":
                return
            if word.startswith("--") and word.partition("=")[0] not in flags:
                yield word

    def _hints(self, message: str) -> Iterator[str]:
        """Yields the closest known flag for each unknown one."""
        if not message.startswith(_UNKNOWN_ARGUMENTS):
            return
        flags = list(_flags(self))
        for word in message.removeprefix(_UNKNOWN_ARGUMENTS).split():
            matches = get_close_matches(word.partition("=")[0], flags, n=1) if word.startswith("-") else []
            if matches:
                yield f"; did you mean {matches[0]}?"


def _unknown_arguments(words: Iterable[str]) -> str:
    return _UNKNOWN_ARGUMENTS + " ".join(f"{word:.80}" for word in words)


def verbosity(args: argparse.Namespace) -> int:
    """Returns how often `-v` was given, at any position."""
    return sum(count for name, count in vars(args).items() if name.startswith(_VERBOSE))


def _flags(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for choice in action.choices.values():
                yield from _flags(choice)
