"""Everything that people can ask of the table: one closed union of commands, from any source.

Buttons, phones, forms, the API and a recording's `presses.jsonl` all produce these. `table.game.command_reader` parses
them, `table.dashboard.web.command_rights` checks a browser's rights, and `Table.handle` carries them out: statements
about the hand become events (`table.game.referee.press_events`), changes of the journal become entries
(`table.game.amendments`), and unconfirmed fouls are put to the vote (`table.game.foul_vote`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from table.game.journal.entries import Names
from table.rules.ruleset import Ruleset
from table.rules.scoring.possible_counts import check_count
from table.rules.terms.results import DeclaredResult, Deltas
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError

UNNAMED_FOUL: Final = "other"
"""The clause of a foul that nobody named yet: it is refined on a phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Command:
    """The fields of every command."""

    word: ClassVar[str]
    """What it is called in recordings, answers and logs."""
    by: str = ""
    """Who gives it: `owner`, `seat 2`; empty where nobody knows."""
    mark: str = field(default="", compare=False)
    """Tells one act from another of theirs, so that it is done once; empty where it has none."""

    def __init_subclass__(cls, word: str = "") -> None:
        if word:
            cls.word = word


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press(_Command):
    """A command that a recording can also contain."""

    frame: int | None = None
    """The frame in which it was pressed, in a recording; None when it is pressed now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPress(_Press):
    """A press that names a seat."""

    seat: Seat


# --- The hand on the table --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _WinClaim(SeatPress):
    """Claims a win, or states the value of a claimed one.

    Raises:
        PressError, InvalidValueError: no hand has these han and fu together.
    """

    tiles: tuple[Tile, ...] = ()
    """The concealed hand with the winning tile last."""
    han: int | None = None
    fu: int | None = None

    def __post_init__(self) -> None:
        if self.han is not None:
            check_count(self.han, self.fu, is_tsumo=isinstance(self, ClaimTsumo))
        elif self.fu is not None:
            raise PressError(f"expected han beside {self.fu} fu, got none", says="fu", fu=self.fu)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRon(_WinClaim, word="ron"):
    """Claims a win on another player's tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTsumo(_WinClaim, word="tsumo"):
    """Claims a win on the own draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDraw(_Press, word="draw"):
    """Declares an exhaustive draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAbort(_Press, word="abort"):
    """Declares an abortive draw: for the given reason, else the pending one, else a seat's nine terminals."""

    seat: Seat | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareRiichi(SeatPress, word="riichi"):
    """A seat declares riichi."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTenpai(SeatPress, word="tenpai"):
    """A seat says that it is tenpai."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateNoten(SeatPress, word="noten"):
    """A seat says that it is not tenpai."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTile(_Press, word="pass"):
    """Nobody claims the last tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(_Press, word="confirm"):
    """What the hand waits for is confirmed: the claims, then the settlement."""

    seen: str | None = None
    """The key of what was shown (`table.game.confirm_keys`): another one is refused. None where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelWin(_Press, word="cancel"):
    """A claimed win is withdrawn: that of a seat, else the last one."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelFoul(_Press, word="cancel"):
    """A logged foul is cancelled."""

    foul: int
    """Which foul of its hand, counted from 0."""
    hand: int | None = None
    """Which hand of the game it is about, counted from 0; None is the one that people look at."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foul(SeatPress):
    """What people say of a foul and its offender."""

    clause: str | None = None
    """None: nobody said which."""
    option: str | None = None
    facts: tuple[str, ...] = ()
    """What people tell about it, where that decides: `deliberate`, `exposed=3`, `breaker=2`."""
    reason: str = ""
    hand: int | None = None
    """As in `CancelFoul`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFoul(_Foul, word="foul"):
    """A foul is logged, in front of everybody or because those who decide agreed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRiichi(SeatPress, word="open"):
    """A riichi is declared with tiles laid open that show its wait."""

    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareWait(SeatPress, word="wait"):
    """A seat tells its wait, for its own phone only."""

    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDiscard(_Press, word="correct"):
    """A discard was another tile."""

    discard: int
    """Which discard of the hand, counted from 0."""
    to: Tile


# --- A foul that is named and not agreed to yet -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PressFoulButton(SeatPress, word="foul_button"):
    """The foul button at a seat: names the seat as the offender, then steps through the house's quick fouls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressTableButton(_Press, word="table_button"):
    """The table's own button: a short press confirms, held it cancels."""

    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFoul(_Foul, word="name_foul"):
    """A foul is named on a phone; it counts once those agree who decide."""

    foul: int | None = None
    """Which logged foul of the hand it replaces, counted from 0; without a clause, it only cancels that one."""
    seen: str | None = None
    """As in `Confirm`: the key of what would follow."""
    phone: str = field(default="", compare=False)
    """Whose phone said it, where that is known: two people are two phones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeToFoul(_Press, word="agree"):
    """Somebody agrees to the foul that was named."""

    seen: str | None = None
    """As in `Confirm`: the key of the foul that is named."""
    phone: str = field(default="", compare=False)
    """Whose phone said it, where that is known: two people are two phones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DropFoul(_Press, word="drop"):
    """The foul that was named is dropped."""

    seen: str | None = None
    """As in `AgreeToFoul`."""


# --- The game and its journal: nothing is overwritten, the journal keeps both, with who, when and why -----------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result(_Command):
    """How a hand ended, as people say it."""

    result: DeclaredResult
    hand: int
    """Which hand of the game it is about, from 0: a second phone that settles the same hand is told so."""
    game: int | None = None
    """The entry that opened the game it is about; None is the one being played."""
    seen: str | None = None
    """As in `Confirm`: the key of what was previewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareResult(_Result, word="tell"):
    """The hand being played ended so, confirmed by the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditResult(_Result, word="edit"):
    """A finished hand ended otherwise; everything after it is computed again."""

    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(_Command, word="undo"):
    """The last act is taken back."""

    act: int
    """The act that the phone shows as the last one: nothing else is taken back."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo(_Command, word="redo"):
    """An act that was taken back counts again."""

    act: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseat(_Command, word="reseat"):
    """Who was said to sit at seat n sits at `order[n]`."""

    order: tuple[Seat, Seat, Seat, Seat]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSeats(_Command, word="nameseats"):
    """Who plays, by seat."""

    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGame(_Command, word="opengame"):
    """A new game begins; the one before stays as it is."""

    names: Names = ("", "", "", "")
    first_dealer: Seat = Seat.NEAR
    ruleset: Ruleset | None = None
    """None: the rules played so far."""
    game: int | None = None
    """The entry that opened the game it follows: a second phone that begins the next one is told so. None is any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame(_Command, word="endgame"):
    """The game ends here, before the rules end it; a hand in play does not count."""

    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime(_Command, word="calltime"):
    """Time is called: the rules say which hand is the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPoints(_Command, word="adjust"):
    """Points, sticks or the counter are put right by hand."""

    points: Deltas
    """What each seat's points change by."""
    hand: int
    """Which hand of the game is being played or comes next, from 0, as in `DeclareResult`."""
    why: str
    sticks: int = 0
    """What the sticks on the table change by."""
    honba: int | None = None
    """The counter from now on; None leaves it."""
    total: int = 0
    """What all points together, with those of the sticks, are said to change by: anything else is refused."""
    scores: Deltas | None = None
    """The points that its phone showed: others are refused. None where nobody says."""
    game: int | None = None
    """As in `DeclareResult`."""


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
"""What is said of the hand on the table: it becomes events."""
FoulVotePress = PressFoulButton | PressTableButton | NameFoul | AgreeToFoul | DropFoul
"""What is said of a foul that nobody has confirmed yet: the referee never hears of it."""
Press = HandPress | CorrectDiscard | FoulVotePress
"""What buttons, phones and recordings send."""
JournalCommand = (
    DeclareResult | EditResult | Undo | Redo | Reseat | NameSeats | OpenGame | EndGame | CallTime | AdjustPoints
)
"""What is said of the game and its journal: it becomes one entry."""
Command = Press | JournalCommand
"""Everything that people can ask of the table."""
