"""Everything that a table can show or people can say: the only input of the rules.

Events never contain hidden information. Time, source and confidence are in the journal's envelope, never here.
Events check their own fields when made; whether one *can* happen now is decided by `table.rules.advance`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from table.rules.penalties.foul_facts import check_fact
from table.rules.scoring.possible_counts import check_count, check_yaku
from table.rules.terms.line_reader import Line, numbers_text, option_text, quoted
from table.rules.terms.result_notation import declared_text, read_declared, read_settlement, settlement_text
from table.rules.terms.results import ABORTS, STICK, AbortReason, DeclaredResult, Settlement
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, tiles_text
from table.rules.terms.written_forms import Written, written


class Origin(Enum):
    """Where a discarded tile came from."""

    HAND = "hand"
    DRAWN = "drawn"
    UNKNOWN = "unknown"


class CallKind(Enum):
    """A call of another seat's discard, with its names in mjai and in tenhou.net/6 melds."""

    _value_: str
    mjai: str
    tenhou: str

    CHI = "chi", "chi", "c"
    PON = "pon", "pon", "p"
    OPEN_KAN = "open_kan", "daiminkan", "m"

    def __new__(cls, word: str, mjai: str = "", tenhou: str = "") -> CallKind:
        """Makes the word the value."""
        kind = object.__new__(cls)
        kind._value_, kind.mjai, kind.tenhou = word, mjai, tenhou
        return kind


class WinKind(Enum):
    """How a win is claimed."""

    RON = "ron"
    TSUMO = "tsumo"


def _expect(condition: bool, expected: str, got: object) -> None:
    if not condition:
        raise InvalidValueError(f"expected {expected}, got {got!r}")


def _read_start(line: Line) -> dict[str, object]:
    place = Round.parse(line.word("a round from E1 to N4"))
    dealer, dora = line.text("dealer"), line.text("dora")
    return {
        "round": place,
        "dealer": SEATS[place.number - 1] if dealer is None else line.seat_of(dealer),
        "scores": line.four(line.text("scores")),
        "honba": line.number("honba") or 0,
        "deposits": line.number("deposits") or 0,
        "deposit_points": line.number("pot") or 0,
        "dora_indicator": None if dora is None else Tile(dora),
    }


def _read_adjustment(line: Line) -> dict[str, object]:
    return {
        "points": line.four(line.text("points")),
        "sticks": line.number("sticks") or 0,
        "honba": line.number("honba"),
        "reason": line.text("reason") or "",
        "by": line.text("by") or "",
    }


def _check_counted(line: Line, claim: WinClaimed) -> None:
    if claim.han is None and claim.fu is not None:
        raise line.fail(f"han beside {claim.fu} fu", None)
    if claim.han is not None:
        check_count(claim.han, claim.fu, is_tsumo=claim.kind is WinKind.TSUMO)


def _check_yaku(_: Line, event: HandSettled | ResultDeclared) -> None:
    for win in event.settlement.wins if isinstance(event, HandSettled) else event.result.wins:
        check_yaku(win.yaku)


@written(
    "start ROUND scores=N,N,N,N [dealer=SEAT] [honba=N] [deposits=N] [pot=N] [dora=TILE]",
    "a hand is dealt: E1 to N4, points by seat, sticks of 1000 and other points in the pot, the dora indicator",
    "start E1 scores=25000,25000,25000,25000 honba=1 dora=1z",
    read=_read_start,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted(Written):
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

    def __str__(self) -> str:
        options = (
            ("dealer", int(self.dealer)),
            ("scores", numbers_text(self.scores)),
            ("honba", self.honba or None),
            ("deposits", self.deposits or None),
            ("pot", self.deposit_points or None),
            ("dora", self.dora_indicator),
        )
        return f"start {self.round!r}" + "".join(option_text(name, value) for name, value in options)


@written(
    "SEAT discards TILE [sideways] [drawn|hand]",
    "a tile is discarded; sideways declares riichi or replaces a called riichi tile",
    "0 discards 5z sideways drawn",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Written):
    """A tile was laid in a river; `sideways` declares riichi (R09) or replaces a called declaration tile (R18)."""

    seat: Seat
    tile: Tile
    sideways: bool = False
    origin: Origin = Origin.UNKNOWN


@written("pass", "nobody claims the last tile", "pass")
@dataclass(frozen=True, slots=True, kw_only=True)
class TilePassed(Written):
    """Nobody claims the last discard or added kan any more: inferred from a later act or confirmed, never timed."""


@written(
    "SEAT chi TILE from SEAT with TILES [points SEAT]",
    "a chi, with the caller's own tiles; points: the seat that the turned tile points at",
    "1 chi 3m from 0 with 24m points 0",
    kind=CallKind.CHI,
)
@written("SEAT pon TILE from SEAT with TILES [points SEAT]", "a pon", "2 pon 5z from 1 with 55z", kind=CallKind.PON)
@written(
    "SEAT kan TILE from SEAT with TILES [points SEAT]",
    "an open kan",
    "1 kan 5s from 0 with 550s",
    kind=CallKind.OPEN_KAN,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Written):
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


@written("SEAT adds TILE", "the fourth tile is added to the seat's pon", "2 adds 5z")
@dataclass(frozen=True, slots=True, kw_only=True)
class AddedKan(Written):
    """The fourth tile was laid to an own pon (shouminkan)."""

    seat: Seat
    tile: Tile


@written("SEAT closed TILES", "a closed kan", "1 closed 1111m")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedKan(Written):
    """Four tiles from the own hand (ankan)."""

    seat: Seat
    tiles: tuple[Tile, Tile, Tile, Tile]

    def __post_init__(self) -> None:
        _expect(len(self.tiles) == 4, "four tiles", tiles_text(self.tiles))


@written("dora TILE", "a dora indicator is turned", "dora 3p")
@dataclass(frozen=True, slots=True, kw_only=True)
class DoraTurned(Written):
    """A dora indicator was turned up: the first of the hand, or one for a kan."""

    indicator: Tile


@written("SEAT ura TILES", "a winner turns the ura indicators", "1 ura 3p4s")
@dataclass(frozen=True, slots=True, kw_only=True)
class UraTurned(Written):
    """The ura indicators were turned by a winner, in the order of the dora indicators above them."""

    seat: Seat
    indicators: tuple[Tile, ...]


@written("SEAT stick", "a stick of 1000 is placed", "1 stick")
@dataclass(frozen=True, slots=True, kw_only=True)
class StickPlaced(Written):
    """A 1000-point stick was laid in a seat's stick zone."""

    seat: Seat


@written("SEAT stick-back", "the stick is taken away", "1 stick-back")
@dataclass(frozen=True, slots=True, kw_only=True)
class StickTakenBack(Written):
    """A seat's stick was taken away again before the hand's end."""

    seat: Seat


@written("SEAT riichi", "riichi is announced", "1 riichi")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiVoiced(Written):
    """A seat said riichi (heard, or pressed)."""

    seat: Seat


@written("SEAT opens TILES", "the tiles that show the wait of a riichi are laid open", "1 opens 45m")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiOpened(Written):
    """A seat laid open the tiles that show what its riichi waits for: the whole hand, or the part of it that waits."""

    seat: Seat
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        _expect(1 <= len(self.tiles) <= 13, "from 1 to 13 tiles laid open", self.tiles)


@written(
    "SEAT ron [from SEAT] [han=N] [fu=N]",
    "a win on another player's tile is claimed; han and fu if no hand is shown",
    "1 ron from 0 han=3 fu=40",
    kind=WinKind.RON,
    check=_check_counted,
)
@written(
    "SEAT tsumo [han=N] [fu=N]",
    "a win on the seat's own draw is claimed",
    "1 tsumo",
    in_full="SEAT tsumo [from SEAT] [han=N] [fu=N]",
    kind=WinKind.TSUMO,
    check=_check_counted,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WinClaimed(Written):
    """A seat claims a win. For a ron, `from_seat` is the discarder, or None where it follows from the last tile."""

    seat: Seat
    kind: WinKind
    from_seat: Seat | None = None
    han: int | None = None
    """Han entered by hand, where no hand is read."""
    fu: int | None = None

    def __post_init__(self) -> None:
        _expect(self.seat != self.from_seat, "a win from another seat", self.from_seat)


@written("SEAT withdraws", "the claimed win is withdrawn", "1 withdraws")
@dataclass(frozen=True, slots=True, kw_only=True)
class WinWithdrawn(Written):
    """A claimed win is taken back before it was confirmed."""

    seat: Seat


@written(
    "SEAT shows TILES [with TILE]",
    "the concealed tiles are shown; with: the winning tile, apart",
    "1 shows 123456789m11p45s with 6s",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown(Written):
    """A seat laid its concealed tiles open: at a win with the winning tile apart, at a draw without one."""

    seat: Seat
    tiles: tuple[Tile, ...]
    """The concealed tiles, melds and winning tile left out: 13, 10, 7, 4 or 1 in a right hand."""
    winning_tile: Tile | None = None


@written("SEAT waits TILES", "a seat declares its wait privately", "1 waits 36m")
@dataclass(frozen=True, slots=True, kw_only=True)
class WaitDeclared(Written):
    """A seat told its own wait, privately; it lasts until that seat's next discard of another shape.

    No message, log or list that others read tells it: its repr leaves the tiles out.
    """

    seat: Seat
    tiles: tuple[Tile, ...] = field(repr=False)


@written("SEAT tenpai", "tenpai is declared at a draw", "1 tenpai", is_tenpai=True)
@written("SEAT noten", "noten is declared at a draw", "1 noten", is_tenpai=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class TenpaiStated(Written):
    """A seat said tenpai or noten at a draw."""

    seat: Seat
    is_tenpai: bool


@written("draw", "the wall is exhausted", "draw")
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawReached(Written):
    """The wall is used up and nobody won (people confirm it)."""


@written(
    "abort REASON [by SEAT]",
    f"an abortive draw is declared: {', '.join(reason.value for reason in ABORTS)}",
    "abort nine_terminals by 1",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AbortCalled(Written):
    """An abortive draw was called, by a seat (nine terminals) or by the table: a question where it has no ground."""

    reason: AbortReason
    seat: Seat | None = None


@written("SEAT puts-back", "the last discard is taken back", "1 puts-back", meld=False)
@written("SEAT puts-back-meld", "the last meld is put back", "1 puts-back-meld", meld=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack(Written):
    """A tile or a meld was put back where it came from: the last discard, or the last call when `meld` is set."""

    seat: Seat
    meld: bool = False


@written("SEAT exposes TILES", "tiles of a hand or of the wall were seen by other players", "1 exposes 5z1m")
@dataclass(frozen=True, slots=True, kw_only=True)
class TilesExposed(Written):
    """Tiles of a seat's hand, or of the wall, were seen by others."""

    seat: Seat
    tiles: tuple[Tile, ...]


@written(
    "SEAT foul CLAUSE [option=LETTER] [facts=FACT,FACT] [note=TEXT] [by=WHO] [hand=N]",
    "people log a foul: a clause, an article or a requirement; option: instead of the rule set's; facts such as "
    "deliberate, 'not restorable', exposed=3; hand: the number of the hand, from 0",
    "1 foul 'EMA 6.4.3' facts='deliberate,not restorable' note='drew twice' by=owner hand=0",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class FoulLogged(Written):
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


@written(
    "cancel-foul N reason=TEXT [by=WHO] [hand=N]",
    "a logged foul is cancelled: N is its number in the hand, hand the number of the hand, both from 0",
    "cancel-foul 0 reason='it was misread' by=owner hand=0",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class FoulCancelled(Written):
    """A logged foul was withdrawn; `foul` counts its hand's logged fouls from 0."""

    foul: int
    reason: str
    by: str = ""
    hand: int | None = None
    """Which hand of the game it was logged in, from 0; None is the one on the table."""


@written("confirm", "people confirm: the hand is settled, or missing facts are named", "confirm")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsConfirmed(Written):
    """People confirmed what lies open: claims are closed and, if nothing is missing, the hand is settled."""


@written(
    "settled KIND N,N,N,N [winN=SEAT:FROM:HAN:FU:YAKUMAN:POINTS:YAKU] [reason=REASON] [tenpai=SEATS] [deposits=N] "
    "[pot=N] [next=stays] [honba=N] [chips=N,N,N,N]",
    "people settle the hand with these payments by seat; the sticks that stay on the table, the next dealer, the "
    "next honba",
    "settled ron 0,-3900,3900,0 win0=2:1:3:30:0:3900:tanyao+1,dora+2",
    read=lambda line: {"settlement": read_settlement(line)},
    check=_check_yaku,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettled(Written):
    """The hand ends with these payments. Accepted at any point, with no discards seen too (settled by hand)."""

    settlement: Settlement

    def __str__(self) -> str:
        return settlement_text(self.settlement)


@written("SEAT riichi-told", "people report a valid riichi whose tile nobody saw", "1 riichi-told")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiReported(Written):
    """People say afterwards that a seat's riichi stands: 1000 is charged at once.

    Declared by the tile that lay upright it is a riichi in full (WRC 12.3.5); where no tile was seen it only stands.
    """

    seat: Seat


@written(
    "told KIND [winN=SEAT:FROM:HAN:FU:YAKUMAN:YAKU:LIABLE] [reason=REASON] [tenpai=SEATS] [nagashi=SEATS] "
    "[riichi=SEATS] [chipsN=N]",
    "people declare how the hand ended, and payments follow: ron, tsumo, draw or abort; han and fu are - for a "
    "yakuman; each yaku once; chips of each payer, if the rules use chips",
    "told ron win0=2:1:3:30:0:riichi+1,dora+2: riichi=02",
    read=lambda line: {"result": read_declared(line)},
    check=_check_yaku,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDeclared(Written):
    """People say how the hand ended, and confirm it: payments follow by the rules. Accepted at any point."""

    result: DeclaredResult

    def __str__(self) -> str:
        return declared_text(self.result)


@written(
    "adjust points=N,N,N,N [sticks=N] [honba=N] reason=TEXT [by=WHO]",
    "people correct points: the change of each seat's points and of the sticks on the table; the new honba",
    "adjust points=-1000,0,0,0 sticks=1 honba=2 reason='a stick was forgotten' by=owner",
    read=_read_adjustment,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdjusted(Written):
    """People put points, sticks or the counter right by hand, between hands or in one.

    Points and sticks are told by how much they change, so that they stay right if an earlier hand is edited.
    """

    points: tuple[int, int, int, int]
    """What each seat's points change by."""
    sticks: int = 0
    """What the sticks of 1000 that lie on the table change by."""
    honba: int | None = None
    """The counter from now on; None leaves it."""
    reason: str
    by: str = ""
    """Who did it, as in `FoulLogged`."""

    def __post_init__(self) -> None:
        _expect(len(self.points) == 4, "four changes of points", self.points)
        _expect(self.honba is None or self.honba >= 0, "honba of 0 or more", self.honba)

    def __str__(self) -> str:
        parts = (
            ("points", numbers_text(self.points)),
            ("sticks", self.sticks or None),
            ("honba", self.honba),
            ("reason", quoted(self.reason)),
            ("by", quoted(self.by) if self.by else None),
        )
        return "adjust" + "".join(option_text(name, value) for name, value in parts)

    @property
    def total(self) -> int:
        """What all points together change by, those of the sticks on the table included."""
        return sum(self.points) + STICK * self.sticks


@written("end-game [reason=TEXT]", "people end the game; the hand in play does not count", "end-game reason='late'")
@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Written):
    """People end the game here, before the rules do; a hand in play does not count."""

    reason: str = ""


@written("time-signal", "time is called; the rules determine the last hand", "time-signal")
@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSignal(Written):
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
    | RiichiVoiced
    | RiichiOpened
    | StickPlaced
    | StickTakenBack
    | RiichiReported
    | WinClaimed
    | WinWithdrawn
    | HandShown
    | WaitDeclared
    | TenpaiStated
    | DrawReached
    | AbortCalled
    | ClaimsConfirmed
    | PutBack
    | TilesExposed
    | FoulLogged
    | FoulCancelled
    | ResultDeclared
    | HandSettled
    | TimeSignal
    | PointsAdjusted
    | GameEnded
)
"""Every event, as one closed union, in the order in which their forms are told."""
