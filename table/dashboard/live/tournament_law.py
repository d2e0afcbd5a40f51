"""What pages may show at a tournament: only what the physical table shows (WRC 12.3.8, EMA 6.11). Pure.

Tiles, sticks, points and people's statements and decisions are public. Anything derived by counting or by the rules
(ippatsu, furiten, tiles left, the turn, suspicions) is left to the players; the settlement of a hand is shown once the
hand lies open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table.dashboard.scores.scorekeeping import is_watched
from table.game.snapshot import Mode, Snapshot
from table.rules.state import HandState, Ippatsu, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import ABORTS

PUBLIC_ANNOUNCEMENTS: Final = frozenset(
    {
        AnnouncementId.HAND_STARTED,
        AnnouncementId.RIICHI_DECLARED,
        AnnouncementId.DEAD_HAND,
        AnnouncementId.WIN_VOID,
        AnnouncementId.FOUL_LOGGED,
        AnnouncementId.FOUL_CANCELLED,
        AnnouncementId.FOUL_AGREED,
        AnnouncementId.SETTLEMENT_PROPOSED,
        AnnouncementId.SETTLEMENT_CONFIRMED,
        AnnouncementId.SETTLED_WITHOUT,
        AnnouncementId.HAND_LEFT_OPEN,
        AnnouncementId.GAME_ENDED,
        AnnouncementId.TIME_SIGNAL,
        AnnouncementId.SEATS_SWAPPED,
        AnnouncementId.LATER_HANDS,
        AnnouncementId.CAMERA_LOST,
        AnnouncementId.CAMERA_BACK,
        AnnouncementId.CAMERA_MOVED,
        AnnouncementId.MOMENT_KEPT,
        AnnouncementId.MOMENT_LOST,
        AnnouncementId.SEAT_ASKED,
        AnnouncementId.SEAT_TAKEN,
        AnnouncementId.SEAT_KEPT,
        AnnouncementId.OWNER_CAME,
        *map(AnnouncementId.of_abort, ABORTS),
    }
)
"""Announcements on a tournament's page: what people did, said and decided, and the state of the table itself."""


def is_silent(snapshot: Snapshot) -> bool:
    """Returns whether pages may show only what lies open on the table: at a tournament."""
    return snapshot.mode is Mode.TOURNAMENT


def may_watch_again(snapshot: Snapshot, game: int, *, is_owner: bool) -> bool:
    """Returns whether a finished hand of a game may be replayed: by players of a tournament only after the game."""
    return is_owner or not is_silent(snapshot) or game != snapshot.opened_by or snapshot.game.is_over


def may_count(snapshot: Snapshot) -> bool:
    """Returns whether players may compute a hand's value: not during a hand at a tournament's watched table."""
    hand = snapshot.game.live
    is_played = hand is not None and hand.phase is Phase.PLAY
    return not (is_silent(snapshot) and is_watched(snapshot) and is_played)


def open_snapshot(snapshot: Snapshot) -> Snapshot:
    """Returns the snapshot without anything derived from the table by counting or by the rules."""
    announcements = tuple(logged for logged in snapshot.announcements if logged.announcement.id in PUBLIC_ANNOUNCEMENTS)
    hand = snapshot.game.hand
    game = snapshot.game if hand is None else replace(snapshot.game, hand=_open_hand(hand))
    return replace(snapshot, game=game, announcements=announcements, suspicions=())


def _open_hand(hand: HandState) -> HandState:
    return replace(
        hand,
        ippatsu=(Ippatsu.NONE,) * 4,
        riichi=tuple(replace(riichi, is_double=False) for riichi in hand.riichi),
        turn=None,
        claimable_tile=None,
        tiles_left=0,
        declared_waits=(None,) * 4,
        declared_furiten=(frozenset(),) * 4,
        barred_kinds=frozenset(),
        pending_abort=None,
    )
