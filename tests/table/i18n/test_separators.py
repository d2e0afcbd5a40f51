"""What stands between two texts is the language's own: no page puts an English comma into a Japanese line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from table.i18n import announcement_sentence, catalogue, running_text
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.seats import Seat
from tests.places import ROOT

WORDED = ("table/dashboard", "table/i18n", "table/mqtt/desk", "table/cli/record_commands/score.py")
"""Where texts of the catalogue are put together."""
ENGLISH_MARK = re.compile(
    r"""["'](?:, |: |; )["']\.join\(|f"[^"]*\}(?:: |, | \()\{[^"]*"|f" \(\{|\$\{[^{}]*\}(?:: |, | \()\$\{|\w: \{\{"""
)
"""A comma, colon or bracket of English between two values."""
NO_TEXTS = re.compile(r'Error\(|agreed_by|why=|POLICY|got = f|"lines |expected |withNote')
"""Lines with such marks that make no text of a language: errors, logs, what is kept, and what browsers read."""


def marks_in(roots: Sequence[str]) -> dict[str, str]:
    paths = [path for root in roots for path in ((ROOT / root).rglob("*") if (ROOT / root).is_dir() else [ROOT / root])]
    lines = {
        f"{path.relative_to(ROOT)}:{number}": line.strip()
        for path in paths
        if path.suffix in (".py", ".js", ".html")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    }
    return {place: line for place, line in lines.items() if ENGLISH_MARK.search(line) and not NO_TEXTS.search(line)}


def test_no_text_is_put_together_with_an_english_mark() -> None:
    assert marks_in(WORDED) == {}


@pytest.mark.parametrize(
    ("sentences", "text"),
    [
        (("Head bump: no points for East.", "", "Next: E2."), "Head bump: no points for East. Next: E2."),
        (("頭ハネ：東家の和了は成立しません。", "", "終局です。"), "頭ハネ：東家の和了は成立しません。終局です。"),
        (("合わなくなる後の局：2", "終局です。"), "合わなくなる後の局：2 終局です。"),
    ],
)
def test_no_space_follows_a_full_stop_that_contains_one(sentences: tuple[str, ...], text: str) -> None:
    assert running_text(sentences) == text


@pytest.mark.parametrize(
    ("language", "hands"),
    [("en", "East 1; South 4, 2 honba"), ("ja", "東1局、南4局 2本場"), ("ko", "동 1국, 남 4국 2본장")],
)
def test_hands_that_no_longer_count_are_listed_as_the_language_does(language: str, hands: str) -> None:
    args = {"what": "back", "hands": [["E1", 0], ["S4", 2]]}
    news = Announcement(id=AnnouncementId.LATER_HANDS, seat=None, args=args)
    assert hands in announcement_sentence(news, Seat.NEAR, catalogue(language))
