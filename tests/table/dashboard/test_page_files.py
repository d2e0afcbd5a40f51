"""What pages are made of lies in the folder of the room whose view shows it, and something uses it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import ROOT

DASHBOARD = ROOT / "table" / "dashboard"
TEMPLATE = re.compile(r'"(\w[\w/{}]+)/[\w{}]+\.html"')
VIEWS = sorted(path for path in DASHBOARD.rglob("*.py") if TEMPLATE.search(path.read_text("utf-8")))
FILES = {kind: sorted((DASHBOARD / kind).rglob("*.*")) for kind in ("templates", "static")}
BY_STEP = "wizard/steps", "wizard/now"
"""Folders of templates that are named after the steps of the first start."""


@pytest.mark.parametrize("kind", FILES)
def test_every_folder_is_named_after_a_room_of_the_dashboard(kind: str) -> None:
    rooms = {path.stem for path in DASHBOARD.iterdir()}
    assert [path.name for path in (DASHBOARD / kind).iterdir() if path.is_dir() and path.name not in rooms] == []


@pytest.mark.parametrize("view", VIEWS, ids=lambda path: str(path.relative_to(DASHBOARD)))
def test_a_view_shows_templates_of_its_own_room(view: Path) -> None:
    (room, *_) = view.relative_to(DASHBOARD).with_suffix("").parts
    assert {folder.split("/")[0] for folder in TEMPLATE.findall(view.read_text("utf-8"))} == {room}


@pytest.mark.parametrize("kind", FILES)
def test_no_file_is_unused(kind: str) -> None:
    users = (path for end in ("py", "html", "js", "webmanifest") for path in DASHBOARD.rglob(f"*.{end}"))
    names = set(re.findall(r"""["'/]([\w.-]+\.\w+)["']""", "\n".join(path.read_text("utf-8") for path in users)))
    names |= {path.name for folder in BY_STEP for path in (DASHBOARD / "templates" / folder).iterdir()}
    assert [path.name for path in FILES[kind] if path.name not in names] == []
