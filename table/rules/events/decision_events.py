"""Events by which people decide about a game: fouls, corrected points, and the end of play."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.events.event_fields import expect
from table.rules.penalties.foul_facts import check_fact
from table.rules.terms.line_reader import LineReader, numbers_text, option_text, quoted
from table.rules.terms.results import STICK
from table.rules.terms.seats import Seat
from table.rules.terms.written_forms import NotationValue, notation_form


@notation_form(
    "SEAT foul CLAUSE [option=LETTER] [facts=FACT,FACT] [note=TEXT] [by=WHO] [hand=N]",
    "people log a foul: a clause, an article or a requirement; option: instead of the rule set's; facts such as "
    "deliberate, 'not restorable', exposed=3; hand: the number of the hand, from 0",
    "1 foul 'EMA 6.4.3' facts='deliberate,not restorable' note='drew twice' by=owner hand=0",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class FoulLogged(NotationValue):
    """People decided that a foul happened. `clause` is a catalogue number, an article (`EMA 6.6`) or `R23`."""

    seat: Seat
    clause: str
    option: str | None = None
    """The option to apply instead of the rule set's, this once."""
    note: str = ""
    facts: tuple[str, ...] = ()
    """Facts that affect the consequence: `deliberate`, `not restorable`, `exposed=3`, `breaker=2`."""
    by: str = ""
    """Who decided it, by the identity that the table knows: a person, `panel` or `owner`."""
    hand: int | None = None
    """The number of its hand, from 0; naming the next hand opens it. None means the hand in play or, between hands,
    the one just settled."""

    def __post_init__(self) -> None:
        for text in self.facts:
            check_fact(text)


@notation_form(
    "cancel-foul N reason=TEXT [by=WHO] [hand=N]",
    "a logged foul is cancelled: N is its number in the hand, hand the number of the hand, both from 0",
    "cancel-foul 0 reason='it was misread' by=owner hand=0",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class FoulCancelled(NotationValue):
    """A logged foul was cancelled; `foul` is its number among its hand's logged fouls, from 0."""

    foul: int
    reason: str
    by: str = ""
    hand: int | None = None
    """The number of the hand in which it was logged, from 0; None means the hand on the table."""


def _read_adjustment(line: LineReader) -> dict[str, object]:
    return {
        "points": line.four(line.text("points"), "points"),
        "sticks": line.number("sticks") or 0,
        "honba": line.number("honba"),
        "reason": line.text("reason") or "",
        "by": line.text("by") or "",
    }


@notation_form(
    "adjust points=N,N,N,N [sticks=N] [honba=N] reason=TEXT [by=WHO]",
    "people correct points: the change of each seat's points and of the sticks on the table; the new honba",
    "adjust points=-1000,0,0,0 sticks=1 honba=2 reason='a stick was forgotten' by=owner",
    read=_read_adjustment,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdjusted(NotationValue):
    """People corrected points, sticks or honba, between hands or during one.

    Points and sticks are stored as changes, so that they stay right if an earlier hand is edited.
    """

    points: tuple[int, int, int, int]
    """The change of each seat's points."""
    sticks: int = 0
    """The change of the number of 1000-point sticks on the table."""
    honba: int | None = None
    """The new honba; None leaves it unchanged."""
    reason: str
    by: str = ""
    """Who did it, as in `FoulLogged`."""

    def __post_init__(self) -> None:
        expect(len(self.points) == 4, "four changes of points", self.points)
        expect(self.honba is None or self.honba >= 0, "honba of 0 or more", self.honba)

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
        """The change of all points together, including the sticks on the table."""
        return sum(self.points) + STICK * self.sticks


@notation_form(
    "end-game [reason=TEXT]", "people end the game; the hand in play does not count", "end-game reason='late'"
)
@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(NotationValue):
    """People ended the game before the rules do; a hand in play does not count."""

    reason: str = ""


@notation_form(
    "time-signal [finished=N]", "time is called; the rules determine the last hand", "time-signal finished=1"
)
@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSignal(NotationValue):
    """Time was called, as at a tournament; the rule set determines the last hand."""

    finished: int = 0
    """The number of hands finished between the call and the moment when the table received it."""

    def __post_init__(self) -> None:
        expect(self.finished >= 0, "0 or more finished hands", self.finished)
