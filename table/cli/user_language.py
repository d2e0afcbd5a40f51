"""The user's language, as set in the environment."""

from __future__ import annotations

import os

from table.i18n import languages


def user_language() -> str:
    """Returns the language of LC_ALL, LC_MESSAGES or LANG if there is a catalogue for it, else English."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    language, _, country = asked.partition(".")[0].partition("_")
    if language == "zh":
        language = "zh-Hant" if country in ("TW", "HK", "MO") else "zh-Hans"
    return language if language in languages() else "en"
