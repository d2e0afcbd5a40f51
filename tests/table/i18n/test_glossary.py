"""One word for each thing: no catalogue uses a word that the glossary rules out."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from table.i18n import catalogue, languages

GLOSSARY: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    resources.files("table.i18n").joinpath("glossary.toml").read_text("utf-8")
)
TERMS = [(term, language) for term, words in GLOSSARY.items() for language in words]
PAIRS = (
    "们們这這个個来來时時对對为為与與说說过過还還开開关關点點请請将將会會现現无無经經动動从從后後发發见見让讓实實际際应應该該记記录錄击擊设設选選择擇确確认認镜鏡头頭"
    "连連线線资資讯訊档檔机機脑腦网網软軟单單张張双雙庄莊场場东東门門风風龙龍读讀写寫项項规規则則户戶错錯误誤"
)
"""Characters in the simplified way of writing, each followed by the traditional one."""
SIMPLIFIED, TRADITIONAL = set(PAIRS[::2]), set(PAIRS[1::2])


@pytest.mark.parametrize(("term", "language"), TERMS)
def test_no_text_uses_a_word_that_the_glossary_rules_out(term: str, language: str) -> None:
    entry, texts = GLOSSARY[term][language], catalogue(language).texts
    assert [(key, word) for key, text in texts.items() for word in entry["not"] if word in text] == []
    others = [key for key, text in texts.items() if entry["word"] in text and key not in entry.get("only", [key])]
    assert others == []


@pytest.mark.parametrize(("term", "language"), TERMS)
def test_the_glossary_s_own_word_is_one_that_a_text_uses(term: str, language: str) -> None:
    word = GLOSSARY[term][language]["word"].casefold()
    assert any(word in text.casefold() for text in catalogue(language).texts.values())


@pytest.mark.parametrize(("language", "foreign"), [("zh-Hans", TRADITIONAL), ("zh-Hant", SIMPLIFIED)])
def test_chinese_pages_are_written_in_one_way(language: str, foreign: set[str]) -> None:
    texts = {key: text for key, text in catalogue(language).texts.items() if not key.startswith("language")}
    assert [(key, sorted(set(text) & foreign)) for key, text in texts.items() if set(text) & foreign] == []


def test_the_glossary_speaks_only_of_languages_that_there_are() -> None:
    assert {language for _, language in TERMS} <= set(languages())
