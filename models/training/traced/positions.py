"""Positions of real games: moments of recorded hands, in which hidden tiles get faces that the set still has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from table.camera.simulation import ScriptedHand, evening
from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_timeline import stage_script
from table.records.format_detection import load_game
from vision.cameras.synthetic.animation import Film
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Pose, Scene
from vision.felt import BACK, FACES

_PACE_S: Final = 2.2
_EARLIEST: Final = 0.35
"""The fraction of a hand before which no position is taken, since rivers are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A moment of a hand."""

    scene: Scene
    source: str
    """The record, the hand, and the moment."""


class Records:
    """Hands from which positions are taken."""

    def __init__(self, folder: Path | None) -> None:
        """Takes game records under `folder`, or the project's own evening if it is None.

        Raises:
            FileNotFoundError: there are no records.
        """
        self._paths = [] if folder is None else sorted(path for path in folder.rglob("*") if path.is_file())
        if folder is not None and not self._paths:
            raise FileNotFoundError(f"expected game records, got none, under {folder}")

    def position(self, layout: Layout, rng: np.random.Generator) -> Position:
        """Returns a random moment of a random hand on this table."""
        hand, name = self._hand(rng)
        staged = stage_script((hand,), layout)
        film = Film(staged.beats, felt_mm=layout.appearance.felt_mm, seed=layout.seed)
        moment = float(film.duration_s * rng.uniform(_EARLIEST, 1.0))
        if rng.random() < 0.7:
            moment = _at_rest(film, moment)
        scene = film.scene_at(moment)
        return Position(scene=_with_hands(scene, rng), source=f"{name} at {moment:.2f} s")

    def _hand(self, rng: np.random.Generator) -> tuple[ScriptedHand, str]:
        if not self._paths:
            hands = evening()
            number = int(rng.integers(len(hands)))
            return hands[number], f"evening, hand {number}"
        path = self._paths[rng.integers(len(self._paths))]
        record = load_game(path)
        number = int(rng.integers(len(record.hands)))
        return scripted_hand(record.hands[number], pace_s=_PACE_S), f"{path.name}, hand {number}"


def _at_rest(film: Film, moment: float) -> float:
    """Returns the next time without an arm over the table, or `moment` if there is none soon."""
    times = [moment + step * 0.1 for step in range(40)]
    return next((time for time in times if time < film.duration_s and not film.scene_at(time).arms), moment)


def _with_hands(scene: Scene, rng: np.random.Generator) -> Scene:
    """Returns the scene with faces for its standing tiles, taken from those that are not visible elsewhere."""
    unseen = Counter({face: 4 for face in FACES if face[0] != "0"})
    unseen.update({f"0{suit}": 1 for suit in "mps"})
    unseen.subtract({f"5{suit}": 1 for suit in "mps"})
    unseen.subtract(tile.face for tile in scene.tiles if tile.face != BACK)
    pool = sorted((+unseen).elements())
    pool_indexes = iter(rng.permutation(len(pool)))
    tiles = tuple(
        replace(tile, face=pool[next(pool_indexes)]) if tile.pose is Pose.STANDING else tile for tile in scene.tiles
    )
    return Scene(tiles=tiles, sticks=scene.sticks, arms=scene.arms)
