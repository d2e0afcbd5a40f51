"""What the rules know of a game and of the hand being played: immutable, made anew by each event.

Everything here was seen on the table or said by people, or follows from it; hidden tiles have no place. What depends on
nobody claiming a tile waits in `HandState.claimable` until the tile has passed (see `table.rules.advance`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from table.rules.events import HandShown, HandStarted, Origin, PointsAdjusted, WinKind
from table.rules.penalties.consequence import Consequence, Due, Part
from table.rules.terms.announcements import Announcement, Suspicion
from table.rules.terms.melds import Meld
from table.rules.terms.results import AbortReason, Deltas, Settlement
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Round, Seat, four
from table.rules.terms.tiles import Tile

if TYPE_CHECKING:
    from table.rules.scoring.hand_value import HandValue

DRAWS: Final = 70
"""Tiles to be drawn in a hand: 136 less four hands of 13 and the dead wall of 14, the dealer's first draw included."""


class Phase(Enum):
    """How far the hand has come."""

    PLAY = "play"
    """Tiles are drawn and laid; wins may be claimed."""
    CLAIMED = "claimed"
    """At least one win is claimed and not confirmed: others may still claim the same tile."""
    ENDING = "ending"
    """The wall is used up or an abort was called: hands may be shown, and people confirm."""
    SETTLED = "settled"
    """The settlement is confirmed; only a new hand can follow."""


class LaidKind(Enum):
    """What laid a tile where others may claim it."""

    DISCARD = "discard"
    ADDED_KAN = "added_kan"
    CLOSED_KAN = "closed_kan"

    @property
    def is_kan(self) -> bool:
        """Whether a kan laid it."""
        return self is not LaidKind.DISCARD


@dataclass(frozen=True, slots=True, kw_only=True)
class RiverTile:
    """One discard. A called one stays in its discarder's river here, with who called it: it counts for furiten."""

    tile: Tile
    index: int
    """Which discard of the hand it is, all seats together, counted from 0."""
    sideways: bool = False
    is_declaration: bool = False
    """The sideways tile that declared riichi, not one that replaces it (R19)."""
    origin: Origin = Origin.UNKNOWN
    called_by: Seat | None = None


class Ippatsu(Enum):
    """A seat's ippatsu window (R40)."""

    NONE = "none"
    OPEN = "open"
    LAST_CHANCE = "last_chance"
    """Only the declarer's own draw is left."""
    CLOSED = "closed"

    @property
    def is_open(self) -> bool:
        """Whether a win now scores ippatsu."""
        return self in (Ippatsu.OPEN, Ippatsu.LAST_CHANCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimable:
    """A tile that was laid where others could claim it: a discard, or the tile of a kan."""

    tile: Tile
    seat: Seat
    kind: LaidKind
    place: int
    """Its place among all such tiles of the hand, counted from 0: `HandState.laid[place]`."""
    ippatsu: tuple[Ippatsu, ...]
    """The windows as they stand for who claims this tile."""
    dora_due: int = 0
    """Indicators due for kans as they stand for who claims this tile: none for the kan that laid it."""
    tiles_left: int = DRAWS
    """Tiles left to draw when it was laid."""
    pointed: Seat | None = None
    """The seat that counts as discarder where the caller turned the meld's tile toward another one (EMA)."""

    @property
    def is_last(self) -> bool:
        """Whether it is the discard after which no tile is left to draw."""
        return self.tiles_left == 0 and self.kind is LaidKind.DISCARD


class RiichiStage(Enum):
    """The life of one riichi."""

    NONE = "none"
    DECLARED = "declared"
    """The sideways tile lies; it may still be ronned."""
    ACCEPTED = "accepted"
    """It stands, and 1000 is charged."""
    VOID = "void"
    """The declaration tile was ronned (R13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Riichi:
    """A seat's riichi."""

    stage: RiichiStage = RiichiStage.NONE
    is_double: bool = False
    index: int | None = None
    """Which discard of the hand declared it, counted from 0."""
    place: int | None = None
    """The same tile's place in `HandState.laid`."""
    has_passed: bool = False
    """The declaration tile was not ronned, as far as is known."""
    stick_seen: bool = False
    is_voiced: bool = False
    opened: tuple[Tile, ...] = ()
    """The tiles laid open to show its wait; empty where none are."""
    upright: int | None = None
    """The place in `HandState.laid` of the first discard that lay upright though riichi was said or the stick lay."""

    @property
    def is_declared(self) -> bool:
        """Whether the seat is in riichi, accepted or waiting to be."""
        return self.stage in (RiichiStage.DECLARED, RiichiStage.ACCEPTED)

    @property
    def is_accepted(self) -> bool:
        """Whether it stands and 1000 is charged."""
        return self.stage is RiichiStage.ACCEPTED

    @property
    def is_open(self) -> bool:
        """Whether it was declared with tiles laid open that show its wait."""
        return bool(self.opened) and self.is_declared


@dataclass(frozen=True, slots=True, kw_only=True)
class Pao:
    """Who pays for a yakuman because he discarded what completed its visible part."""

    winner: Seat
    liable: Seat
    yakuman: str
    """`big_three_dragons`, `big_four_winds` or `four_kans`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claimed win."""

    seat: Seat
    kind: WinKind
    from_seat: Seat
    """The discarder; the winner himself on a tsumo."""
    laid: Claimable | None = None
    """The tile it is claimed on; None on a tsumo."""
    han: int | None = None
    fu: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedFoul:
    """A foul that people logged; a cancelled one stays listed."""

    seat: Seat
    clause: str
    option: str | None = None
    note: str = ""
    cancelled: str | None = None
    """The reason for which it was withdrawn."""
    facts: tuple[str, ...] = ()
    """What people told about it."""
    by: str = ""
    """Who decided it."""
    consequence: Consequence = field(default_factory=Consequence)
    discards: int = 0
    """How many tiles had been discarded in the hand when it was logged."""
    is_after: bool = False
    """Whether it was logged after the hand was settled."""
    voided: tuple[tuple[Seat, Riichi], ...] = ()
    """Each riichi that it made void, as it was."""
    led_to: Part = field(default_factory=Part)
    """What it led to when its hand was settled; what lapsed, or a valid win made void, is not in it."""


class Furiten(Enum):
    """The three ways to be furiten."""

    DISCARD = "discard"
    """A tile of the wait lies in the own river, called-away discards included (R50)."""
    TEMPORARY = "temporary"
    """A tile of the wait was let pass since the own last discard."""
    RIICHI = "riichi"
    """In riichi, a tile of the wait was let pass: to the end of the hand (R51, R53)."""


@dataclass(frozen=True, kw_only=True)
class HandState:
    """One hand. Tuples of four are by seat.

    It has no slots, alone among the values, so that a draft takes all of it over in one go (`table.rules.draft`).
    """

    start: HandStarted
    phase: Phase = Phase.PLAY
    dora_indicators: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    ura_by: tuple[Seat, ...] = ()
    """Who turned the ura indicators."""
    rivers: tuple[tuple[RiverTile, ...], ...] = ((), (), (), ())
    melds: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
    discards: int = 0
    """How many tiles were discarded by all."""
    laid: tuple[Claimable, ...] = ()
    """Every tile that others could claim, in order."""
    counts: tuple[int, ...] = (0,) * 38
    """Copies seen on the table by kind (0-33), then red fives m, p, s (34-36) and unread tiles (37)."""
    turn: Seat | None = None
    """Who must discard next; None while the last tile may be claimed or the hand is ending."""
    claimable: Claimable | None = None
    """The last tile that others could claim; None once somebody called it or acted on an own draw."""
    has_passed: bool = False
    """Whether nobody claims that tile, as far as is known; a win can still take that back (R13)."""
    barred: frozenset[int] = frozenset()
    """Kinds that the seat in turn may not discard after its call (kuikae)."""
    has_drawn: bool = False
    """Whether the seat in turn holds a drawn tile (no: it called a discard and owes one)."""
    is_replacement: bool = False
    """Whether the tile drawn last came from the dead wall, after a kan."""
    tiles_left: int = DRAWS
    """Tiles that can still be drawn, as far as draws are known."""
    is_interrupted: bool = False
    """Whether anybody has called or made a kan: the first go-round is over for all (R39)."""
    riichi: tuple[Riichi, ...] = (Riichi(),) * 4
    ippatsu: tuple[Ippatsu, ...] = (Ippatsu.NONE,) * 4
    sideways_due: tuple[bool, ...] = (False,) * 4
    """Seats whose riichi tile was called: their next discard goes sideways (R18, R20)."""
    sticks: tuple[bool, ...] = (False,) * 4
    """Whether a stick of this hand lies in the seat's stick zone."""
    declared_waits: tuple[frozenset[int] | None, ...] = (None,) * 4
    """Kinds that a seat said it waits for, privately."""
    declared_furiten: tuple[frozenset[Furiten], ...] = (frozenset(),) * 4
    """What a seat that told its wait has been told about it."""
    kans: tuple[Seat, ...] = ()
    """Who made each kan, in order."""
    dora_due: int = 0
    """Indicators that kans call for so far, turned or not."""
    pao: tuple[Pao, ...] = ()
    claims: tuple[Claim, ...] = ()
    shown: tuple[HandShown | None, ...] = (None,) * 4
    opened: tuple[Seat, ...] = ()
    """Whose hands lie open, in the order in which they were shown first."""
    tenpai: tuple[bool | None, ...] = (None,) * 4
    """What each seat stated at a draw."""
    abort: AbortReason | None = None
    """The abort that was called or came about; None at an exhaustive draw."""
    abort_by: Seat | None = None
    pending: AbortReason | None = None
    """An abort that waits for the last tile to pass, and four riichi for its stick too (R66)."""
    has_gap: bool = False
    """Whether a discard is known to have been missed."""
    fouls: tuple[LoggedFoul, ...] = ()
    values: tuple[HandValue | None, ...] = (None,) * 4
    """What each shown winning hand is worth with the indicators turned so far; None until it was looked at."""
    before: HandState | None = field(default=None, compare=False, repr=False)
    """The hand before the last tile or meld was laid, in case it is put back."""
    before_ron: HandState | None = field(default=None, compare=False, repr=False)
    """The hand before the first ron on the claimed tile, in case none on it stands."""
    proposal: Settlement | None = None
    missing: tuple[str, ...] = ()
    """What the settlement still waits for: `hand 2`, `ura 1`, `stick 0`, `tenpai 3`, `ruling 1`."""

    @property
    def round(self) -> Round:
        """The hand's place in the game."""
        return self.start.round

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        return self.start.dealer

    @property
    def is_live(self) -> bool:
        """Whether it is not settled yet."""
        return self.phase is not Phase.SETTLED

    def last_discard(self, seat: Seat) -> RiverTile | None:
        """The seat's newest discard, called away or not; None before its first."""
        return self.rivers[seat][-1] if self.rivers[seat] else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedHand:
    """One line of the score sheet."""

    round: Round
    honba: int
    dealer: Seat
    settlement: Settlement | None
    """None where a new hand was dealt before the old one could be settled: its points are what the next start says."""
    scores: Deltas
    """After the hand."""
    riichi: tuple[Seat, ...] = ()
    """Seats whose riichi was charged."""
    is_riichi_declared: bool = False
    """Whether people said who was in riichi, when they told how the hand ended."""
    fouls: tuple[LoggedFoul, ...] = ()
    dues: tuple[Due, ...] = ()
    """What its fouls leave to be settled with the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points that people put right by hand."""

    hand: int
    """In which hand of the game, from 0, or before it was dealt."""
    event: PointsAdjusted
    honba: int
    """The counter before it."""
    scores: Deltas
    """The points with it before its hand; of an earlier hand they may have changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """A whole game.

    Sum of `scores` + 1000 x `deposits` + `deposit_points` never changes but by a rule or by people who say so.
    """

    scores: Deltas
    """Points by seat as they stand now: each accepted riichi has its 1000 taken off at once."""
    deposits: int = 0
    """Sticks of 1000 in the pot now, those of this hand's accepted riichi included."""
    deposit_points: int = 0
    hand: HandState | None = None
    """The hand in play or, until the next is dealt, the one just settled; None before the first."""
    history: tuple[FinishedHand, ...] = field(default=())
    next_start: HandStarted | None = None
    """What the next hand starts with, its indicator apart; None while a hand is in play and after the game."""
    bust_bonus: Deltas | None = None
    """What seats that went bust pay at the end, by seat, beside `scores`; None where nobody does."""
    ends_after: int | None = None
    """How many finished hands end the game since time was called; None where it was not."""
    ranking: tuple[Seat, ...] = ()
    """Seats from first to last place; empty while the game goes on."""
    adjustments: tuple[Adjustment, ...] = ()
    """What people put right by hand, oldest first."""

    def __post_init__(self) -> None:
        if len(self.scores) != 4:
            raise InvalidValueError(f"expected four scores, got {self.scores!r}")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.ranking)

    def wins_in_a_row(self, seat: Seat) -> int:
        """Returns how many hands the seat has won in a row up to now; hands that a foul ended are passed over."""
        count = 0
        for line in reversed(self.history):
            settlement = line.settlement
            if settlement is not None and settlement.reason is not None and settlement.reason.is_penalty:
                continue
            if settlement is None or all(win.seat is not seat for win in settlement.wins):
                break
            count += 1
        return count

    @property
    def chips(self) -> Deltas | None:
        """Chips won and lost so far, by seat; None where none are played."""
        moved = [each.settlement.chips for each in self.history if each.settlement and each.settlement.chips]
        if not moved:
            return None
        return four(map(sum, zip(*moved, strict=True)))

    @property
    def is_last_hand_done(self) -> bool:
        """Whether time was called, and the last hand to be played since has ended."""
        return self.ends_after is not None and len(self.history) >= self.ends_after

    @property
    def live(self) -> HandState | None:
        """The hand in play, or None between hands."""
        return self.hand if self.hand is not None and self.hand.is_live else None

    @property
    def on_table(self) -> int:
        """Which hand of the game people look at, from 0.

        That is the hand in play; between hands the one just settled while its discards lie there, else the next one.
        """
        if self.hand is None or self.hand.is_live or (self.next_start is not None and not self.hand.discards):
            return len(self.history)
        return len(self.history) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one event makes of a game, and what there is to say."""

    state: GameState
    announcements: tuple[Announcement, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
