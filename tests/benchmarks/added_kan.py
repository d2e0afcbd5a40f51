"""``.venv/bin/python -m tests.benchmarks.added_kan``: films what happens to pons and counts the added kans told.

A pon lies in a corner; then its fourth tile is laid on top of the turned one, or beside it; or the turned tile or the
whole pon is pushed, the turned tile is taken up and laid back, or a hand rests over it. By turns in thirteen looks and
in as many drawn anew that nothing was trained on, at five frames a second. What is measured is kept line by line in the
file of ``--store``, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tests.benchmarks.hand_results import interval
from tests.benchmarks.kept_results import run_films
from tests.benchmarks.riichi_moment import last_felt, look_of
from vision.cameras.synthetic.animation import Beat, Film
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Arm, Scene, SceneTile
from vision.confidence import ASK_BELOW
from vision.felt import FACES, Zone

ADDED: Final = ("on top", "on top", "beside")
"""The acts after which four tiles lie there."""
OTHERS: Final = ("pushed", "pon pushed", "taken up", "hand rests")
"""The acts after which three do."""
ACTS: Final = (*ADDED, *OTHERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one film."""

    number: int
    look: str
    act: str
    turned: int
    """Which tile of the pon is turned."""
    told: int
    """Number of tiles of the meld that the watcher reports at the end."""
    is_right_face: bool
    """Whether the fourth one has the right face."""
    is_asked: bool
    """Whether it is uncertain, so that people are asked."""


def outcome(number: int) -> Outcome:
    """Films and watches one act; the same number gives the same."""
    rng = np.random.default_rng([number, 0xADD])
    look, appearance = look_of(number)
    act, side = str(ACTS[number % len(ACTS)]), int(rng.integers(4))
    kind, turned_index = str(rng.choice([face for face in FACES if face[0] != "0"])), int(rng.integers(3))
    melds = [Meld(faces=(kind,) * 3, turned_index=turned_index)]
    if rng.random() < 0.4:
        melds.insert(int(rng.integers(2)), Meld(faces=("3z",) * 3 if kind != "3z" else ("4z",) * 3, turned_index=0))
    added = _red(kind) if rng.random() < 0.5 else kind
    table = _Table(layout=Layout(appearance=appearance, seed=number), side=side, melds=tuple(melds), kind=kind)
    melds_seen = last_felt(_film(table, act, added, rng), appearance).in_zone(side, Zone.MELD)
    groups = [[tile for tile in melds_seen if tile.group == group] for group in {tile.group for tile in melds_seen}]
    pon = max(groups, key=lambda group: sum(_kind(tile.reading.tile) == _kind(kind) for tile in group), default=[])
    fourth = pon[-1] if len(pon) == 4 else None
    others = sum(len(group) == 4 for group in groups if group is not pon)
    return Outcome(
        number=number,
        look=look,
        act=act,
        turned=turned_index,
        told=len(pon) + 10 * others,
        is_right_face=fourth is not None and fourth.reading.tile == added,
        is_asked=fourth is not None and fourth.reading.score < ASK_BELOW,
    )


def _kind(face: str) -> str:
    return face.replace("0", "5")


def _red(face: str) -> str:
    return face.replace("5", "0") if face[1] != "z" else face


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """What lies there before the act."""

    layout: Layout
    side: int
    melds: tuple[Meld, ...]
    kind: str
    """Of the pon that the act is about."""

    @property
    def index(self) -> int:
        """The number of that pon."""
        return next(i for i, meld in enumerate(self.melds) if meld.faces[0] == self.kind)

    @property
    def turned_tile(self) -> int:
        """Which of all tiles of the melds is that pon's turned one."""
        return 3 * self.index + (self.melds[self.index].turned_index or 0)

    def tiles(self) -> tuple[SceneTile, ...]:
        """Returns the tiles of the melds."""
        return self.layout.melds(self.side, self.melds)


def _film(table: _Table, act: str, added: str, rng: np.random.Generator) -> Film:
    """The act as a film: at first no melds lie there, then they are laid, then something happens."""
    faces = [face for face in FACES if face[0] != "0" and face != table.kind]
    layout, side, before = table.layout, table.side, table.tiles()
    rivers = [
        tile
        for other in range(4)
        for tile in layout.river(other, [Discard(face=str(face)) for face in rng.choice(faces, 6)])
    ]
    wall = layout.wall(Wall(break_side=int(rng.integers(4)), break_stack=6, drawn=60, indicators=("3p",)))
    still = (*rivers, *wall, *(tile for other in range(4) for tile in layout.standing_hand(other, 10)))
    beats = [
        Beat(time_s=0.0, scene=Scene(tiles=still)),
        Beat(time_s=1.2, scene=Scene(tiles=(*still, *before)), side=side),
        Beat(time_s=3.6, scene=Scene(tiles=(*still, *_after(table, act, added, rng))), side=side),
    ]
    film = _Resting if act == "hand rests" else Film
    film_made = film(beats, felt_mm=layout.appearance.felt_mm, seed=int(rng.integers(1 << 30)), tail_s=2.0)
    if isinstance(film_made, _Resting):
        x, y = before[table.turned_tile].x_mm, before[table.turned_tile].y_mm
        film_made.arm = Arm(side=side, x_mm=x + float(rng.normal(0, 8)), y_mm=y + float(rng.normal(0, 8)))
    return film_made


class _Resting(Film):
    """A film in which a hand rests somewhere for a second."""

    arm: Arm | None = None

    def scene_at(self, time_s: float) -> Scene:
        scene = super().scene_at(time_s)
        if self.arm is None or not 2.4 <= time_s < 3.6:
            return scene
        return replace(scene, arms=(*scene.arms, self.arm))


def _after(table: _Table, act: str, added: str, rng: np.random.Generator) -> tuple[SceneTile, ...]:
    """Returns the tiles of the melds after the act."""
    before, turned_tile, melds = table.tiles(), table.turned_tile, table.melds
    match act:
        case "on top" | "beside":
            kan = replace(melds[table.index], added=added, is_on_top=act == "on top")
            tiles = table.layout.melds(table.side, [*melds[: table.index], kan, *melds[table.index + 1 :]])
            is_new = [act == "on top" and tile not in before for tile in tiles]
            return tuple(_askew(tile, rng, 1.3, 1.5) if new else tile for new, tile in zip(is_new, tiles, strict=True))
        case "taken up":
            return _with(before, turned_tile, _askew(before[turned_tile], rng, 1.3, 1.5))
        case "pushed":
            return _with(before, turned_tile, _askew(before[turned_tile], rng, 3.5, 2.5))
        case "pon pushed":
            dx, dy = (float(value) for value in rng.normal(0, 4, 2))
            of_pon = range(3 * table.index, 3 * table.index + 3)
            pushed = [replace(tile, x_mm=tile.x_mm + dx, y_mm=tile.y_mm + dy) for tile in before]
            return tuple(new if i in of_pon else old for i, (old, new) in enumerate(zip(before, pushed, strict=True)))
        case _:
            return before


def _with(tiles: tuple[SceneTile, ...], index: int, tile: SceneTile) -> tuple[SceneTile, ...]:
    return (*tiles[:index], tile, *tiles[index + 1 :])


def _askew(tile: SceneTile, rng: np.random.Generator, mm: float, degrees: float) -> SceneTile:
    dx, dy, turn = (float(value) for value in np.clip(rng.normal(0, 1, 3), -2.2, 2.2) * (mm, mm, degrees))
    return replace(tile, x_mm=tile.x_mm + dx, y_mm=tile.y_mm + dy, angle_deg=tile.angle_deg + turn)


def report(outcomes: Sequence[Outcome]) -> str:
    """What came of each act."""
    lines = list(_lines(outcomes))
    wrong = [f"{one.number} ({one.look}, {one.act}: {one.told})" for one in outcomes if _verdict(one) == "wrong"]
    missed = [f"{one.number} ({one.look}, {one.act})" for one in outcomes if _verdict(one) == "missed"]
    return "\n".join([*lines, f"wrong: {', '.join(wrong) or 'none'}", f"missed: {', '.join(missed) or 'none'}"])


def _lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for act in dict.fromkeys(ACTS):
        of_act = [one for one in outcomes if one.act == act]
        counts = {name: sum(_verdict(one) == name for one in of_act) for name in ("right", "asked", "missed", "wrong")}
        shares = ", ".join(
            "{} {} ({:.1f}-{:.1f} %)".format(name, count, *interval(count, len(of_act)))
            for name, count in counts.items()
        )
        yield f"{act}: {len(of_act)}: {shares}"


def _verdict(one: Outcome) -> str:
    """Returns right, asked, missed or wrong."""
    if one.told == (4 if one.act in ADDED else 3):
        return "asked" if one.is_asked else "right" if one.act not in ADDED or one.is_right_face else "wrong"
    if one.act in ADDED:
        return "missed" if one.told < 4 else "wrong"
    return "asked" if one.is_asked else "wrong"


if __name__ == "__main__":
    run_films(outcome, Outcome, report, doc=__doc__, option="--films", count=140)
