"""What all tests share: long and quick runs, how processes share the work, cheap pages, and the outside material."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import settings
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Rule

from table.dashboard.web.access import vault
from tests.fakes.time_zone import set_time_zone
from tests.places import ROOT, SHARED
from vision.arrays import Floats32
from vision.geometry.rectify import TopView
from vision.zones.table_zones import Zones

settings.register_profile("same examples", deadline=None, derandomize=True)
settings.register_profile("new examples", deadline=None, derandomize=False)
"""Without a deadline: a machine that does much else is no fault of what is tested."""

set_time_zone("UTC")

FIRST = ("browser", "endurance", "commands", "firmware", "vision")
"""Folders with the modules that take longest: begun first, so that no process is left alone with one at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run what takes long")
    parser.addoption("--quick", action="store_true", help="leave out browser, endurance and what reads many pictures")


def pytest_configure(config: pytest.Config) -> None:
    """Lets each run of the same code try the same examples; `--long` draws new ones."""
    settings.load_profile("new examples" if config.getoption("--long") else "same examples")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        skip = pytest.mark.skip(reason="takes long: run with --long")
        for item in items:
            if "long" in item.keywords:
                item.add_marker(skip)
    if config.getoption("--quick"):
        config.hook.pytest_deselected(items=[item for item in items if _is_slow(item)])
        items[:] = [item for item in items if not _is_slow(item)]
    items.sort(key=_rank)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keeps Python from looking through all tests for garbage again and again, which takes a tenth of their time."""
    gc.collect()
    gc.freeze()


def _folder(item: pytest.Item) -> str:
    """The folder of `tests` that holds it."""
    return item.path.relative_to(ROOT / "tests").parts[0]


def _is_slow(item: pytest.Item) -> bool:
    return _folder(item) in ("browser", "endurance") or "pictures" in item.keywords


def _rank(item: pytest.Item) -> tuple[int, bool]:
    folder = _folder(item)
    return FIRST.index(folder) if folder in FIRST else len(FIRST), "pictures" not in item.keywords


@pytest.fixture(scope="session", autouse=True)
def _cheap_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiles each template and each address once, not once a test, and hashes PINs at the least cost."""
    cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": cache})
        patch.setattr(Rule, "_compile_builder", _compiled_once(Rule._compile_builder))
        patch.setattr(vault, "_COST", {**vault._COST, "n": 2})
        yield


def _compiled_once(compile_rule: Callable[[Rule, bool], Callable[..., object]]) -> Callable[..., Callable[..., object]]:
    """The compiler of a rule's addresses, which compiles equal rules once: else that is three quarters of the time that
    it takes to make a dashboard."""
    builders = dict[object, Callable[..., object]]()

    def builder(rule: Rule, append_unknown: bool = True) -> Callable[..., object]:
        if rule.defaults:
            return compile_rule(rule, append_unknown)
        key = (rule.rule, *rule._trace, append_unknown)
        if key not in builders:
            builders[key] = compile_rule(rule, append_unknown)
        return builders[key]

    return builder


@pytest.fixture(scope="session", autouse=True)
def _cheap_watchers() -> Iterator[None]:
    """Computes the lookup tables of equal views and the zones of equal cells once, not once a watcher."""
    grids, compute = dict[object, Floats32](), TopView.grid

    def grid(view: TopView) -> Floats32:
        corners = [(x * view.side_px, y * view.side_px) for x, y in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.3))]
        key = (view.side_px, *view.to_frame(corners).flat)
        if key not in grids:
            if len(grids) == 8:  # each takes up to ten megabytes
                grids.clear()
            grids[key] = compute(view)
        return grids[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TopView, "grid", grid)
        patch.setattr(Zones, "side_and_zone", lru_cache(maxsize=2**16)(Zones.side_and_zone))
        yield


@pytest.fixture
def shared() -> Path:
    """The folder of real game records and photographs beside the checkout; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared with real records and photographs is absent")
    return SHARED
