"""The club's files that a backup holds besides the games: who is whom in the season, and the house's own rule sets.

A restore adds what is missing and never replaces what is there, which may be newer. Secrets, the owner's choices of the
set-up and what was measured at this table (calibration, tiles) stay on their machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from table.game.journal.recovery.backup_texts import LONGEST_TEXT
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import parse_people
from table.rulebook.ruleset_reader import SHIPPED, read_rules
from table.rulebook.ruleset_registry import default_folder, listed_names
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason

CONTENTS: Final = "the games, who is whom in the season, guests, and the house's own rule sets"
LEFT_OUT: Final = (
    "not in a backup: the PIN, the phones' seats, the choices of the first start, the configuration, calibration and "
    "tile set; on another machine make the first start again, with a new PIN"
)
"""What a backup lacks, and what people then have to do, in one sentence."""
_RULES: Final = re.compile(r"rules/([^/\\\0]{1,100})\.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFiles:
    """The files that can be kept, as texts by their name in a backup, and what is wrong with the others."""

    texts: Mapping[str, str] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()


def club_files(folder: Path) -> ClubFiles:
    """Returns the club's files: those of a table's data folder, and the rule sets of its user."""
    texts, troubles = dict[str, str](), list[str]()
    for name in (PEOPLE, *_rule_files(troubles)):
        path = _path_of(name, folder)
        try:
            _check_name(name)
            texts[name] = _checked_text(name, _read(path))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            troubles.append(f"{path} is not in the backup: {reason(error)}")
    return ClubFiles(texts=texts, troubles=tuple(troubles))


def restore_files(texts: Mapping[str, str] | None, folder: Path) -> list[str]:
    """Writes the files of a backup that are missing here, and returns a sentence about each of them.

    Args:
        texts: the texts of a backup by name; None for a backup of the journal alone.
        folder: the table's data folder.
    """
    if texts is None:
        return ["the backup is of an earlier version: who is whom, guests and rule sets are not in it"]
    return [_restore_file(name, text, folder) for name, text in sorted(texts.items())]


def _restore_file(name: str, text: str, folder: Path) -> str:
    try:
        _check_name(name)
        path = _path_of(name, folder)
        _checked_text(name, text)
        if path.exists():
            return _comparison(name, text, path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text, mode=0o600 if name == PEOPLE else 0o666)
    except (OSError, ValueError) as error:
        return f"{name[:80]!r} of the backup was left out: {reason(error)}"
    return f"brought back: {path}"


def _comparison(name: str, text: str, path: Path) -> str:
    """Returns a sentence that says whether a file that exists has the content of the backup's."""
    try:
        is_same = _parsed(name, _read(path)) == _parsed(name, text)
    except (OSError, ValueError):
        is_same = False
    if is_same:
        return f"as in the backup: {path}"
    return f"kept: {path}, which differs from the backup's; to take that, rename this file and restore again"


def _rule_files(troubles: list[str]) -> list[str]:
    """Returns the names in a backup of the house's rule sets; adds to `troubles` why they cannot be listed."""
    try:
        names = listed_names(default_folder())
    except OSError as error:
        troubles.append(f"the rule sets in {default_folder()} are not in the backup: {reason(error)}")
        return []
    return [f"rules/{name}.toml" for name in names if name not in SHIPPED]


def _path_of(name: str, folder: Path) -> Path:
    """Returns where a file of the club belongs, which for a checked name is never outside its two folders."""
    return folder / PEOPLE if name == PEOPLE else default_folder() / name.removeprefix("rules/")


def _check_name(name: str) -> None:
    """Checks that a backup can have a file of that name.

    Raises:
        ConfigError: it cannot.
    """
    found = _RULES.fullmatch(name)
    if name != PEOPLE and (found is None or not found[1].isprintable() or found[1] in SHIPPED):
        raise ConfigError(f"expected {PEOPLE} or rules of a house, got {name[:80]!r}")


def _read(path: Path) -> str:
    return read_whole(path).decode("utf-8")


def _checked_text(name: str, text: str) -> str:
    """Returns the text of a file that can be used.

    Raises:
        ConfigError: it is too long, or does not contain people or rules.
    """
    if len(text) > LONGEST_TEXT:
        raise ConfigError(f"expected at most {LONGEST_TEXT} letters, got {len(text)}")
    _parsed(name, text)
    return text


def _parsed(name: str, text: str) -> object:
    """Returns the content of a file of people or rules.

    Raises:
        ConfigError: it has a mistake.
    """
    return parse_people(text, name) if name == PEOPLE else read_rules(text, name)
