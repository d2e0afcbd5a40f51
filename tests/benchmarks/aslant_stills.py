"""``.venv/bin/python -m tests.benchmarks.aslant_stills``: watches single pictures of full tables from beside the table.

A whole hand has one or two melds and takes a minute to film. Here one picture has melds at every side and rivers with
sideways tiles, seen by the cameras of `tests.benchmarks.aslant`, 25-35° and 35-50° from the vertical by turns: what the
watcher makes of each side's melds and river is held against the truth. What is measured is kept line by line in the
file of ``--store``, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.script_recording import lens_of_appearance
from tests.benchmarks.aslant import BANDS, seen_aslant
from tests.benchmarks.hand_results import interval
from tests.benchmarks.kept_results import run_films
from tests.benchmarks.watching import LOOKS, faces_of
from tests.vision.beside_table import lean_of_camera
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Scene
from vision.felt import FACES, Felt, LyingTile, Zone
from vision.frames import Frame

_KINDS: Final = [face for face in FACES if face[0] != "0"]
_FRAMES: Final = 9
"""Number of times that the watcher sees a picture, at five a second."""
Faces = list[tuple[str, ...]]
"""Melds by their faces, or a river; `~` marks a sideways tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """What came of one picture."""

    number: int
    band: str
    look: str
    sides: int
    wrong_melds: int
    """Number of sides at which some meld is wrong, missing or too many."""
    wrong_rivers: int
    """Number of sides at which a river is wrong."""
    slips: str
    """The true and the told ones."""


def watch_still(number: int) -> Still:
    """Draws and watches one picture; the same number gives the same."""
    band, seed = list(BANDS)[number % 2], number // 2
    name, faces, table = LOOKS[seed % len(LOOKS)]
    camera = seen_aslant(table, band, seed)
    scene, melds, rivers = full_table(camera, np.random.default_rng([seed, 77, int(BANDS[band][0])]), seed)
    felt = _believed(Renderer(camera, faces=faces_of(faces)).render(scene, k=0), camera)
    wrong = [
        [(true, found) for side in range(4) if (true := truth[side]) != (found := read_side(felt, side))]
        for truth, read_side in ((melds, _melds), (rivers, _river))
    ]
    return Still(
        number=number,
        band=band,
        look=f"{name} {lean_of_camera(camera):.0f} deg {camera.width_px} x {camera.height_px}",
        sides=len(melds),
        wrong_melds=len(wrong[0]),
        wrong_rivers=len(wrong[1]),
        slips="; ".join(f"{true} -> {found}" for slips in wrong for true, found in slips),
    )


def _believed(image: np.ndarray, camera: Appearance) -> Felt:
    """Returns what a watcher believes after some looks at one picture."""
    calibration = calibration_of(camera, lens_of_appearance(camera))
    watcher = make_watcher(calibration, camera.tile_size)
    for k in range(_FRAMES):
        watcher.watch(Frame(k=k, t_ns=k * 200_000_000, image=image))
    return watcher.felt


def full_table(camera: Appearance, rng: np.random.Generator, seed: int) -> tuple[Scene, list[Faces], list[Faces]]:
    """Returns a scene with melds, rivers, hands and a wall; its melds and its rivers, by side."""
    copies = [[face] * (1 if face[0] == "0" else 3 if face[0] == "5" and face[1] != "z" else 4) for face in FACES]
    pool = [str(face) for face in rng.permutation([face for several in copies for face in several])]
    melds = [[_meld(pool, rng) for _ in range(int(rng.integers(1, 4)))] for _ in range(4)]
    layout = Layout(appearance=camera, seed=seed)
    wall = Wall(break_side=int(rng.integers(4)), break_stack=6, drawn=60, indicators=(pool.pop(),))
    tiles = list(layout.wall(wall))
    rivers: list[Faces] = []
    for side in range(4):
        count = int(rng.integers(5, 14))
        riichi = int(rng.integers(count)) if rng.random() < 0.6 else None
        discards = [Discard(face=pool.pop(), is_sideways=index == riichi) for index in range(count)]
        tiles += [*layout.river(side, discards), *layout.melds(side, melds[side])]
        tiles += layout.standing_hand(side, 13 - 3 * len(melds[side]))
        rivers.append([tuple(_marked(discard.face, is_sideways=discard.is_sideways) for discard in discards)])
    meld_faces = [sorted(_faces_of_meld(meld) for meld in melds_of_side) for melds_of_side in melds]
    return Scene(tiles=tuple(tiles)), meld_faces, rivers


def _meld(pool: list[str], rng: np.random.Generator) -> Meld:
    """Takes a meld out of the pool: two pons for each chi, called kan and closed kan."""
    while True:
        kind, meld_type = str(rng.choice(_KINDS)), str(rng.choice(["pon", "pon", "chi", "kan", "closed"]))
        if meld_type == "chi":
            if kind[1] == "z" or int(kind[0]) > 7:
                continue
            kinds = [f"{int(kind[0]) + step}{kind[1]}" for step in range(3)]
        else:
            kinds = [kind] * (3 if meld_type == "pon" else 4)
        faces = _take_faces(pool, kinds)
        if faces is None:
            continue
        if meld_type == "closed":
            return Meld.closed_kan(faces)
        if meld_type == "chi":
            called_face = faces.pop(int(rng.integers(3)))
            return Meld(faces=(called_face, *faces), turned_index=0)
        return Meld(faces=tuple(faces), turned_index=int(rng.choice([0, len(faces) - 1, 1])))


def _take_faces(pool: list[str], kinds: Sequence[str]) -> list[str] | None:
    """Takes a tile of each kind out of the pool, red fives too; None, and nothing taken, if some are missing."""
    rest, faces = list(pool), []
    for kind in kinds:
        face = next((one for one in rest if one.replace("0", "5") == kind), None)
        if face is None:
            return None
        rest.remove(face)
        faces.append(face)
    pool[:] = rest
    return faces


def _faces_of_meld(meld: Meld) -> tuple[str, ...]:
    return tuple(_marked(face, is_sideways=index == meld.turned_index) for index, face in enumerate(meld.faces))


def _melds(felt: Felt, side: int) -> Faces:
    groups: dict[int, list[LyingTile]] = {}
    for tile in felt.in_zone(side, Zone.MELD):
        groups.setdefault(tile.group, []).append(tile)
    return sorted(map(_faces_of_tiles, groups.values()))


def _river(felt: Felt, side: int) -> Faces:
    return [_faces_of_tiles(felt.in_zone(side, Zone.RIVER))]


def _faces_of_tiles(tiles: Sequence[LyingTile]) -> tuple[str, ...]:
    in_order = sorted(tiles, key=lambda tile: tile.order)
    return tuple(_marked(tile.reading.tile, is_sideways=tile.is_sideways) for tile in in_order)


def _marked(face: str, *, is_sideways: bool) -> str:
    return f"{face}~" if is_sideways else face


def report(stills: Sequence[Still]) -> str:
    """How many sides have the right melds, and the right river, in each band."""
    lines = []
    for band in BANDS:
        of_band = [still for still in stills if still.band == band]
        sides = sum(still.sides for still in of_band)
        for name, wrong in (
            ("melds", [still.wrong_melds for still in of_band]),
            ("rivers", [s.wrong_rivers for s in of_band]),
        ):
            right = sides - sum(wrong)
            low, high = interval(right, sides)
            lines.append(f"{band}: {name} of {right} of {sides} sides right (95 % interval {low:.1f}-{high:.1f} %)")
    lines += [f"{still.number} {still.look}: {still.slips}" for still in stills if still.slips]
    return "\n".join(lines)


if __name__ == "__main__":
    run_films(watch_still, Still, report, doc=__doc__, option="--films", count=60)
