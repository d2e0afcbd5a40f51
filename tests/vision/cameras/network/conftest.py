"""Servers that answer in the tests' own process are waited for: a late answer would count as none."""

from __future__ import annotations

import pytest

from tests.fakes.waiting import PATIENCE_S
from vision.cameras.network import stream_refusal


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_refusal, "TIMEOUT_S", PATIENCE_S)
