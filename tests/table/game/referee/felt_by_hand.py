"""A felt that is laid by hand, and the referee who watches it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Self

from table.game.commands.foul_vote import FoulProposal, apply_press
from table.game.commands.game_commands import CorrectDiscard, FoulVotePress, HandPress, Press
from table.game.referee import Correction, Finding, FoundEvent, Question, Referee
from table.rulebook import rules_named
from table.rules.advance import advance, new_game
from table.rules.events import (
    Event,
)
from table.rules.state import GameState
from table.rules.terms.seats import Seat
from tests.table.camera.simulation.felts import changes
from vision.felt import BACK, Felt, FeltReport, LyingStick, LyingTile, Reading, Zone

WHOLE: Final = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "1p", "2s", "3s", "4s")
"""The faces of a complete hand, the winning tile last."""


class RefereedGame:
    """A referee with the rules behind it, and all that it found."""

    def __init__(self, state: GameState | None = None, *, is_complete: bool = False) -> None:
        self.rules = rules_named("home").ruleset
        self.proposal: FoulProposal | None = None
        self.state = state or new_game(self.rules)
        self.referee = Referee(is_complete=is_complete)
        self.found: list[Finding] = []

    def take(self, inputs: Iterable[FeltReport | Press]) -> RefereedGame:
        for item in inputs:
            if isinstance(item, CorrectDiscard):
                self.referee.stop_correcting(item.discard)
            elif isinstance(item, Press):
                for press in self._agreed_presses(item):
                    self._follow(self.referee.on_press(press, lambda: self.state))
            else:
                self._follow(self.referee.on_report(item, lambda: self.state))
        return self

    def _agreed_presses(self, press: HandPress | FoulVotePress) -> tuple[HandPress, ...]:
        if not isinstance(press, FoulVotePress):
            return (press,)
        step = apply_press(self.proposal, press, self.rules.penalties)
        self.proposal = step.proposal
        return step.commands

    def _follow(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.found.append(finding)
            if isinstance(finding, FoundEvent):
                self.state = advance(self.state, finding.event, self.rules).state

    @property
    def events(self) -> list[Event]:
        return [finding.event for finding in self.found if isinstance(finding, FoundEvent)]

    @property
    def questions(self) -> list[Question]:
        return [finding for finding in self.found if isinstance(finding, Question)]

    @property
    def corrections(self) -> list[Correction]:
        return [finding for finding in self.found if isinstance(finding, Correction)]


class FeltByHand:
    """A felt that is laid by hand, and the referee who watches it."""

    def __init__(self, *walls: str) -> None:
        """Begins with a dora indicator, or with other walls."""
        self.game = RefereedGame()
        self.felt = Felt()
        self.frame = 0
        self._next = 1
        self.lay(0, Zone.WALL, *(walls or ("1z",)))

    def lay(
        self,
        side: int,
        zone: Zone,
        *faces: str,
        sideways: int | None = None,
        group: int = 0,
        score: float = 0.97,
        on_top: bool = False,
    ) -> Self:
        """Lays tiles at the end of what lies there, or one on top of the first, and looks."""
        if zone is Zone.WALL and BACK in faces:
            return self.observe(replace(self.felt, walls=self.felt.walls + faces.count(BACK)))
        row = self.row(side, zone, faces, sideways=sideways, group=group, score=score)
        if on_top:
            row = [replace(tile, x_mm=0.0) for tile in row]
        return self.observe(replace(self.felt, tiles=(*self.felt.tiles, *row)))

    def row(
        self,
        side: int,
        zone: Zone,
        faces: Sequence[str],
        *,
        sideways: int | None = None,
        group: int = 0,
        score: float = 0.97,
    ) -> list[LyingTile]:
        """Tiles as they would lie behind those of a zone, which nobody has laid yet."""
        first = len([tile for tile in self.felt.in_zone(side, zone) if tile.group == group])
        row = []
        for order, face in enumerate(faces, first):
            row.append(
                LyingTile(
                    id=self._next,
                    reading=Reading(tile=face, score=score),
                    x_mm=20.0 * order,
                    y_mm=100.0 * side + 1000 * group,
                    angle_deg=0.0,
                    side=side,
                    zone=zone,
                    is_sideways=order - first == sideways,
                    order=order,
                    group=group,
                )
            )
            self._next += 1
        return row

    def discard(self, *turns: tuple[int, str]) -> Self:
        """Lays one discard after the other."""
        for side, face in turns:
            self.lay(side, Zone.RIVER, face.removeprefix("r"), sideways=0 if face.startswith("r") else None)
        return self

    def call(self, side: int, giver: int, *faces: str, sideways: int) -> Self:
        """Takes the last tile of a river and lays a meld, in one look."""
        self.take(giver, is_observed=False)
        group = len({tile.group for tile in self.felt.in_zone(side, Zone.MELD)})
        return self.lay(side, Zone.MELD, *faces, sideways=sideways, group=group)

    def take(self, side: int, *, is_observed: bool = True) -> Self:
        """Takes the last tile of a river away."""
        last = self.felt.in_zone(side, Zone.RIVER)[-1]
        felt = replace(self.felt, tiles=tuple(tile for tile in self.felt.tiles if tile != last))
        if is_observed:
            return self.observe(felt)
        self.felt = felt
        return self

    def stick(self, side: int) -> Self:
        """Lays a riichi stick."""
        stick = LyingStick(id=900 + side, value=1000, score=1.0, x_mm=0, y_mm=0, angle_deg=0, side=side)
        return self.observe(replace(self.felt, sticks=(*self.felt.sticks, stick)))

    def observe(self, felt: Felt, *, seconds: float = 1.0) -> Self:
        """Lets the referee look at a felt some seconds later."""
        before, self.felt = self.felt, felt
        self.frame += round(10 * seconds)
        report = FeltReport(frame=self.frame, t_ns=self.frame * 100_000_000, changes=changes(before, felt), felt=felt)
        self.game.take([report])
        return self

    def press(self, kind: type[Press], seat: int | None = None, **fields: Any) -> Self:
        """Presses something."""
        seat_field: dict[str, Any] = {} if seat is None else {"seat": Seat(seat)}
        self.game.take([kind(**seat_field, **fields)])
        return self

    @property
    def last(self) -> Event:
        """The newest event."""
        return self.game.events[-1]


def reread(tile: LyingTile, old: str, new: str) -> LyingTile:
    """The tile with its face read as `new`, if it was read as `old`."""
    return replace(tile, reading=replace(tile.reading, tile=new)) if tile.reading.tile == old else tile
