"""How the tests themselves are laid out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

TESTS = ROOT / "tests"
OF_THE_WHOLE = {"benchmarks", "browser", "commands", "endurance", "fakes", "firmware", "js", "pi", "recordings"}
"""Folders of what belongs to no package."""


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Import(names=names):
                yield from (name.name for name in names)


def test_no_test_module_is_imported_by_another_module() -> None:
    files = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in TESTS.rglob("*.py")}
    tests = {module for path, module in files.items() if path.name.startswith("test_")}
    assert len(tests) > 100
    assert {module: found for path, module in files.items() if (found := tests & set(_imported(path)))} == {}


@pytest.mark.parametrize("folder", sorted({path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}))
def test_every_folder_of_tests_is_a_room_of_the_house(folder: Path) -> None:
    assert folder.parts[:1] == () or folder.parts[0] in OF_THE_WHOLE or (ROOT / folder).is_dir()


def _documented(path: Path) -> Iterator[str]:
    """Yields the docstrings of a module, those of its constants and fields included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text.strip()


@pytest.mark.parametrize("package", ["table", "vision", "models", "tests"])
def test_every_docstring_is_understood_without_its_neighbours(package: str) -> None:
    texts = {path: list(_documented(path)) for path in (ROOT / package).rglob("*.py")}
    assert sum(map(len, texts.values())) > 100
    torn = {
        path: [text for text in found if text.startswith("…") or text.endswith("…")] for path, found in texts.items()
    }
    assert {path: found for path, found in torn.items() if found} == {}


def test_the_lock_of_the_javascript_tools_names_no_place_to_fetch_them_from() -> None:
    lock = (TESTS / "js" / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert set(re.findall(r'"resolved": "(\w+://[^/"]*)', lock)) <= {"https://registry.npmjs.org"}
