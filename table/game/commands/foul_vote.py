"""The vote on a foul between its report by button or phone and the journal: proposed, agreed to, or dropped.

Pure: `apply_press` takes the proposal and a press, and returns the new proposal and the commands to carry out. The
panel alone is enough: the foul button at a seat marks the offender, further presses step through the house's quick
fouls, and the table button confirms or, held, cancels. Phones report a foul with all its details, and two people agree
or the owner does, whose vote is enough; where the house rules say so, only the owner's counts. Meanwhile a `Signal`
defines the seat's light and the buzzer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, assert_never

from table.game.commands import game_commands as commands
from table.game.commands.game_commands import UNNAMED_FOUL, FoulVotePress, HandPress
from table.game.journal.authors import PANEL, TABLE, author_seat, is_owner
from table.game.journal.seating import Seating
from table.rules.penalties.foul_facts import check_fact, reseated_fact
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """The light and the tone at the offender's seat while a foul is proposed."""

    rgb: tuple[int, int, int]
    """The light's colour, each part from 0 to 255."""
    blinks: int
    """Number of short blinks before each pause; 0 is a steady light."""
    tone_hz: int
    """The tone of each step."""


SIGNALS: Final = (
    Signal(rgb=(255, 255, 255), blinks=0, tone_hz=440),
    Signal(rgb=(255, 190, 0), blinks=1, tone_hz=523),
    Signal(rgb=(0, 200, 255), blinks=2, tone_hz=587),
    Signal(rgb=(255, 0, 200), blinks=3, tone_hz=659),
    Signal(rgb=(60, 80, 255), blinks=4, tone_hz=784),
    Signal(rgb=(255, 90, 0), blinks=5, tone_hz=880),
    Signal(rgb=(255, 0, 0), blinks=6, tone_hz=1047),
)
"""The signals of the unspecified foul and of the quick fouls, distinguished by colour, count and pitch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoulProposal:
    """A foul that somebody reported and that is not agreed on yet. It is a question, not an accusation."""

    seat: Seat
    """The alleged offender."""
    clause: str = UNNAMED_FOUL
    option: str | None = None
    facts: tuple[str, ...] = ()
    note: str = ""
    step: int = 0
    """The number of the quick foul on the panel, from 1; 0 for an unspecified one, or one from a phone."""
    replaces: int | None = None
    """The logged foul that it corrects, counted from 0 in its hand."""
    hand: int | None = None
    """The number of the hand, counted from 0; None for the one on the table."""
    is_withdrawal: bool = False
    """Whether the logged foul is only cancelled, for the reason in `note`."""
    agreed_by: tuple[str, ...] = ()
    """Who reported it and who agreed, in order; presses on the panel have no author."""
    phones: tuple[str, ...] = ()
    """Their phones: a phone that changes its seat gets no second vote."""

    @property
    def signal(self) -> Signal:
        """The light and the tone of the panel."""
        return SIGNALS[self.step]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteStep:
    """The result of a press about a proposed foul."""

    proposal: FoulProposal | None
    """The proposal now."""
    commands: tuple[HandPress, ...] = ()
    """The commands to carry out, in order."""
    voters: tuple[Seat | str, ...] = ()
    """The two people who agreed, if two did: each a seat, or `owner`."""


def with_seats_moved(proposal: FoulProposal, before: Seating, after: Seating) -> FoulProposal:
    """Returns the proposal after people changed seats: those who agreed, and the seats it is about, move with them."""
    order = before.results_in(after)
    return replace(
        proposal,
        seat=order[proposal.seat],
        facts=tuple(reseated_fact(fact, order) for fact in proposal.facts),
        agreed_by=tuple(before.authors_in(after, author) for author in proposal.agreed_by),
    )


def apply_press(
    proposal: FoulProposal | None, press: FoulVotePress, rules: PenaltyRules, *, hand: int | None = None
) -> VoteStep:
    """Applies one press about a foul.

    Args:
        proposal: the proposed foul, if any.
        press: the press.
        rules: the house's penalties, with its quick fouls and who decides.
        hand: the hand of a foul that names none, counted from 0: the hand on the table.

    Raises:
        PressError: there is no proposal to agree to or drop, or another foul is already proposed.
    """
    match press:
        case commands.PressFoulButton(seat=seat):
            return VoteStep(proposal=_after_foul_button(proposal, seat, rules, hand))
        case commands.PressTableButton():
            return _on_table_button(proposal, press)
        case commands.NameFoul():
            if proposal is not None and (proposal.agreed_by or proposal.clause != UNNAMED_FOUL):
                raise PressError("expected one foul at a time, got another one that is named first", says="one_foul")
            return _with_vote(_phone_proposal(press, rules, hand), press, rules)
        case commands.AgreeToFoul() | commands.DropFoul() if proposal is None:
            raise PressError(f"expected a named foul to {press.word}, got none", says="no_foul")
        case commands.AgreeToFoul():
            return _with_vote(proposal, press, rules)
        case commands.DropFoul():
            return VoteStep(proposal=None)
        case _:
            assert_never(press)


def _on_table_button(proposal: FoulProposal | None, press: commands.PressTableButton) -> VoteStep:
    """Confirms or, if held, cancels the proposed foul or, without one, what the hand is waiting for."""
    if proposal is None:
        command = commands.CancelWin(frame=press.frame) if press.held else commands.Confirm(frame=press.frame)
        return VoteStep(proposal=None, commands=(command,))
    if press.held:
        return VoteStep(proposal=None)
    return VoteStep(
        proposal=None, commands=commands_of(replace(proposal, agreed_by=(*proposal.agreed_by, PANEL)), press.frame)
    )


def _after_foul_button(
    proposal: FoulProposal | None, seat: Seat, rules: PenaltyRules, hand: int | None
) -> FoulProposal:
    """Returns the proposal after a foul button: the first press marks the offender, each further one the next foul."""
    if proposal is None or proposal.seat is not seat or proposal.agreed_by:
        return FoulProposal(seat=seat, hand=hand)
    step = (proposal.step + 1) % (len(rules.quick) + 1)
    if step == 0:
        return FoulProposal(seat=seat, hand=proposal.hand)
    quick_foul = rules.quick[step - 1]
    return replace(proposal, clause=quick_foul.clause, option=quick_foul.option, facts=quick_foul.facts, step=step)


def _phone_proposal(press: commands.NameFoul, rules: PenaltyRules, hand: int | None) -> FoulProposal:
    is_withdrawal = press.foul is not None and press.clause is None
    if is_withdrawal and not press.reason:
        raise PressError("expected a reason to cancel a foul, got none", says="foul_reason")
    clause = press.clause or UNNAMED_FOUL
    try:
        if (rule := rules.rule(clause)) is not None:
            rule.option(press.option)
        for fact in press.facts:
            check_fact(fact)
    except RulesError as error:
        raise PressError(f"in a 'name_foul' press: {error}") from error
    return FoulProposal(
        seat=press.seat,
        clause=clause,
        option=press.option,
        facts=press.facts,
        note=press.reason,
        replaces=press.foul,
        hand=hand if press.hand is None and press.foul is None else press.hand,
        is_withdrawal=is_withdrawal,
    )


def _with_vote(
    proposal: FoulProposal, press: commands.NameFoul | commands.AgreeToFoul, rules: PenaltyRules
) -> VoteStep:
    """Adds one vote. An owner's decides; unless only owners may decide, so do two, or one for the whole table."""
    if not press.by:
        raise PressError(f"expected the author of {press.word!r}, got nobody", says="seat_none")
    if press.by in proposal.agreed_by or press.phone in proposal.phones:
        return VoteStep(proposal=proposal)
    phones = (*proposal.phones, press.phone) if press.phone else proposal.phones
    proposal = replace(proposal, agreed_by=(*proposal.agreed_by, press.by), phones=phones)
    are_enough = rules.fouls_decided_by == "two" and (len(proposal.agreed_by) >= 2 or TABLE in proposal.agreed_by)
    if not are_enough and not any(map(is_owner, proposal.agreed_by)):
        return VoteStep(proposal=proposal)
    are_two = len(proposal.agreed_by) == 2 and TABLE not in proposal.agreed_by
    voters = tuple(_voter(by) for by in proposal.agreed_by) if are_two else ()
    return VoteStep(proposal=None, commands=commands_of(proposal, press.frame), voters=voters)


def _voter(by: str) -> Seat | str:
    """Returns the voter: `seat 2` and `owner 2` are that seat."""
    seat = author_seat(by)
    return by if seat is None else seat


def commands_of(proposal: FoulProposal, frame: int | None = None) -> tuple[HandPress, ...]:
    """Returns the commands to carry out after agreement; a foul that is being corrected is cancelled first."""
    by = ", ".join(proposal.agreed_by)
    log_command = commands.LogFoul(
        seat=proposal.seat,
        clause=proposal.clause,
        option=proposal.option,
        facts=proposal.facts,
        reason=proposal.note,
        by=by,
        hand=proposal.hand,
        frame=frame,
    )
    if proposal.replaces is None:
        return (log_command,)
    reason = proposal.note or f"{proposal.clause} instead"
    cancel_command = commands.CancelFoul(foul=proposal.replaces, hand=proposal.hand, reason=reason, by=by, frame=frame)
    return (cancel_command,) if proposal.is_withdrawal else (cancel_command, log_command)
