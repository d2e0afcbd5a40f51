"""The single entry point of the rules: `advance` applies one event to a game.

A physically impossible event (a fifth copy, a call of a tile that is not there) raises `ImpossibleEventError` and
leaves the state unchanged. An irregular act advances the state and returns a suspicion, a question for people.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from table.rules import events, foul_totals, hand_phase
from table.rules.aspects import calls, dora, exhaustive_draw, furiten, gaps, ippatsu, tile_copies
from table.rules.aspects.riichi import declaration, late_riichi, open_riichi
from table.rules.aspects.winning import claims, shown_hand, unseen_wins
from table.rules.dealing import deal, live_or_next
from table.rules.draft import Draft, replace_at
from table.rules.events import Event
from table.rules.fouls import foul_hand_end, foul_log, punished_acts
from table.rules.fouls.hand_of_foul import hand_by_number, hand_of
from table.rules.fouls.tiles_put_back import put_back
from table.rules.notation.event_notation import public_text
from table.rules.penalties.foul_effects import EXPOSED_TILES
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, FactKind, FinishedHand, GameState, LoggedFoul, MissingFact, Phase, Step
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile
from table.rules.transitions import aborts, after_settlement, hand_end, missing_facts
from table.rules.transitions.adjustment import adjust
from table.rules.transitions.early_end import call_time, end_game_early
from table.rules.transitions.settlement_news import say_missing_facts
from table.rules.transitions.tile_events import added_kan, call, closed_kan, discard
from table.rules.transitions.unclaimed_tile import let_pass
from table.rules.transitions.void_calls import take_back_void_call

__all__ = ["Step", "advance", "new_game"]

_GameEvent = (
    events.HandStarted
    | events.FoulLogged
    | events.FoulCancelled
    | events.GameEnded
    | events.TimeSignal
    | events.PointsAdjusted
    | events.HandSettled
    | events.ResultDeclared
)


def new_game(ruleset: Ruleset, *, first_dealer: Seat = Seat.NEAR) -> GameState:
    """Returns a game before its first hand, with the starting points of the rule set."""
    points = ruleset.starting_points
    scores = (points, points, points, points)
    start = events.HandStarted(round=Round.parse("E1"), dealer=first_dealer, scores=scores)
    return GameState(scores=scores, next_start=start)


def advance(state: GameState, event: Event, ruleset: Ruleset) -> Step:
    """Applies one event.

    Args:
        state: the game before it; never changed.
        event: what the table showed, or people said.
        ruleset: the rules played.

    Returns:
        The game after it, with announcements and suspicions.

    Raises:
        ImpossibleEventError: if it cannot have happened; the message says what was expected.
    """
    if isinstance(event, _GameEvent):
        return _apply_to_game(state, event, ruleset)
    draft = _draft_in_play(state, event, ruleset)
    match event:
        case events.Discarded():
            discard(draft, event)
        case events.Called():
            call(draft, event)
        case events.AddedKan():
            added_kan(draft, event)
        case events.ClosedKan():
            closed_kan(draft, event)
        case events.PutBack():
            put_back(draft, event)
        case events.TilePassed():
            _pass(draft)
        case events.SightLost():
            gaps.lose_sight(draft)
        case events.SightProven():
            _prove_seen(draft)
        case (
            events.StickPlaced()
            | events.StickTakenBack()
            | events.RiichiVoiced()
            | events.RiichiOpened()
            | events.RiichiReported()
        ):
            _declare(draft, event)
        case events.DoraTurned() | events.UraTurned():
            _turn_indicators(draft, event)
        case events.WinClaimed() | events.WinWithdrawn():
            _claim(draft, event)
        case events.HandShown() | events.TenpaiStated() | events.WaitDeclared() | events.TilesExposed():
            _apply_statement(draft, event)
        case events.DrawReached() | events.AbortCalled():
            _end(draft, event)
        case events.ClaimsConfirmed():
            return hand_end.confirm(draft)
        case _:
            assert_never(event)
    return draft.step()


def _apply_to_game(state: GameState, event: _GameEvent, ruleset: Ruleset) -> Step:
    """Applies the events that are possible without a hand in play."""
    match event:
        case events.HandStarted():
            return _start(state, event, ruleset)
        case events.FoulLogged() | events.FoulCancelled():
            return _foul(state, event, ruleset)
        case events.GameEnded():
            return end_game_early(state, event, ruleset)
        case events.TimeSignal():
            return call_time(state, event, ruleset)
        case events.PointsAdjusted():
            return adjust(state, event, ruleset)
        case events.HandSettled() | events.ResultDeclared():
            return hand_end.settle_by_people(live_or_next(state, ruleset), event)
        case _:
            assert_never(event)


def _draft_in_play(state: GameState, event: Event, ruleset: Ruleset) -> Draft:
    if (hand := state.live) is None:
        raise ImpossibleEventError(f"expected a hand in play, got none for {public_text(event)!r}", says="no_hand")
    draft = Draft(state, hand, ruleset)
    if draft.fouls:
        punished_acts.check_forbidden_acts(draft, event)
    return draft


def _start(state: GameState, event: events.HandStarted, ruleset: Ruleset) -> Step:
    """Deals a hand; one that was not confirmed is settled as proposed, or listed without a settlement."""
    if (hand := state.live) is None:
        return deal(state, event, ruleset).step()
    last_step = _leave_hand(Draft(state, hand, ruleset), event)
    following = deal(last_step.state, event, ruleset).step()
    return Step(
        state=following.state,
        announcements=last_step.announcements + following.announcements,
        suspicions=last_step.suspicions,
    )


def _leave_hand(draft: Draft, event: events.HandStarted) -> Step:
    is_ended = draft.phase is not Phase.PLAY or foul_hand_end.ending_of(draft) is not None
    untold = missing_facts.missing(draft) if is_ended else ()
    is_open = foul_hand_end.is_payment_open(draft) or MissingFact(FactKind.TENPAI) in untold
    if is_ended and not is_open and (proposal := hand_end.propose(draft)) is not None:
        return hand_end.settle(draft, proposal, missing_facts=untold)
    if foul_hand_end.ending_of(draft) is None:
        say_missing_facts(draft, AnnouncementId.HAND_LEFT_OPEN, untold)
    line = FinishedHand(
        round=draft.start.round,
        honba=draft.start.honba,
        dealer=draft.start.dealer,
        settlement=None,
        scores=event.scores,
        fouls=foul_hand_end.with_outcomes(draft),
        dues=foul_hand_end.dues_of(draft),
        phase=draft.phase,
        abort=draft.abort,
    )
    game = replace(draft.game, history=(*draft.game.history, line))
    return replace(draft.step(), state=game)


def _pass(draft: Draft) -> None:
    """Lets the last tile pass; while a win on it is claimed, a pass only means that nobody else claims it."""
    if not draft.claims:
        let_pass(draft)
        aborts.settle_pending(draft)
        furiten.announce_all(draft)


def _prove_seen(draft: Draft) -> None:
    """Applies that nothing went unseen after all, and what follows from knowing every discard."""
    gaps.prove_seen(draft)
    aborts.find_pending_abort(draft)
    aborts.settle_pending(draft)
    furiten.announce_all(draft)


def _declare(
    draft: Draft,
    event: events.StickPlaced
    | events.StickTakenBack
    | events.RiichiVoiced
    | events.RiichiOpened
    | events.RiichiReported,
) -> None:
    seat = event.seat
    if isinstance(event, events.RiichiReported):
        if not _let_lost_declaration_pass(draft, seat):
            late_riichi.report_riichi(draft, seat)
        _let_own_declaration_pass(draft, seat)
        _follow_reported_riichi(draft, seat)
    elif isinstance(event, events.RiichiOpened):
        open_riichi.on_riichi_opened(draft, event)
    elif isinstance(event, events.RiichiVoiced):
        declaration.on_riichi_voiced(draft, seat)
    elif isinstance(event, events.StickTakenBack):
        if not draft.sticks[seat]:
            raise ImpossibleEventError(f"expected a stick of seat {int(seat)} to take back, got none")
        declaration.on_stick_taken_back(draft, seat)
    else:
        declaration.on_stick_placed(draft, seat)
        _let_lost_declaration_pass(draft, seat)
        _let_own_declaration_pass(draft, seat)
        aborts.settle_pending(draft)
        missing_facts.refresh(draft)


def _follow_reported_riichi(draft: Draft, seat: Seat) -> None:
    """Applies the consequences of a riichi reported afterwards: a fourth riichi aborts, furiten is announced."""
    if draft.phase is Phase.PLAY and draft.riichi[seat].laid_index is not None:
        aborts.find_pending_abort(draft)
        aborts.settle_pending(draft)
    furiten.announce_all(draft)
    missing_facts.refresh(draft)


def _let_own_declaration_pass(draft: Draft, seat: Seat) -> None:
    """Lets the seat's declaration tile pass, since its stick or people's word shows that nobody ronned it (R12)."""
    last = draft.claimable_tile
    if draft.phase is Phase.PLAY and last is not None and draft.riichi[seat].laid_index == last.laid_index:
        let_pass(draft)
        furiten.announce_all(draft)


def _let_lost_declaration_pass(draft: Draft, seat: Seat) -> bool:
    """Lets a declaration tile pass that play went unseen after, since people or its stick say that nobody won on it.

    Returns:
        Whether a ron on an unseen tile had left that open.
    """
    if not unseen_wins.is_declaration_open(draft, seat):
        return False
    unseen_wins.note_last_passed(draft)
    if not draft.sticks[seat]:
        declaration.on_stick_placed(draft, seat)
    let_pass(draft)
    missing_facts.refresh(draft)
    return True


def _follow_unseen_win(draft: Draft) -> None:
    """Lets the last tile on record pass if a ron on an unseen tile shows that nobody won on it; else it is open."""
    before = draft.riichi
    unseen_wins.reopen_last(draft, draft.before_ron)
    if unseen_wins.has_last_passed(draft):
        let_pass(draft)
    if draft.riichi != before:
        draft.values = (None,) * 4


def _turn_indicators(draft: Draft, event: events.DoraTurned | events.UraTurned) -> None:
    if isinstance(event, events.DoraTurned):
        tile_copies.add(draft, (event.indicator,))
        dora.on_dora_turned(draft, event)
    else:
        tile_copies.remove(draft, draft.ura)
        tile_copies.add(draft, event.indicators)
        dora.on_ura_turned(draft, event)
    missing_facts.refresh(draft)


def _claim(draft: Draft, event: events.WinClaimed | events.WinWithdrawn) -> None:
    if isinstance(event, events.WinWithdrawn):
        claims.withdraw(draft, event.seat)
        _follow_unseen_win(draft)
        if draft.phase is Phase.PLAY:
            aborts.find_pending_abort(draft)
        return
    if draft.fouls and not punished_acts.may_claim(draft, event):
        return
    late_riichi.drop_assumed(draft)
    if event.kind is events.WinKind.RON:
        claim: Claim | None = claims.claim_ron(draft, event)
    else:
        let_pass(draft)
        claim = claims.claim_tsumo(draft, event)
    if claim is not None:
        voided = foul_hand_end.voided_wins(draft)
        claims.add_claim(draft, claim)
        _follow_unseen_win(draft)
        foul_hand_end.say_voided_wins(draft, voided)


def _apply_statement(
    draft: Draft, event: events.HandShown | events.TenpaiStated | events.WaitDeclared | events.TilesExposed
) -> None:
    match event:
        case events.HandShown():
            _show(draft, event)
        case events.TenpaiStated():
            exhaustive_draw.on_tenpai_stated(draft, event)
        case events.WaitDeclared(seat=seat, tiles=tiles):
            furiten.declare_wait(draft, seat, frozenset(tile.kind for tile in tiles if tile.is_known))
        case events.TilesExposed(seat=seat, tiles=tiles):
            draft.suspect(EXPOSED_TILES, seat, f"the seat exposed {amount(len(tiles), 'tile')}")
        case _:
            assert_never(event)


def _show(draft: Draft, event: events.HandShown) -> None:
    claim = claims.claim_of(draft, event.seat)
    if (earlier := draft.shown_hands[event.seat]) is not None:
        tile_copies.remove(draft, _newly_visible_tiles(earlier, claim))
    claim = unseen_wins.find_robbed_kan(draft, event)
    calls.lay_reported_melds(draft, event, earlier)
    tile_copies.add(draft, _newly_visible_tiles(event, claim))
    draft.shown_hands = replace_at(draft.shown_hands, event.seat, event)
    _follow_unseen_win(draft)
    if event.seat not in draft.openers:
        draft.openers = (*draft.openers, event.seat)
    if claim is not None:
        shown_hand.judge(draft, claim, event)
    elif draft.phase is Phase.ENDING:
        exhaustive_draw.on_hand_shown(draft, event)
    if draft.phase is Phase.ENDING or (claim is not None and claim.kind is events.WinKind.TSUMO):
        punished_acts.check_shown_hand(draft, event)
    missing_facts.refresh(draft)
    if foul_log.reconsider(draft):
        hand_end.propose_penalty(draft)


def _newly_visible_tiles(hand: events.HandShown, claim: Claim | None) -> tuple[Tile, ...]:
    """Returns the shown tiles that were not visible before, without the ronned tile."""
    is_ron = claim is not None and claim.laid_tile is not None
    return hand.tiles if hand.winning_tile is None or is_ron else (*hand.tiles, hand.winning_tile)


def _end(draft: Draft, event: events.DrawReached | events.AbortCalled) -> None:
    if isinstance(event, events.AbortCalled) and event.reason is AbortReason.TRIPLE_RON:
        aborts.call_abort(draft, event)
        return
    claims.drop_claims(draft)
    let_pass(draft)
    if isinstance(event, events.AbortCalled):
        aborts.call_abort(draft, event)
    else:
        late_riichi.drop_assumed(draft)
        hand_phase.end(draft, None, is_watched=event.is_watched)
        ippatsu.on_hand_end(draft)
    furiten.announce_all(draft)


def _foul(state: GameState, event: events.FoulLogged | events.FoulCancelled, ruleset: Ruleset) -> Step:
    """Logs or cancels a foul, even after the hand's settlement."""
    if state.hand is None and state.history:  # people ended the game in the midst of a hand
        step = _foul(replace(state, hand=hand_of(state.history[-1])), event, ruleset)
        return replace(step, state=replace(step.state, hand=None))
    if isinstance(event, events.FoulLogged):
        draft, index = hand_by_number(state, event.hand, ruleset)
        voided = foul_hand_end.voided_wins(draft)
        foul = foul_log.log_foul(draft, event, state.history[index].settlement if index < len(state.history) else None)
        if draft.phase is Phase.SETTLED:
            return _found_late(draft, foul, index, state, ruleset)
        take_back_void_call(draft)
        foul_hand_end.say_voided_wins(draft, voided)
    else:
        if state.hand is None:
            raise ImpossibleEventError(f"expected a hand, got none for {public_text(event)!r}", says="no_hand")
        draft = Draft(state, state.hand, ruleset)
        if (line := after_settlement.hand_number_of(state, event)) is not None:
            return draft.step_to(after_settlement.cancel_settled_foul(draft, line, event.foul, event.reason))
        foul_log.cancel_foul(draft, event)
    if foul_hand_end.ending_of(draft) is None:
        aborts.follow_riichi(draft)
    hand_end.propose_penalty(draft)
    return draft.step_to(
        replace(
            draft.game,
            scores=draft.scores,
            deposits=draft.deposits,
            deposit_points=draft.start.deposit_points + foul_totals.pot(draft.fouls),
            hand=draft.freeze(),
            next_start=None,
        )
    )


def _found_late(draft: Draft, foul: LoggedFoul, index: int, state: GameState, ruleset: Ruleset) -> Step:
    """Charges a foul of a settled hand, which may be an earlier one than that on the table."""
    if state.hand is None or draft.hand is state.hand:
        return draft.step_to(after_settlement.add_late_foul(draft, foul))
    on_table = Draft(state, state.hand, ruleset)
    step = on_table.step_to(after_settlement.add_late_foul(draft, foul, index=index, on_table=on_table))
    return replace(step, announcements=(*draft.step().announcements, *step.announcements))
