"""What follows from a foul as its hand stands: what takes place, what still depends on the end, whether play goes on.

This is the one source of what people are told before and after a foul is logged; the settlement has the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from table.rules.draft import Draft
from table.rules.events import FoulLogged
from table.rules.foul_totals import in_force
from table.rules.fouls import foul_hand_end
from table.rules.fouls.foul_evidence import BARS_WIN
from table.rules.fouls.hand_of_foul import hand_meant
from table.rules.fouls.tiles_put_back import ONLY_SAID
from table.rules.penalties.chombo import AFTER_CHOMBO
from table.rules.penalties.consequence import Consequence, Part
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, LoggedFoul, Phase
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import SEATS, Seat

_CHANGES_WIN = (*BARS_WIN, Op.VOID, Op.DORA_VOID)
"""Sanctions without which a win could not have been settled as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLate:
    """The settled hand of a foul that was found afterwards."""

    would_differ: bool = False
    """Whether the hand would have ended otherwise with the foul found in time."""
    is_newest: bool = True
    """Whether no later hand was dealt, so that its settlement can still be undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What follows from a foul as its hand stands."""

    found: Consequence
    """The consequence by itself, however the hand ends."""
    part: Part
    """What takes place: at once, and with the settlement once play has ended."""
    later: tuple[tuple[str, Part], ...] = ()
    """What still depends on how the hand ends: `at_draw`, `at_win`, `at_end`."""
    beside: str | None = None
    """What counts of the foul and a valid win beside it, as in `foul_hand_end.beside_win`."""
    voids: tuple[Seat, ...] = ()
    """The seats whose valid win is not paid, since the foul ends the hand; not told where `beside` says it."""
    goes_on: bool = False
    """Whether play goes on."""
    void_call: Literal["back", "stays", "said"] = "back"
    """What becomes of a void call: its tiles go back, they stay since play has gone on, or it was only said."""
    late: FoundLate | None = None
    """The foul's hand if it was settled before the foul was found."""

    @property
    def questions(self) -> tuple[str, ...]:
        """What still decides the consequence: nothing of a chombo that a valid win voids, nor how it ends the hand."""
        if self.beside is None or self.part.ending is not None:
            return self.found.questions
        return () if self.part.is_empty else tuple(each for each in self.found.questions if each != AFTER_CHOMBO)

    @property
    def has_lapsed(self) -> bool:
        """Whether the hand ends in a way for which the foul costs nothing, and nothing else follows from it."""
        is_played = self.goes_on or self.late is not None or self.beside is not None
        is_nothing = self.part.is_empty and not any(part != Part() for _, part in self.later)
        can_cost = any(not part.is_empty for part in (self.found.now, *(part for _, part in _by_end(self.found))))
        return not is_played and is_nothing and can_cost

    @classmethod
    def in_play(cls, found: Consequence) -> Outlook:
        """Returns what follows during play, with nothing else in the hand that could change it."""
        goes_on = found.now.ending is None
        return cls(found=found, part=found.now, later=_by_end(found), goes_on=goes_on)


def outlook_of_newest(game: GameState, event: FoulLogged, ruleset: Ruleset) -> Outlook:
    """Returns what follows from the foul that this event has just logged, in the game after it."""
    number = event.hand
    if number is None:
        number = len(game.history) - (game.live is None)
    return outlook_of(game, number, -1, ruleset)


def outlook_of(game: GameState, number: int, foul: int, ruleset: Ruleset) -> Outlook:
    """Returns what follows from a logged foul.

    Args:
        game: the game.
        number: the number of the foul's hand in the game, from 0.
        foul: the number of the foul in that hand, from 0; -1 for the newest.
        ruleset: the rules played.
    """
    if number == len(game.history) and game.live is not None:
        return _in_hand(Draft(game, game.live, ruleset), foul)
    line = game.history[number]
    logged = line.fouls[foul]
    part = logged.led_to if logged.cancelled is None else logged.consequence.now
    if not logged.is_after:
        return Outlook(found=logged.consequence, part=part)
    is_newest = number == len(game.history) - 1 and game.live is None
    would_differ = part.ending is not None or _would_differ(game, number, logged, ruleset)
    late = FoundLate(would_differ=would_differ, is_newest=is_newest)
    beside = _ignored_late(game, number, logged, ruleset)
    return Outlook(found=logged.consequence, part=replace(part, ending=None), beside=beside, late=late)


def _ignored_late(game: GameState, number: int, foul: LoggedFoul, ruleset: Ruleset) -> str | None:
    settlement = game.history[number].settlement
    if settlement is None or not foul.led_to.is_empty:
        return None
    draft, _ = hand_meant(game, number, ruleset)
    return foul_hand_end.ignored_late(draft, foul, settlement)


def _in_hand(draft: Draft, foul: int) -> Outlook:
    """Returns what follows from a foul of the hand in play."""
    foul %= len(draft.fouls)
    logged, earlier = draft.fouls[foul], tuple(in_force(draft.fouls[:foul]))
    found = logged.consequence
    if logged.cancelled is not None:
        return Outlook(found=found, part=found.now, later=_by_end(found))
    ending = foul_hand_end.ending_of(draft)
    if draft.phase is Phase.PLAY and ending is None:
        return replace(Outlook.in_play(_beside(found, earlier)), void_call=_void_call(draft, foul))
    part = list(foul_hand_end.parts_of(draft))[len(earlier)]
    alone = foul_hand_end.due_now(draft, found).ending
    beside = None if alone is None else foul_hand_end.beside_win(draft, logged, alone)
    return Outlook(
        found=found,
        part=part if part.ending is None else replace(part, ending=ending),
        later=(("at_draw", found.at_draw),) if draft.phase is Phase.CLAIMED and ending is None else (),
        beside=beside,
        voids=() if part.ending is None or beside is not None else tuple(foul_hand_end.wins_voided(draft)),
        void_call=_void_call(draft, foul),
    )


def _void_call(draft: Draft, foul: int) -> Literal["back", "stays", "said"]:
    logged = draft.fouls[foul]
    if logged.clause == ONLY_SAID:
        return "said"
    is_back = any(each.foul == foul for each in draft.undone)
    callers = (each.seat for each in logged.consequence.instructions if each.op is Op.VOID)
    return "stays" if not is_back and any(draft.melds[seat] for seat in callers) else "back"


def _beside(found: Consequence, earlier: Sequence[LoggedFoul]) -> Consequence:
    """Returns the consequence without the chombos at a draw or a win that earlier fouls of the seat cost already."""
    drawn = {each.seat for foul in earlier for each in foul.consequence.at_draw.chombos}
    won = {each.seat for foul in earlier for each in foul.consequence.at_win.chombos}
    return replace(found, at_draw=found.at_draw.freed(drawn), at_win=found.at_win.freed(won))


def _by_end(found: Consequence) -> tuple[tuple[str, Part], ...]:
    return ("at_draw", found.at_draw), ("at_win", found.at_win), ("at_end", found.at_end)


def _would_differ(game: GameState, number: int, foul: LoggedFoul, ruleset: Ruleset) -> bool:
    """Whether a settled hand would have been won or drawn otherwise with the foul."""
    line = game.history[number]
    settlement = line.settlement
    if settlement is None:
        return False
    if any(foul.consequence.sanctioned(win.seat, op) is not None for win in settlement.wins for op in _CHANGES_WIN):
        return True
    if settlement.kind is not ResultKind.DRAW:
        return False
    draft, _ = hand_meant(game, number, ruleset)
    draft.fouls = (foul,)
    tenpai, paid = settlement.tenpai, tuple(seat for seat in SEATS if settlement.deltas[seat] > 0)
    is_paid_otherwise = settlement.reason is AbortReason.NAGASHI and foul_hand_end.nagashi_of(draft, paid) != paid
    return is_paid_otherwise or foul_hand_end.tenpai_of(draft, tenpai, line.riichi) != tenpai
