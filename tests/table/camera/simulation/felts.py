"""Felts without pictures: what a perfect eye would report while a script is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count

from table.camera.simulation.script_timeline import StagedScript
from table.camera.simulation.table_contents import TableContents
from table.game.commands.game_commands import Press
from table.rules.terms.seats import SEATS, Seat
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Pose, SceneTile
from vision.felt import (
    Felt,
    FeltChange,
    FeltReport,
    LyingStick,
    LyingTile,
    Reading,
    StickLaid,
    StickTaken,
    TileLaid,
    TileReread,
    TileTaken,
    Zone,
)

FPS = 10.0
LAYOUT = Layout(seed=5)
Key = tuple[int, Zone, int, int, str]


class PerfectWatcher:
    """Follows things from look to look, so that each keeps its id."""

    def __init__(self) -> None:
        self._ids: dict[Key, int] = {}
        self._numbers = count(1)
        self._felt = Felt()

    def see(self, contents: TableContents, *, frame: int, t_ns: int) -> FeltReport:
        """A report of everything that changed since the last look."""
        tiles = open_tiles(contents)
        keys = {_key(tile) for tile in tiles}
        self._ids = {key: number for key, number in self._ids.items() if key in keys}
        for key in [_key(tile) for tile in tiles]:
            if key not in self._ids:
                self._ids[key] = next(self._numbers)
        numbered = tuple(replace(tile, id=self._ids[_key(tile)]) for tile in tiles)
        felt = Felt(tiles=numbered, sticks=tuple(_sticks(contents)))
        report = FeltReport(frame=frame, t_ns=t_ns, changes=changes(self._felt, felt), felt=felt)
        self._felt = felt
        return report


@cache
def open_tiles(contents: TableContents) -> tuple[LyingTile, ...]:
    """Every tile that lies open, its id still 0."""
    return (*(tile for seat in SEATS for tile in _side(seat, contents)), *_wall(contents))


def _side(seat: Seat, contents: TableContents) -> Iterator[LyingTile]:
    river = contents.rivers[seat]
    for order, (tile, place) in enumerate(zip(river, LAYOUT.river(seat, river), strict=True)):
        yield _lying_tile(place, seat, Zone.RIVER, order=order, sideways=tile.is_sideways)
    places = iter(LAYOUT.melds(seat, contents.melds[seat]))
    for group, meld in enumerate(contents.melds[seat]):
        for order in range(len(meld.faces)):
            is_turned = order == meld.turned_index
            yield _lying_tile(next(places), seat, Zone.MELD, order=order, group=group, sideways=is_turned)
        if meld.added is not None:
            yield _lying_tile(next(places), seat, Zone.MELD, order=4, group=group, sideways=True)
    if contents.are_open[seat]:
        winning = contents.winning_tiles[seat]
        faces = [tile.text for tile in sorted(contents.hands[seat])]
        row = LAYOUT.open_hand(seat, faces, winning=None if winning is None else winning.text)
        for order, place in enumerate(row):
            yield _lying_tile(place, seat, Zone.HAND, order=order)


def _wall(contents: TableContents) -> Iterator[LyingTile]:
    if contents.wall is not None:
        for place in LAYOUT.wall(contents.wall):
            if place.pose is Pose.FACE_UP:
                yield _lying_tile(place, Seat(contents.wall.break_side), Zone.WALL)


def _sticks(contents: TableContents) -> Iterator[LyingStick]:
    for seat in SEATS:
        if contents.sticks[seat]:
            yield LyingStick(id=1000 + seat, value=1000, score=1.0, x_mm=0.0, y_mm=0.0, angle_deg=0.0, side=seat)


def _lying_tile(
    place: SceneTile, seat: Seat, zone: Zone, *, order: int = 0, group: int = 0, sideways: bool = False
) -> LyingTile:
    return LyingTile(
        id=0,
        reading=Reading(tile=place.face, score=0.97),
        x_mm=place.x_mm,
        y_mm=place.y_mm,
        angle_deg=place.angle_deg,
        side=int(seat),
        zone=zone,
        is_sideways=sideways,
        order=order,
        group=group,
    )


def _key(tile: LyingTile) -> Key:
    place = round(tile.x_mm * 1000 + tile.y_mm) if tile.zone is Zone.WALL else tile.order
    return tile.side, tile.zone, tile.group, place, tile.reading.tile


def changes(before: Felt, after: Felt) -> tuple[FeltChange, ...]:
    """What makes one felt of another."""
    old, new = {tile.id: tile for tile in before.tiles}, {tile.id: tile for tile in after.tiles}
    found: list[FeltChange] = [TileTaken(tile=tile) for number, tile in old.items() if number not in new]
    found += [TileLaid(tile=tile) for number, tile in new.items() if number not in old]
    found += [TileReread(before=old[n], tile=tile) for n, tile in new.items() if n in old and old[n] != tile]
    old_sticks, new_sticks = {stick.id: stick for stick in before.sticks}, {stick.id: stick for stick in after.sticks}
    found += [StickTaken(stick=stick) for number, stick in old_sticks.items() if number not in new_sticks]
    found += [StickLaid(stick=stick) for number, stick in new_sticks.items() if number not in old_sticks]
    return tuple(found)


def observations(staged: StagedScript, *, skip: Sequence[int] = ()) -> Iterator[FeltReport | Press]:
    """All reports and presses of a staged script in order of time, some looks left out."""
    watcher = PerfectWatcher()
    observed = [
        (beat.time_s, contents)
        for number, (beat, contents) in enumerate(zip(staged.beats, staged.contents, strict=True))
        if number not in skip
    ]
    timed: list[tuple[float, TableContents | Press]] = [
        *observed,
        *((press.time_s, press.press) for press in staged.presses),
    ]
    for time_s, each in sorted(timed, key=lambda pair: pair[0]):
        if isinstance(each, Press):
            yield each
        else:
            yield watcher.see(each, frame=round(time_s * FPS), t_ns=round(time_s * 1e9))
