"""One language's texts by key, e.g. ``page.confirm``; placeholders are named: ``{seat}``."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from table.i18n.isolation import isolated
from table.i18n.korean_particles import with_particles
from table.i18n.po_file import parse_po
from table.runtime.table_errors import TachiaiError

PACKAGE = "table.i18n"
_READING: Final = threading.Lock()


class MissingTextError(TachiaiError, LookupError):
    """A text or a language that is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The texts of one language."""

    language: str
    """The language's code, as in browsers: `en`, `ja`, `zh-Hant`."""
    texts: Mapping[str, str]
    isolates: bool = False
    """Whether names written from right to left are kept from turning the sentence around them, which pages need."""

    def for_pages(self) -> Catalogue:
        """Returns the same texts for what people read on a page; see `table.i18n.isolation`."""
        return replace(self, isolates=True)

    def text(self, key: str, /, **values: object) -> str:
        """Returns the text with its placeholders filled in.

        Raises:
            MissingTextError: no such key, or a placeholder without a value.
        """
        if self.isolates:
            values = {name: isolated(value) if isinstance(value, str) else value for name, value in values.items()}
        try:
            text = self.texts[key].format(**values)
        except KeyError as error:
            raise MissingTextError(f"expected {error.args[0]!r} for the text {key!r} in {self.language!r}") from error
        return with_particles(text) if self.language == "ko" else text

    def name(self, group: str, key: str) -> str:
        """Returns the name ``group.key``; if it is missing (newer than the texts), the key in plain words."""
        return self.texts.get(f"{group}.{key}", key.replace("_", " "))

    def list_text(self, items: Iterable[str]) -> str:
        """Returns the items in one line, between them the language's own comma."""
        return self.texts["page.between"].join(items)

    def labelled(self, label: str, text: str) -> str:
        """Returns a text after its label, between them the language's own colon."""
        return self.text("page.labelled", label=label, text=text)

    def with_note(self, text: str, note: str) -> str:
        """Returns a text with a note in the language's own brackets."""
        return self.text("page.with_note", text=text, note=note)

    def group(self, prefix: str) -> dict[str, str]:
        """Returns all texts whose key starts with ``prefix.``, by the rest of their key."""
        start = f"{prefix}."
        return {key.removeprefix(start): text for key, text in self.texts.items() if key.startswith(start)}


def running_text(sentences: Iterable[str]) -> str:
    """Returns the sentences one after another, without empty ones; no space follows a Japanese or Chinese full stop."""
    return " ".join(filter(None, sentences)).replace("。 ", "。")


@cache
def languages() -> tuple[str, ...]:
    """Returns the available languages, English first."""
    names = (entry.name for entry in resources.files(PACKAGE).iterdir())
    found = {name.removesuffix(".po") for name in names if name.endswith(".po")}
    return tuple(sorted(found, key=lambda language: (language != "en", language)))


def catalogue(language: str = "en") -> Catalogue:
    """Returns a language's catalogue; many phones that ask at once wait for one reading of its file.

    Raises:
        MissingTextError: there is none.
        PoError: its file cannot be read.
    """
    with _READING:
        return _read(language)


@cache
def _read(language: str) -> Catalogue:
    if language not in languages():
        raise MissingTextError(f"expected a language out of {', '.join(languages())}, got {language!r}")
    name = f"{language}.po"
    text = resources.files(PACKAGE).joinpath(name).read_text("utf-8")
    return Catalogue(language=language, texts=parse_po(text, name))
