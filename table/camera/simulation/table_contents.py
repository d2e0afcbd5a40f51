"""What lies on the table while a script is played; every act returns the next state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from table.camera.simulation.script import Call, KanFromHand, ScriptedHand
from table.rules.events import CallKind
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick, SceneTile

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContents:
    """The table at one moment. Tuples of four are by seat."""

    wall: Wall | None = None
    """None between hands."""
    hands: tuple[tuple[Tile, ...], ...] = ((), (), (), ())
    """The concealed tiles."""
    rivers: tuple[tuple[Discard, ...], ...] = ((), (), (), ())
    melds: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
    sticks: tuple[int, ...] = (0, 0, 0, 0)
    """Riichi sticks before each seat, including those of earlier hands."""
    are_open: tuple[bool, ...] = (False,) * 4
    """Whether each hand lies open."""
    winning_tiles: tuple[Tile | None, ...] = (None,) * 4
    """The tile that a tsumo winner laid apart."""
    honba: tuple[Seat, int] = field(default=(Seat.NEAR, 0))
    """The seat whose counters lie on the table, and how many."""

    def scene(self, layout: Layout) -> Scene:
        """Returns the scene with everything in its place."""
        tiles: list[SceneTile] = [] if self.wall is None else list(layout.wall(self.wall))
        sticks: list[SceneStick] = list(layout.counters(*self.honba))
        for seat in SEATS:
            tiles += layout.river(seat, self.rivers[seat])
            tiles += layout.melds(seat, self.melds[seat])
            tiles += self._hand(seat, layout)
            sticks += [layout.riichi_stick(seat)] * min(1, self.sticks[seat])
        return Scene(tiles=tuple(tiles), sticks=tuple(sticks))

    def _hand(self, seat: Seat, layout: Layout) -> tuple[SceneTile, ...]:
        tiles = self.hands[seat]
        if not self.are_open[seat]:
            return layout.standing_hand(seat, len(tiles)) if tiles else ()
        winning = self.winning_tiles[seat]
        faces = [tile.text for tile in sorted(tiles)]
        return layout.open_hand(seat, faces, winning=None if winning is None else winning.text)

    def with_draw(self, seat: Seat, tile: Tile, *, is_replacement: bool) -> TableContents:
        """Moves a tile from the wall to a hand."""
        if self.wall is None:
            return self
        after_draw = self.with_winning_draw(is_replacement=is_replacement)
        return replace(after_draw, hands=with_value(self.hands, seat, (*self.hands[seat], tile)))

    def with_winning_draw(self, *, is_replacement: bool) -> TableContents:
        """Moves a tile from the wall to the place where a winner lays it."""
        if self.wall is None:
            return self
        drawn, rinshan = self.wall.drawn + (not is_replacement), self.wall.rinshan + is_replacement
        return replace(self, wall=replace(self.wall, drawn=drawn, rinshan=rinshan))

    def with_discard(self, seat: Seat, tile: Tile, *, sideways: bool) -> TableContents:
        """Moves a tile from a hand to its river."""
        river = (*self.rivers[seat], Discard(face=tile.text, is_sideways=sideways))
        return replace(self, hands=self._without(seat, (tile,)), rivers=with_value(self.rivers, seat, river))

    def with_call(self, call: Call, giver: Seat) -> TableContents:
        """Makes a meld of the last tile of the giver's river and own tiles."""
        discard = self.rivers[giver][-1]
        faces = [tile.text for tile in (call.own if call.kind is CallKind.CHI else sorted(call.own))]
        meld = Meld.from_call(faces, discard.face, from_left=(call.seat - giver) % 4)
        return replace(
            self,
            hands=self._without(call.seat, call.own),
            rivers=with_value(self.rivers, giver, self.rivers[giver][:-1]),
            melds=with_value(self.melds, call.seat, (*self.melds[call.seat], meld)),
        )

    def with_kan(self, kan: KanFromHand) -> TableContents:
        """Makes a closed kan, or adds a fourth tile to an own pon."""
        melds = self.melds[kan.seat]
        if kan.is_closed:
            melds = (*melds, Meld.closed_kan([tile.text for tile in kan.tiles]))
        else:
            melds = tuple(_with_added_tile(meld, kan.tiles[0]) for meld in melds)
        return replace(self, hands=self._without(kan.seat, kan.tiles), melds=with_value(self.melds, kan.seat, melds))

    def with_indicator(self, dora: Tile) -> TableContents:
        """Turns one more indicator."""
        if self.wall is None:
            return self
        return replace(self, wall=replace(self.wall, indicators=(*self.wall.indicators, dora.text)))

    def with_open_hand(self, seat: Seat, winning: Tile | None) -> TableContents:
        """Lays a hand open."""
        return replace(
            self,
            are_open=with_value(self.are_open, seat, True),
            winning_tiles=with_value(self.winning_tiles, seat, winning),
        )

    def with_ura(self, ura: tuple[Tile, ...]) -> TableContents:
        """Lays the ura indicators beside the dora."""
        if self.wall is None:
            return self
        return replace(self, wall=replace(self.wall, ura=tuple(tile.text for tile in ura)))

    def with_stick(self, seat: Seat) -> TableContents:
        """Lays a riichi stick."""
        return replace(self, sticks=with_value(self.sticks, seat, self.sticks[seat] + 1))

    def cleared(self, *, keep_sticks: bool) -> TableContents:
        """Removes everything except sticks that nobody won."""
        return TableContents(sticks=self.sticks if keep_sticks else (0, 0, 0, 0))

    def with_deal(self, hand: ScriptedHand, dice: int) -> TableContents:
        """Builds the walls and deals thirteen tiles to each seat, without turning an indicator."""
        wall = Wall(break_side=(hand.dealer + dice - 1) % 4, break_stack=dice, drawn=52)
        return replace(self, wall=wall, hands=hand.deals, honba=(hand.dealer, hand.honba))

    def _without(self, seat: Seat, tiles: tuple[Tile, ...]) -> tuple[tuple[Tile, ...], ...]:
        remaining = list(self.hands[seat])
        for tile in tiles:
            remaining.remove(tile)
        return with_value(self.hands, seat, tuple(remaining))


def with_value(four: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Returns a tuple by seat with one seat's value replaced."""
    return (*four[:seat], value, *four[seat + 1 :])


def _with_added_tile(meld: Meld, tile: Tile) -> Meld:
    same = {Tile(face).kind for face in meld.faces if face != "back"} == {tile.kind}
    return replace(meld, added=tile.text) if same and len(meld.faces) == 3 else meld
