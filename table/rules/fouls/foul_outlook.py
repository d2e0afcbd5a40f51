"""The outlook of a foul: its effects now, those that depend on the hand's end, and whether play goes on.

Every description of a foul for people, before and after it is logged, comes from here; the settlement has the same
parts.
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
from table.rules.fouls.hand_of_foul import hand_by_number
from table.rules.fouls.tiles_put_back import WRONG_UTTERANCE
from table.rules.penalties.chombo import AFTER_CHOMBO
from table.rules.penalties.consequence import Consequence, Part
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, LoggedFoul, Phase
from table.rules.terms.results import AbortReason, ResultKind, Settlement
from table.rules.terms.seats import SEATS, Seat

_CHANGES_WIN = (*BARS_WIN, Op.VOID, Op.DORA_VOID)
"""Sanctions without which a win could not have been settled as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFoulHand:
    """The settled hand of a foul that was found afterwards."""

    would_differ: bool = False
    """Whether the hand would have ended otherwise with the foul found in time."""
    is_newest: bool = True
    """Whether no later hand was dealt, so that its settlement can still be undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The consequences of a foul in the present state of its hand."""

    consequence: Consequence
    """The consequence by itself, however the hand ends."""
    part: Part
    """The effects that take place: at once, and with the settlement once play has ended."""
    later_parts: tuple[tuple[str, Part], ...] = ()
    """The effects that still depend on how the hand ends: `at_draw`, `at_win`, `at_end`."""
    precedence: str | None = None
    """How the foul and a valid win at the same time rank, as in `foul_hand_end.win_precedence`."""
    voided_winners: tuple[Seat, ...] = ()
    """The seats whose valid win is not paid, since the foul ends the hand; empty if `precedence` already says so."""
    goes_on: bool = False
    """Whether play goes on."""
    void_call: Literal["back", "stays", "said"] = "back"
    """The fate of a void call: its tiles go back, they stay since play has gone on, or it was only said."""
    settled_hand: LateFoulHand | None = None
    """The foul's hand if it was settled before the foul was found."""

    @property
    def questions(self) -> tuple[str, ...]:
        """The open questions that still matter: none about a chombo that a valid win voids, or about its ending."""
        if self.precedence is None or self.part.ending is not None:
            return self.consequence.questions
        return (
            ()
            if self.part.is_empty
            else tuple(question for question in self.consequence.questions if question != AFTER_CHOMBO)
        )

    @property
    def has_lapsed(self) -> bool:
        """Whether the hand ends in a way for which the foul costs nothing, and nothing else follows from it."""
        is_played = self.goes_on or self.settled_hand is not None or self.precedence is not None
        is_nothing = self.part.is_empty and all(part.is_empty for _, part in self.later_parts)
        can_cost = any(
            not part.is_empty for part in (self.consequence.now, *(part for _, part in _parts_by_end(self.consequence)))
        )
        return not is_played and is_nothing and can_cost

    @classmethod
    def in_play(cls, consequence: Consequence) -> Outlook:
        """Returns the outlook during play if nothing else in the hand affects it."""
        goes_on = consequence.now.ending is None
        return cls(
            consequence=consequence, part=consequence.now, later_parts=_parts_by_end(consequence), goes_on=goes_on
        )


def outlook_of_newest(game: GameState, event: FoulLogged, ruleset: Ruleset) -> Outlook:
    """Returns the outlook of the foul that this event has just logged; `game` is the game after it."""
    number = event.hand
    if number is None:
        number = len(game.history) - (game.live is None)
    return outlook_of(game, number, -1, ruleset)


def outlook_of(game: GameState, number: int, foul: int, ruleset: Ruleset) -> Outlook:
    """Returns the outlook of a logged foul.

    Args:
        game: the game.
        number: the number of the foul's hand in the game, from 0.
        foul: the number of the foul in that hand, from 0; -1 for the newest.
        ruleset: the rules played.
    """
    if number == len(game.history) and game.live is not None:
        return _outlook_in_hand(Draft(game, game.live, ruleset), foul)
    line = game.history[number]
    logged_foul = line.fouls[foul]
    is_in_force = logged_foul.cancel_reason is None
    part = _settled_part(logged_foul, line.settlement) if is_in_force else logged_foul.consequence.now
    if not logged_foul.is_late:
        return Outlook(consequence=logged_foul.consequence, part=part)
    is_newest = number == len(game.history) - 1 and game.live is None
    would_differ = part.ending is not None or _would_differ(game, number, logged_foul, ruleset)
    late = LateFoulHand(would_differ=would_differ, is_newest=is_newest)
    precedence = _late_precedence(game, number, logged_foul, ruleset)
    return Outlook(
        consequence=logged_foul.consequence, part=replace(part, ending=None), precedence=precedence, settled_hand=late
    )


def _settled_part(foul: LoggedFoul, settlement: Settlement | None) -> Part:
    """Returns the effects of a foul of a settled hand, with the deal that all payments together decided (7-02-01)."""
    ending = foul.outcome.ending
    if ending is None or settlement is None or settlement.penalty is None:
        return foul.outcome
    return replace(foul.outcome, ending=replace(ending, dealer_passes=not settlement.dealer_stays))


def _late_precedence(game: GameState, number: int, foul: LoggedFoul, ruleset: Ruleset) -> str | None:
    settlement = game.history[number].settlement
    if settlement is None or not foul.outcome.is_empty:
        return None
    draft, _ = hand_by_number(game, number, ruleset)
    return foul_hand_end.late_win_precedence(draft, foul, settlement)


def _outlook_in_hand(draft: Draft, foul: int) -> Outlook:
    """Returns the outlook of a foul of the hand in play."""
    foul %= len(draft.fouls)
    logged_foul, earlier = draft.fouls[foul], tuple(in_force(draft.fouls[:foul]))
    consequence = logged_foul.consequence
    if logged_foul.cancel_reason is not None:
        return Outlook(consequence=consequence, part=consequence.now, later_parts=_parts_by_end(consequence))
    ending = foul_hand_end.ending_with_deal(draft)
    if draft.phase is Phase.PLAY and ending is None:
        return replace(
            Outlook.in_play(_without_earlier_chombos(consequence, earlier)), void_call=_void_call(draft, foul)
        )
    part = list(foul_hand_end.parts_of(draft))[len(earlier)]
    own_ending = foul_hand_end.part_due_now(draft, consequence).ending
    precedence = None if own_ending is None else foul_hand_end.win_precedence(draft, logged_foul, own_ending)
    return Outlook(
        consequence=consequence,
        part=part if part.ending is None else replace(part, ending=ending),
        later_parts=(("at_draw", consequence.at_draw),) if draft.phase is Phase.CLAIMED and ending is None else (),
        precedence=precedence,
        voided_winners=() if part.ending is None or precedence is not None else tuple(foul_hand_end.voided_wins(draft)),
        void_call=_void_call(draft, foul),
    )


def _void_call(draft: Draft, foul: int) -> Literal["back", "stays", "said"]:
    logged_foul = draft.fouls[foul]
    if logged_foul.clause == WRONG_UTTERANCE:
        return "said"
    is_back = any(call.foul == foul for call in draft.void_calls)
    callers = (instruction.seat for instruction in logged_foul.consequence.instructions if instruction.op is Op.VOID)
    return "stays" if not is_back and any(draft.melds[seat] for seat in callers) else "back"


def _without_earlier_chombos(consequence: Consequence, earlier: Sequence[LoggedFoul]) -> Consequence:
    """Returns the consequence with the chombos at a draw or a win free for seats that earlier fouls charge already."""
    draw_payers = {chombo.seat for foul in earlier for chombo in foul.consequence.at_draw.chombos}
    win_payers = {chombo.seat for foul in earlier for chombo in foul.consequence.at_win.chombos}
    return replace(
        consequence,
        at_draw=consequence.at_draw.with_chombos_free(draw_payers),
        at_win=consequence.at_win.with_chombos_free(win_payers),
    )


def _parts_by_end(consequence: Consequence) -> tuple[tuple[str, Part], ...]:
    return ("at_draw", consequence.at_draw), ("at_win", consequence.at_win), ("at_end", consequence.at_end)


def _would_differ(game: GameState, number: int, foul: LoggedFoul, ruleset: Ruleset) -> bool:
    """Whether a settled hand would have been won or drawn otherwise with the foul."""
    line = game.history[number]
    settlement = line.settlement
    if settlement is None:
        return False
    if any(foul.consequence.sanction_on(win.seat, op) is not None for win in settlement.wins for op in _CHANGES_WIN):
        return True
    if settlement.kind is not ResultKind.DRAW:
        return False
    draft, _ = hand_by_number(game, number, ruleset)
    draft.fouls = (foul,)
    tenpai, paid_seats = settlement.tenpai, tuple(seat for seat in SEATS if settlement.deltas[seat] > 0)
    is_paid_otherwise = (
        settlement.reason is AbortReason.NAGASHI and foul_hand_end.nagashi_of(draft, paid_seats) != paid_seats
    )
    return is_paid_otherwise or foul_hand_end.tenpai_of(draft, tenpai, line.riichi) != tenpai
