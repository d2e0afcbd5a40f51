"""What several aspects share is changed in one module."""

from __future__ import annotations

import ast
from pathlib import Path

import table.rules

FOLDER = Path(table.rules.__file__).parent
SHARED_FIELDS = {"phase", "claimable_tile", "has_passed", "claims", "abort", "pending_abort"}


def shared_fields_set_in(path: Path) -> set[str]:
    """The shared fields that a module sets itself."""
    names = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute))
    return {node.attr for node in names if isinstance(node.ctx, ast.Store)} & SHARED_FIELDS


def test_what_several_aspects_move_is_moved_in_one_module() -> None:
    assert shared_fields_set_in(FOLDER / "hand_phase.py") == SHARED_FIELDS
    others = {path.name: shared_fields_set_in(path) for path in FOLDER.rglob("*.py") if path.name != "hand_phase.py"}
    assert {name: fields for name, fields in others.items() if fields} == {}
