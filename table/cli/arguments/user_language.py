"""The user's language, as set in the environment or by an option."""

from __future__ import annotations

import argparse
import os
from typing import Final

from table.i18n import languages

CHINESE: Final = "zh"
"""Chinese without a script or a country, which means simplified characters, as in a browser."""
SIMPLIFIED: Final = "zh-Hans"


def user_language() -> str:
    """Returns the language of LC_ALL, LC_MESSAGES or LANG if there is a catalogue for it, else English."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    language, _, country = locale.partition(".")[0].partition("_")
    if language == CHINESE:
        language = "zh-Hant" if country in ("TW", "HK", "MO") else SIMPLIFIED
    return language if language in languages() else "en"


def add_language(parser: argparse.ArgumentParser, content: str = "the output") -> None:
    """Adds `--language`, the language of the output, by default the user's; `zh` means simplified Chinese.

    Args:
        parser: the command's parser.
        content: what is in that language, for the help.
    """
    language = user_language()
    parser.add_argument(
        "--language",
        choices=languages(),
        type=lambda text: SIMPLIFIED if text == CHINESE else text,
        default=language,
        help=f"the language of {content} (default: {language})",
    )
