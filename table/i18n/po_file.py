"""Parses gettext's PO format, so that translators can use their tools and nothing has to be compiled.

Supports only what the catalogues use: comments, ``msgid``, ``msgstr`` and continued strings; no plurals or contexts.
"""

from __future__ import annotations

import json

from table.runtime.table_errors import TachiaiError


class PoError(TachiaiError, ValueError):
    """An unreadable catalogue."""


def parse_po(text: str, place: str) -> dict[str, str]:
    """Returns the texts by key; `place` names the file in messages. Entries without a text are left out.

    Raises:
        PoError: a line is invalid, or a key occurs twice.
    """
    entries: list[dict[str, str]] = []
    field = ""
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "msgid":
            entries.append({})
        if word in ("msgid", "msgstr"):
            field, quoted = word, rest
        else:
            quoted = line.strip()
        if not entries or not field:
            raise PoError(f"expected msgid first, got {line!r} in {place}, line {number}")
        entries[-1][field] = entries[-1].get(field, "") + _unquote(quoted, f"{place}, line {number}")
    return _by_key(entries, place)


def _unquote(quoted: str, place: str) -> str:
    try:
        value = json.loads(quoted)  # it has the same escapes; `ast.literal_eval` may fail in several threads at once
    except ValueError:
        value = None
    if not isinstance(value, str):
        raise PoError(f'expected msgid, msgstr or a text in "quotes", got {quoted!r} in {place}')
    return value


def _by_key(entries: list[dict[str, str]], place: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for entry in entries:
        key = entry["msgid"]
        if key in texts:
            raise PoError(f"expected each key once, got {key!r} again in {place}")
        if key and entry.get("msgstr"):
            texts[key] = entry["msgstr"]
    return texts
