"""What a table, a hall and a recording keep beside games is no game, whatever its name ends like."""

from __future__ import annotations

import ast
from pathlib import Path

import table
import vision
from table.records.own_files import OWN_FILES, is_own_file
from table.records.season.season_folder import RECORDS

ELSEWHERE = {"truth.mjson"}
"""A game, left out only beside a recording."""


def names_in(package: str) -> set[str]:
    """The file names that a package's modules define as constants and that end like a record's."""
    return {
        node.value.value
        for path in Path(package).parent.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str) and Path(node.value.value).suffix in (*RECORDS, ".jsonl")
        if "*" not in node.value.value
    }


def test_no_file_that_the_program_names_is_taken_for_a_game() -> None:
    named = names_in(str(table.__file__)) | names_in(str(vision.__file__))
    assert {name for name in named if not is_own_file(Path(name))} == ELSEWHERE
    assert {name for name in OWN_FILES if Path(name).suffix in RECORDS} <= named
