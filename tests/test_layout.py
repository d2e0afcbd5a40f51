"""How the tests themselves are laid out."""

from __future__ import annotations

import ast
import builtins
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


_TELLS = re.compile(r"^(str|repr|print|_log\..*|.*Error)$")
"""The calls that tell an error which is given to them. What a helper makes of one is not followed."""
_OF_THE_SYSTEM = re.compile(
    r"except .*((OS|SSL|IO|Pipe|Found|Exists|Directory|Permission|Connection|Timeout)Error|Exception).* as"
)


def _raw_system_errors(tree: ast.AST) -> Iterator[int]:
    """Yields the lines that say an error of the system as Python does: `[Errno 2] No such file or directory: 'a'`."""
    for handler in ast.walk(tree):
        if not isinstance(handler, ast.ExceptHandler) or handler.type is None or not handler.name:
            continue
        names = [ast.unparse(name) for name in ast.walk(handler.type) if isinstance(name, ast.Name | ast.Attribute)]
        caught = [OSError if name == "ssl.SSLError" else getattr(builtins, name, None) for name in names]
        if not any(isinstance(kind, type) and (issubclass(kind, OSError) or kind is Exception) for kind in caught):
            continue
        for node in ast.walk(handler):
            match node:
                case ast.FormattedValue(value=ast.Name() | ast.BoolOp() as value):
                    told = value.values if isinstance(value, ast.BoolOp) else [value]
                case ast.Call(func=function, args=told) if _TELLS.search(ast.unparse(function)):
                    pass
                case _:
                    continue
            if any(isinstance(value, ast.Name) and value.id == handler.name for value in told):
                yield node.lineno


def test_an_error_of_the_system_is_told_in_plain_words() -> None:
    folders = ("table", "vision", "firmware-config")
    texts = {path: path.read_text("utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py")}
    catching = {path: text for path, text in texts.items() if _OF_THE_SYSTEM.search(text)}
    found = {path: list(_raw_system_errors(ast.parse(text))) for path, text in catching.items()}
    assert len(found) > 50
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("says", "is_raw"),
    [
        ('_log.error("got: %s", error)', True),
        ('raise ValueError(f"got: {error}")', True),
        ("note = str(error)", True),
        ("note = repr(error)", True),
        ("print(error)", True),
        ('raise ValueError("got", error)', True),
        ('note = f"{error.reason or error}"', True),
        ('_log.error("got: %s", reason_and_place(error))', False),
        ('raise ValueError("got nothing") from error', False),
    ],
)
@pytest.mark.parametrize("kind", ["OSError", "(ValueError, FileNotFoundError)", "ssl.SSLError", "Exception"])
def test_an_error_that_is_told_as_python_does_is_found(says: str, is_raw: bool, kind: str) -> None:
    code = f"try: pass\nexcept {kind} as error: {says}"
    assert _OF_THE_SYSTEM.search(code)
    assert bool(list(_raw_system_errors(ast.parse(code)))) == is_raw
