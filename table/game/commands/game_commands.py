"""The commands of people to the table: one closed union, from any source.

Buttons, phones, forms, the API and a recording's `presses.jsonl` all produce these. `command_reader` parses them,
`table.dashboard.web.access.command_rights` checks a browser's rights, and `Table.handle` carries them out:
statements about the hand become events (`table.game.referee.press_events`), changes of the journal become entries
(`table.game.new_entries.amendments`), and unconfirmed fouls are put to the vote (`table.game.commands.foul_vote`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from table.game.journal.entries import NOBODY, Names
from table.rules.events import HandShown
from table.rules.ruleset import Ruleset
from table.rules.scoring.possible_counts import check_count
from table.rules.terms.results import DeclaredResult, Deltas
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, tiles_text
from table.runtime.table_errors import PressError

UNNAMED_FOUL: Final = "other"
"""The clause of a foul that nobody has specified yet; a phone does so later."""
WHOLE_HAND: Final = 14
"""Number of tiles in a winning hand without kans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Command:
    """The fields of every command."""

    word: ClassVar[str]
    """The command's name in recordings, answers and logs."""
    by: str = ""
    """Its author, such as `owner` or `seat 2`; empty if unknown."""
    mark: str = field(default="", compare=False)
    """Identifies the request among those of its author, so that it is carried out only once; empty without one."""

    def __init_subclass__(cls, word: str = "") -> None:
        if word:
            cls.word = word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press(_Command):
    """A command that a recording can also contain."""

    frame: int | None = None
    """The frame of the press in a recording; None for a live press."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPress(_Press):
    """A press that names a seat."""

    seat: Seat


# --- The hand on the table --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _WinClaim(SeatPress):
    """Claims a win, or states the value of a claimed one.

    Raises:
        PressError, InvalidValueError: no hand can have these tiles, or these han and fu.
    """

    tiles: tuple[Tile, ...] = ()
    """The concealed hand with the winning tile last; after a ron also without it, as the hand stands on the table."""
    melds: tuple[str, ...] = ()
    """All melds of the hand, as in `tachiai score --melds`; if empty, those on record count. Others may be declared
    where calls may have gone unseen."""
    han: int | None = None
    fu: int | None = None

    @property
    def hand_and_winning_tile(self) -> tuple[tuple[Tile, ...], Tile | None]:
        """The concealed tiles without the winning tile, and the winning tile if it is among `tiles`."""
        return (self.tiles[:-1], self.tiles[-1]) if len(self.tiles) % 3 == 2 else (self.tiles, None)

    def __post_init__(self) -> None:
        self._check_tiles()
        if self.han is not None:
            check_count(self.han, self.fu, is_tsumo=isinstance(self, ClaimTsumo))
        elif self.fu is not None:
            raise PressError(f"expected han beside {self.fu} fu, got none", says="fu", fu=self.fu)

    def _check_tiles(self) -> None:
        count = len(self.tiles)
        is_whole, is_without_winning_tile = count % 3 == 2, count % 3 == 1 and isinstance(self, ClaimRon)
        if not count or (count <= WHOLE_HAND and (is_whole or is_without_winning_tile)):
            return
        alternative = " or, without it, 13, 10, 7, 4 or 1" if isinstance(self, ClaimRon) else ""
        expected = f"expected 14, 11, 8, 5 or 2 concealed tiles with the winning tile{alternative}"
        raise PressError(f"{expected}, got {count}: {tiles_text(self.tiles)}", says="no_tiles")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRon(_WinClaim, word="ron"):
    """Claims a win on another player's tile.

    Raises:
        PressError: nobody wins on a tile of their own.
    """

    discarder: Seat | None = None
    """Whose tile it is; None for the seat of the last tile seen. Phones ask if discards may have gone unseen."""

    def __post_init__(self) -> None:
        _WinClaim.__post_init__(self)
        if self.discarder is self.seat:
            raise PressError(f"expected another discarder than seat {int(self.seat)}, got the winner", says="own_ron")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTsumo(_WinClaim, word="tsumo"):
    """Claims a win on the seat's own draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDraw(_Press, word="draw"):
    """Declares an exhaustive draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAbort(_Press, word="abort"):
    """Calls an abortive draw: for the given reason, else the pending one, else the given seat's nine terminals.

    Without any of these, it calls the abort that the table shows, or else the nine terminals of the player in turn.
    """

    seat: Seat | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareRiichi(SeatPress, word="riichi"):
    """Announces a seat's riichi."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTenpai(SeatPress, word="tenpai"):
    """Declares a seat tenpai."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateNoten(SeatPress, word="noten"):
    """Declares a seat noten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTile(_Press, word="pass"):
    """States that nobody claims the last tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(_Press, word="confirm"):
    """Confirms what the hand is waiting for: the claims, then the settlement."""

    seen: str | None = None
    """The key of what was shown (see `confirm_keys`), which must still be current; None skips the check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelWin(_Press, word="cancel"):
    """Withdraws a claimed win: that of the given seat, or the last one."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelFoul(_Press, word="cancel"):
    """Cancels a logged foul."""

    foul: int
    """The number of the foul in its hand, from 0."""
    hand: int | None = None
    """The number of the hand in the game, from 0; None for the hand on the table."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foul(SeatPress):
    """The statements of people about a foul."""

    clause: str | None = None
    """The clause; None if nobody specified it."""
    option: str | None = None
    facts: tuple[str, ...] = ()
    """Facts that affect the consequence: `deliberate`, `exposed=3`, `breaker=2`."""
    reason: str = ""
    hand: int | None = None
    """As in `CancelFoul`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFoul(_Foul, word="foul"):
    """Logs a foul, decided in front of everybody or by the required votes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRiichi(SeatPress, word="open"):
    """Declares riichi with its waiting tiles laid open."""

    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareWait(SeatPress, word="wait"):
    """Declares a seat's wait, for its own phone only."""

    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDiscard(_Press, word="correct"):
    """Corrects the tile of a discard."""

    discard: int
    """The number of the discard in the hand, from 0."""
    to: Tile


# --- A proposed foul that is not agreed on yet ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PressFoulButton(SeatPress, word="foul_button"):
    """Presses the foul button of a seat: marks it as the offender, then steps through the rule set's quick fouls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressTableButton(_Press, word="table_button"):
    """Presses the table button: a short press confirms, a long one (`held`) cancels."""

    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFoul(_Foul, word="name_foul"):
    """Proposes a foul on a phone; it counts once the required people agree."""

    foul: int | None = None
    """The number of the logged foul that it replaces, from 0; without a clause, that foul is only cancelled."""
    seen: str | None = None
    """As in `Confirm`: the key of the consequences."""
    phone: str = field(default="", compare=False)
    """The phone that sent it, if known; the two people who decide need two phones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeToFoul(_Press, word="agree"):
    """Agrees to the proposed foul."""

    seen: str | None = None
    """As in `Confirm`: the key of the proposed foul."""
    phone: str = field(default="", compare=False)
    """The phone that sent it, if known; the two people who decide need two phones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DropFoul(_Press, word="drop"):
    """Drops the proposed foul."""

    seen: str | None = None
    """As in `AgreeToFoul`."""


# --- The game and its journal: nothing is overwritten; the journal keeps both, with author, time and reason -----------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result(_Command):
    """How a hand ended, as people declare it."""

    result: DeclaredResult
    hand: int
    """The number of the hand in the game, from 0, so that a second phone cannot settle the same hand again."""
    game: int | None = None
    """The entry that opened the game; None for the game being played."""
    seen: str | None = None
    """As in `Confirm`: the key of the preview."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareResult(_Result, word="tell"):
    """Ends the hand being played with this result, confirmed by the table."""

    hands: tuple[HandShown, ...] = ()
    """Winning hands, as entered tile by tile; written only where nothing else was seen of the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditResult(_Result, word="edit"):
    """Replaces the result of a finished hand; everything after it is computed again."""

    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(_Command, word="undo"):
    """Undoes the last action, or the opening of the game, so that the game before is on the table again."""

    act: int
    """The action that the phone shows as the last one; no other is undone."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo(_Command, word="redo"):
    """Redoes an action or an opening that was undone."""

    act: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseat(_Command, word="reseat"):
    """Corrects the seating: the person entered at seat n sits at `order[n]`."""

    order: tuple[Seat, Seat, Seat, Seat]
    why: str = ""
    seen: str | None = None
    """As in `Confirm`: the key of the seats and hands that it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSeats(_Command, word="nameseats"):
    """Names the players by seat."""

    names: Names
    substitute: bool = False
    """Whether somebody else sits down where a name changes; otherwise the name of the same person is put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGame(_Command, word="opengame"):
    """Opens a new game; the one before stays as it is."""

    names: Names = NOBODY
    first_dealer: Seat = Seat.NEAR
    ruleset: Ruleset | None = None
    """The rule set; None for the current one."""
    game: int | None = None
    """The entry that opened the game before, so that a second phone cannot open the next game again; None for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame(_Command, word="endgame"):
    """Ends the game before the rules do; a hand in play does not count."""

    why: str = ""
    game: int | None = None
    """As in `DeclareResult`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountInSeason(_Command, word="countinseason"):
    """Says whether the game counts for the season: a training game does not."""

    counts: bool
    game: int | None = None
    """As in `DeclareResult`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime(_Command, word="calltime"):
    """Calls time; the rule set determines the last hand."""

    finished: int = 0
    """The number of hands finished since a desk called time, if the table was offline then; phones cannot send it."""
    game: int | None = None
    """As in `DeclareResult`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPoints(_Command, word="adjust"):
    """Corrects points, sticks or honba."""

    points: Deltas
    """The change of each seat's points."""
    hand: int
    """The number of the hand being played or next, from 0, as in `DeclareResult`."""
    why: str
    sticks: int = 0
    """The change of the number of sticks on the table."""
    honba: int | None = None
    """The new honba; None leaves it unchanged."""
    total: int = 0
    """The expected change of all points together, including the sticks; a different change is refused."""
    scores: Deltas | None = None
    """The points that the phone showed, which must still be current; None skips the check."""
    game: int | None = None
    """As in `DeclareResult`."""
    seen: str | None = None
    """As in `Confirm`: the key of the points, sticks and honba that it corrects."""


HandPress = (
    ClaimRon
    | ClaimTsumo
    | CallDraw
    | CallAbort
    | DeclareRiichi
    | StateTenpai
    | StateNoten
    | PassTile
    | Confirm
    | CancelWin
    | CancelFoul
    | LogFoul
    | OpenRiichi
    | DeclareWait
)
"""Commands about the hand on the table; they become events."""
FoulVotePress = PressFoulButton | PressTableButton | NameFoul | AgreeToFoul | DropFoul
"""Commands about a foul that is not confirmed yet; the referee does not get them."""
Press = HandPress | CorrectDiscard | FoulVotePress
"""Commands that buttons, phones and recordings send."""
JournalCommand = (
    DeclareResult
    | EditResult
    | Undo
    | Redo
    | Reseat
    | NameSeats
    | OpenGame
    | EndGame
    | CountInSeason
    | CallTime
    | AdjustPoints
)
"""Commands about the game and its journal; each becomes one entry."""
Command = Press | JournalCommand
"""Every command."""
