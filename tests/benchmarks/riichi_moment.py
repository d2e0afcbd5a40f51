"""``.venv/bin/python -m tests.benchmarks.riichi_moment``: films riichi moments and counts sticks that are not seen.

A moment is a sideways tile, the stick, and two discards after it, with the hands that bring them, at five frames a
second; by turns in thirteen looks and in as many drawn anew that nothing was trained on. The stick lies before the
river, on the unit, in its slot, half over its edge, or aslant. A stick that the watcher does not report at the end
would be asked for at the settlement. What is measured is kept line by line in the file of ``--store``, and goes on from
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.script_recording import lens_of_appearance
from table.game.referee.felt_in_seats import RIICHI_STICK
from tests.benchmarks.kept_results import run_films
from tests.benchmarks.watching import LOOKS
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.animation import Beat, Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Discard, Layout, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick
from vision.cameras.synthetic.synthetic_camera import SyntheticCamera
from vision.felt import FACES, Felt, Zone

FPS: Final = 5.0
PLACES: Final = ("river", "unit", "slot", "edge", "aslant")
_NEVER_TRAINED_ON: Final = 7_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What came of one moment."""

    number: int
    look: str
    place: str
    is_seen: bool
    """Whether a stick of 1000, or of a value that could not be told, lies before its owner at the end."""
    value: int
    """What the stick was taken for; 0 where that could not be told, or where it was not seen."""
    is_turned: bool
    """Whether the tile was told sideways."""
    false: int
    """Sticks before the others, or more than one before the owner."""


def moment(number: int) -> Moment:
    """Films and watches one moment; the same number gives the same."""
    rng = np.random.default_rng([number, 0x41])
    look, appearance = look_of(number)
    layout, side = Layout(appearance=appearance, seed=number), int(rng.integers(4))
    place = PLACES[number // len(LOOKS) % len(PLACES)] if appearance.unit_mm else ("river", "aslant")[number % 2]
    felt = last_felt(_film(layout, side, place, rng), appearance)
    of_side = [stick for stick in felt.sticks if stick.zone is Zone.STICKS and stick.side == side]
    others = [stick for stick in felt.sticks if stick.zone is Zone.STICKS and stick.side != side]
    riichi = [stick for stick in of_side if stick.value in (0, RIICHI_STICK)]
    return Moment(
        number=number,
        look=look,
        place=place,
        is_seen=bool(riichi),
        value=of_side[0].value if of_side else 0,
        is_turned=any(tile.is_sideways for tile in felt.in_zone(side, Zone.RIVER)),
        false=len(others) + max(0, len(of_side) - 1),
    )


def look_of(number: int) -> tuple[str, Appearance]:
    """Returns the name and the look of a numbered film: one of the thirteen, or one drawn anew."""
    if number % 2:
        return "drawn anew", Appearance.random(_NEVER_TRAINED_ON + number)
    name, _, appearance = LOOKS[number // 2 % len(LOOKS)]
    return name, appearance


def _film(layout: Layout, side: int, place: str, rng: np.random.Generator) -> Film:
    """The moment as a film: before it lie some discards of each."""
    faces = [face for face in FACES if face[0] != "0"]
    rivers = [[Discard(face=str(face)) for face in rng.choice(faces, int(rng.integers(2, 9)))] for _ in range(4)]
    stick = _stick(layout, side, place, rng)
    wall = layout.wall(Wall(break_side=int(rng.integers(4)), break_stack=6, drawn=60, indicators=("3p",)))
    still = [tile for other in range(4) for tile in layout.standing_hand(other, 13)]

    def scene(*sticks: SceneStick) -> Scene:
        tiles = [tile for other in range(4) for tile in layout.river(other, rivers[other])]
        return Scene(tiles=(*tiles, *wall, *still), sticks=sticks)

    beats = [Beat(time_s=0.0, scene=scene())]
    rivers[side] = [*rivers[side], Discard(face=str(rng.choice(faces)), is_sideways=True)]
    beats += [Beat(time_s=1.5, scene=scene(), side=side), Beat(time_s=2.7, scene=scene(stick), side=side)]
    for later in (1, 2):
        after = (side + later) % 4
        rivers[after] = [*rivers[after], Discard(face=str(rng.choice(faces)))]
        beats.append(Beat(time_s=2.7 + 1.2 * later, scene=scene(stick), side=after))
    return Film(beats, felt_mm=layout.appearance.felt_mm, seed=int(rng.integers(1 << 30)))


def _stick(layout: Layout, side: int, place: str, rng: np.random.Generator) -> SceneStick:
    stick, look = layout.riichi_stick(side), layout.appearance
    if place == "aslant":
        return replace(stick, angle_deg=stick.angle_deg + float(rng.choice([-1, 1]) * rng.uniform(6, 14)))
    half, breadth = look.unit_mm / 2, look.stick_breadth_mm
    out = {"unit": 0.68 * half, "slot": half - breadth / 2 - 5.0, "edge": half + 0.1 * breadth}.get(place)
    if out is None:
        return stick
    turn = np.radians(90.0 * side)
    x, y = float(out * np.sin(turn)), float(-out * np.cos(turn))
    return replace(stick, x_mm=x, y_mm=y, z_mm=look.unit_height_mm)


def last_felt(film: Film, appearance: Appearance) -> Felt:
    """Returns what a watcher believes at the end of a film."""
    lens = lens_of_appearance(appearance)
    calibration = calibration_of(appearance, lens)
    tile = appearance.tile_size
    watcher = make_watcher(calibration, tile)
    with SyntheticCamera(film, appearance, fps=FPS) as camera:
        for frame in camera.frames():
            watcher.watch(frame)
    return watcher.felt


def report(moments: Sequence[Moment]) -> str:
    """What came of all of them, and of each place."""
    lines = [_line("all", moments)]
    lines += [_line(place, [one for one in moments if one.place == place]) for place in PLACES]
    missed = [f"{one.number} ({one.look}, {one.place})" for one in moments if not one.is_seen]
    return "\n".join([*lines, f"not seen: {', '.join(missed) or 'none'}"])


def _line(name: str, moments: Sequence[Moment]) -> str:
    values = Counter(one.value for one in moments if one.is_seen)
    return (
        f"{name}: {len(moments)} moments, stick not seen {sum(not one.is_seen for one in moments)}, "
        f"told 1000 {values[RIICHI_STICK]}, without a value {values[0]}, tile not told sideways "
        f"{sum(not one.is_turned for one in moments)}, false sticks {sum(one.false for one in moments)}"
    )


if __name__ == "__main__":
    run_films(moment, Moment, report, doc=__doc__, option="--moments", count=1000)
