"""Melds as they lie on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles, tiles_text


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
    """The called tile; None if `from_seat` is None."""
    from_seat: Seat | None = None
    """The seat whose discard was called; None for a closed kan, and for a meld that nobody saw being called."""

    def __post_init__(self) -> None:
        tile_count = 4 if self.kind.is_kan else 3
        if len(self.tiles) != tile_count:
            raise InvalidValueError(f"expected {tile_count} tiles in a {self.kind.value}, got {self.tiles!r}")
        if self.from_seat is not None and not self.is_open:
            raise InvalidValueError(f"expected a closed kan without a discarder, got {self!r}")

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand (R01)."""
        return self.kind is not MeldKind.CLOSED_KAN

    @property
    def text(self) -> str:
        """Its tiles as people write them, a closed kan in brackets: `123m`, `555z`, `(1111p)`."""
        tiles = tiles_text(self.tiles)
        return tiles if self.is_open else f"({tiles})"


def meld_of(tiles: Sequence[Tile], *, is_closed: bool) -> Meld:
    """Returns the meld of these tiles, in their order, without a discarder; `is_closed` for a closed kan.

    Raises:
        InvalidValueError: the tiles are not a meld.
    """
    ordered = tuple(sorted(tiles))
    kinds = [tile.kind for tile in ordered]
    is_same = bool(kinds) and ordered[0].is_known and len(set(kinds)) == 1
    if is_same and len(kinds) == 4:
        return Meld(kind=MeldKind.CLOSED_KAN if is_closed else MeldKind.OPEN_KAN, tiles=ordered)
    if is_same and len(kinds) == 3 and not is_closed:
        return Meld(kind=MeldKind.PON, tiles=ordered)
    lowest = kinds[0] if kinds else -1
    is_run = kinds == [lowest, lowest + 1, lowest + 2] and 0 <= lowest < 27 and lowest % 9 <= 6
    if is_run and not is_closed:
        return Meld(kind=MeldKind.CHI, tiles=ordered)
    raise InvalidValueError(f"expected the tiles of a meld, got {tiles_text(ordered)}")


def melds_text(melds: Sequence[Meld]) -> str:
    """Writes melds as one word; `parse_melds` is the inverse for melds without a discarder."""
    return ",".join(meld.text for meld in melds)


def parse_melds(text: str) -> tuple[Meld, ...]:
    """Reads melds without discarders, separated by commas: `123m,555z,(1111p)`.

    Raises:
        RulesError: for tiles that are not a meld.
    """
    return tuple(_parse_meld(part) for part in text.split(","))


def _parse_meld(text: str) -> Meld:
    is_closed = text.startswith("(") and text.endswith(")")
    try:
        return meld_of(parse_tiles(text[1:-1] if is_closed else text), is_closed=is_closed)
    except InvalidValueError as error:
        raise InvalidValueError(f"expected a meld such as 123m, 555z, 1111p or (2222s), got {text!r:.80}") from error
