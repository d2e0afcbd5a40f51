"""Fouls in the hand being played: logs, cancels and recomputes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import foul_totals, hand_phase
from table.rules.aspects import tile_copies, turn
from table.rules.aspects.riichi import declaration
from table.rules.aspects.winning import claims
from table.rules.draft import Draft, replace_at
from table.rules.events import (
    FoulCancelled,
    FoulLogged,
)
from table.rules.foul_totals import extra_draws_allowed, is_dead
from table.rules.fouls import voided_riichi
from table.rules.fouls.foul_evidence import BARS_WIN, facts_of, option_of, seen_facts
from table.rules.fouls.foul_hand_end import is_false_win, part_for
from table.rules.fouls.foul_order import with_consequences
from table.rules.fouls.hand_of_foul import hand_by_number
from table.rules.fouls.punished_acts import has_wrong_count
from table.rules.fouls.tiles_put_back import has_just_called, lay_again
from table.rules.penalties.consequence import Consequence, Sanction
from table.rules.penalties.effect_terms import Fact, Op
from table.rules.penalties.foul_facts import Facts
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import Settlement
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat

_VOIDS_CLAIM = ("win", "utterance")
_LATE_UTTERANCE = "7-05-14"


def log_foul(draft: Draft, event: FoulLogged, settlement: Settlement | None) -> LoggedFoul:
    """Logs a foul with its consequence, and carries out the effects that the rules can.

    Args:
        draft: the hand.
        event: the foul.
        settlement: how the hand was settled, if it was.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    foul = _with_consequence(draft, _logged_foul(draft, event))
    consequence = foul.consequence
    if draft.phase is not Phase.SETTLED:
        foul = _carry_out(draft, foul)
        draft.fouls = with_consequences(draft, (*draft.fouls, foul))
    else:
        draft.fouls = (*draft.fouls, foul)
    details: dict[str, Any] = (
        {} if consequence.option is None else {"option": consequence.option, "questions": list(consequence.questions)}
    )
    if draft.phase is Phase.SETTLED:
        details["hand"] = len(draft.game.history) - 1
    number = len(draft.fouls) - 1
    deltas = _deltas_argument(draft, draft.fouls[number], settlement)
    draft.say(
        AnnouncementId.FOUL_LOGGED, event.clause, event.seat, clause=event.clause, foul=number, **details, **deltas
    )
    if draft.phase is not Phase.SETTLED:
        _say_dead_hands(draft, foul)
    return foul


def _deltas_argument(draft: Draft, foul: LoggedFoul, settlement: Settlement | None) -> dict[str, Any]:
    """Returns the points by seat that a foul moves at once, as an argument of its announcement; empty if none."""
    is_late = draft.phase is Phase.SETTLED
    deltas = part_for(draft, foul, settlement).deltas if is_late else foul_totals.foul_deltas([foul])
    return {"deltas": list(deltas)} if any(deltas) else {}


def _logged_foul(draft: Draft, event: FoulLogged) -> LoggedFoul:
    """Returns the foul with the facts that the table saw, but without its consequence."""
    return LoggedFoul(
        seat=event.seat,
        clause=event.clause,
        option=event.option,
        note=event.note,
        facts=event.facts,
        by=event.by,
        seen_facts=seen_facts(draft, event),
        discards=draft.discards,
        laid=len(draft.laid_tiles),
        claims=draft.claims,
        is_late=draft.phase is Phase.SETTLED,
    )


def _with_consequence(draft: Draft, foul: LoggedFoul) -> LoggedFoul:
    """Returns a foul with its consequence, given the fouls of the hand.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    return with_consequences(draft, (*draft.fouls, foul))[-1]


def _say_dead_hands(draft: Draft, foul: LoggedFoul) -> None:
    for sanction in foul.consequence.sanctions:
        if sanction.op is Op.DEAD_HAND:
            draft.say(AnnouncementId.DEAD_HAND, foul.clause, sanction.seat)


def preview_consequence(state: GameState, event: FoulLogged, ruleset: Ruleset) -> Consequence:
    """Returns the consequence that logging this foul now would have; nothing is changed.

    Raises:
        ImpossibleEventError: there is no such hand.
        InvalidValueError: the clause has no such option.
    """
    draft, _ = hand_by_number(state, event.hand, ruleset)
    return _with_consequence(draft, _logged_foul(draft, event)).consequence


def known_facts(state: GameState, event: FoulLogged, ruleset: Ruleset) -> Facts:
    """Returns the facts about a foul that is about to be logged, given by people or seen on the table.

    Raises:
        ImpossibleEventError: there is no such hand.
        InvalidValueError: the clause has no such option.
    """
    draft, _ = hand_by_number(state, event.hand, ruleset)
    return facts_of(draft, _logged_foul(draft, event))


def cancel_foul(draft: Draft, event: FoulCancelled) -> None:
    """Cancels a foul of the hand in play, which stays listed with the reason; a riichi that it voided is restored.

    Raises:
        ImpossibleEventError: there is no such foul, or it was already cancelled.
    """
    if not 0 <= event.foul < len(draft.fouls) or draft.fouls[event.foul].cancel_reason is not None:
        raise ImpossibleEventError(
            f"expected a logged foul out of {len(draft.fouls)} to cancel, got {event.foul}", says="foul_gone"
        )
    foul = draft.fouls[event.foul]
    draft.fouls = replace_at(draft.fouls, event.foul, replace(foul, cancel_reason=event.reason))
    # If it was the last tile, a discard made since, out of an empty wall (7-05-09), does not count as its draw.
    draft.tiles_left += foul.extra_draws
    lay_again(draft, event.foul)
    voided_riichi.restore_riichi(draft, foul)
    draft.values = (None,) * 4
    work_out_again(draft)
    draft.say(AnnouncementId.FOUL_CANCELLED, foul.clause, foul.seat, clause=foul.clause, foul=event.foul)


def work_out_again(draft: Draft) -> None:
    """Recomputes the fouls of the hand in play, since a foul before them was logged or cancelled.

    Changed consequences are carried out; the earlier ones are undone as if those fouls had been cancelled.
    """
    for index, new in enumerate(with_consequences(draft, draft.fouls)):
        old = draft.fouls[index]
        if old.consequence == new.consequence:
            continue
        draft.tiles_left += old.extra_draws
        undone = replace(new, voided_riichi=(), announced_riichi=(), extra_draws=0)
        draft.fouls = replace_at(draft.fouls, index, undone)
        voided_riichi.restore_riichi(draft, old)
        draft.fouls = replace_at(draft.fouls, index, _carry_out(draft, new))
        if not is_dead((old,), new.seat):
            _say_dead_hands(draft, new)
    turn.draw_again(draft)


def reconsider(draft: Draft) -> bool:
    """Recomputes the fouls that waited for hands to be shown (7-01 c, e, i); returns whether there was one."""
    fouls = draft.fouls
    indexes = [index for index, foul in enumerate(fouls) if foul.cancel_reason is None and _waits_for_hands(foul)]
    for index in indexes:
        foul = fouls[index]
        event = FoulLogged(seat=foul.seat, clause=foul.clause, option=foul.option, facts=foul.facts)
        draft.fouls = fouls[:index]  # only the fouls logged before it affect the value of a hand
        fouls = replace_at(fouls, index, replace(foul, seen_facts=seen_facts(draft, event)))
    draft.fouls = fouls
    if indexes:
        draft.fouls = with_consequences(draft, fouls)
    return bool(indexes)


def _waits_for_hands(foul: LoggedFoul) -> bool:
    questions = foul.consequence.questions
    return Fact.SOMEONE_YAKUMAN_TENPAI.value in questions or any(question.startswith("hand ") for question in questions)


def _carry_out(draft: Draft, foul: LoggedFoul) -> LoggedFoul:
    consequence = foul.consequence
    draft.values = (None,) * 4
    if consequence.now.ending is None:
        for seat in {foul.seat, *(sanction.seat for sanction in consequence.sanctions)}:
            if _drops_claim(consequence, seat) or (
                seat is foul.seat and (_is_refuted_win(foul, draft.rules.penalties) or has_wrong_count(draft, foul))
            ):
                _take_up(draft, seat)
        if is_false_win(foul, draft.rules.penalties) and any(
            instruction.op is Op.RESTORE for instruction in consequence.instructions
        ):
            _take_up_all(draft)
    extra_draws = min(draft.tiles_left, extra_draws_allowed(foul))
    draft.tiles_left -= extra_draws
    void_seats = {
        sanction.seat
        for sanction in consequence.sanctions
        if voided_riichi.voids_riichi(sanction.effect)
        or (_voids_utterance(sanction) and _was_riichi_said_last(draft, foul, sanction.seat))
    }
    if voided_riichi.is_no_riichi(foul.clause, option_of(draft, foul), draft.rules.penalties):
        void_seats.add(foul.seat)
    announced = voided_riichi.take_back_announced(draft, void_seats)
    voided = voided_riichi.void_riichi(draft, void_seats, foul.clause)
    return replace(foul, voided_riichi=voided, announced_riichi=announced, extra_draws=extra_draws)


def _is_refuted_win(foul: LoggedFoul, penalties: PenaltyRules) -> bool:
    """Whether a foul is a false win after which play continues; not if a question or a referee's ruling is open."""
    return is_false_win(foul, penalties) and foul.consequence.is_decided


def _drops_claim(consequence: Consequence, seat: Seat) -> bool:
    void = consequence.sanction_on(seat, Op.VOID)
    is_void = void is not None and void.param("what") in _VOIDS_CLAIM
    return is_void or any(consequence.sanction_on(seat, op) is not None for op in (*BARS_WIN, Op.FURITEN_LOCK))


def _take_up(draft: Draft, seat: Seat) -> None:
    """Removes a claim that no longer counts; the seat takes up its tiles and play continues."""
    claim = next((own_claim for own_claim in draft.claims if own_claim.seat is seat), None)
    if claim is None:
        return
    _close(draft, seat, claim)
    hand_phase.withdraw(draft, seat)
    if not draft.claims:
        claims.restore_before_claims(draft)


def _take_up_all(draft: Draft) -> None:
    """Closes the opened hands, except those of wins that are still claimed."""
    for seat in SEATS:
        if all(claim.seat is not seat for claim in draft.claims):
            _close(draft, seat, None)


def _close(draft: Draft, seat: Seat, claim: Claim | None) -> None:
    """Closes a shown hand, together with a winning tile that the seat had drawn."""
    hand = draft.shown_hands[seat]
    if hand is None:
        return
    is_ron = claim is not None and claim.laid_tile is not None
    tile_copies.remove(draft, hand.tiles if is_ron or hand.winning_tile is None else (*hand.tiles, hand.winning_tile))
    draft.shown_hands = replace_at(draft.shown_hands, seat, None)
    draft.openers = tuple(opener for opener in draft.openers if opener is not seat)


def _voids_utterance(sanction: Sanction) -> bool:
    return sanction.op is Op.VOID and sanction.effect.param("what") == "utterance"


def _was_riichi_said_last(draft: Draft, foul: LoggedFoul, seat: Seat) -> bool:
    """Whether the utterance of a seat that is void is its riichi: its tile was laid last, or is still to be laid.

    An announced riichi is not meant among utterances that should have been simultaneous (7-05-15), or if the seat has
    claimed a win or called a tile, which is the utterance then.
    """
    riichi, last = voided_riichi.last_riichi(draft, seat), draft.claimable_tile
    if riichi is not None and last is not None and riichi.laid_index == last.laid_index:
        return True
    is_late = draft.rules.penalties.is_named(_LATE_UTTERANCE, foul.clause)
    has_claimed = any(claim.seat is seat for claim in foul.claims)
    is_announced = declaration.is_only_announced(draft, seat) and draft.riichi[seat].is_voiced
    return is_late and is_announced and not has_claimed and not has_just_called(draft, seat)
