"""How much of a hand was seen: whether discards were missed, or may have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class _Played(Protocol):
    @property
    def missed(self) -> Sequence[int | None]: ...


class SeenPlay:
    """What follows for a hand, or a draft of it, from the discards that were missed."""

    __slots__ = ()

    @property
    def has_gap(self: _Played) -> bool:
        """Whether a discard is known to have been missed."""
        return any(place is not None for place in self.missed)
