"""The known state of one hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from table.rules.events import HandShown, HandStarted
from table.rules.state.laid_tiles import DRAWS, Claim, LaidTile, Pao, RiverTile
from table.rules.state.logged_foul import LoggedFoul
from table.rules.state.missing_fact import MissingFact
from table.rules.state.riichi_status import Furiten, Ippatsu, Riichi
from table.rules.state.seen_play import Gap, SeenPlay
from table.rules.terms.melds import Meld
from table.rules.terms.results import AbortReason, Settlement
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile

if TYPE_CHECKING:
    from table.rules.scoring.hand_value import HandValue


class Phase(Enum):
    """The phases of a hand."""

    PLAY = "play"
    """Tiles are drawn and discarded; wins may be claimed."""
    CLAIMED = "claimed"
    """At least one win is claimed but not confirmed; others may still claim the same tile."""
    ENDING = "ending"
    """The wall is exhausted or an abort was called; hands may be shown, and people confirm."""
    SETTLED = "settled"
    """The settlement is confirmed; only a new hand can follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidCall:
    """A call that a foul made void and that was taken back, with its caller's discard after it."""

    foul: int
    """The foul's number in the hand."""
    seat: Seat
    """The caller."""
    hand: HandState
    """The hand with the call."""
    laid_tiles: tuple[LaidTile, ...]
    """The laid tiles just after the call was taken back."""
    melds: tuple[tuple[Meld, ...], ...]
    """The melds just after the call was taken back."""


@dataclass(frozen=True, kw_only=True)
class HandState(SeenPlay):
    """One hand. Tuples of four are by seat.

    Unlike other values it has no slots, so that a draft can copy its whole dictionary (`table.rules.draft`).
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
    """The number of discards of all seats together."""
    laid_tiles: tuple[LaidTile, ...] = ()
    """Every tile that others could claim, in order."""
    counts: tuple[int, ...] = (0,) * 38
    """Copies seen on the table by kind (0-33), then red fives m, p, s (34-36) and unread tiles (37)."""
    turn: Seat | None = None
    """Who must discard next; None while the last tile may be claimed or the hand is ending."""
    claimable_tile: LaidTile | None = None
    """The last tile that others could claim; None once somebody called it or acted after drawing."""
    has_passed: bool = False
    """Whether nobody claims that tile, as far as is known; a ron can still undo this (R13)."""
    barred_kinds: frozenset[int] = frozenset()
    """Kinds that the seat in turn may not discard after its call (kuikae)."""
    has_drawn: bool = False
    """Whether the seat in turn has drawn a tile; if not, it called a discard and must discard."""
    is_replacement: bool = False
    """Whether the last drawn tile came from the dead wall, after a kan."""
    tiles_left: int = DRAWS
    """The number of tiles left to draw, as far as draws are known."""
    is_interrupted: bool = False
    """Whether anybody has called or made a kan, which ends the first go-round for all (R39)."""
    riichi: tuple[Riichi, ...] = (Riichi(),) * 4
    ippatsu: tuple[Ippatsu, ...] = (Ippatsu.NONE,) * 4
    sideways_due: tuple[bool, ...] = (False,) * 4
    """Whether the seat's next discard must be sideways, since its riichi tile was called (R18, R20)."""
    sticks: tuple[bool, ...] = (False,) * 4
    """Whether a stick was placed in the seat's stick zone in this hand."""
    declared_waits: tuple[frozenset[int] | None, ...] = (None,) * 4
    """The kinds that each seat declared, privately, to wait for."""
    declared_furiten: tuple[frozenset[Furiten], ...] = (frozenset(),) * 4
    """The kinds of furiten already announced to a seat that declared its wait."""
    kans: tuple[Seat, ...] = ()
    """The seat that made each kan, in order."""
    dora_due: int = 0
    """The number of indicators due for kans so far, turned or not."""
    pao: tuple[Pao, ...] = ()
    claims: tuple[Claim, ...] = ()
    shown_hands: tuple[HandShown | None, ...] = (None,) * 4
    openers: tuple[Seat, ...] = ()
    """Seats whose hands are open, in the order in which they were first shown."""
    tenpai: tuple[bool | None, ...] = (None,) * 4
    """Whether each seat declared tenpai at a draw; None if it declared nothing."""
    abort: AbortReason | None = None
    """The abort that was called or caused by play; None at an exhaustive draw."""
    abort_by: Seat | None = None
    pending_abort: AbortReason | None = None
    """An abort that waits until the last tile has passed; four riichi waits for the stick too (R66)."""
    lapsed_aborts: tuple[AbortReason, ...] = ()
    """The aborts by play that were due when play went on; they are not due again."""
    missed_at: tuple[int | None, ...] = (None,) * 4
    """The number of laid tiles when a discard of each seat was last missed, or may have been; None if never."""
    unseen_from: int | None = None
    """The number of laid tiles when play last began to go unseen; None if it never did."""
    gap: Gap | None = None
    """The hand's state when play first began to go unseen; None if it never did, or if nothing was missed."""
    late_indexes: tuple[int, ...] = field(default=(), compare=False)
    """The indexes in `laid_tiles` of the tiles found after a gap, before it was proven that the gap hid nothing."""
    is_draw_watched: bool = False
    """Whether a camera followed a hand that ended in a draw, so that discards are missing if tiles are left to draw."""
    fouls: tuple[LoggedFoul, ...] = ()
    values: tuple[HandValue | None, ...] = (None,) * 4
    """The value of each shown winning hand with the indicators turned so far; None until it is computed."""
    before_act: HandState | None = field(default=None, compare=False, repr=False)
    """The hand before the last tile or meld, in case that is put back."""
    void_calls: tuple[VoidCall, ...] = field(default=(), compare=False, repr=False)
    """The calls that fouls made void, in case such a foul is cancelled."""
    before_ron: HandState | None = field(default=None, compare=False, repr=False)
    """The hand before the first ron on the claimed tile, in case every ron is withdrawn."""
    before_tsumo: HandState | None = field(default=None, compare=False, repr=False)
    """The hand before a tsumo claimed out of turn, in case it is withdrawn."""
    proposal: Settlement | None = None
    missing: tuple[MissingFact, ...] = ()
    """The facts that the settlement still needs, in the order in which people are asked."""

    @property
    def round(self) -> Round:
        """The hand's place in the game."""
        return self.start.round

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        return self.start.dealer

    @property
    def has_begun(self) -> bool:
        """Whether any play is on record: a discard, or a claimed win."""
        return self.discards > 0 or bool(self.claims)

    @property
    def is_live(self) -> bool:
        """Whether the hand is not settled yet."""
        return self.phase is not Phase.SETTLED
