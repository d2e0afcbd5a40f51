"""Melds as they lie on the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile


class MeldKind(Enum):
    """The five kinds of meld."""

    CHI = "chi"
    PON = "pon"
    OPEN_KAN = "open_kan"
    ADDED_KAN = "added_kan"
    CLOSED_KAN = "closed_kan"

    @property
    def is_kan(self) -> bool:
        """Whether it has four tiles."""
        return self in (MeldKind.OPEN_KAN, MeldKind.ADDED_KAN, MeldKind.CLOSED_KAN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """One meld as it was laid. An illegal meld is accepted and causes a suspicion, not an error."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    """All its tiles, including the called one."""
    called: Tile | None = None
    from_seat: Seat | None = None
    """The seat whose discard was called; None for a closed kan."""

    def __post_init__(self) -> None:
        wanted = 4 if self.kind.is_kan else 3
        if len(self.tiles) != wanted:
            raise InvalidValueError(f"expected {wanted} tiles in a {self.kind.value}, got {self.tiles!r}")
        if (self.from_seat is None) != (self.kind is MeldKind.CLOSED_KAN):
            raise InvalidValueError(f"expected a discarder unless the kan is closed, got {self!r}")

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand (R01)."""
        return self.kind is not MeldKind.CLOSED_KAN
