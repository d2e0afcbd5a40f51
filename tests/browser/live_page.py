"""A served table page on which a test lets things happen."""

from __future__ import annotations

import queue
from dataclasses import dataclass, replace
from typing import Any

from table.game.commands.game_commands import Command
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Board
from table.rulebook.play_presets import HOME
from table.rules.advance import advance
from table.rules.events import (
    Discarded,
    Event,
    HandShown,
    HandStarted,
    WinClaimed,
    WinKind,
)
from table.rules.terms.announcements import Announcement
from table.rules.terms.seats import Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.fakes.desks import FakeDesk

START = HandStarted(
    round=Round.parse("E1"), dealer=Seat.NEAR, scores=(25000, 25000, 25000, 25000), dora_indicator=Tile("4p")
)
RIICHI = Discarded(seat=Seat.NEAR, tile=Tile("9p"), sideways=True)
WINNING_HAND = HandShown(seat=Seat.RIGHT, tiles=parse_tiles("234m456p22s67888s"), winning_tile=Tile("5s"))


class SeatDesk(FakeDesk):
    """What the page of the near seat pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.pressed: queue.SimpleQueue[Command] = queue.SimpleQueue()

    def handle(self, command: Command) -> None:
        super().handle(command)
        assert command.by == "seat 0"
        self.pressed.put(replace(command, by=""))


@dataclass
class Live:
    """A served table on which the test lets things happen."""

    board: Board
    inbox: SeatDesk
    address: str

    def happen(self, *events: Event) -> None:
        """Follows the rules through the events and publishes the table after each, with what was said."""
        for event in events:
            step = advance(self.board.latest.game, event, HOME)
            self.publish(
                game=step.state,
                announcements=(*self.board.latest.announcements, *map(log_entry, step.announcements)),
            )

    def publish(self, **fields: Any) -> None:
        latest = self.board.latest
        self.board.publish(replace(latest, version=latest.version + 1, **fields))


def log_entry(announcement: Announcement) -> LoggedAnnouncement:
    return LoggedAnnouncement(key=announcement.id.value, announcement=announcement, frame=0)


def discard(seat: Seat, tile: str) -> Discarded:
    return Discarded(seat=seat, tile=Tile(tile))


GO_ROUND = tuple(discard(seat, f"{seat + 1}z") for seat in Seat)
DRAWN_WIN: tuple[Event, ...] = (
    *GO_ROUND,
    discard(Seat.NEAR, "9m"),
    WinClaimed(seat=Seat.RIGHT, kind=WinKind.TSUMO),
    WINNING_HAND,
)
