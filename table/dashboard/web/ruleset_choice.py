"""The rule sets that phones list and choose from: those that come with Tachiai, and those imported at this table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from flask import Flask, current_app

from table.game.command_reader import read_command
from table.game.game_commands import JournalCommand, OpenGame
from table.i18n import Catalogue
from table.rulebook import rules_named
from table.rulebook.ruleset_registry import known_names
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import ConfigError, PressError

FOLDER: Final = "RULE_SETS"
C = TypeVar("C", bound=JournalCommand)


def keep_in(app: Flask, folder: Path | None) -> None:
    """Says where imported sets lie; None is the user's configuration folder."""
    app.config[FOLDER] = folder


def listed_rules() -> tuple[str, ...]:
    """The names of the sets that may be chosen now."""
    return known_names(current_app.config[FOLDER])


def ruleset_title(name: str, texts: Catalogue) -> str:
    """What people call a set in their language: one that comes with Tachiai by its own title, any other by its name."""
    return texts.texts.get(f"ruleset.{name}", name)


def chosen_rules(name: object) -> Ruleset:
    """Returns a listed set by its name.

    Raises:
        PressError: none is listed by that name, or its file cannot be used any more.
    """
    names = listed_rules()
    if name not in names:
        raise PressError(f"expected rules out of {', '.join(names)}, got {name!r}", says="rules_gone")
    try:
        return rules_named(str(name), current_app.config[FOLDER]).play
    except ConfigError as error:
        raise PressError(str(error), says="rules_file") from error


def read_with_rules(kind: type[C], fields: Mapping[str, Any], by: str) -> C:
    """Reads a command about the journal that somebody gives; a game is opened under the listed set that `rules` names.

    Raises:
        PressError: as in `chosen_rules` and `read_command`.
    """
    rules = fields.get("rules") if kind is OpenGame else None
    return read_command(kind, fields, by=by, **({} if rules is None else {"ruleset": chosen_rules(rules)}))
