"""Events of play: the deal, and every tile that is discarded, called, turned up, exposed or put back."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.events.event_fields import CallKind, Origin, expect
from table.rules.terms.line_reader import LineReader, numbers_text, option_text
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, tiles_text
from table.rules.terms.written_forms import NotationValue, notation_form


def _read_start(line: LineReader) -> dict[str, object]:
    place = Round.parse(line.word("a round from E1 to N4"))
    dealer, dora = line.text("dealer"), line.text("dora")
    return {
        "round": place,
        "dealer": SEATS[place.number - 1] if dealer is None else line.seat_of(dealer),
        "scores": line.four(line.text("scores"), "scores"),
        "honba": line.number("honba") or 0,
        "deposits": line.number("deposits") or 0,
        "deposit_points": line.number("pot") or 0,
        "dora_indicator": None if dora is None else Tile(dora),
    }


@notation_form(
    "start ROUND scores=N,N,N,N [dealer=SEAT] [honba=N] [deposits=N] [pot=N] [dora=TILE]",
    "a hand is dealt: E1 to N4, points by seat, sticks of 1000 and other points in the pot, the dora indicator",
    "start E1 scores=25000,25000,25000,25000 honba=1 dora=1z",
    read=_read_start,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted(NotationValue):
    """A hand was dealt. `scores` are the points by seat before it, `deposits` the 1000-point sticks on the table."""

    round: Round
    dealer: Seat
    scores: tuple[int, int, int, int]
    honba: int = 0
    deposits: int = 0
    deposit_points: int = 0
    """Penalty points in the pot besides riichi sticks."""
    dora_indicator: Tile | None = None

    def __post_init__(self) -> None:
        expect(len(self.scores) == 4, "four scores", self.scores)
        for name, number in (("honba", self.honba), ("deposits", self.deposits), ("pot", self.deposit_points)):
            expect(number >= 0, f"{name} of 0 or more", number)

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


@notation_form(
    "SEAT discards TILE [sideways] [drawn|hand]",
    "a tile is discarded; sideways declares riichi or replaces a called riichi tile",
    "0 discards 5z sideways drawn",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(NotationValue):
    """A tile was laid in a river; `sideways` declares riichi (R09) or replaces a called declaration tile (R18)."""

    seat: Seat
    tile: Tile
    sideways: bool = False
    origin: Origin = Origin.UNKNOWN


@notation_form(
    "unseen", "from here discards may go unseen, until the next one that is seen: the camera was lost", "unseen"
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SightLost(NotationValue):
    """The camera was lost, or the table was started anew: discards may have been made that nobody recorded."""


@notation_form("seen", "nothing went unseen after all: each river and meld lies as it is on record", "seen")
@dataclass(frozen=True, slots=True, kw_only=True)
class SightProven(NotationValue):
    """The camera is back, and every river and meld matches the record: see `table.rules.aspects.gaps`."""


@notation_form("pass", "nobody claims the last tile", "pass")
@dataclass(frozen=True, slots=True, kw_only=True)
class TilePassed(NotationValue):
    """Nobody claims the last discard or added kan: inferred from a later act or confirmed, never by a timer."""


@notation_form(
    "SEAT chi TILE from SEAT with TILES [points SEAT]",
    "a chi, with the caller's own tiles; points: the seat that the turned tile points at",
    "1 chi 3m from 0 with 24m points 0",
    kind=CallKind.CHI,
)
@notation_form(
    "SEAT pon TILE from SEAT with TILES [points SEAT]", "a pon", "2 pon 5z from 1 with 55z", kind=CallKind.PON
)
@notation_form(
    "SEAT kan TILE from SEAT with TILES [points SEAT]",
    "an open kan",
    "1 kan 5s from 0 with 550s",
    kind=CallKind.OPEN_KAN,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Called(NotationValue):
    """A meld was made with another seat's discard. `own` are the two (kan: three) tiles from the caller's hand."""

    seat: Seat
    kind: CallKind
    tile: Tile
    from_seat: Seat
    own: tuple[Tile, ...]
    points_at: Seat | None = None
    """The seat that the turned tile points at, if it was seen."""

    def __post_init__(self) -> None:
        expect(self.seat != self.from_seat, "a call from another seat", int(self.seat))
        wanted = 3 if self.kind is CallKind.OPEN_KAN else 2
        expect(len(self.own) == wanted, f"{wanted} own tiles in a {self.kind.value}", self.own)


@notation_form("SEAT adds TILE", "the fourth tile is added to the seat's pon", "2 adds 5z")
@dataclass(frozen=True, slots=True, kw_only=True)
class AddedKan(NotationValue):
    """A seat added the fourth tile to its pon (shouminkan)."""

    seat: Seat
    tile: Tile


@notation_form("SEAT closed TILES", "a closed kan", "1 closed 1111m")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedKan(NotationValue):
    """A seat made a kan of four concealed tiles (ankan)."""

    seat: Seat
    tiles: tuple[Tile, Tile, Tile, Tile]

    def __post_init__(self) -> None:
        expect(len(self.tiles) == 4, "four tiles", tiles_text(self.tiles))


@notation_form("dora TILE", "a dora indicator is turned", "dora 3p")
@dataclass(frozen=True, slots=True, kw_only=True)
class DoraTurned(NotationValue):
    """A dora indicator was turned: the first of the hand, or one for a kan."""

    indicator: Tile


@notation_form("SEAT ura TILES", "a winner turns the ura indicators", "1 ura 3p4s")
@dataclass(frozen=True, slots=True, kw_only=True)
class UraTurned(NotationValue):
    """A winner turned the ura indicators, listed in the order of the dora indicators above them."""

    seat: Seat
    indicators: tuple[Tile, ...]


@notation_form("SEAT puts-back", "the last discard is taken back", "1 puts-back", meld=False)
@notation_form("SEAT puts-back-meld", "the last meld is put back", "1 puts-back-meld", meld=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack(NotationValue):
    """The last discard was put back or, if `meld` is set, the last call."""

    seat: Seat
    meld: bool = False


@notation_form("SEAT exposes TILES", "tiles of a hand or of the wall were seen by other players", "1 exposes 5z1m")
@dataclass(frozen=True, slots=True, kw_only=True)
class TilesExposed(NotationValue):
    """Other players saw tiles of a seat's hand, or of the wall."""

    seat: Seat
    tiles: tuple[Tile, ...]
