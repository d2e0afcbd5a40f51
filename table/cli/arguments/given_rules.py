"""The rule set that a command's argument names: a known one, a file, or standard input for the name `-`."""

from __future__ import annotations

from pathlib import Path

from table.cli.streams.input_files import INPUT_NAME, is_standard, standard_bytes
from table.rulebook import rules_named
from table.rulebook.house_rules import HouseRules
from table.rulebook.ruleset_reader import read_rules
from table.runtime.table_errors import ConfigError
from vision.errors import reason


def given_rules(name: str, folder: Path | None = None) -> HouseRules:
    """Returns the rule set of that name, which may be imported into `folder`, or the one on standard input.

    Raises:
        ConfigError: there is none, or it cannot be used.
    """
    if not is_standard(name):
        return rules_named(name, folder)
    try:
        return read_rules(standard_bytes().decode("utf-8"), INPUT_NAME)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{INPUT_NAME}: expected a rule set, got: {reason(error)}") from error
