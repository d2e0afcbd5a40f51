"""Chooses a browser's language: the one chosen on the page, else the first available one that it requests."""

from __future__ import annotations

from typing import Final

from flask import request, session

from table.i18n import Catalogue, catalogue, languages

DEFAULT: Final = "en"
CHINESE: Final = {"zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "zh-mo": "zh-Hant", "zh-hant": "zh-Hant"}
"""Chinese has two scripts, requested by region; all regions not listed here get the simplified one."""


def request_texts() -> Catalogue:
    """Returns the texts in the language of the present request, for its page."""
    chosen = session.get("language")
    if chosen in languages():
        return catalogue(chosen).for_pages()
    requested = (available_language(tag) for tag, _ in request.accept_languages)
    return catalogue(next((language for language in requested if language is not None), DEFAULT)).for_pages()


def available_language(tag: str) -> str | None:
    """Returns our language for a browser's language tag such as `ja-JP`; None if there is none."""
    lower = tag.lower()
    main = lower.partition("-")[0]
    if main == "zh":
        script = "-".join(lower.split("-")[:2])
        language = CHINESE.get(lower, CHINESE.get(script, "zh-Hans"))
    else:
        language = main
    return language if language in languages() else None


def choose_language(language: str) -> bool:
    """Remembers the language for this browser; returns whether it exists."""
    if language not in languages():
        return False
    session["language"] = language
    return True
