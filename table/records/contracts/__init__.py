"""The JSON contracts with other programs. Declared terms are filled in for `x-words`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import ABORTS, AbortReason

_ABORTS: Final = [reason.value for reason in ABORTS]
_WORDS: Final[Mapping[str, Sequence[str | None]]] = {
    "announcements": [saying.value for saying in AnnouncementId],
    "aborts and nagashi": [*_ABORTS, AbortReason.NAGASHI.value],
    "aborts and null": [*_ABORTS, None],
}


def contract(name: str) -> Any:
    """Returns a document of this folder, such as `audit.schema.json`, with the declared terms filled in."""
    text = resources.files(__name__).joinpath(name).read_text("utf-8")
    return json.loads(text, object_hook=_with_words)


def _with_words(part: dict[str, Any]) -> dict[str, Any]:
    words = part.pop("x-words", None)
    return part if words is None else {**part, "enum": _WORDS[words]}
