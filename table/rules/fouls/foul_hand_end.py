"""The end of a hand with fouls: which penalties apply, how they end the hand, and who still counts as tenpai.

A chombo ends the hand, so a seat pays for only one such chombo, even if further fouls of it are logged (7-02).
7-05-01-01 decides between a false win and valid wins at the same time. A foul that is punished only at a draw lapses
when somebody wins. Points that fouls moved during the hand are part of its settlement: scores after it = scores before
it + deltas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from table.rules.draft import Draft
from table.rules.events import WinKind
from table.rules.foul_totals import (
    counts_as_noten_riichi,
    in_force,
    is_dead,
    is_noten_riichi,
    may_have_nagashi,
    sanction_on,
)
from table.rules.fouls.punished_acts import WRONG_COUNTS, has_wrong_count
from table.rules.penalties.chombo import AFTER_CHOMBO
from table.rules.penalties.consequence import NO_PART, Consequence, Due, Ending, EndKind, Part
from table.rules.penalties.effect_terms import Effect, Fact, FoulRole, Op
from table.rules.penalties.foul_effects import DEAD_WIN, FALSE_BESIDE_VALID, FALSE_WIN, ILLEGAL_KAN
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.scoring.game_progress import end_target
from table.rules.scoring.payments import Stakes, is_triple_ron_abort, no_chips
from table.rules.state import Claim, FactKind, LoggedFoul, MissingFact, Phase, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import STICK, AbortReason, Deltas, ResultKind, Settlement, add
from table.rules.terms.seats import SEATS, Seat, four

_REASONS: Final = {
    EndKind.CHOMBO: AbortReason.CHOMBO,
    EndKind.REPLAY: AbortReason.REPLAY,
    EndKind.BUST: AbortReason.BUST,
}

_LATE: Final = ("7-05-14", "7-05-15")
_MISNAMED: Final = "7-08-02"
_MISCALLED: Final = (*_LATE, _MISNAMED)
"""Rons that came too late, or on a tile that was called by a wrong name."""
_HAND_UNCLEAR: Final = "7-07-02"
_UNCHECKED: Final = (_HAND_UNCLEAR, "7-07-03")
"""Hands and indicators that were knocked over before a win was checked."""
_HANDS_ASKED: Final = {str(fact): fact for fact in (MissingFact(FactKind.HAND, seat) for seat in SEATS)}
"""The questions of a consequence that a shown hand answers."""


def ending_of(draft: Draft) -> Ending | None:
    """Returns how penalties end the hand in its present state; None if they do not."""
    return None if not draft.fouls else _total(draft).ending


def ending_with_deal(draft: Draft) -> Ending | None:
    """Returns how penalties end the hand, with the deal that all payments together decide (7-02-01)."""
    if (ending := ending_of(draft)) is None:
        return None
    deltas, _ = _payments(draft, ending, riichi_seats(draft))
    return replace(ending, dealer_passes=_passes_deal(draft, ending, deltas))


def rule_of_end(draft: Draft, reason: AbortReason) -> str:
    """Returns the clause that settles the hand: 7-01, the payment for a chombo, or the clause of the foul itself."""
    if reason is AbortReason.CHOMBO:
        return CHOMBO_PAYMENT
    clauses = (foul.clause for foul in in_force(draft.fouls) if _part_at_end(draft, foul).ending is not None)
    return next(clauses, AFTER_CHOMBO)


def voided_wins(draft: Draft) -> dict[Seat, Seat]:
    """Returns the seats whose valid win is not paid, each with the seat whose foul ends the hand instead."""
    if not draft.claims or not draft.fouls:
        return {}
    parts = ((foul.seat, _part_at_end(draft, foul)) for foul in in_force(draft.fouls))
    offenders = [offender for seat, part in parts if part.ending is not None for offender in _offenders(seat, part)]
    return {claim.seat: offenders[0] for claim in _valid_claims(draft) if offenders and claim.seat not in offenders}


def say_voided_wins(draft: Draft, before: Mapping[Seat, Seat]) -> None:
    """Announces the wins that a foul takes away, except those in `before`, an earlier result of `voided_wins`."""
    ending = ending_of(draft)
    for seat, offender in voided_wins(draft).items():
        if ending is not None and seat not in before:
            args: dict[str, Any] = {"why": "foul", "from": int(offender)}
            draft.say(AnnouncementId.WIN_VOID, rule_of_end(draft, _REASONS[ending.kind]), seat, **args)


def riichi_seats(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats with a valid riichi; a claimed ron voids no riichi if a penalty ends the hand."""
    stages, before = draft.riichi, draft.before_ron
    if before is not None and ending_of(draft) is not None:
        stages = tuple(
            then if now.stage is RiichiStage.VOID else now for now, then in zip(stages, before.riichi, strict=True)
        )
    return tuple(seat for seat in SEATS if stages[seat].is_declared and stages[seat].has_passed)


def _offenders(seat: Seat, part: Part) -> tuple[Seat, ...]:
    """Returns the seats that pay a chombo for a foul of this seat; the seat itself if no chombo ends the hand."""
    return tuple(chombo.seat for chombo in part.chombos) or (seat,)


def settle_penalty(draft: Draft, stakes: Stakes, ending: Ending) -> Settlement:
    """Settles a hand that a penalty ends: no win, no noten payments; the rule set determines sticks and deal."""
    deltas, pot = _payments(draft, ending, stakes.riichi)
    return Settlement(
        kind=ResultKind.ABORT,
        reason=_REASONS[ending.kind],
        deltas=deltas,
        deposits=stakes.deposits if ending.returned_sticks == "none" else draft.start.deposits,
        deposit_points=pot,
        dealer_stays=not _passes_deal(draft, ending, deltas),
        honba=draft.start.honba,
        chips=no_chips(draft.rules),
    )


def _payments(draft: Draft, ending: Ending, riichi: Sequence[Seat]) -> tuple[Deltas, int]:
    """Returns what each seat gains after a penalty, with sticks of these seats in riichi, and the pot of penalties."""
    total = _total(draft)
    deltas, pot = total.deltas, draft.start.deposit_points + total.pot
    if ending.returned_sticks == "none":
        deltas = add(deltas, four(-STICK if seat in riichi else 0 for seat in SEATS))
    if ending.returned_sticks == "all":
        deposits_back = [_deposit_points_of(draft, seat) for seat in SEATS]
        deltas, pot = add(deltas, four(deposits_back)), pot - sum(deposits_back)
    return deltas, pot


def _passes_deal(draft: Draft, ending: Ending, deltas: Deltas) -> bool:
    """Whether the deal passes after a penalty with these payments, which may decide whether the game would end."""
    if not ending.stays_at_end:
        return ending.dealer_passes
    target = end_target(draft.start.round, draft.rules)
    return target is None or max(add(draft.start.scores, deltas)) < target


def with_penalties(draft: Draft, settlement: Settlement) -> Settlement:
    """Returns an ordinary settlement plus the points that fouls moved in this hand; its stakes include the pot."""
    return replace(settlement, deltas=add(settlement.deltas, _total(draft).deltas)) if draft.fouls else settlement


def pot_of(draft: Draft) -> int:
    """Returns the penalty points in the pot at the end of the hand."""
    return draft.start.deposit_points + (_total(draft).pot if draft.fouls else 0)


def dues_of(draft: Draft) -> tuple[Due, ...]:
    """Returns the penalties of this hand's fouls that are settled at the end of the game."""
    return _total(draft).dues if draft.fouls else ()


def missing_rulings(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats whose foul leaves a claimed win to a ruling of the referee that is still missing."""
    if not draft.claims:
        return ()
    return tuple(foul.seat for foul in in_force(draft.fouls) if _leaves_win_open(draft, foul))


def _leaves_win_open(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether the referee has to say what becomes of a claimed win, and did not by entering the foul once more."""
    consequence = foul.consequence
    if _is_ruled_again(draft, foul):
        return False
    if not {Fact.WIN_STANDS.value, Fact.BREAKER_IS_WINNER.value}.isdisjoint(consequence.questions):
        return any(_may_be_unchecked(draft, foul, claim) for claim in draft.claims)
    is_open = consequence.now.ending is None and not consequence.is_decided
    if not is_open or draft.rules.penalties.rule(foul.clause) is None:
        return False
    return any(_decides_about(draft, foul, claim) for claim in _valid_claims(draft))


def _may_be_unchecked(draft: Draft, foul: LoggedFoul, claim: Claim) -> bool:
    """Whether the tiles knocked over may matter to this win: indicators, its hand, or that of one it is in place of.

    A hand does not if the foul was logged beside the wins of other seats on another tile, all of them withdrawn since.
    Indicators stay unclear for every win.
    """
    is_about_hand = draft.rules.penalties.is_named(_HAND_UNCLEAR, foul.clause)
    if not is_about_hand or not foul.claims or any(other.seat is claim.seat for other in foul.claims):
        return True
    return any(_may_be_on_same_tile(draft, foul, other, claim) for other in foul.claims)


def _may_be_on_same_tile(draft: Draft, foul: LoggedFoul, claimed_then: Claim, claim: Claim) -> bool:
    """Whether two wins may be on the same tile, of which the first one was claimed when the foul was logged."""
    if claimed_then.laid_tile is None or claim.laid_tile is None:  # drawn, or not seen
        return foul.laid == len(draft.laid_tiles)
    return claimed_then.laid_tile.laid_index == claim.laid_tile.laid_index


def _is_ruled_again(draft: Draft, foul: LoggedFoul) -> bool:
    """Whether the same foul of the seat was entered with a ruling, too: at that tile, or later if it lasts."""
    offence = (foul.seat, foul.clause)
    rulings = (other for other in in_force(draft.fouls) if other.consequence.is_decided)
    ruled_at = {other.discards for other in rulings if (other.seat, other.clause) == offence}
    lasts = foul.clause in (*WRONG_COUNTS, ILLEGAL_KAN, *_UNCHECKED)
    return foul.discards in ruled_at or (lasts and any(discards > foul.discards for discards in ruled_at))


def _decides_about(draft: Draft, foul: LoggedFoul, claim: Claim) -> bool:
    """Whether the ruling on a foul decides about this win: a false or late one, or one that cannot be checked."""
    if foul.clause in (*WRONG_COUNTS, ILLEGAL_KAN):
        return claim.seat is foul.seat
    if foul.discards != draft.discards:
        return False
    if foul.clause == _MISNAMED:
        return claim.from_seat is foul.seat
    is_about_win = is_false_win(foul, draft.rules.penalties) or foul.clause in _LATE
    return foul.clause in _UNCHECKED or (is_about_win and _may_be_about(draft, foul, claim))


def _may_be_about(draft: Draft, foul: LoggedFoul, claim: Claim) -> bool:
    """Whether a false or late win may be this claim, however it is valued by now: if its seat claimed the same tile."""
    if claim.kind is WinKind.TSUMO and foul.laid != len(draft.laid_tiles):
        return False  # of another draw, after a kan
    of_foul, caller = foul.claim, foul.seen_facts.with_facts(foul.facts).roles.get(FoulRole.LATE_CALLER, foul.seat)
    if of_foul is None or caller is not foul.seat:
        return claim.seat is caller
    places = [None if each.laid_tile is None else each.laid_tile.laid_index for each in (claim, of_foul)]
    return (claim.seat, claim.kind) == (of_foul.seat, of_foul.kind) and places[0] == places[1]


def unknown_costs(draft: Draft) -> tuple[MissingFact, ...]:
    """Returns the missing facts that decide the cost of a penalty that ends the hand.

    These are hands to be shown (`hand 2`, 7-01 c and i), and rulings on the foul of a seat (`ruling 1`).
    """
    facts = (
        _HANDS_ASKED.get(question, MissingFact(FactKind.RULING, foul.seat))
        for foul in in_force(draft.fouls)
        if _part_at_end(draft, foul).ending is not None
        for question in foul.consequence.questions
        if question != AFTER_CHOMBO
    )
    return tuple(dict.fromkeys(facts))


def is_payment_open(draft: Draft) -> bool:
    """Whether a chombo ends the hand, but the referee, who decides its payment by the rule set, has not ruled yet."""
    if draft.rules.penalties.rule(CHOMBO_PAYMENT) is None:
        return False
    open_fouls = (foul for foul in in_force(draft.fouls) if CHOMBO_PAYMENT in foul.consequence.questions)
    return any(_part_at_end(draft, foul).ending is not None for foul in open_fouls)


def with_outcomes(draft: Draft) -> tuple[LoggedFoul, ...]:
    """Returns the hand's fouls, each with the effects that it has if the hand ends in its present state."""
    parts = parts_of(draft)
    return tuple(foul if foul.cancel_reason is not None else replace(foul, outcome=next(parts)) for foul in draft.fouls)


def part_for(draft: Draft, foul: LoggedFoul, settlement: Settlement | None) -> Part:
    """Returns the effects of a foul that was found after its hand had ended with this settlement.

    Without a settlement, the next deal stated the points: only penalties due at the end of the game are left.
    """
    consequence = foul.consequence
    part = consequence.now + consequence.at_end
    if settlement is None:
        return Part(dues=part.dues)
    if settlement.kind is ResultKind.DRAW or settlement.reason is AbortReason.FOUR_RIICHI:
        part += consequence.at_draw
    if settlement.wins:
        part += consequence.at_win
    return part if late_win_precedence(draft, foul, settlement) is None else NO_PART


def late_win_precedence(draft: Draft, foul: LoggedFoul, settlement: Settlement) -> str | None:
    """Returns why a false win found late costs nothing, since another seat's win takes precedence; None if it costs.

    The reasons are those of `win_precedence`. None too if the seat itself won, since its win stands, and for other
    fouls, since nobody knows whether they happened at the same time as the win.
    """
    ending, distances = foul.consequence.now.ending, [win.seat.after(win.from_seat) for win in settlement.wins]
    if (
        ending is None
        or not is_false_win(foul, draft.rules.penalties)
        or any(win.seat is foul.seat for win in settlement.wins)
    ):
        return None
    if settlement.kind is ResultKind.RON:
        mode = _precedence_mode(draft)
        is_nearer = min(distances) < foul.seat.after(settlement.wins[0].from_seat)
        return mode if mode == "valid_only" or (mode == "head_bump" and is_nearer) else None
    is_void = draft.rules.penalties.win_voids_chombo and ending.kind is EndKind.CHOMBO
    return "void" if settlement.wins and is_void else None


def tenpai_of(draft: Draft, seats: Sequence[Seat], riichi: Sequence[Seat]) -> tuple[Seat, ...]:
    """Returns the seats that count as tenpai at a draw.

    Args:
        draft: the hand with its fouls.
        seats: the seats with tenpai hands.
        riichi: the seats in riichi.
    """
    return tuple(seat for seat in SEATS if _is_tenpai(draft, seat, is_shown=seat in seats, is_in_riichi=seat in riichi))


def may_be_noten(draft: Draft, seat: Seat) -> bool:
    """Whether a logged foul decides about the seat's riichi if it is noten at a draw (R27, 7-05-07, 7-09-05)."""
    is_decided = is_dead(draft.fouls, seat) or is_noten_riichi(draft.fouls, seat, draft.rules.penalties)
    return is_decided or sanction_on(draft.fouls, seat, Op.TENPAI_AS) is not None


def nagashi_of(draft: Draft, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Returns the seats paid for nagashi mangan; a dead hand only if the rules or a logged foul allow it (7-09-06)."""
    return tuple(seat for seat in seats if _has_nagashi(draft, seat))


def _has_nagashi(draft: Draft, seat: Seat) -> bool:
    if (is_allowed := may_have_nagashi(draft.fouls, seat)) is not None:
        return is_allowed
    return not is_dead(draft.fouls, seat) or draft.rules.penalties.chosen_effect("7-09-06", Op.ALLOW) is not None


def must_show(draft: Draft, seat: Seat) -> bool:
    """Whether a hand in riichi must be shown at a draw; a dead hand that counts as noten may be exempt."""
    if draft.rules.penalties.dead_riichi_shown:
        return True
    is_in_riichi = draft.riichi[seat].is_declared
    return not is_dead(draft.fouls, seat) or _is_tenpai(draft, seat, is_shown=True, is_in_riichi=is_in_riichi)


def _is_tenpai(draft: Draft, seat: Seat, *, is_shown: bool, is_in_riichi: bool) -> bool:
    if (status := sanction_on(draft.fouls, seat, Op.TENPAI_AS)) is not None:
        return _is_tenpai_by(status, is_shown=is_shown)
    if is_in_riichi and counts_as_noten_riichi(draft.fouls, seat):
        return False
    if not is_dead(draft.fouls, seat):
        return is_shown
    rule = draft.rules.penalties.chosen_effect("7-09-05", Op.TENPAI_AS)
    return False if rule is None else _is_tenpai_by(rule, is_shown=is_shown)


def _is_tenpai_by(effect: Effect, *, is_shown: bool) -> bool:
    return {"noten": False, "tenpai": True, "as_shown": is_shown}[str(effect.param("status"))]


def _total(draft: Draft) -> Part:
    total = NO_PART
    for part in parts_of(draft):
        total += part
    return total


def parts_of(draft: Draft) -> Iterator[Part]:
    """Yields the effects of each foul in force; a seat's second chombo that ends the hand is free."""
    payers: set[Seat] = set()
    for foul in in_force(draft.fouls):
        part = _part_at_end(draft, foul).with_chombos_free(payers)
        payers.update(chombo.seat for chombo in part.chombos)
        yield part


def part_due_now(draft: Draft, consequence: Consequence) -> Part:
    """Returns the effects of a consequence if the hand ends in its present state; ignores valid wins."""
    part = consequence.now + consequence.at_end
    if draft.phase is Phase.CLAIMED:
        part += consequence.at_win
    if draft.phase is Phase.ENDING and draft.abort in (None, AbortReason.FOUR_RIICHI):
        part += consequence.at_draw
    return part


def _part_at_end(draft: Draft, foul: LoggedFoul) -> Part:
    """Returns the effects of a foul if the hand ends in its present state."""
    part = part_due_now(draft, foul.consequence.with_chombos_charged())
    if part.ending is None:
        return part
    match win_precedence(draft, foul, part.ending):
        case "valid_only" | "void":
            return NO_PART
        case "head_bump" if _nearest_claimant(draft) not in _winners_lost_by(draft, foul):
            return NO_PART
        case "both":
            return replace(part, ending=None)
    return part


def win_precedence(draft: Draft, foul: LoggedFoul, ending: Ending) -> str | None:
    """Returns how a foul that would end the hand and the valid wins at the same time rank; None if no rule decides.

    For a false ron and a valid one this is a mode of 7-05-01-01; `void` if any valid win voids a chombo.
    """
    other_kinds = [claim.kind for claim in _valid_claims(draft) if claim.seat is not foul.seat]
    if not other_kinds:
        return None
    if (is_false_win(foul, draft.rules.penalties) or _winners_lost_by(draft, foul)) and WinKind.RON in other_kinds:
        return _ron_precedence(draft)
    return "void" if draft.rules.penalties.win_voids_chombo and ending.kind is EndKind.CHOMBO else None


def is_false_win(foul: LoggedFoul, penalties: PenaltyRules) -> bool:
    """Whether a foul is a false win, including a win by a dead hand, or by one with an illegal kan (D4)."""
    if foul.clause == ILLEGAL_KAN:
        return foul.consequence.at_win.is_empty
    return any(penalties.is_named(clause, foul.clause) for clause in (FALSE_WIN, FALSE_BESIDE_VALID, DEAD_WIN))


def counting_claims(draft: Draft) -> tuple[Claim, ...]:
    """Returns the claims to be settled: with head bump only the first one after the discarder.

    If a false win is a chombo, 7-05-01-01 determines which others count.
    """
    mode = _ron_precedence(draft)
    if mode == "head_bump":
        nearest = _nearest_claimant(draft)
        return tuple(claim for claim in _valid_claims(draft) if claim.seat is nearest)
    claims = _valid_claims(draft)
    source = claims[0].from_seat if claims else None
    if draft.rules.multiple_ron == "head_bump" and source is not None and not is_triple_ron_abort(claims, draft.rules):
        return (min(claims, key=lambda claim: claim.seat.after(source)),)
    return claims


def _false_winners(draft: Draft) -> frozenset[Seat]:
    """Returns the seats whose claimed win is a chombo."""
    return frozenset(seat for foul in in_force(draft.fouls) for seat in _winners_lost_by(draft, foul))


def _winners_lost_by(draft: Draft, foul: LoggedFoul) -> frozenset[Seat]:
    """Returns the seats whose win is a chombo because of a foul: a false, miscalled or no longer checkable win.

    A win by a hand with a wrong number of tiles is false (7-04-01, 7-04-02).
    7-05-01-01 decides about another, valid ron at the same time.
    """
    consequence, winners = foul.consequence, {claim.seat for claim in draft.claims}
    if is_false_win(foul, draft.rules.penalties) or (foul.seat in winners and has_wrong_count(draft, foul)):
        return frozenset(() if consequence.now.ending is None else (foul.seat,))
    part = consequence.now if foul.clause in _MISCALLED else consequence.at_win
    payers = {chombo.seat for chombo in (*part.chombos, *part.free_chombos)}
    if foul.clause in _MISCALLED and not payers <= winners:
        return frozenset()  # the discarder pays too, or the late utterance was none of these rons
    return frozenset(payers & winners)


def _valid_claims(draft: Draft) -> tuple[Claim, ...]:
    """Returns the claims without those that are false, or of seats whose chombo a valid win of another voids (D15)."""
    lost_by = _false_winners(draft) | _chombo_payers(draft) if draft.fouls else frozenset()
    return tuple(claim for claim in draft.claims if claim.seat not in lost_by)


def _chombo_payers(draft: Draft) -> frozenset[Seat]:
    """Returns the seats that pay a chombo which ends the hand, unless a valid win of another seat voids it.

    7-05-01-01, and not D15, decides about the chombo for a false win, whoever pays it.
    """
    others = (foul for foul in in_force(draft.fouls) if not _winners_lost_by(draft, foul))
    parts = (part_due_now(draft, foul.consequence.with_chombos_charged()) for foul in others)
    return frozenset(chombo.seat for part in parts for chombo in part.chombos)


def _ron_precedence(draft: Draft) -> str:
    """Returns the mode of 7-05-01-01 that decides between false and valid rons; `foul_only` unless there are both."""
    is_beside = bool(_false_winners(draft)) and any(claim.kind is WinKind.RON for claim in _valid_claims(draft))
    return _precedence_mode(draft) if is_beside else "foul_only"


def _precedence_mode(draft: Draft) -> str:
    """Returns the mode of 7-05-01-01 that people chose this once, else the rule set's; without either, `valid_only`."""
    rule = _logged_precedence(draft) or draft.rules.penalties.chosen_effect(FALSE_BESIDE_VALID, Op.WIN_PRECEDENCE)
    return "valid_only" if rule is None else str(rule.param("mode"))


def _logged_precedence(draft: Draft) -> Effect | None:
    """Returns the effect of 7-05-01-01 that people chose by logging it; None if they did not."""
    effects = (instruction.effect for foul in in_force(draft.fouls) for instruction in foul.consequence.instructions)
    return next((effect for effect in effects if effect.op is Op.WIN_PRECEDENCE), None)


def _nearest_claimant(draft: Draft) -> Seat:
    """Returns the first seat after the discarder that claimed the ron, validly or falsely."""
    valid_claims = _valid_claims(draft)
    source = valid_claims[0].from_seat
    seats = (*(claim.seat for claim in valid_claims), *_false_winners(draft))
    return seats[0] if source is None else min(seats, key=lambda seat: seat.after(source))


def _deposit_points_of(draft: Draft, seat: Seat) -> int:
    """Returns the points that the seat paid into the pot in this hand for fouls that did not end it."""
    parts = (foul.consequence.now for foul in in_force(draft.fouls) if foul.seat is seat)
    return sum(part.pot for part in parts if part.ending is None)
