"""The catalogue in other languages: titles, options, conditions and sources, and whether anybody has reviewed them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Final

from table.rulebook.clause_catalogue import PACKAGE, all_clauses, entries, own_entries, package_text
from table.rulebook.rules_file import refusal, rules_file
from table.runtime.table_errors import ConfigError

ORIGINAL: Final = "zh"
"""The language of the source."""
TRADITIONAL: Final = "zh-Hant"
"""Traditional Chinese for pages and commands: the original, except words that its readers write differently."""
SIMPLIFIED: Final = "zh-Hans"
"""The original in simplified characters, for pages; `rules list --json` has only the original itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookTexts:
    """The catalogue's texts in one language."""

    language: str
    is_reviewed: bool = field(metadata={"key": "reviewed"})
    """Whether they were checked against a source or by a second reader; the original always counts as reviewed."""
    titles: Mapping[str, str] = field(metadata={"key": "title"})
    """By number, including headings."""
    options: Mapping[str, str] = field(metadata={"key": "option"})
    """By `7-01 a`."""
    conditions: Mapping[str, str] = field(metadata={"key": "condition"})
    """By number, for clauses that apply only under a condition."""
    sources: Mapping[str, str] = field(default_factory=dict, metadata={"key": "source"})
    """By the English words with which a built-in rule set names the source of a choice."""

    def title(self, number: str) -> str:
        """Returns a clause's title, or the number of an article, which is not in the catalogue."""
        return self.titles.get(number, number)

    def option(self, number: str, letter: str) -> str:
        """Returns an option's text, or its letter if it is not in the catalogue."""
        return self.options.get(f"{number} {letter}", letter)

    def source(self, source: str) -> str:
        """Returns the source of a choice in this language; a reference or a house's own words stay as written."""
        return self.sources.get(source, source)


@cache
def book_languages() -> tuple[str, ...]:
    """Returns the languages of `rules list --json`: the original, English, and every other translation."""
    names = (entry.name for entry in resources.files(PACKAGE).joinpath("texts").iterdir())
    found = {name.removesuffix(".toml") for name in names if name.endswith(".toml")} - {SIMPLIFIED, TRADITIONAL}
    return (ORIGINAL, *sorted(found, key=lambda language: (language != "en", language)))


@cache
def book_texts(language: str) -> BookTexts:
    """Returns the catalogue's texts in a language: one of `book_languages()`, or of the pages and commands.

    Raises:
        ConfigError: there is no such language, or its file does not match the catalogue.
    """
    if language == ORIGINAL:
        return _original_texts()
    if language not in (languages := (*book_languages(), SIMPLIFIED, TRADITIONAL)):
        raise refusal("the penalty catalogue", "language", "one of these", language, languages)
    name = f"{language}.toml"
    place = f"texts/{name}"
    texts: BookTexts = rules_file(place, package_text("texts", name)).read(BookTexts)
    if language == TRADITIONAL:
        texts = _with_original(texts)
    _check_complete(place, texts)
    return texts


def _with_original(texts: BookTexts) -> BookTexts:
    """Returns the texts of the original, replaced by these texts where there are any."""
    original = _original_texts()
    return replace(
        texts,
        titles={**original.titles, **texts.titles},
        options={**original.options, **texts.options},
        conditions={**original.conditions, **texts.conditions},
    )


def _original_texts() -> BookTexts:
    return BookTexts(
        language=ORIGINAL,
        is_reviewed=True,
        titles={entry.number: entry.title for entry in (*entries(), *own_entries())},
        options={
            f"{clause.number} {option.letter}": option.text
            for clause in all_clauses().values()
            for option in clause.options
        },
        conditions={entry.number: entry.condition for entry in entries() if entry.condition},
    )


def _check_complete(place: str, texts: BookTexts) -> None:
    """Raises an error if a text is missing, or belongs to nothing in the catalogue; a condition may be ours alone."""
    original = _original_texts()
    for name, translated, required, known_keys in (
        ("title", texts.titles, original.titles, original.titles),
        ("option", texts.options, original.options, original.options),
        ("condition", texts.conditions, original.conditions, original.titles),
    ):
        for key in (each for each in required if each not in translated):
            raise ConfigError(f"{place}: {name}: expected a text of {key}, got none")
        for key in (each for each in translated if each not in known_keys):
            raise refusal(place, name, "exactly the keys of the catalogue", key, known_keys)
