"""What all tests share: the long switch, and where the project's outside material lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.places import SHARED


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run what takes long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="takes long: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


@pytest.fixture
def shared() -> Path:
    """The folder of real game records and photographs beside the checkout; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared with real records and photographs is absent")
    return SHARED
