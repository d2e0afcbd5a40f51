"""A whole table with its referee, over a felt that is laid by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Self

from table.game.commands.game_commands import Press
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import CameraHealth
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.state import HandState
from table.runtime.clock import LogicalClock
from tests.table.game.referee.felt_by_hand import FeltByHand, RefereedGame
from vision.felt import Felt, FeltReport, Reading, Zone


class RefereedTable(RefereedGame):
    """A table in place of the bare rules."""

    def __init__(self, rules: str, journal: Journal | None, table: Table | None) -> None:
        super().__init__()
        self.table = table or Table(
            journal=journal or Journal(None),
            referee=Referee(),
            ruleset=rules_named(rules).ruleset,
            clock=LogicalClock(),
        )

    def take(self, inputs: Iterable[FeltReport | Press]) -> RefereedGame:
        for item in inputs:
            if isinstance(item, FeltReport):
                self.table.report(item)
            else:
                self.table.handle(item)
        return self


class TableByHand(FeltByHand):
    """A felt that is laid by hand, before a whole table."""

    def __init__(
        self, rules: str = "home", indicator: str = "1z", journal: Journal | None = None, table: Table | None = None
    ) -> None:
        """Begins with an indicator, or before the camera sees anything; by default before a new table."""
        super().__init__()
        self.game = RefereedTable(rules, journal, table)
        self.table = self.game.table
        self.felt = Felt()
        if indicator:
            self.lay(0, Zone.WALL, indicator)

    @property
    def hand(self) -> HandState:
        assert self.table.state.live is not None
        return self.table.state.live

    @property
    def discards(self) -> list[str]:
        """All discards in the order of play."""
        discards = sorted(
            (discard for river in self.hand.rivers for discard in river), key=lambda each: each.discard_number
        )
        return [discard.tile.text for discard in discards]

    def lose_camera(self) -> Self:
        self.table.set_camera_health(CameraHealth.LOST)
        return self

    def read_again(self, old: str, new: str) -> None:
        """Lets the camera read a face as another one."""
        reading = Reading(tile=new, score=0.97)
        tiles = (replace(tile, reading=reading) if tile.reading.tile == old else tile for tile in self.felt.tiles)
        self.observe(replace(self.felt, tiles=tuple(tiles)))
