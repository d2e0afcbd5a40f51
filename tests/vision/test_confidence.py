"""Thresholds of confidence stand in one module, and in an order that makes sense."""

from __future__ import annotations

import re
from pathlib import Path

from vision import confidence

PLACES = [path for room in ("vision", "table") for path in (Path(__file__).parents[2] / room).rglob("*.py")]
COMPARED = re.compile(r"\b(?:score|scores|confidence|surety|chance|chances)\b[\w.()\[\] ]* *(?:<|>)=? *0\.\d")


def test_what_is_surer_needs_more() -> None:
    names = (
        "CONCEIVABLE",
        "POSSIBLE",
        "RIVER_FACE",
        "LIKELY",
        "ASK_BELOW",
        "INDICATIVE",
        "MARK_BELOW",
        "SURE",
        "CERTAIN",
    )
    chances = [getattr(confidence, name) for name in names]
    assert chances == sorted(chances)
    assert confidence.FAINT < confidence.FAINT_IN_PHOTO < confidence.UNREAD_TILE_IN_SCAN < confidence.UNREAD_TILE


def test_nobody_holds_a_score_against_a_number_of_their_own() -> None:
    assert [str(path) for path in PLACES if COMPARED.search(path.read_text("utf-8"))] == []
