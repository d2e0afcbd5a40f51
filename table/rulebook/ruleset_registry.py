"""Rule sets by name: the shipped ones, and those imported into a folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from table.rulebook.house_rules import HouseRules
from table.rulebook.ruleset_reader import SHIPPED, preset_rules, read_rules
from table.rulebook.ruleset_writer import write_house
from table.runtime.table_errors import ConfigError
from vision.atomic_files import check_regular, files_in, read_at_most, write_whole
from vision.errors import found_instead_of_folder, reason
from vision.strict_reader import hint

SETS: Final = f"a rule set: {', '.join(SHIPPED)}, an imported one, a .toml file, or - for standard input"
"""The ways to name a rule set in a command, for messages and help."""


def default_folder() -> Path:
    """Returns the folder of imported rule sets: `tachiai/rules` in the user's configuration folder."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tachiai" / "rules"


def imported_names(folder: Path) -> tuple[str, ...]:
    """Returns the names of the rule sets imported into a folder; none if it cannot be listed."""
    with suppress(OSError):
        return listed_names(folder)
    return ()


def listed_names(folder: Path) -> tuple[str, ...]:
    """Returns the names of the rule sets imported into a folder, without those that no page can show: not UTF-8.

    Raises:
        OSError: the folder exists, but cannot be listed.
    """
    files = (file for file in files_in(folder) if file.name.endswith(".toml"))
    return tuple(sorted(file.stem for file in files if file.stem.isprintable()))


def known_names(folder: Path | None = None) -> tuple[str, ...]:
    """Returns the names of all rule sets: the shipped ones, and those imported into a folder."""
    return (*SHIPPED, *imported_names(default_folder() if folder is None else folder))


def rules_named(ruleset: str | Path, folder: Path | None = None) -> HouseRules:
    """Returns a rule set by name: a shipped one, else one imported into `folder`, else the file at that path.

    Raises:
        ConfigError: there is none, or its file cannot be used.
    """
    name = str(ruleset)
    if name.endswith(".toml") and name not in known_names(folder):
        return read_file(Path(name))
    return known_rules(name, folder, alternative=", or a .toml file")


def known_rules(name: str, folder: Path | None = None, *, alternative: str = "") -> HouseRules:
    """Returns a shipped rule set, or one imported into `folder`; no other file is opened, whatever a stranger names.

    Args:
        name: the name of the set.
        folder: the folder of imported sets; None for the user's.
        alternative: other accepted input, for the message.

    Raises:
        ConfigError: there is none, or its file cannot be used.
    """
    sets_folder = default_folder() if folder is None else folder
    if name in SHIPPED:
        return preset_rules(name)
    names = known_names(sets_folder)
    if name in names:
        return _read_stored(sets_folder / f"{name}.toml")
    expected = f"a rule set of {', '.join(names)}{alternative}"
    raise ConfigError(f"expected {expected}, got {name!r:.100}{hint(name, names)}")


def read_file(path: Path) -> HouseRules:
    """Reads a rule set's file.

    Raises:
        ConfigError: it cannot be read, or has a mistake.
    """
    try:
        text = read_at_most(path).decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: expected a rule set, got: {reason(error)}") from error
    return read_rules(text, str(path))


def _read_stored(path: Path) -> HouseRules:
    """Reads a set of the folder, which must be a regular file; only a command may also name a pipe."""
    try:
        check_regular(path)
    except OSError as error:
        raise ConfigError(f"{path}: expected a rule set, got: {reason(error)}") from error
    return read_file(path)


def store(house: HouseRules, folder: Path, *, place: str = "") -> Path:
    """Writes a rule set into the folder, whole or not at all, so that a power cut leaves the old one or the new one.

    Args:
        house: the rule set.
        folder: the folder of imported sets.
        place: the file of the set, for messages; empty if there is none.

    Raises:
        ConfigError: its name is that of a shipped set, of standard input or of a hidden file; or the folder cannot be
            written.
    """
    if (problem := _name_problem(house.name)) is not None:
        prefix = f"{place}: name: " if place else ""
        expected = "expected a name of its own for an imported rule set, such as 'our house'"
        raise ConfigError(f"{prefix}{expected}, got {house.name!r}, which {problem}")
    path = folder / f"{house.name}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, write_house(house))
    except (FileExistsError, NotADirectoryError) as error:
        found = f"{found_instead_of_folder(error)} in its place"
        raise ConfigError(f"cannot write the rule set {path}: expected a folder, got {found}") from error
    except OSError as error:
        raise ConfigError(f"cannot write the rule set {path}: {reason(error)}") from error
    return path


def _name_problem(name: str) -> str | None:
    """Returns why no imported set can have a name; None if one can."""
    if name == "-":
        return "means standard input"
    if name.startswith("."):
        return "would hide its file"
    return "is built in" if name in SHIPPED else None
