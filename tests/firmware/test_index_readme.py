from __future__ import annotations

import importlib.util
import re
import tomllib
from types import ModuleType

import pytest

from tests.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("index_readme", ROOT / "firmware-config" / "index_readme.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_index_page_shows_the_readme_with_every_link_and_picture_at_the_address(hook: ModuleType) -> None:
    text = hook.with_address(README, "https://example.org/tachiai/")
    targets = re.findall(r"(?:\]\(|src=\")([^)\"]+)", text)
    assert len(targets) > 10
    assert [target for target in targets if not target.startswith("https://example.org/tachiai/")] == []
    assert hook.with_address("[x](https://a.org) [y](#z)", "https://example.org/") == "[x](https://a.org) [y](#z)"


def test_until_an_address_is_set_nothing_invents_one(hook: ModuleType) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["tachiai"]["address"] == ""
    assert hook.with_address(README, "") == README
    metadata: dict[str, object] = {}
    hook.IndexReadme(str(ROOT), {}).update(metadata)
    assert metadata["readme"] == {"content-type": "text/markdown", "text": README}


def test_the_changelog_begins_with_this_version() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    newest = re.findall(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    assert newest == settings["project"]["version"]


@pytest.mark.parametrize(
    ("address", "raw"),
    [
        ("https://example.org/me/tachiai/blob/main/", "https://example.org/me/tachiai/raw/main/"),
        ("https://example.org/me/tachiai/-/blob/main/", "https://example.org/me/tachiai/-/raw/main/"),
        ("https://example.org/me/tachiai/src/branch/main/", "https://example.org/me/tachiai/raw/branch/main/"),
    ],
)
def test_a_picture_is_the_file_itself_where_links_lead_to_pages(hook: ModuleType, address: str, raw: str) -> None:
    text = '![a](b.png) <img src="c.webp"> [d](e.md)'
    assert hook.with_address(text, address) == f'![a]({raw}b.png) <img src="{raw}c.webp"> [d]({address}e.md)'
