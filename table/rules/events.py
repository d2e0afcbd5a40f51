"""Everything that a table can show or people can say: the rules' only input.

No event tells a hidden fact. Time, source and confidence ride in the journal's envelope, never here.
Events check their own fields when made; whether one *can* happen now is decided by `table.rules.advance`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from table.rules.penalties.foul_facts import check_fact
from table.rules.terms.results import AbortReason, Settlement, ToldResult
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile


class Origin(Enum):
    """Where a discarded tile came from."""

    HAND = "hand"
    DRAWN = "drawn"
    UNKNOWN = "unknown"


class CallKind(Enum):
    """A call on another seat's discard."""

    CHI = "chi"
    PON = "pon"
    OPEN_KAN = "open_kan"


class WinKind(Enum):
    """How a win is claimed."""

    RON = "ron"
    TSUMO = "tsumo"


def _expect(condition: bool, expected: str, got: object) -> None:
    if not condition:
        raise InvalidValueError(f"expected {expected}, got {got!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted:
    """A hand is dealt. `scores` by seat, before the hand; `deposits` in sticks of 1000 lying on the table."""

    round: Round
    dealer: Seat
    scores: tuple[int, int, int, int]
    honba: int = 0
    deposits: int = 0
    deposit_points: int = 0
    """Penalty points in the pot besides riichi sticks."""
    dora_indicator: Tile | None = None

    def __post_init__(self) -> None:
        _expect(len(self.scores) == 4, "four scores", self.scores)
        _expect(min(self.honba, self.deposits, self.deposit_points) >= 0, "honba and deposits of 0 or more", self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    """A tile was laid in a river; `sideways` declares riichi (R09) or replaces a called declaration tile (R18)."""

    seat: Seat
    tile: Tile
    sideways: bool = False
    origin: Origin = Origin.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePassed:
    """Nobody claims the last discard or added kan any more: inferred from a later act or confirmed, never timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A meld made of another seat's discard. `own` are the two (kan: three) tiles from the caller's hand."""

    seat: Seat
    kind: CallKind
    tile: Tile
    from_seat: Seat
    own: tuple[Tile, ...]
    points_at: Seat | None = None
    """The seat that the turned tile points at, where it was seen."""

    def __post_init__(self) -> None:
        _expect(self.seat != self.from_seat, "a call from another seat", self.from_seat)
        wanted = 3 if self.kind is CallKind.OPEN_KAN else 2
        _expect(len(self.own) == wanted, f"{wanted} own tiles in a {self.kind.value}", self.own)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedKan:
    """The fourth tile was laid to an own pon (shouminkan)."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedKan:
    """Four tiles from the own hand (ankan)."""

    seat: Seat
    tiles: tuple[Tile, Tile, Tile, Tile]

    def __post_init__(self) -> None:
        _expect(len(self.tiles) == 4, "four tiles in a closed kan", self.tiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoraTurned:
    """A dora indicator was turned up: the first of the hand, or one for a kan."""

    indicator: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class UraTurned:
    """The ura indicators were turned by a winner, in the order of the dora indicators above them."""

    seat: Seat
    indicators: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StickPlaced:
    """A 1000-point stick was laid in a seat's stick zone."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StickTakenBack:
    """A seat's stick was taken away again before the hand's end."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiVoiced:
    """A seat said riichi (heard, or pressed)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiOpened:
    """A seat laid open the tiles that show what its riichi waits for: the whole hand, or the part of it that waits."""

    seat: Seat
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        _expect(1 <= len(self.tiles) <= 13, "from 1 to 13 tiles laid open", self.tiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinClaimed:
    """A seat claims a win. For a ron, `from_seat` is the discarder, or None where it follows from the last tile."""

    seat: Seat
    kind: WinKind
    from_seat: Seat | None = None
    han: int | None = None
    """Han entered by hand, where no hand is read."""
    fu: int | None = None

    def __post_init__(self) -> None:
        _expect(self.seat != self.from_seat, "a win from another seat", self.from_seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinWithdrawn:
    """A claimed win is taken back before it was confirmed."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """A seat laid its concealed tiles open: at a win with the winning tile apart, at a draw without one."""

    seat: Seat
    tiles: tuple[Tile, ...]
    """The concealed tiles, melds and winning tile left out: 13, 10, 7, 4 or 1 in a right hand."""
    winning_tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitTold:
    """A seat told its own wait, privately; it lasts until that seat's next discard of another shape.

    No message, log or list that others read tells it: its repr leaves the tiles out.
    """

    seat: Seat
    tiles: tuple[Tile, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TenpaiStated:
    """A seat said tenpai or noten at a draw."""

    seat: Seat
    is_tenpai: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawReached:
    """The wall is used up and nobody won (people confirm it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortCalled:
    """An abortive draw was called, by a seat (nine terminals) or by the table: a question where it has no ground."""

    reason: AbortReason
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """A tile or a meld was put back where it came from: the last discard, or the last call when `meld` is set."""

    seat: Seat
    meld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesExposed:
    """Tiles of a seat's hand, or of the wall, were seen by others."""

    seat: Seat
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoulLogged:
    """People decided that a foul happened. `clause`: catalogue number, article (`EMA 6.6`) or `R23`."""

    seat: Seat
    clause: str
    option: str | None = None
    """Another option than the house's, this once."""
    note: str = ""
    facts: tuple[str, ...] = ()
    """What people tell about it, where that decides: `deliberate`, `not restorable`, `exposed=3`, `breaker=2`."""
    by: str = ""
    """Who decided it: people as the table tells them apart, `panel`, `owner`."""
    hand: int | None = None
    """Which hand of the game it is about, from 0; the next one is opened by it. None is the hand in play or, between
    hands, the one just settled."""

    def __post_init__(self) -> None:
        for text in self.facts:
            check_fact(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoulCancelled:
    """A logged foul was withdrawn; `foul` counts its hand's logged fouls from 0."""

    foul: int
    reason: str
    by: str = ""
    hand: int | None = None
    """Which hand of the game it was logged in, from 0; None is the one on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsConfirmed:
    """People confirmed what lies open: claims are closed and, if nothing is missing, the hand is settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled:
    """The hand ends with these payments. Accepted at any point, with no discards seen too (settled by hand)."""

    settlement: Settlement


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiTold:
    """People say afterwards that a seat's riichi stands: 1000 is charged at once.

    Declared by the tile that lay upright it is a riichi in full (WRC 12.3.5); where no tile was seen it only stands.
    """

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTold:
    """People say how the hand ended, and confirm it: payments follow by the rules. Accepted at any point."""

    result: ToldResult


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """People end the game here, before the rules do; a hand in play does not count."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSignal:
    """Time is called, as at a tournament: the rule set says which hand is the last."""


Event = (
    HandStarted
    | Discarded
    | TilePassed
    | Called
    | AddedKan
    | ClosedKan
    | DoraTurned
    | UraTurned
    | StickPlaced
    | StickTakenBack
    | RiichiVoiced
    | RiichiOpened
    | WinClaimed
    | WinWithdrawn
    | HandShown
    | WaitTold
    | TenpaiStated
    | DrawReached
    | AbortCalled
    | PutBack
    | TilesExposed
    | FoulLogged
    | FoulCancelled
    | ClaimsConfirmed
    | HandSettled
    | RiichiTold
    | ResultTold
    | GameEnded
    | TimeSignal
)
"""Every event, as one closed union."""
