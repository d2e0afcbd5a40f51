"""``.venv/bin/python -m tests.benchmarks.taken_tiles``: takes tiles from rivers that are watched from beside the table.

The tables and cameras are those of `tests.benchmarks.aslant_stills`. Of each river the last upright tile is taken away,
whose place may then show nothing but its neighbour's side: counted is which of them the watcher tells as gone, and
which others it loses. What is measured is kept line by line in the file of ``--store``, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.script_recording import lens_of_appearance
from tests.benchmarks.aslant import BANDS, seen_aslant
from tests.benchmarks.aslant_stills import full_table
from tests.benchmarks.hand_results import interval
from tests.benchmarks.kept_results import run_films
from tests.benchmarks.watching import LOOKS, faces_of
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Pose, Scene, SceneTile
from vision.felt import Felt, Zone
from vision.frames import Frame
from vision.watching.watcher import Watcher
from vision.zones.table_zones import Zones

_LOOKS = 9
"""Number of looks before tiles are taken, at five a second."""
_LATER = 16
"""Number of looks after tiles were taken."""
_NEAR_MM = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one table."""

    number: int
    band: str
    look: str
    taken: int
    """Number of tiles that were known and taken away."""
    told: int
    """Number of taken tiles that were reported as gone."""
    lost: int
    """Number of other tiles that are not known any more."""


def watch_table(number: int) -> Outcome:
    """Draws and watches one table; the same number gives the same."""
    band, seed = list(BANDS)[number % 2], number // 2
    name, faces, table = LOOKS[seed % len(LOOKS)]
    camera = seen_aslant(table, band, seed)
    scene, _, _ = full_table(camera, np.random.default_rng([seed, 77, int(BANDS[band][0])]), seed)
    last = _last_of_rivers(scene, camera)
    after_taking = replace(scene, tiles=tuple(tile for tile in scene.tiles if all(tile is not one for one in last)))
    renderer = Renderer(camera, faces=faces_of(faces))
    watcher = _watcher(camera)
    before = _felt_after(watcher, renderer.render(scene, k=0), 0, _LOOKS)
    after = _felt_after(watcher, renderer.render(after_taking, k=_LOOKS), _LOOKS, _LATER)
    known_ids = {tile.id for one in last for tile in before.tiles if _lies_at(one, tile.x_mm, tile.y_mm)}
    missing_ids = {tile.id for tile in before.tiles} - {tile.id for tile in after.tiles}
    return Outcome(
        number=number,
        band=band,
        look=name,
        taken=len(known_ids),
        told=len(known_ids & missing_ids),
        lost=len(missing_ids - known_ids),
    )


def _last_of_rivers(scene: Scene, camera: Appearance) -> list[SceneTile]:
    zones, last = Zones(side_mm=camera.felt_mm, size=camera.tile_size), dict[int, SceneTile]()
    for tile in scene.tiles:
        side, zone = zones.side_and_zone(tile.x_mm, tile.y_mm)
        if zone is Zone.RIVER and tile.pose is Pose.FACE_UP:
            last[side] = tile
    return list(last.values())


def _watcher(camera: Appearance) -> Watcher:
    return make_watcher(calibration_of(camera, lens_of_appearance(camera)), camera.tile_size)


def _felt_after(watcher: Watcher, image: np.ndarray, first: int, looks: int) -> Felt:
    for k in range(first, first + looks):
        watcher.watch(Frame(k=k, t_ns=k * 200_000_000, image=image))
    return watcher.felt


def _lies_at(tile: SceneTile, x_mm: float, y_mm: float) -> bool:
    return abs(tile.x_mm - x_mm) + abs(tile.y_mm - y_mm) < _NEAR_MM


def report(tables: Sequence[Outcome]) -> str:
    """How many of the taken tiles were told as gone in each band, and on which tables not."""
    lines = []
    for band in BANDS:
        of_band = [table for table in tables if table.band == band]
        taken, told = sum(table.taken for table in of_band), sum(table.told for table in of_band)
        low, high = interval(told, taken)
        lost = sum(table.lost for table in of_band)
        lines.append(f"{band}: {told} of {taken} told (95 % interval {low:.1f}-{high:.1f} %), {lost} others lost")
    wrong = [table for table in tables if table.told < table.taken or table.lost]
    return "\n".join([*lines, *(f"{each.number} {each.band} {each.look}" for each in wrong)])


if __name__ == "__main__":
    run_films(watch_table, Outcome, report, doc=__doc__, option="--tables", count=60)
