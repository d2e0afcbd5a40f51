"""Which words of a page are English where it speaks another language: neither names nor quoted."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

NAMES: Final = frozenset(
    re.findall(
        r"\S+",
        """Tachiai EMA WRC JPML M.League tenhou.net mj-college.com hai-hai.jp OBS MQTT JavaScript Raspberry Pi Wi-Fi
        Linux Python git ssh CSV HTML HTTPS JSON PNG SVG UTF TOML USB QR PIN PC OK Page Up Down A B cm mm ms s m g Hz
        MB GB P M x""",
    )
)
"""Names, signs and units that these languages write in Latin letters, too."""
QUOTED: Final = re.compile(
    r"https?://\S+|\{\w+\}|WRC Penalties|\[camera\]|rpicam-hello --list-cameras|tachiai rules import FILE"
    r"|\b[\w-]+\.(?:toml|csv|html|local)\b"
    r"|\b(?:7-\d\d(?:-\d\d)* )?[a-p]\b"
    r"|\b[RD]\d+\b|\bPage(?:Up|Down)\b|UTF-8|\d+P\b",
    re.ASCII,
)
"""What a page quotes, or a script fills in: addresses, commands, files, numbers of rules, options, and keys."""
WORD: Final = re.compile(r"[A-Za-z][A-Za-z.'’-]*[A-Za-z]|[A-Za-z]")
SPOKEN_ATTRIBUTES: Final = frozenset({"title", "alt", "aria-label", "aria-description", "placeholder", "label"})
"""Attributes that people see or hear."""
UNSEEN_TAGS: Final = frozenset({"script", "style", "code", "pre"})
PROGRAM_DATA: Final = frozenset({"data-choice", "data-option", "data-mark"})
"""Attributes for the program alone: which article or option is chosen, and what a list was drawn from."""
SENTENCE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|[A-Za-z]+ [A-Za-z]")
"""What is kept for scripts and is a sentence: signs of the East, or two words."""


def english_words(text: str, *, allowed: frozenset[str] = frozenset()) -> list[str]:
    """Returns the words in Latin letters that are neither names nor quoted."""
    return [word for word in WORD.findall(QUOTED.sub(" ", text)) if word not in NAMES | allowed]


def english_on_page(html: str, *, allowed: frozenset[str] = frozenset()) -> list[str]:
    """Returns the English of a page: of its text, of its spoken attributes, and of the sentences kept for scripts."""
    return [f"{text}: {found}" for text in _PageTexts(html).texts if (found := english_words(text, allowed=allowed))]


def spaced_on_page(html: str) -> list[str]:
    """Returns the texts of a page in which a space follows a Japanese or Chinese full stop, which contains one."""
    return [text for text in _PageTexts(html).texts if "。 " in text]


class _PageTexts(HTMLParser):
    """All texts of a page, except what is code, and links to the same page in other languages."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._skipped: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self._skipped:
            self._skipped += [tag] if tag == self._skipped[0] else []
        elif tag in UNSEEN_TAGS or "hreflang" in attributes:
            self._skipped = [tag]
        labels = (value for name, value in attributes.items() if name in SPOKEN_ATTRIBUTES)
        data = (value for name, value in attributes.items() if name.startswith("data-") and name not in PROGRAM_DATA)
        self.texts += [*labels, *(each for each in data if SENTENCE.search(each))]

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self._skipped and data.strip():
            self.texts.append(data.strip())
