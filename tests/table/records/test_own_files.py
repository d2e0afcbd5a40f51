"""What a table, a hall and a recording keep beside games is no game, whatever its name ends like."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import table
import vision
from table.records.own_files import OWN_FILES, OWN_SUFFIXES, is_own_file

GAMES = {"table.journal", "truth.mjson", ".backup"}
"""What holds games: the truth is left out only beside a recording."""
ELSEWHERE = {"own.toml", "catalogue.toml", "update.txt", "mosquitto.conf"}
"""Files of the program's own folder and of a broker's."""
NO_FILES = {".venv", "mqtt.password", "table.rulebook", "table.i18n"}
FILE_LIKE = re.compile(r"[a-z-]*\.[a-z]+")


def names_in(package: object) -> set[str]:
    """The names and suffixes of files that a package's modules define as constants."""
    return {
        node.value.value
        for path in Path(str(package.__file__)).parent.rglob("*.py")  # type: ignore[attr-defined]
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str) and FILE_LIKE.fullmatch(node.value.value)
        if not node.value.value.startswith("tachiai")
    }


def test_every_file_that_the_program_names_is_known_to_be_a_game_or_none() -> None:
    names = names_in(table) | names_in(vision)
    others = {name for name in names if not is_own_file(Path(f"x{name}" if name.startswith(".") else name))}
    assert others - NO_FILES == GAMES | ELSEWHERE
    assert names >= OWN_FILES
    assert names >= OWN_SUFFIXES - {".lock", ".new", ".second", ".tileset"}, "made of a name where it is used"
