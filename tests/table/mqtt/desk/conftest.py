"""A hall with a desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.mqtt.desk.hall_with_desk import Pages


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    pages = Pages(tmp_path)
    with pages.journal:
        yield pages
