"""One word for each thing: no catalogue uses a word that the glossary rules out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from importlib import resources
from typing import Any

import pytest

from table.i18n import catalogue, languages
from table.rulebook.clause_texts import book_texts

GLOSSARY: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    resources.files("table.i18n").joinpath("glossary.toml").read_text("utf-8")
)
TERMS = [(term, language) for term, words in GLOSSARY.items() for language in words]
CHARACTERS = {"en": "cp1252", "ja": "shift_jis", "ko": "euc_kr", "zh-Hans": "gb2312", "zh-Hant": "cp950"}
"""An old set of characters for each language, which has no place for what only its neighbours write."""
SIMPLIFIED_FORMS = "听托后里几于云干余划冲并体万与气从个无号叶虫范征"
"""Simplified characters that Big5 contains as characters of their own: Traditional texts write 聽, 託, 後, 裡, 幾."""
PUNCTUATION = "−×’“”…·→"
"""Signs that every language may use."""
TERMS_OF_ART = {"en": "多牌少先自摸三味線"}
"""What the penalty catalogue gives beside its English, as those who know the original look for it."""
QUOTES = {"en": "“”", "ja": "「」", "ko": "‘’", "zh-Hans": "“”", "zh-Hant": "「」"}
"""The quotation marks of each language; an English apostrophe is none."""
JAPANESE_QUESTION = re.compile(r"(?:です|ます|ました|でした|せん)か(?=[。」）]|$)")
"""A Japanese question that a full stop ends, or nothing."""
SOFT_KOREAN = re.compile(r"(?<![니])다[.:,]|[나가지네에어아]요\b|(?<!니)까[?]|[나가야지][?]|까요|(?<!니)다$")
"""How a Korean sentence ends on another level than the one of 합니다 and 하세요."""


def texts_of(language: str) -> dict[str, str]:
    """Every text that people of a language read: the pages' and the penalty catalogue's."""
    book = book_texts(language)
    return {**catalogue(language).texts, **book.titles, **book.options, **book.conditions, **book.sources}


def without_allowed(text: str, allowed: Sequence[str]) -> str:
    """A text without its placeholders and without what it may say."""
    for each in (*re.findall(r"{\w+}", text), *allowed):
        text = text.replace(each, " ")
    return text


@pytest.mark.parametrize(("term", "language"), TERMS)
def test_no_text_uses_a_word_that_the_glossary_rules_out(term: str, language: str) -> None:
    entry, texts = GLOSSARY[term][language], texts_of(language)
    allowed = [entry["word"]] if any(each in entry["word"] for each in entry["not"]) else []
    left = {key: without_allowed(text, [*allowed, *entry.get("but", [])]) for key, text in texts.items()}
    assert [(key, word) for key, text in left.items() for word in entry["not"] if word in text] == []
    others = [key for key, text in texts.items() if entry["word"] in text and key not in entry.get("only", [key])]
    assert others == []


@pytest.mark.parametrize(("term", "language"), TERMS)
def test_the_glossary_s_own_word_is_one_that_a_text_uses(term: str, language: str) -> None:
    word = GLOSSARY[term][language]["word"].casefold()
    assert any(word in text.casefold() for text in catalogue(language).texts.values())


@pytest.mark.parametrize("language", languages())
def test_a_page_uses_no_characters_of_another_language(language: str) -> None:
    texts = {key: text for key, text in texts_of(language).items() if key != "page.language"}
    strange = {key: [each for each in text if not is_own(each, language)] for key, text in texts.items()}
    assert {key: letters for key, letters in strange.items() if letters} == {}


def test_a_traditional_text_has_no_simplified_character_that_big5_happens_to_have() -> None:
    found = {key: set(text) & set(SIMPLIFIED_FORMS) for key, text in texts_of("zh-Hant").items()}
    assert {key: letters for key, letters in found.items() if letters} == {}


def is_own(letter: str, language: str) -> bool:
    try:
        return letter in PUNCTUATION + TERMS_OF_ART.get(language, "") or bool(letter.encode(CHARACTERS[language]))
    except UnicodeEncodeError:
        return False


def test_korean_keeps_one_level_of_politeness() -> None:
    texts = texts_of("ko")
    assert [(key, text) for key, text in texts.items() if SOFT_KOREAN.search(text)] == []


@pytest.mark.parametrize("language", languages())
def test_every_text_has_the_quotation_marks_of_its_language(language: str) -> None:
    texts = {key: text.replace("’", "") if language == "en" else text for key, text in texts_of(language).items()}
    strange = set('“”‘’「」『』"') - set(QUOTES[language])
    assert [(key, text) for key, text in texts.items() if strange & set(text)] == []


def test_a_japanese_question_ends_with_its_mark() -> None:
    assert [(key, text) for key, text in texts_of("ja").items() if JAPANESE_QUESTION.search(text)] == []


def test_the_glossary_speaks_only_of_languages_that_there_are() -> None:
    assert {language for _, language in TERMS} <= set(languages())
