"""What a card's first start is held against."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.fakes.debian_packages import NETPLAN, extract_packages

PACKAGES: Final = (
    *NETPLAN,
    "cloud-init",
    *("python3-configobj", "python3-oauthlib", "python3-jsonpatch", "python3-json-pointer", "python3-six"),
)


@pytest.fixture(scope="session")
def cloud_init(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What cloud-init and netplan consist of."""
    return extract_packages(tmp_path_factory.mktemp("cloud_init"), PACKAGES)
