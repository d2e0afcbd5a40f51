"""Findings that wait: what cannot be put in order yet may be explained by the next look."""

from __future__ import annotations

from collections.abc import Hashable

SECONDS = 1_000_000_000
PATIENCE_NS = 2 * SECONDS
"""How long an act that does not fit the turn waits for what would explain it."""
CALL_PATIENCE_NS = 10 * SECONDS
"""The same while a discard is missing from a river: somebody is calling it, and the meld is not at rest."""


class PendingFindings:
    """Since when each unexplained thing lies there."""

    def __init__(self) -> None:
        self._since: dict[Hashable, int] = {}

    def is_ripe(self, key: Hashable, now_ns: int, patience_ns: int) -> bool:
        """Whether the thing has waited long enough; starts its time when it is new."""
        return now_ns - self._since.setdefault(key, now_ns) >= patience_ns

    def clear(self) -> None:
        """Forgets all."""
        self._since.clear()
