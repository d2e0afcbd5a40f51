"""Findings that wait, since a later observation may explain them."""

from __future__ import annotations

from collections.abc import Hashable

SECONDS = 1_000_000_000
PATIENCE_NS = 2 * SECONDS
"""How long an act that does not fit the turn waits for an explanation."""
CALL_PATIENCE_NS = 10 * SECONDS
"""The same while a discard is missing from a river, since its caller may still be arranging the meld."""


class PendingFindings:
    """The times since which unexplained findings have been waiting."""

    def __init__(self) -> None:
        self._since: dict[Hashable, int] = {}

    def is_ripe(self, key: Hashable, now_ns: int, patience_ns: int) -> bool:
        """Whether the finding with this key has waited long enough; a new one starts waiting."""
        return now_ns - self._since.setdefault(key, now_ns) >= patience_ns

    def forget(self, key: Hashable) -> None:
        """Forgets a finding that no longer waits: if it comes up again, it starts anew."""
        self._since.pop(key, None)

    def clear(self) -> None:
        """Forgets all waiting findings."""
        self._since.clear()
