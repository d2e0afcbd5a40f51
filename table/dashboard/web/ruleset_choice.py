"""The rule sets that phones list and choose from: the shipped ones, and those imported at this table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from flask import Flask, current_app

from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import JournalCommand, OpenGame
from table.i18n import Catalogue
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import known_names
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import ConfigError, PressError

FOLDER: Final = "RULE_SETS"
C = TypeVar("C", bound=JournalCommand)


def keep_rules_folder(app: Flask, folder: Path | None) -> None:
    """Sets the folder of imported sets; None for the user's configuration folder."""
    app.config[FOLDER] = folder


def ruleset_names() -> tuple[str, ...]:
    """Returns the names of the sets that may be chosen now."""
    return known_names(current_app.config[FOLDER])


def ruleset_title(name: str, texts: Catalogue) -> str:
    """Returns a set's title in a language: its own for a shipped set, its name for any other."""
    return texts.texts.get(f"ruleset.{name}", name)


def ruleset_named(name: object) -> Ruleset:
    """Returns a listed set by its name.

    Raises:
        PressError: no listed set has this name, or its file can no longer be used.
    """
    names = ruleset_names()
    if name not in names:
        raise PressError(f"expected one of the rule sets {', '.join(names)}, got {name!r}", says="rules_gone")
    try:
        return rules_named(str(name), current_app.config[FOLDER]).ruleset
    except ConfigError as error:
        raise PressError(str(error), says="rules_file") from error


def read_with_rules(kind: type[C], fields: Mapping[str, Any], by: str) -> C:
    """Reads a command about the journal; a game is opened with the listed set named by `rules`.

    Raises:
        PressError: as in `ruleset_named` and `read_command`.
    """
    rules = fields.get("rules") if kind is OpenGame else None
    return read_command(kind, fields, by=by, **({} if rules is None else {"ruleset": ruleset_named(rules)}))
