"""The end of a hand: missing facts, the proposed settlement, and the score sheet.

One confirmation settles a hand if nothing is missing. Missing facts are named once; if the points can be determined
without them (a stick that people add later, hands at a draw, indicators), a second confirmation settles anyway.
A win cannot be settled if its hand was neither shown nor counted, if the rules cannot value it, or if it waits for the
referee's ruling: people withdraw it or settle the hand themselves. Nor can a chombo before the referee has ruled what
it costs, where the rule set leaves that open (7-01).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from table.rules import hand_phase
from table.rules.aspects import dora, exhaustive_draw, riichi, unseen_wins, wins
from table.rules.draft import Draft
from table.rules.events import HandSettled, HandStarted, ResultDeclared, WinKind
from table.rules.fouls import foul_hand_end
from table.rules.fouls.foul_log import why_barred
from table.rules.penalties.consequence import Due, owed_later
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import GameOver, HandFacts, after_hand
from table.rules.scoring.hand_value import HandValue, NoWin, value_of
from table.rules.scoring.payments import (
    Stakes,
    ValuedWin,
    is_triple_ron_abort,
    settle_abort,
    settle_draw,
    settle_wins,
)
from table.rules.scoring.possible_counts import ANY_FU
from table.rules.state import Claim, FinishedHand, GameState, HandState, Pao, Phase, RiichiStage, Step
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import STICK, AbortReason, DeclaredResult, Deltas, ResultKind, Settlement, add
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError
from table.rules.terms.seats import SEATS, Seat
from table.rules.transitions import aborts
from table.rules.transitions.declared_result import settlement_of
from table.rules.transitions.unclaimed_tile import let_pass

TENPAI: Final = "tenpai"
"""The fact that a draw which went unseen is never settled without: who was tenpai."""


def confirm(draft: Draft) -> Step:
    """Closes claims and settles the hand, or names what is missing; during play it only lets the last tile pass."""
    if draft.phase is Phase.PLAY and foul_hand_end.ending_of(draft) is None:
        let_pass(draft)
        aborts.settle_pending(draft)
        if draft.phase is Phase.PLAY:
            return draft.step()
    demanded = set(draft.missing)
    draft.missing = missing(draft)
    draft.proposal = propose(draft)
    if TENPAI in draft.missing:
        draft.proposal = None
    if draft.proposal is None:
        return draft.step()
    say_proposed(draft, draft.proposal)
    if not set(draft.missing) <= demanded or foul_hand_end.is_payment_open(draft):
        for seat in riichi.sticks_missing(draft):
            if f"stick {int(seat)}" in draft.missing:
                draft.say(AnnouncementId.STICK_MISSING, "R11", seat)
        return draft.step()
    return settle(draft, draft.proposal)


def preview_settlement(game: GameState, ruleset: Ruleset) -> HandState | None:
    """Returns the hand in play with the settlement that a confirmation would propose, and the facts it would miss."""
    hand = game.live
    if hand is None:
        return None
    draft = Draft(game, hand, ruleset)
    if hand.phase is not Phase.PLAY or foul_hand_end.ending_of(draft) is not None:
        draft.proposal = propose(draft)
        draft.missing = missing(draft)
    return draft.freeze()


def propose_penalty(draft: Draft) -> None:
    """Proposes the settlement of a hand that a penalty ends, and renews a proposal that fouls have outdated."""
    before, is_ended = draft.proposal, foul_hand_end.ending_of(draft) is not None
    if before is None and not is_ended:
        return
    if before is not None and _is_penalty(before) and not is_ended:
        draft.proposal, draft.missing = None, ()
    elif (proposal := propose(draft)) is not None and (is_ended or proposal != before):
        draft.proposal = proposal
        say_proposed(draft, proposal)


def preview_dues(game: GameState, ruleset: Ruleset) -> tuple[Due, ...]:
    """Returns what the fouls of the hand in play would leave to be paid at the end of the game."""
    return () if game.live is None else foul_hand_end.dues_of(Draft(game, game.live, ruleset))


def refresh(draft: Draft) -> None:
    """Removes facts that are no longer missing."""
    if draft.missing:
        now = missing(draft)
        draft.missing = tuple(each for each in draft.missing if each in now)


def missing(draft: Draft) -> tuple[str, ...]:
    """Returns the facts that the settlement needs, in the order in which people are asked: sticks before ura (R11)."""
    if foul_hand_end.ending_of(draft) is not None:
        return foul_hand_end.costs_unknown(draft)
    sticks = (f"stick {int(seat)}" for seat in riichi.sticks_missing(draft))
    if draft.phase is Phase.ENDING:
        hands = (seat for seat in exhaustive_draw.hands_missing(draft) if foul_hand_end.must_show(draft, seat))
        unclear = foul_hand_end.nagashi_of(draft, exhaustive_draw.nagashi_unclear(draft))
        is_checked = draft.abort in exhaustive_draw.TENPAI_ABORTS
        riichi_seats = in_riichi(draft) if is_checked else ()
        noten = (seat for seat in riichi_seats if exhaustive_draw.is_noten_riichi_due(draft, seat))
        tenpai = (TENPAI,) if exhaustive_draw.is_tenpai_unseen(draft) else ()
        return (
            *tenpai,
            *sticks,
            *(f"hand {int(seat)}" for seat in hands),
            *(f"ruling {int(seat)}" for seat in noten),
            *(f"nagashi {int(seat)}" for seat in unclear),
        )
    rulings = (f"ruling {int(seat)}" for seat in foul_hand_end.rulings_missing(draft))
    claims = foul_hand_end.counting_claims(draft)
    if is_triple_ron_abort(claims, draft.rules):
        return (*sticks, *rulings)
    return tuple(
        chain(
            sticks,
            _missing_indicators(draft, claims),
            (f"discarder {int(claim.seat)}" for claim in claims if claim.from_seat is None),
            (f"declaration {int(seat)}" for seat in unseen_wins.declarations_unclear(draft)),
            _missing_hands(draft, claims),
            (f"unseen {int(claim.seat)}" for claim in claims if _may_lack_yaku(draft, claim)),
            rulings,
        )
    )


def propose(draft: Draft) -> Settlement | None:
    """Returns the settlement by the facts known so far, or None if a win cannot be valued."""
    stakes = _stakes(draft)
    if (penalty := foul_hand_end.ending_of(draft)) is not None:
        return foul_hand_end.settle_penalty(draft, stakes, penalty)
    settlement = _plain(draft, stakes)
    return None if settlement is None else foul_hand_end.with_penalties(draft, settlement)


def _plain(draft: Draft, stakes: Stakes) -> Settlement | None:
    if draft.abort is not None:
        return settle_abort(stakes, draft.abort, draft.rules)
    if foul_hand_end.rulings_missing(draft):
        return None
    if draft.claims:
        claims = foul_hand_end.counting_claims(draft)
        if is_triple_ron_abort(claims, draft.rules):
            return settle_abort(stakes, AbortReason.TRIPLE_RON, draft.rules)
        valued = [_valued(draft, claim) for claim in claims]
        known = [win for win in valued if win is not None]
        return settle_wins(stakes, known, draft.rules) if len(known) == len(valued) else None
    tenpai, nagashi = exhaustive_draw.tenpai_seats(draft), exhaustive_draw.nagashi_seats(draft)
    if draft.fouls:
        riichi_seats = [seat for seat in SEATS if draft.riichi[seat].is_declared]
        tenpai = foul_hand_end.tenpai_of(draft, tenpai, riichi_seats)
        nagashi = foul_hand_end.nagashi_of(draft, nagashi)
    return settle_draw(stakes, tenpai, nagashi, draft.rules)


def settle(draft: Draft, settlement: Settlement, declared: DeclaredResult | None = None) -> Step:
    """Ends the hand with these payments; `declared` is the result that people declared, None if the table saw it."""
    charged = in_riichi(draft) if declared is None else declared.riichi
    for seat in SEATS:
        riichi.accept_if_due(draft, seat, at_settlement=True)
    scores = add(draft.start.scores, settlement.deltas)
    _say_settled(draft, settlement, scores, charged)
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
        riichi=charged,
        is_riichi_declared=declared is not None,
        fouls=draft.fouls,
        dues=dues,
        phase=phase,
        abort=abort,
        pao=_liable(draft, settlement, declared),
        nagashi=_nagashi(draft, settlement) if declared is None else declared.nagashi,
    )
    return draft.step_to(followed_by(draft, settlement, line, draft.game.history))


def _liable(draft: Draft, settlement: Settlement, declared: DeclaredResult | None) -> tuple[Pao, ...]:
    """Returns who was liable for a yakuman of the winners."""
    if declared is not None:
        return tuple(
            Pao(winner=win.seat, liable=liable, yakuman=name) for win in declared.wins for name, liable in win.pao
        )
    won = {(win.seat, name) for win in settlement.wins for name, _ in win.yaku}
    return tuple(each for each in draft.pao if (each.winner, each.yakuman) in won)


def _nagashi(draft: Draft, settlement: Settlement) -> tuple[Seat, ...]:
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
    result = event.result
    _end_as_declared(draft, result)
    stakes = _stakes(draft, result.riichi)
    settlement = _declared_settlement(draft, result, stakes)
    if (penalty := foul_hand_end.ending_of(draft)) is not None:
        if foul_hand_end.is_payment_open(draft):
            raise ImpossibleEventError("expected a ruling on what a chombo costs, got a result", says="foul_ends")
        foul_hand_end.say_wins_voided(draft, {})
        return settle(draft, foul_hand_end.settle_penalty(draft, stakes, penalty), result)
    for win in result.wins:
        if (barred := why_barred(draft, win.seat, is_ron=win.seat is not win.from_seat)) is not None:
            raise ImpossibleEventError(
                f"expected a winner who may win, got seat {int(win.seat)}: {barred.evidence}", says="barred_win"
            )
    return settle(draft, foul_hand_end.with_penalties(draft, settlement), result)


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
    return settlement_of(result, stakes, draft.start.scores, draft.rules, may_be_noten)


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
    hand_phase.end_as_told(draft, claims, result.reason)


def _check_points_kept(start: HandStarted, settlement: Settlement) -> None:
    moved = sum(settlement.deltas)
    pot = STICK * (settlement.deposits - start.deposits) + settlement.deposit_points - start.deposit_points
    if moved + pot != 0:
        paid = ",".join(map(str, settlement.deltas))
        raise ImpossibleEventError(f"expected payments that keep the points, got {moved + pot:+} by {paid}")


def _stakes(draft: Draft, riichi: tuple[Seat, ...] | None = None) -> Stakes:
    """Returns the points at stake; `riichi` are the seats in riichi if people declared them."""
    seats = in_riichi(draft) if riichi is None else riichi
    return Stakes(
        dealer=draft.start.dealer,
        honba=draft.start.honba,
        deposits=draft.start.deposits + len(seats),
        deposit_points=foul_hand_end.pot_of(draft),
        riichi=seats,
    )


def in_riichi(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seats with a valid riichi; if a penalty ends the hand, a claimed ron voids none."""
    riichi, before = draft.riichi, draft.before_ron
    if before is not None and foul_hand_end.ending_of(draft) is not None:
        riichi = tuple(
            then if now.stage is RiichiStage.VOID else now for now, then in zip(riichi, before.riichi, strict=True)
        )
    return tuple(seat for seat in SEATS if riichi[seat].is_declared and riichi[seat].has_passed)


def _missing_indicators(draft: Draft, claims: Sequence[Claim]) -> tuple[str, ...]:
    if not any(_needs_hand(draft, claim) for claim in claims):
        return ()
    wanted = dora.ura_wanted(draft)
    ura = tuple(
        f"ura {int(claim.seat)}" for claim in claims if draft.riichi[claim.seat].is_declared and len(draft.ura) < wanted
    )
    return (*(("dora",) if dora.missing(draft) else ()), *ura)


def _missing_hands(draft: Draft, claims: Sequence[Claim]) -> tuple[str, ...]:
    unknown = ((claim, _value(draft, claim)) for claim in claims)
    return tuple(
        f"{_what_lacks(draft, claim, value)} {int(claim.seat)}" for claim, value in unknown if isinstance(value, NoWin)
    )


def _what_lacks(draft: Draft, claim: Claim, value: NoWin) -> str:
    """Returns what a hand lacks to be valued: the unseen tile it won on, a yaku by unseen play, or that it is shown."""
    shown = draft.shown[claim.seat]
    if shown is None:
        return "hand"
    if claim.kind is WinKind.RON and wins.winning_tile_of(claim, shown) is None:
        return "winning_tile"
    return "yaku" if value.reason in ("no_yaku", "one_han") and wins.may_be_worth_more(draft, claim) else "hand"


def _may_lack_yaku(draft: Draft, claim: Claim) -> bool:
    """Whether play went unseen that may be worth something to a win whose value nobody counted."""
    return _needs_hand(draft, claim) and wins.may_be_worth_more(draft, claim)


def _needs_hand(draft: Draft, claim: Claim) -> bool:
    return draft.shown[claim.seat] is not None or claim.han is None


def _valued(draft: Draft, claim: Claim) -> ValuedWin | None:
    value = _value(draft, claim)
    if isinstance(value, NoWin) or claim.from_seat is None:
        return None
    pao = tuple((each.yakuman, each.liable) for each in draft.pao if each.winner is claim.seat)
    return ValuedWin(seat=claim.seat, from_seat=claim.from_seat, value=value, pao=pao)


def _value(draft: Draft, claim: Claim) -> HandValue | NoWin:
    if _needs_hand(draft, claim):
        return wins.value_of(draft, claim)
    try:
        return value_of(
            han=claim.han or 0,
            fu=claim.fu if claim.fu is not None else ANY_FU,
            is_tsumo=claim.kind is WinKind.TSUMO,
            is_dealer=claim.seat is draft.start.dealer,
            ruleset=draft.rules,
        )
    except InvalidValueError:
        return NoWin(reason="contradiction")


def followed_by(
    draft: Draft, settlement: Settlement, line: FinishedHand, earlier: tuple[FinishedHand, ...]
) -> GameState:
    """Returns the game after a settled hand: the next deal, or its end."""
    history = (*earlier, line)
    state = replace(draft.game, hand=draft.freeze(), history=history, next_start=None, ranking=(), bust_bonus=None)
    facts = replace(facts_at(line, history), is_last=state.is_last_hand_done)
    facts, left = _put_right(facts, settlement, state)
    following = after_hand(facts, left, draft.rules)
    state = replace(
        state,
        scores=following.scores,
        deposits=following.deposits,
        deposit_points=following.deposit_points,
    )
    if isinstance(following, GameOver):
        over = replace(state, ranking=following.ranking, bust_bonus=following.bust_bonus)
        draft.pass_on(game_ended(over))
        return over
    coming = HandStarted(
        round=following.round,
        dealer=following.dealer,
        scores=following.scores,
        honba=following.honba,
        deposits=following.deposits,
        deposit_points=following.deposit_points,
    )
    return replace(state, next_start=coming)


def _put_right(facts: HandFacts, settlement: Settlement, state: GameState) -> tuple[HandFacts, Settlement]:
    """Keeps corrections that people made after the last hand when that hand is settled again."""
    scores, deposits, honba = facts.scores, settlement.deposits, settlement.honba
    for each in state.adjustments:
        if each.hand == len(state.history):
            event = each.event
            scores, deposits = add(scores, event.points), deposits + event.sticks
            honba = honba if event.honba is None else event.honba
    return replace(facts, scores=scores), replace(settlement, deposits=deposits, honba=honba)


def facts_at(hand: FinishedHand | HandStarted, history: tuple[FinishedHand, ...]) -> HandFacts:
    """Returns the facts of the game after a finished hand, or before one that starts; `history` is before it."""
    return HandFacts(
        round=hand.round,
        first_dealer=hand.dealer.plus(1 - hand.round.number),
        scores=hand.scores,
        dues=tuple(due for each in history for due in each.dues),
    )


def game_ended(state: GameState) -> Announcement:
    """Returns the announcement of a game's end."""
    ranking = [int(seat) for seat in state.ranking]
    bonus = {} if state.bust_bonus is None else {"bust_bonus": list(state.bust_bonus)}
    args = {"scores": list(state.scores), "ranking": ranking, **_chips(state.chips), **bonus}
    return Announcement(id=AnnouncementId.GAME_ENDED, rule="R48", args=args)


def say_proposed(draft: Draft, settlement: Settlement) -> None:
    """Announces a proposed settlement."""
    if settlement.reason is AbortReason.TRIPLE_RON and draft.abort is not AbortReason.TRIPLE_RON:
        draft.say(AnnouncementId.of_abort(settlement.reason), settlement.reason.names.rule)
    draft.say(
        AnnouncementId.SETTLEMENT_PROPOSED,
        _rule(draft, settlement),
        deltas=list(settlement.deltas),
        kind=settlement.kind.value,
        missing=list(draft.missing),
        **_sticks(draft.start, settlement, in_riichi(draft)),
        **_penalty(settlement),
        **_chips(settlement.chips),
    )


def _say_settled(draft: Draft, settlement: Settlement, scores: Deltas, charged: tuple[Seat, ...]) -> None:
    draft.say(
        AnnouncementId.SETTLEMENT_CONFIRMED,
        _rule(draft, settlement),
        deltas=list(settlement.deltas),
        kind=settlement.kind.value,
        scores=list(scores),
        **_sticks(draft.start, settlement, charged),
        **_penalty(settlement),
        **_owed_later(foul_hand_end.dues_of(draft)),
        **_chips(settlement.chips),
    )


def sticks_paid(start: HandStarted, settlement: Settlement, charged: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Returns which of the seats charged for riichi pay their sticks by this settlement: none if it returns them."""
    return () if _is_penalty(settlement) and settlement.deposits == start.deposits else charged


def _is_penalty(settlement: Settlement) -> bool:
    return settlement.reason is not None and settlement.reason.is_penalty


def _sticks(start: HandStarted, settlement: Settlement, charged: tuple[Seat, ...]) -> dict[str, Any]:
    """Returns the seats whose payments contain a riichi stick as an argument of an announcement; empty if none do."""
    seats = [int(seat) for seat in sticks_paid(start, settlement, charged)]
    return {"riichi": seats} if seats else {}


def _owed_later(dues: Sequence[Due]) -> dict[str, Any]:
    """Returns what fouls cost at the end of the game, by seat, as arguments of an announcement; empty if nothing."""
    return {what: list(cost) for what, cost in owed_later(dues).items()}


def _penalty(settlement: Settlement) -> dict[str, Any]:
    """Returns how a penalty ended the hand as an argument of an announcement; empty if none did."""
    reason = settlement.reason
    return {"penalty": reason.value} if reason is not None and reason.is_penalty else {}


def _chips(chips: Deltas | None) -> dict[str, Any]:
    """Returns the chips as an argument of an announcement; empty if the rules use none."""
    return {} if chips is None else {"chips": list(chips)}


def _rule(draft: Draft, settlement: Settlement) -> str:
    reason = settlement.reason
    if reason is not None and reason.is_penalty:
        return foul_hand_end.rule_of_end(draft, reason)
    return "R46" if settlement.kind in (ResultKind.RON, ResultKind.TSUMO) else "R47"
