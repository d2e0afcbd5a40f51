"""Random tables at random moments of a hand, for training pictures."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Arm, SceneStick, SceneTile
from vision.cameras.synthetic.scene import Scene as Table
from vision.felt import FACES
from vision.reading.locator import STICK_VALUES

STRAYS: Final = 8
"""The usual upper limit of the number of stray sticks on a table."""
MANY_STRAYS: Final = 20
"""The limit for tables with many sticks, which would otherwise be rare compared to tiles."""


def random_table(rng: np.random.Generator, appearance: Appearance, *, strays: int = STRAYS) -> Table:
    """Returns a table: rivers, melds, hands and perhaps sticks of all sides, walls, arms, and stray sticks."""
    layout = Layout(appearance=appearance, seed=int(rng.integers(1 << 30)), untidiness=float(rng.uniform(0.3, 2.0)))
    tiles: list[SceneTile] = []
    sticks: list[SceneStick] = []
    for side in range(4):
        tiles += layout.river(side, _discards(rng))
        tiles += _hand_and_melds(rng, layout, side)
        if rng.random() < 0.45:
            sticks.append(layout.riichi_stick(side, value=int(rng.choice(STICK_VALUES, p=[0.7, 0.1, 0.1, 0.1]))))
        if rng.random() < 0.25:
            sticks += layout.counters(side, int(rng.integers(1, 5)))
    if rng.random() < 0.9:
        tiles += layout.wall(_wall(rng))
    sticks += _strays(rng, appearance, int(rng.integers(0, strays)))
    arms = [_arm(rng, appearance) for _ in range(int(rng.choice([0, 0, 1, 2])))]
    return Table(tiles=tuple(tiles), sticks=tuple(sticks), arms=tuple(arms))


def _face(rng: np.random.Generator) -> str:
    return str(FACES[rng.integers(len(FACES))])


def _discards(rng: np.random.Generator) -> list[Discard]:
    count, sideways = int(rng.integers(0, 21)), int(rng.integers(0, 24))
    return [Discard(face=_face(rng), is_sideways=index == sideways) for index in range(count)]


def _hand_and_melds(rng: np.random.Generator, layout: Layout, side: int) -> list[SceneTile]:
    melds = [_meld(rng) for _ in range(int(rng.choice([0, 0, 1, 2, 3])))]
    held = 13 - 3 * len(melds)
    tiles = list(layout.melds(side, melds))
    if rng.random() < 0.25:
        return tiles + list(layout.open_hand(side, [_face(rng) for _ in range(held)], winning=_face(rng)))
    return tiles + list(layout.standing_hand(side, held + 1, has_drawn=bool(rng.random() < 0.5)))


def _meld(rng: np.random.Generator) -> Meld:
    if rng.random() < 0.25:
        return Meld.closed_kan([_face(rng) for _ in range(4)], are_outer_down=bool(rng.random() < 0.5))
    own_faces = [_face(rng) for _ in range(int(rng.choice([2, 2, 3])))]
    meld = Meld.from_call(own_faces, _face(rng), from_left=int(rng.integers(1, 4)))
    if rng.random() < 0.15:
        return Meld(faces=meld.faces, turned_index=meld.turned_index, added=_face(rng))
    return meld


def _wall(rng: np.random.Generator) -> Wall:
    count = int(rng.choice([1, 1, 1, 2, 3]))
    indicators = tuple(_face(rng) for _ in range(count))
    ura = tuple(_face(rng) for _ in range(count)) if rng.random() < 0.15 else ()
    return Wall(
        break_side=int(rng.integers(4)),
        break_stack=int(rng.integers(2, 13)),
        drawn=int(rng.integers(50, 118)),
        rinshan=count - 1,
        indicators=indicators,
        ura=ura,
    )


def _strays(rng: np.random.Generator, appearance: Appearance, count: int) -> list[SceneStick]:
    half = appearance.felt_mm / 2
    return [
        SceneStick(
            value=int(rng.choice(STICK_VALUES)),
            x_mm=float(rng.uniform(-half, half)),
            y_mm=float(rng.uniform(-half, half)),
            angle_deg=float(rng.uniform(0, 180)),
        )
        for _ in range(count)
    ]


def _arm(rng: np.random.Generator, appearance: Appearance) -> Arm:
    half = appearance.felt_mm * 0.35
    x, y = rng.uniform(-half, half, 2)
    return Arm(side=int(rng.integers(4)), x_mm=float(x), y_mm=float(y))
