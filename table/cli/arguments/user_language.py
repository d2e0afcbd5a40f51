"""The user's language, as set in the environment or by an option."""

from __future__ import annotations

import argparse
import os

from table.i18n import languages


def user_language() -> str:
    """Returns the language of LC_ALL, LC_MESSAGES or LANG if there is a catalogue for it, else English."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    language, _, country = asked.partition(".")[0].partition("_")
    if language == "zh":
        language = "zh-Hant" if country in ("TW", "HK", "MO") else "zh-Hans"
    return language if language in languages() else "en"


def add_language(parser: argparse.ArgumentParser) -> None:
    """Adds `--language`, the language of the output, by default the user's."""
    language = user_language()
    parser.add_argument(
        "--language", choices=languages(), default=language, help=f"the language of the output (default: {language})"
    )
