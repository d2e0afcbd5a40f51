"""A chombo: its cost (7-01, 7-01-01), and the end of a hand by a chombo (7-02, 7-02-01, 7-03).

A mangan, haneman or yakuman is split as at a tsumo, with a double share for the dealer. The honba does not change. If
the catalogue is ambiguous, the proposals of its notes apply. If the referee decides what follows a chombo, the hand is
dealt again. A payment that is higher under a condition ("mangan, but yakuman if …") is the lower one until people know
whether the condition holds.
"""

from __future__ import annotations

from typing import Final

from table.rules.penalties.consequence import Chombo, Consequence, Due, Ending, EndKind, Part, payment_deltas
from table.rules.penalties.effect_terms import Effect, EffectTiming, Op
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT, Facts
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.results import Deltas, add
from table.rules.terms.seats import SEATS, Seat, four

AFTER_CHOMBO: Final = "7-02"
"""The clause about the dealership after a chombo."""
_SHARES: Final = {"mangan": 2000, "haneman": 3000, "yakuman": 8000}
"""The share paid by a non-dealer to a non-dealer."""


def other_seats(seat: Seat) -> list[Seat]:
    """Returns the other three seats."""
    return [other for other in SEATS if other is not seat]


def shares(effect: Effect, payer: Seat, facts: Facts) -> dict[Seat, int]:
    """Returns the points that `payer` pays to each of the others."""
    if (each := effect.points_each) is not None:
        return dict.fromkeys(other_seats(payer), each)
    share = _SHARES[str(effect.param("scheme"))]
    return {seat: 2 * share if facts.dealer in (payer, seat) else share for seat in other_seats(payer)}


def payment_part(effect: Effect, payer: Seat, facts: Facts) -> Part:
    """Returns a payment to the others, and to players who sit out if the rule includes them."""
    to_seats = shares(effect, payer, facts)
    outside = 0
    if effect.param("to") == "everyone_incl_sitting_out":
        outside = (effect.points_each or 0) * facts.outside
    deltas = payment_deltas(payer, to_seats)
    return Part(deltas=deltas_with(deltas, payer, -outside), outside=outside)


def deltas_with(deltas: Deltas, seat: Seat, more: int) -> Deltas:
    """Returns the points with `more` added for one seat."""
    return four(points + more * (each is seat) for each, points in zip(SEATS, deltas, strict=True))


def chombo(seat: Seat, rules: PenaltyRules, facts: Facts, *, ends: bool) -> Consequence:
    """Returns the cost of one chombo of `seat`, to be paid now, and how the hand ends if `ends` is set."""
    cost, rank_effects = rules.chombo_payment(facts.chombo_payment), rules.chosen_effects("7-01-01")
    effects = [*(cost or ()), *(rank_effects or ())]
    questions = [clause for clause, found in ((CHOMBO_PAYMENT, cost), ("7-01-01", rank_effects)) if found is None]
    dues: list[Due] = []
    to_seats: dict[Seat, int] = {}
    for effect in effects:
        is_met, unknown = applies(effect, facts)
        questions += unknown
        if not is_met and not (unknown and _holds_by_default(effect, facts)):
            continue
        match effect.op:
            case Op.PAY:
                to_seats = shares(effect, seat, facts)
            case Op.PAY_HAND_VALUE:
                questions += _replace_by_value(effect, seat, facts, to_seats)
            case Op.UNIT_DEDUCT | Op.AFTER_UMA:
                dues.append(Due(seat=seat, op=effect.op, amount=effect.number("points")))
            case Op.LOWER_RANK:
                dues.append(Due(seat=seat, op=effect.op, amount=effect.number("by")))
    ending = None
    if ends:
        ending, more = _ending(seat, rules, facts, payment_deltas(seat, to_seats))
        questions += more
    cost_of_one = Chombo(seat=seat, deltas=payment_deltas(seat, to_seats), dues=tuple(dues))
    part = Part(deltas=cost_of_one.deltas, dues=cost_of_one.dues, ending=ending, chombos=(cost_of_one,) if ends else ())
    return Consequence(now=part, questions=tuple(questions))


def replay_ending(rules: PenaltyRules) -> Ending:
    """Returns the end of a hand that is dealt again without a chombo; sticks are handled as at a chombo (7-03)."""
    return Ending(kind=EndKind.REPLAY, is_repeat=True, returned_sticks=_returned_sticks(rules))


def applies(effect: Effect, facts: Facts) -> tuple[bool, list[str]]:
    """Returns whether an effect's conditions hold, and the facts still unknown."""
    answers = [(condition, facts.holds(condition)) for condition in effect.conditions]
    if any(answer is False for _, answer in answers):
        return False, []
    unknown = [_question_text(condition.fact or condition.count) for condition, answer in answers if answer is None]
    return not unknown, unknown


def _holds_by_default(effect: Effect, facts: Facts) -> bool:
    """Whether an effect holds until all facts are known, as the mangan of "mangan, but yakuman if …" does."""
    answers = [(condition, facts.holds(condition)) for condition in effect.conditions]
    return all(condition.fact is not None and not condition.wanted for condition, answer in answers if answer is None)


def _question_text(fact: object) -> str:
    return str(getattr(fact, "value", fact))


def _replace_by_value(effect: Effect, payer: Seat, facts: Facts, to_seats: dict[Seat, int]) -> list[str]:
    """Sets in `to_seats` the value of each matching opponent's own hand; returns questions about unseen hands."""
    for seat in other_seats(payer):
        if (worth := facts.worths.get(seat)) is None:
            continue
        matches = worth.is_live if effect.param("to") == "tenpai_with_live_wait" else worth.is_yakuman
        points = worth.most if effect.param("value") == "max" else worth.most_without_luck
        if matches and points:
            to_seats[seat] = int(points * float(effect.param("factor") or 1))
    return [f"hand {int(seat)}" for seat in other_seats(payer) if seat not in facts.worths]


def _ending(seat: Seat, rules: PenaltyRules, facts: Facts, cost: Deltas) -> tuple[Ending, list[str]]:
    after = rules.chosen_effects(AFTER_CHOMBO)
    if after is None:
        return Ending(kind=EndKind.CHOMBO, is_repeat=True, returned_sticks=_returned_sticks(rules)), [AFTER_CHOMBO]
    if any(effect.op is Op.REPLAY_HAND for effect in after):
        return Ending(kind=EndKind.CHOMBO, is_repeat=True, returned_sticks=rules.returned_sticks), []
    rotate = next((effect.param("rotate") for effect in after if effect.op is Op.DEALER), "never")
    passes = rotate == "always" or (rotate == "if_dealer_offends" and seat is facts.dealer)
    last = rules.chosen_effect("7-02-01", Op.DEALER_IN_LAST_HAND)
    stays_at_end = passes and (last is None or last.param("rotate") is not True)
    passes = passes and not (stays_at_end and _is_end(facts, cost, _returned_sticks(rules)))
    sticks = _returned_sticks(rules)
    return Ending(kind=EndKind.CHOMBO, dealer_passes=passes, stays_at_end=stays_at_end, returned_sticks=sticks), []


def _is_end(facts: Facts, cost: Deltas, returns: str) -> bool:
    """Whether the game ends with this hand if the deal passes."""
    scores = add(facts.scores, cost)
    after = scores if returns == "none" else add(scores, facts.stick_points)
    return facts.end_target is not None and max(after) >= facts.end_target


def _returned_sticks(rules: PenaltyRules) -> str:
    sticks = rules.chosen_effect("7-03", Op.STICKS)
    if sticks is not None and sticks.when is EffectTiming.CHOMBO and sticks.param("to") == "carry_over":
        return "none"
    return rules.returned_sticks
