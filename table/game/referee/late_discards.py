"""A discard that comes to rest after the press about it: the press came a blink too early, not the tile too late."""

from __future__ import annotations

from table.game.journal.entries import Source
from table.game.referee.discards import Playing
from table.game.referee.findings import Finding, Ruling
from table.game.referee.observation import Look
from table.rules.events import DrawReached, Event, WinClaimed, WinKind, WinWithdrawn
from table.rules.state import Claim, Phase
from table.rules.terms.seats import Seat


def late_discard(look: Look, playing: Playing) -> tuple[Finding, ...]:
    """Takes the press back, tells the discard, and presses again; only while no hand lies open."""
    hand = look.hand
    if any(shown is not None for shown in hand.shown):
        return ()
    seat = _discarder(look)
    fresh = playing.rivers.new_tiles(hand, seat, look.felt)
    if not fresh:
        return ()
    back = tuple(_again(look, WinWithdrawn(seat=claim.seat)) for claim in hand.claims)
    claims = tuple(_again(look, _claimed(claim)) for claim in hand.claims)
    draw = (_again(look, DrawReached()),) if hand.phase is Phase.ENDING else ()
    return (*back, *playing.told(look, seat, fresh[0]), *claims, *draw)


def _discarder(look: Look) -> Seat:
    """Whose discard can have been missed: the one before a tsumo, or the next in turn."""
    drew = next((claim.seat for claim in look.hand.claims if claim.kind is WinKind.TSUMO), None)
    if drew is not None:
        return drew.plus(3)
    last = look.hand.claimable
    return look.expected if last is None else last.seat.next


def _claimed(claim: Claim) -> Event:
    return WinClaimed(seat=claim.seat, kind=claim.kind, han=claim.han, fu=claim.fu)


def _again(look: Look, event: Event) -> Ruling:
    return Ruling(event=event, source=Source.PRESS, frame=look.frame)
