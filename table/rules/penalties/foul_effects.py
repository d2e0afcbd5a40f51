"""Computes the consequence of a foul from the effects of the chosen option."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from table.rules.penalties.chombo import applies, chombo, deltas_with, payment_part, replay_ending
from table.rules.penalties.consequence import NO_PART, Card, Consequence, Due, Ending, EndKind, Part, Sanction
from table.rules.penalties.effect_terms import Count, Effect, EffectTiming, Fact, FoulRole, Op
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT, OUTSIDE, Facts
from table.rules.penalties.penalty_rules import Option, PenaltyRules
from table.rules.terms.results import NOTHING
from table.rules.terms.seats import Seat

SANCTIONS: Final = frozenset(
    {
        Op.DEAD_HAND,
        Op.NO_WIN,
        Op.FURITEN_LOCK,
        Op.TSUMOGIRI_ONLY,
        Op.BAR_CALLS_AND_RON,
        Op.FORCE_WIN,
        Op.TENPAI_AS,
        Op.COUNT_AS_NOTEN_RIICHI,
        Op.DORA_VOID,
    }
)
"""Effects that the rules enforce automatically unless the foul is cancelled."""
VOIDED_ACTS: Final = frozenset({"riichi", "win", "utterance", "nagashi_mangan"})
"""Acts that no longer count once they are void; a void call is taken back (`fouls.tiles_put_back`)."""
FALSE_WIN: Final = "7-05-01"
FALSE_BESIDE_VALID: Final = "7-05-01-01"
ILLEGAL_KAN: Final = "7-05-06"
NOTEN_RIICHI: Final = "7-05-07"
EXPOSED_TILES: Final = "7-06-01"
DEAD_WIN: Final = "7-09-01"
LOOKING_CLAUSES: Final = frozenset({"7-06-04", "7-06-05"})
"""Fouls excused by the permission to look, if the rule set allows it (7-06-05-01)."""
_UNITS: Final = {"tile": Count.EXPOSED, "minute": Count.MINUTES}
_EXEMPT_BELOW: Final = 1000
"""The points below which a player may be excused from deposits (7-08-06)."""


def consequences(
    clause: str, offender: Seat, rules: PenaltyRules, facts: Facts, option: str | None = None
) -> Consequence:
    """Returns the consequence of a foul.

    Args:
        clause: its number in the catalogue, or a rulebook's article.
        offender: the seat that committed it.
        rules: the penalties of the rule set.
        facts: the known facts.
        option: the option that people chose instead of the rule set's, this once.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    rule = rules.rule(clause)
    if rule is None:
        return Consequence(questions=(clause,))
    chosen_option = rule.option(option)
    if chosen_option is None:
        return Consequence(questions=(clause,))
    consequence = Consequence(option=chosen_option.letter)
    if clause in LOOKING_CLAUSES and facts.answers.get(Fact.PERMITTED) and rules.chosen_effect("7-06-05-01", Op.ALLOW):
        return consequence
    for effect in chosen_option.effects:
        is_met, unknown = applies(effect, facts)
        if unknown:
            consequence += Consequence(questions=tuple(unknown))
        if not is_met:
            continue
        if (seat := facts.seat_of(effect.who, offender)) is None:
            consequence += Consequence(questions=(effect.who.value,))
            continue
        consequence += _consequence(effect, seat, rules, facts)
    if facts.answers.get(Fact.OFFENDER_WINS) and _is_false_win_too(clause, chosen_option):
        consequence += consequences(FALSE_WIN, offender, rules, facts)
    return consequence


def _is_false_win_too(clause: str, option: Option) -> bool:
    """Whether the foul makes the offender's win false too (7-05-01): 7-05-01-01, or an illegal kan (D4)."""
    return clause == FALSE_BESIDE_VALID or (clause == ILLEGAL_KAN and not answers_at_win(option.effects))


def answers_at_win(effects: Iterable[Effect]) -> bool:
    """Whether the effects of an option for illegal kans decide about a win of the seat that made the kan."""
    return any(effect.when is EffectTiming.WIN_CHECK or effect.op is Op.NO_WIN for effect in effects)


def decisive_facts(
    clause: str, rules: PenaltyRules, option: str | None = None, ruling: str | None = None
) -> tuple[str, ...]:
    """Returns the facts, counts and roles that affect the consequence of a foul, in the words that people use.

    Args:
        clause: as in `consequences`.
        rules: as in `consequences`.
        option: as in `consequences`.
        ruling: the option of 7-01 that the referee chose, if the rule set chooses none.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    rule = rules.rule(clause)
    chosen = None if rule is None else rule.option(option)
    effects = () if chosen is None else chosen.effects
    names: dict[str, None] = {}
    if any(effect.op is Op.CHOMBO for effect in effects):
        effects += rules.chombo_payment(ruling) or ()
        names |= {} if rules.chombo_payment() is not None else {CHOMBO_PAYMENT: None}
    for effect in effects:
        for condition in effect.conditions:
            names[str((condition.fact or condition.count or Fact.AWARE).value)] = None
        if effect.who is not FoulRole.OFFENDER:
            names[effect.who.value] = None
        if _is_for_breaker(effect):
            names |= {Fact.BREAKER_IS_WINNER.value: None, Fact.WIN_STANDS.value: None}
        if (unit := effect.param("per")) is not None:
            names[_UNITS[str(unit)].value] = None
        if effect.param("to") == "everyone_incl_sitting_out":
            names[OUTSIDE] = None
    if clause in LOOKING_CLAUSES:
        names[Fact.PERMITTED.value] = None
    return tuple(names)


def _consequence(effect: Effect, seat: Seat, rules: PenaltyRules, facts: Facts) -> Consequence:
    match effect.op:
        case Op.CHOMBO:
            return _chombo(effect, seat, rules, facts)
        case Op.DEPOSIT:
            return _deposit(effect, seat, rules, facts)
        case Op.PAY:
            return Consequence(now=payment_part(effect, seat, facts))
        case Op.REPLAY_HAND:
            return Consequence(now=Part(ending=replay_ending(rules)))
        case Op.BUST:
            return _bust(seat)
        case Op.AFTER_UMA:
            return _after_uma(effect, seat, facts)
        case Op.UNIT_DEDUCT | Op.LOWER_RANK | Op.BAN | Op.DISQUALIFY | Op.CARD:
            return Consequence(now=Part(dues=(_due_of(effect, seat),)))
        case op if op in SANCTIONS or (op is Op.VOID and effect.param("what") in VOIDED_ACTS):
            return Consequence(sanctions=(Sanction(seat=seat, effect=effect),))
    return Consequence(instructions=(Sanction(seat=seat, effect=effect),))


def _due_of(effect: Effect, seat: Seat) -> Due:
    if effect.op is Op.CARD:
        return Due(seat=seat, op=Op.CARD, detail=Card.of(effect).text)
    return Due(seat=seat, op=effect.op, amount=effect.number("points") or effect.number("by"))


def _chombo(effect: Effect, seat: Seat, rules: PenaltyRules, facts: Facts) -> Consequence:
    ends = effect.param("hand") == "end"
    is_late = facts.answers.get(Fact.AFTER_LAST_DISCARD) and effect.when is EffectTiming.DISCOVERY
    if ends and is_late and rules.after_last_discard == "dead_hand":
        dead_hand = Effect(op=Op.DEAD_HAND, when=EffectTiming.DISCOVERY)
        return Consequence(sanctions=(Sanction(seat=seat, effect=dead_hand),))
    if _is_for_breaker(effect) and (question := _breaker_question(facts)) is not None:
        return Consequence(questions=(question.value,))
    lets_win = _is_for_breaker(effect) and not facts.answers.get(Fact.BREAKER_IS_WINNER)
    consequence = chombo(seat, rules, facts, ends=ends and not (lets_win and facts.answers.get(Fact.WIN_STANDS)))
    if effect.param("pay") == "hand_end":
        return replace(consequence, now=NO_PART, at_end=consequence.now)
    if effect.when is EffectTiming.EXHAUSTIVE_DRAW:
        return replace(consequence, now=NO_PART, at_draw=consequence.now)
    if effect.when is EffectTiming.WIN_CHECK:
        return replace(consequence, now=NO_PART, at_win=consequence.now)
    return consequence


def _is_for_breaker(effect: Effect) -> bool:
    """Whether the effect applies to the player who knocked over the tiles that a win is checked by.

    A winner who did so loses the win; for another player, people are asked whether the win counts.
    """
    return effect.when is EffectTiming.WIN_CHECK and effect.who is FoulRole.BREAKER


def _breaker_question(facts: Facts) -> Fact | None:
    """Returns the next unknown fact about the win: whether the winner knocked it over, or else the referee's ruling."""
    is_winner = facts.answers.get(Fact.BREAKER_IS_WINNER)
    if is_winner is None:
        return Fact.BREAKER_IS_WINNER
    return None if is_winner or Fact.WIN_STANDS in facts.answers else Fact.WIN_STANDS


def _deposit(effect: Effect, seat: Seat, rules: PenaltyRules, facts: Facts) -> Consequence:
    if _is_excused(seat, rules, facts):
        return Consequence(excused_seats=(seat,))
    if (points := _points(effect, facts)) is None:
        return _count_question(effect)
    if rules.short_is_bust and facts.scores[seat] < points:
        return _bust(seat)
    return Consequence(now=Part(deltas=deltas_with(NOTHING, seat, -points), pot=points))


def _after_uma(effect: Effect, seat: Seat, facts: Facts) -> Consequence:
    if (points := _points(effect, facts)) is None:
        return _count_question(effect)
    return Consequence(now=Part(dues=(Due(seat=seat, op=Op.AFTER_UMA, amount=points),)))


def _points(effect: Effect, facts: Facts) -> int | None:
    """Returns the points of an effect, also per tile or minute, up to a cap; None until people have counted these."""
    points, unit = effect.number("points"), effect.param("per")
    if unit is None:
        return points
    count = facts.counts.get(_UNITS[str(unit)])
    return None if count is None else min(points * count, effect.number("cap") or points * count)


def _count_question(effect: Effect) -> Consequence:
    return Consequence(questions=(_UNITS[str(effect.param("per"))].value,))


def _bust(seat: Seat) -> Consequence:
    return Consequence(now=Part(ending=Ending(kind=EndKind.BUST), dues=(Due(seat=seat, op=Op.BUST),)))


def _is_excused(seat: Seat, rules: PenaltyRules, facts: Facts) -> bool:
    exemption = rules.chosen_effect("7-08-06", Op.EXEMPT_IF_SHORT)
    return exemption is not None and exemption.param("exempt") is True and facts.scores[seat] < _EXEMPT_BELOW
