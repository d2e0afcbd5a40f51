"""The single entry point of the rules: `advance` applies one event to a game.

A physically impossible event (a fifth copy, a call of a tile that is not there) raises `ImpossibleEventError` and
leaves the state unchanged. An irregular act advances the state and returns a suspicion, a question for people.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from table.rules import events, hand_phase
from table.rules.aspects import dora, exhaustive_draw, furiten, gaps, ippatsu, tile_copies
from table.rules.aspects.riichi import late_riichi
from table.rules.aspects.winning import claims
from table.rules.dealing import deal, live_or_next
from table.rules.draft import Draft
from table.rules.events import Event
from table.rules.fouls import foul_hand_end, punished_acts
from table.rules.fouls.tiles_put_back import put_back
from table.rules.notation.event_notation import public_text
from table.rules.penalties.foul_effects import EXPOSED_TILES
from table.rules.ruleset import Ruleset
from table.rules.state import FactKind, FinishedHand, GameState, MissingFact, Phase, Step
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Round, Seat
from table.rules.transitions import aborts, hand_end, missing_facts
from table.rules.transitions.adjustment import adjust
from table.rules.transitions.by_event import declared_riichi, foul_events, win_events
from table.rules.transitions.by_event.tile_events import added_kan, call, closed_kan, discard
from table.rules.transitions.early_end import call_time, end_game_early
from table.rules.transitions.settlement_news import say_missing_facts
from table.rules.transitions.unclaimed_tile import let_pass

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
        event: the event that the table showed or people stated.
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
            declared_riichi.declare(draft, event)
        case events.DoraTurned() | events.UraTurned():
            _turn_indicators(draft, event)
        case events.WinClaimed() | events.WinWithdrawn():
            win_events.claim_win(draft, event)
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
            return foul_events.log_or_cancel(state, event, ruleset)
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
    unknown_facts = missing_facts.missing(draft) if is_ended else ()
    is_open = foul_hand_end.is_payment_open(draft) or MissingFact(FactKind.TENPAI) in unknown_facts
    if is_ended and not is_open and (proposal := hand_end.propose(draft)) is not None:
        return hand_end.settle(draft, proposal, missing_facts=unknown_facts)
    if foul_hand_end.ending_of(draft) is None:
        say_missing_facts(draft, AnnouncementId.HAND_LEFT_OPEN, unknown_facts)
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
    """Closes the gap, since nothing went unseen after all, and applies what follows from knowing every discard."""
    gaps.prove_seen(draft)
    aborts.find_pending_abort(draft)
    aborts.settle_pending(draft)
    furiten.announce_all(draft)


def _turn_indicators(draft: Draft, event: events.DoraTurned | events.UraTurned) -> None:
    if isinstance(event, events.DoraTurned):
        tile_copies.add(draft, (event.indicator,))
        dora.on_dora_turned(draft, event)
    else:
        tile_copies.remove(draft, draft.ura)
        tile_copies.add(draft, event.indicators)
        dora.on_ura_turned(draft, event)
    missing_facts.refresh(draft)


def _apply_statement(
    draft: Draft, event: events.HandShown | events.TenpaiStated | events.WaitDeclared | events.TilesExposed
) -> None:
    match event:
        case events.HandShown():
            win_events.show_hand(draft, event)
        case events.TenpaiStated():
            exhaustive_draw.on_tenpai_stated(draft, event)
        case events.WaitDeclared(seat=seat, tiles=tiles):
            furiten.declare_wait(draft, seat, frozenset(tile.kind for tile in tiles if tile.is_known))
        case events.TilesExposed(seat=seat, tiles=tiles):
            draft.suspect(EXPOSED_TILES, seat, f"the seat exposed {amount(len(tiles), 'tile')}")
        case _:
            assert_never(event)


def _end(draft: Draft, event: events.DrawReached | events.AbortCalled) -> None:
    """Ends play; what was proposed for another end, and asked for it alone, is dropped."""
    before = (draft.phase, draft.abort, draft.abort_by)
    if isinstance(event, events.AbortCalled) and event.reason is AbortReason.TRIPLE_RON:
        aborts.call_abort(draft, event)
    else:
        claims.drop_claims(draft)
        let_pass(draft)
        _end_without_claims(draft, event)
        furiten.announce_all(draft)
    if (draft.phase, draft.abort, draft.abort_by) != before:
        hand_phase.drop_proposal(draft)
        missing_facts.refresh(draft)


def _end_without_claims(draft: Draft, event: events.DrawReached | events.AbortCalled) -> None:
    if isinstance(event, events.AbortCalled):
        aborts.call_abort(draft, event)
    else:
        late_riichi.drop_assumed(draft)
        hand_phase.end(draft, None, is_watched=event.is_watched)
        ippatsu.on_hand_end(draft)
