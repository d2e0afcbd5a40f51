"""The end of a hand: confirmation, the proposed settlement, and the settlement that people enter.

One confirmation settles a hand if nothing is missing. Missing facts are named once; if the points can be determined
without them (a stick that people add later, hands at a draw, indicators), a second confirmation settles anyway.

A win cannot be settled if its hand was neither shown nor counted, if the rules cannot value it, if nobody said who is
liable for it, or if it waits for the referee's ruling; people then withdraw it or settle the hand themselves. A chombo
cannot be settled before the referee has ruled on its cost if the rule set leaves that open (7-01).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.rules import hand_phase
from table.rules.aspects import exhaustive_draw, furiten
from table.rules.aspects.riichi import declaration
from table.rules.aspects.winning import pao
from table.rules.draft import Draft
from table.rules.events import HandSettled, HandStarted, ResultDeclared, WinKind
from table.rules.foul_totals import most_points
from table.rules.fouls import foul_hand_end
from table.rules.fouls.punished_acts import win_bar
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.scoring.hand_value import NoWin
from table.rules.scoring.payments import Stakes, ValuedWin, is_triple_ron_abort, settle_abort, settle_draw, settle_wins
from table.rules.state import Claim, FactKind, FinishedHand, GameState, HandState, MissingFact, Pao, Phase, Step
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import STICK, AbortReason, DeclaredResult, Deltas, ResultKind, Settlement, add
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat, four
from table.rules.transitions import aborts
from table.rules.transitions.declared_result import settlement_of
from table.rules.transitions.missing_facts import missing, value_of_claim
from table.rules.transitions.next_deal import game_after
from table.rules.transitions.settlement_news import say_missing_facts, say_proposed, say_settled
from table.rules.transitions.unclaimed_tile import let_pass


def confirm(draft: Draft) -> Step:
    """Closes claims and settles the hand, or names what is missing; during play it only lets the last tile pass."""
    if draft.phase is Phase.PLAY and foul_hand_end.ending_of(draft) is None:
        let_pass(draft)
        aborts.settle_pending(draft)
        furiten.announce_all(draft)
        if draft.phase is Phase.PLAY:
            return draft.step()
    asked_before = set(draft.missing)
    draft.missing = missing(draft)
    draft.proposal = propose(draft)
    if MissingFact(FactKind.TENPAI) in draft.missing:
        draft.proposal = None
    if draft.proposal is None:
        return draft.step()
    say_proposed(draft, draft.proposal)
    if not set(draft.missing) <= asked_before or foul_hand_end.is_payment_open(draft):
        for seat in declaration.sticks_missing(draft):
            if MissingFact(FactKind.STICK, seat) in draft.missing:
                draft.say(AnnouncementId.STICK_MISSING, "R11", seat)
        return draft.step()
    return settle(draft, draft.proposal, missing_facts=draft.missing)


def preview_settlement(game: GameState, ruleset: Ruleset) -> HandState | None:
    """Returns the hand in play with the settlement that a confirmation would propose, and the facts it would miss.

    Its fouls have the effects that they would have at that end.
    """
    hand = game.live
    if hand is None:
        return None
    draft = Draft(game, hand, ruleset)
    if hand.phase is not Phase.PLAY or foul_hand_end.ending_of(draft) is not None:
        draft.proposal = propose(draft)
        draft.missing = missing(draft)
        draft.fouls = foul_hand_end.with_outcomes(draft)
    return draft.freeze()


def propose_penalty(draft: Draft) -> None:
    """Proposes the settlement of a hand that a penalty ends; updates or drops a proposal that fouls have changed."""
    before, is_ended = draft.proposal, foul_hand_end.ending_of(draft) is not None
    if before is None and not is_ended:
        return
    if before is not None and before.penalty is not None and not is_ended:
        draft.proposal, draft.missing = None, ()
    elif (proposal := propose(draft)) is not None and (is_ended or proposal != before):
        draft.proposal = proposal
        say_proposed(draft, proposal)


def preview_dues(game: GameState, ruleset: Ruleset) -> tuple[Due, ...]:
    """Returns the penalties of the hand in play that would be settled at the end of the game."""
    return () if game.live is None else foul_hand_end.dues_of(Draft(game, game.live, ruleset))


def propose(draft: Draft) -> Settlement | None:
    """Returns the settlement by the facts known so far, or None if a win cannot be valued."""
    stakes = _stakes(draft)
    if (ending := foul_hand_end.ending_of(draft)) is not None:
        return foul_hand_end.settle_penalty(draft, stakes, ending)
    settlement = _settlement_without_penalty(draft, stakes)
    return None if settlement is None else foul_hand_end.with_penalties(draft, settlement)


def _settlement_without_penalty(draft: Draft, stakes: Stakes) -> Settlement | None:
    if draft.abort is not None:
        return settle_abort(stakes, draft.abort, draft.rules)
    if foul_hand_end.missing_rulings(draft):
        return None
    if draft.claims:
        claims = foul_hand_end.counting_claims(draft)
        if is_triple_ron_abort(claims, draft.rules):
            return settle_abort(stakes, AbortReason.TRIPLE_RON, draft.rules)
        valued_wins = [_valued_win(draft, claim) for claim in claims]
        known_wins = [win for win in valued_wins if win is not None]
        return settle_wins(stakes, known_wins, draft.rules) if len(known_wins) == len(valued_wins) else None
    tenpai, nagashi = exhaustive_draw.tenpai_seats(draft), exhaustive_draw.nagashi_seats(draft)
    if draft.fouls:
        riichi_seats = [seat for seat in SEATS if draft.riichi[seat].is_declared]
        tenpai = foul_hand_end.tenpai_of(draft, tenpai, riichi_seats)
        nagashi = foul_hand_end.nagashi_of(draft, nagashi)
    return settle_draw(stakes, tenpai, nagashi, draft.rules)


def settle(
    draft: Draft,
    settlement: Settlement,
    declared_result: DeclaredResult | None = None,
    *,
    missing_facts: Sequence[MissingFact] = (),
) -> Step:
    """Ends the hand with these payments.

    Args:
        draft: the hand.
        settlement: the payments.
        declared_result: the result that people declared; None if the table saw it.
        missing_facts: the facts that it lacks, since nobody stated them.
    """
    charged_seats = foul_hand_end.riichi_seats(draft) if declared_result is None else declared_result.riichi
    for seat in SEATS:
        declaration.accept_if_due(draft, seat, at_settlement=True)
    scores = add(draft.start.scores, settlement.deltas)
    say_settled(draft, settlement, scores, charged_seats)
    say_missing_facts(draft, AnnouncementId.SETTLED_WITHOUT, missing_facts)
    dues = foul_hand_end.dues_of(draft)
    draft.fouls = foul_hand_end.with_outcomes(draft)
    phase, abort = draft.phase, draft.abort
    hand_phase.settle(draft, settlement)
    line = FinishedHand(
        round=draft.start.round,
        honba=draft.start.honba,
        dealer=draft.start.dealer,
        settlement=settlement,
        scores=scores,
        riichi=charged_seats,
        is_riichi_declared=declared_result is not None,
        declared_result=declared_result,
        fouls=draft.fouls,
        dues=dues,
        phase=phase,
        abort=abort,
        pao=liabilities(draft, settlement, declared_result),
        nagashi=paid_nagashi(draft, settlement) if declared_result is None else declared_result.nagashi,
    )
    return draft.step_to(game_after(draft, settlement, line, draft.game.history))


def liabilities(draft: Draft, settlement: Settlement, declared_result: DeclaredResult | None = None) -> tuple[Pao, ...]:
    """Returns who was liable for a yakuman of the winners, by the rules of the game."""
    if declared_result is not None:
        return tuple(
            Pao(winner=win.seat, liable=liable, yakuman=name)
            for win in declared_result.wins
            for name, liable in win.pao
        )
    winning_yaku = {(win.seat, name) for win in settlement.wins for name, _ in win.yaku}
    return tuple(
        liability
        for liability in draft.pao
        if (liability.winner, liability.yakuman) in winning_yaku and liability.yakuman in draft.rules.pao_yakuman
    )


def paid_nagashi(draft: Draft, settlement: Settlement) -> tuple[Seat, ...]:
    """Returns the seats that are paid for nagashi mangan."""
    if settlement.reason is not AbortReason.NAGASHI:
        return ()
    return foul_hand_end.nagashi_of(draft, exhaustive_draw.nagashi_seats(draft))


def settle_by_people(draft: Draft, event: HandSettled | ResultDeclared) -> Step:
    """Ends the hand with the payments that people entered, or with those for the result that they declared.

    Raises:
        ImpossibleEventError: if the sum of points would change, or the hand cannot have ended that way.
    """
    if isinstance(event, HandSettled):
        _check_points_kept(draft.start, event.settlement)
        return settle(draft, event.settlement)
    _end_as_declared(draft, event.result)
    settlement = settlement_as_declared(draft, event.result)
    if foul_hand_end.ending_of(draft) is not None:
        foul_hand_end.say_voided_wins(draft, {})
    return settle(draft, settlement, event.result)


def settlement_as_declared(draft: Draft, result: DeclaredResult) -> Settlement:
    """Returns the settlement of a hand that ended with a declared result, including the effects of its fouls.

    Raises:
        ImpossibleEventError: if the hand cannot have ended that way.
    """
    stakes = _stakes(draft, result.riichi)
    settlement = _declared_settlement(draft, result, stakes)
    if (ending := foul_hand_end.ending_of(draft)) is not None:
        if foul_hand_end.is_payment_open(draft):
            raise ImpossibleEventError("expected a ruling on what a chombo costs, got a result", says="foul_ends")
        return foul_hand_end.settle_penalty(draft, stakes, ending)
    if (counting_result := _without_lost_wins(draft, result)) != result:
        result, settlement = counting_result, _declared_settlement(draft, counting_result, stakes)
    for win in result.wins:
        if (bar := win_bar(draft, win.seat, is_ron=win.seat is not win.from_seat)) is not None:
            raise ImpossibleEventError(
                f"expected a winner who may win, got seat {int(win.seat)}: {bar.evidence}", says="barred_win"
            )
    return foul_hand_end.with_penalties(draft, settlement)


def _without_lost_wins(draft: Draft, result: DeclaredResult) -> DeclaredResult:
    """Returns a declared result without the wins that fouls take away, as if all had been claimed (7-05-01-01)."""
    if not draft.fouls:
        return result
    counting = {claim.seat for claim in foul_hand_end.counting_claims(draft)}
    return replace(result, wins=tuple(win for win in result.wins if win.seat in counting))


def _declared_settlement(draft: Draft, result: DeclaredResult, stakes: Stakes) -> Settlement:
    """Returns the payments of a declared result; at a draw, fouls determine who counts as tenpai.

    Raises:
        ImpossibleEventError: if the hand cannot have ended that way, or a noten riichi is to be entered first.
    """
    if result.kind is ResultKind.DRAW:
        for seat in result.riichi:
            if exhaustive_draw.is_noten_riichi_due(draft, seat):
                raise ImpossibleEventError(
                    f"expected 7-05-07 to be entered for seat {int(seat)}, whose riichi counts as noten riichi",
                    says="counts_as_noten_riichi",
                )
    may_be_noten = [seat for seat in SEATS if foul_hand_end.may_be_noten(draft, seat)]
    if draft.fouls and result.kind is ResultKind.DRAW:
        tenpai = foul_hand_end.tenpai_of(draft, result.tenpai, result.riichi)
        result = replace(result, tenpai=tenpai, nagashi=foul_hand_end.nagashi_of(draft, result.nagashi))
    return settlement_of(result, stakes, _points_for_riichi(draft), draft.rules, may_be_noten)


def _points_for_riichi(draft: Draft) -> Deltas:
    """Returns the most points that each seat may have had when it declared riichi, since that moment is not known.

    A riichi seen on the table counts as affordable: with too few points it raised a suspicion there (7-05-13).
    """
    points = most_points(draft.fouls, draft.start.scores)
    return four(max(points[seat], STICK) if draft.riichi[seat].is_declared else points[seat] for seat in SEATS)


def _end_as_declared(draft: Draft, result: DeclaredResult) -> None:
    """Ends play as people declared, so that fouls have their effects at that win, draw or abort."""
    claims = tuple(
        Claim(
            seat=win.seat,
            kind=WinKind.TSUMO if win.seat is win.from_seat else WinKind.RON,
            from_seat=win.from_seat,
            han=win.han,
            fu=win.fu,
        )
        for win in result.wins
    )
    hand_phase.end_as_declared(draft, claims, result.reason)


def _check_points_kept(start: HandStarted, settlement: Settlement) -> None:
    seat_points = sum(settlement.deltas)
    pot = STICK * (settlement.deposits - start.deposits) + settlement.deposit_points - start.deposit_points
    if seat_points + pot != 0:
        deltas_text = ",".join(map(str, settlement.deltas))
        raise ImpossibleEventError(
            f"expected payments that keep the points, got {seat_points + pot:+} by {deltas_text}"
        )


def _stakes(draft: Draft, riichi: tuple[Seat, ...] | None = None) -> Stakes:
    """Returns the points at stake; `riichi` are the seats in riichi if people declared them."""
    seats = foul_hand_end.riichi_seats(draft) if riichi is None else riichi
    return Stakes(
        dealer=draft.start.dealer,
        honba=draft.start.honba,
        deposits=draft.start.deposits + len(seats),
        deposit_points=foul_hand_end.pot_of(draft),
        riichi=seats,
    )


def _valued_win(draft: Draft, claim: Claim) -> ValuedWin | None:
    value = value_of_claim(draft, claim)
    if isinstance(value, NoWin) or claim.from_seat is None or pao.is_unclear(draft, claim):
        return None
    liable = tuple((liability.yakuman, liability.liable) for liability in draft.pao if liability.winner is claim.seat)
    return ValuedWin(seat=claim.seat, from_seat=claim.from_seat, value=value, pao=liable)
