from __future__ import annotations

import re
from pathlib import Path

import table.rules
from table.rules.notation.notation_forms import EXAMPLE, FORMS, INTRODUCTION

FOLDER = Path(table.rules.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_example_of_the_readme_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own text


def test_the_readme_names_every_module() -> None:
    named_modules = set(re.findall(r"`([a-z_]+)(?:/\*)?`", README))
    modules = {path.stem for path in FOLDER.glob("*.py")} | {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert modules - {"__init__", "__pycache__"} <= named_modules


def test_the_readme_names_every_aspect() -> None:
    row = next(line for line in README.splitlines() if line.startswith("| `aspects/*`"))
    assert {path.stem for path in (FOLDER / "aspects").rglob("[a-z]*.py")} <= set(re.findall(r"\w+", row))


def test_the_readme_shows_the_whole_notation() -> None:
    assert f'echo "{EXAMPLE}" | tachiai rules play' in README
    assert INTRODUCTION in README
    rows = [line for line in README.partition("| written | says | example |")[2].splitlines()[2:] if line]
    cells = [
        [cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows
    ]
    assert cells[: len(FORMS)] == [[form.pattern, form.meaning, form.example] for form in FORMS]
