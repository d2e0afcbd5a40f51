"""Takes back a call that a foul makes void, together with its caller's discard after it.

The others then play on as if nobody had called. The draw and discard of a player who had not noticed the call are then
in turn, and stay (7-08-03). If anything else was laid since, it is too late: the referee decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from table.rules.aspects.riichi import declaration
from table.rules.draft import Draft
from table.rules.events import Discarded
from table.rules.fouls.tiles_put_back import WRONG_UTTERANCE, last_act, take_back
from table.rules.penalties.consequence import Sanction
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.state import HandState, LaidKind, LoggedFoul, Phase, VoidCall
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from table.rules.transitions.by_event.tile_events import discard

CALLS: Final = ("call", "pon", "utterance")
"""The values of `what` in a void effect that can mean a call."""
_UNNOTICED_PON: Final = "7-08-03"


class _Act(NamedTuple):
    """A tile or meld that was laid."""

    seat: Seat
    is_meld: bool
    hand: HandState | Draft
    """The hand just after it."""


def take_back_void_call(draft: Draft) -> None:
    """Takes back the call that the newest foul makes void, with its caller's discard after it, if it can be found."""
    foul = draft.fouls[-1]
    if foul.clause == WRONG_UTTERANCE or draft.phase is not Phase.PLAY:
        return
    for sanction in (*foul.consequence.sanctions, *foul.consequence.instructions):
        acts = _acts_to_take_back(draft, foul, sanction) if sanction.op is Op.VOID else ()
        if not acts:
            continue
        hand = replace(draft.freeze())
        kept_discards = [_discard_of(act) for act in acts if act.seat is not sanction.seat]
        for act in acts:
            take_back(draft, act.seat)
        for event in reversed(kept_discards):
            _lay_again(draft, event)
        declaration.announce_put_back(draft, hand.riichi)
        void_call = VoidCall(
            foul=len(draft.fouls) - 1, seat=sanction.seat, hand=hand, laid_tiles=draft.laid_tiles, melds=draft.melds
        )
        draft.void_calls = (*draft.void_calls, void_call)
        return


def _acts_to_take_back(draft: Draft, foul: LoggedFoul, void: Sanction) -> tuple[_Act, ...]:
    """Returns the void call and the discards after it, the newest first; empty if the call is not among the last acts.

    After the call only its caller has discarded, or a player who had not noticed it.
    """
    if void.effect.param("what") not in CALLS:
        return ()
    found: list[_Act] = []
    for act in _newest_first(draft):
        found.append(act)
        if act.is_meld:
            return tuple(found) if act.seat is void.seat and _is_void_call(act.hand, act.seat, void.effect) else ()
        may_follow = act.seat is void.seat or (foul.clause == _UNNOTICED_PON and act.seat is foul.seat)
        if (
            not may_follow
            or act.seat in [earlier_act.seat for earlier_act in found[:-1]]
            or _is_void_declaration(act, foul)
        ):
            return ()
    return ()


def _newest_first(draft: Draft) -> Iterator[_Act]:
    hand: HandState | Draft | None = draft
    while hand is not None and hand.before_act is not None and (last := last_act(hand)) is not None:
        yield _Act(*last, hand)
        hand = hand.before_act


def _is_void_call(hand: HandState | Draft, seat: Seat, effect: Effect) -> bool:
    """Whether the hand's last meld is the call that the effect makes void."""
    if hand.claimable_tile is not None and hand.claimable_tile.kind is LaidKind.CLOSED_KAN:
        return bool(effect.param("incl_ankan"))
    return effect.param("what") != "pon" or hand.melds[seat][-1].kind is MeldKind.PON


def _is_void_declaration(act: _Act, foul: LoggedFoul) -> bool:
    """Whether the void utterance is the riichi that this discard declared, and not the call before it."""
    number = act.hand.rivers[act.seat][-1].discard_number
    return any(seat is act.seat and riichi.discard_number == number for seat, riichi in foul.voided_riichi)


def _discard_of(act: _Act) -> Discarded:
    tile = act.hand.rivers[act.seat][-1]
    return Discarded(seat=act.seat, tile=tile.tile, sideways=tile.sideways, origin=tile.origin)


def _lay_again(draft: Draft, event: Discarded) -> None:
    """Lays a discard again that stays although the call before it is taken back; repeats no announcement."""
    quiet_draft = Draft(draft.game, replace(draft.freeze()), draft.rules)
    discard(quiet_draft, event)
    draft.restore(quiet_draft.freeze())
