"""Events that end a hand: wins and draws, the hands shown for them, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.rules.events.event_fields import WinKind, expect
from table.rules.scoring.possible_counts import check_count, check_yaku
from table.rules.terms.line_reader import NO_TILES, LineReader, option_text
from table.rules.terms.melds import Meld, melds_text, parse_melds
from table.rules.terms.result_notation import declared_text, read_declared, read_settlement, settlement_text
from table.rules.terms.results import ABORTS, AbortReason, DeclaredResult, Settlement
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, tiles_text
from table.rules.terms.written_forms import NotationValue, notation_form


def _check_han_and_fu(line: LineReader, claim: WinClaimed) -> None:
    if claim.han is None and claim.fu is not None:
        raise line.fail(f"han beside {claim.fu} fu", None)
    if claim.han is not None:
        check_count(claim.han, claim.fu, is_tsumo=claim.kind is WinKind.TSUMO)


def _check_yaku(_: LineReader, event: HandSettled | ResultDeclared) -> None:
    for win in event.settlement.wins if isinstance(event, HandSettled) else event.result.wins:
        check_yaku(win.yaku)


@notation_form(
    "SEAT ron [from SEAT] [han=N] [fu=N]",
    "a win on another player's tile is claimed; han and fu if no hand is shown",
    "1 ron from 0 han=3 fu=40",
    kind=WinKind.RON,
    check=_check_han_and_fu,
)
@notation_form(
    "SEAT tsumo [han=N] [fu=N]",
    "a win on the seat's own draw is claimed",
    "1 tsumo",
    in_full="SEAT tsumo [from SEAT] [han=N] [fu=N]",
    kind=WinKind.TSUMO,
    check=_check_han_and_fu,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WinClaimed(NotationValue):
    """A seat claimed a win. For a ron, `from_seat` is the discarder; None means the seat of the last tile."""

    seat: Seat
    kind: WinKind
    from_seat: Seat | None = None
    han: int | None = None
    """Han entered by people, if no hand is shown."""
    fu: int | None = None

    def __post_init__(self) -> None:
        expect(self.seat != self.from_seat, "a win from another seat", int(self.seat))


@notation_form("SEAT withdraws", "the claimed win is withdrawn", "1 withdraws")
@dataclass(frozen=True, slots=True, kw_only=True)
class WinWithdrawn(NotationValue):
    """A claimed win was withdrawn before it was confirmed."""

    seat: Seat


def _read_shown_hand(line: LineReader) -> dict[str, object]:
    tiles, melds = line.tiles(), line.text("melds")
    winning_tile = line.tile() if line.takes("with") else None
    return {"tiles": tiles, "winning_tile": winning_tile, "melds": () if melds is None else parse_melds(melds)}


@notation_form(
    "SEAT shows TILES [with TILE] [melds=MELD,MELD]",
    "the concealed tiles are shown; with: the winning tile, apart; melds: those that nobody saw being called, where "
    "no discard was seen or some may have gone unseen, a closed kan in brackets",
    "1 shows 11p45s with 6s melds=123m,555z,(1111p)",
    read=_read_shown_hand,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(NotationValue):
    """A seat showed its concealed tiles: at a win with the winning tile apart, at a draw without one."""

    seat: Seat
    tiles: tuple[Tile, ...]
    """The concealed tiles without melds and winning tile: 13, 10, 7, 4 or 1 in a complete hand."""
    winning_tile: Tile | None = None
    melds: tuple[Meld, ...] = ()
    """The melds that nobody saw being called, without discarders; where every discard was seen, calls are events."""

    def __post_init__(self) -> None:
        is_known = any(meld.from_seat is not None for meld in self.melds)
        expect(not is_known and len(self.melds) <= 4, "four melds at most, without discarders", self.melds)

    def __str__(self) -> str:
        winning = "" if self.winning_tile is None else f" with {self.winning_tile}"
        melds = option_text("melds", melds_text(self.melds) or None)
        return f"{int(self.seat)} shows {tiles_text(self.tiles) or NO_TILES}{winning}{melds}"


@notation_form("SEAT waits TILES", "a seat declares its wait privately", "1 waits 36m")
@dataclass(frozen=True, slots=True, kw_only=True)
class WaitDeclared(NotationValue):
    """A seat declared its wait privately; the declaration holds until a discard may have changed the hand.

    No message, log or list that others can read contains the tiles: the repr omits them.
    """

    seat: Seat
    tiles: tuple[Tile, ...] = field(repr=False)


@notation_form("SEAT tenpai", "tenpai is declared at a draw", "1 tenpai", is_tenpai=True)
@notation_form("SEAT noten", "noten is declared at a draw", "1 noten", is_tenpai=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class TenpaiStated(NotationValue):
    """A seat said tenpai or noten at a draw."""

    seat: Seat
    is_tenpai: bool


@notation_form(
    "draw [watched]",
    "the wall is exhausted; watched: a camera followed the hand, so discards are missing if tiles are left to draw",
    "draw",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawReached(NotationValue):
    """The wall is exhausted and nobody won; people still confirm it."""

    is_watched: bool = False
    """Whether a camera followed the hand, so that its rivers lack the discards it did not see; else they are whole."""


@notation_form(
    "abort REASON [by SEAT]",
    f"an abortive draw is declared: {', '.join(reason.value for reason in ABORTS)}",
    "abort nine_terminals by 1",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AbortCalled(NotationValue):
    """An abortive draw was called, by a seat (nine terminals) or by the table; without grounds it raises a question."""

    reason: AbortReason
    seat: Seat | None = None


@notation_form("confirm", "people confirm: the hand is settled, or missing facts are named", "confirm")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsConfirmed(NotationValue):
    """People confirmed the claims: they are closed and, if nothing is missing, the hand is settled."""


@notation_form(
    "settled KIND N,N,N,N [winN=SEAT:FROM:HAN:FU:YAKUMAN:POINTS:YAKU] [reason=REASON] [tenpai=SEATS] [deposits=N] "
    "[pot=N] [next=stays] [honba=N] [chips=N,N,N,N]",
    "people settle the hand with these payments by seat; the sticks that stay on the table, the next dealer, the "
    "next honba",
    "settled ron 0,-3900,3900,0 win0=2:1:3:30:0:3900:tanyao+1,dora+2",
    read=lambda line: {"settlement": read_settlement(line)},
    check=_check_yaku,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled(NotationValue):
    """People settled the hand with these payments. Accepted at any point, even if no discard was seen."""

    settlement: Settlement

    def __str__(self) -> str:
        return settlement_text(self.settlement)


@notation_form(
    "told KIND [winN=SEAT:FROM:HAN:FU:YAKUMAN:YAKU:LIABLE] [reason=REASON] [tenpai=SEATS] [nagashi=SEATS] "
    "[riichi=SEATS] [chipsN=N]",
    "people declare how the hand ended, and payments follow: ron, tsumo, draw or abort; han and fu are - for a "
    "yakuman; each yaku once; LIABLE as big_three_dragons+2; chips of each payer, if the rules use chips",
    "told ron win0=2:1:3:30:0:riichi+1,dora+2: riichi=02",
    read=lambda line: {"result": read_declared(line)},
    check=_check_yaku,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDeclared(NotationValue):
    """People declared and confirmed how the hand ended; the rules compute the payments. Accepted at any point."""

    result: DeclaredResult

    def __str__(self) -> str:
        return declared_text(self.result)
