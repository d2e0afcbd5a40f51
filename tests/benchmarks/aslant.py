"""``.venv/bin/python -m tests.benchmarks.aslant``: watches hands of real records from beside the table.

A phone, a webcam or a Pi stands on an arm or tripod, so many degrees from the vertical, at each side and corner by
turns, with pictures of 1280 x 720 to 12 megapixels, in the thirteen looks of `tests.benchmarks.watching`. Where the
set-up would say that the camera stands behind a player, or that tiles are too small, its owner moves it nearer with a
wide lens, or to a corner, or chooses larger pictures; with `--anywhere` all stays as it is. What came of each hand is
kept line by line in the file of `--store`, and goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_recording import Show, prepare_show
from table.records.formats.game_record import HandRecord
from table.rules.ruleset import Ruleset
from tests.benchmarks.hand_results import interval
from tests.benchmarks.kept_results import KeptResults
from tests.benchmarks.strains import STRAINS
from tests.benchmarks.watching import LOOKS, faces_of, recorded_hands, watch
from tests.vision.beside_table import lean_of_camera, seen_from
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.ground_truth import seen_tiles
from vision.cameras.synthetic.scene import Pose, SceneTile
from vision.felt import Zone
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.geometry.visibility.table_cut import scales
from vision.geometry.visibility.visibility import LEAST_PX_PER_MM, is_behind
from vision.zones.table_zones import Zones

BANDS: Final = {"25-35": (25.0, 35.0), "35-50": (35.0, 50.0)}
"""Degrees from the vertical, at the table's middle."""
SIZES: Final = ((1280, 720), (1920, 1080), (1280, 960), (1280, 720), (2592, 1944), (1920, 1080), (4032, 3024))
"""Webcams, a phone's videos, a Pi camera, a phone of 12 megapixels."""
_USUAL: Final = (0.70, 0.82)
_WIDE: Final = (0.40, 0.50)
"""Focal length over the picture's longer side: webcams and phones, and wide ones."""
_READABLE: Final = 0.7
"""Share of a face that must be seen: with its true outline, four of five indicators between 0.7 and 0.8 are read."""
_LINE_FIELDS: Final = ("type", "actor", "target", "pai", "dora_marker", "reason", "bakaze", "kyoku", "honba")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedHand:
    """What came of one hand."""

    number: int
    look: str
    is_right: bool
    """With every event right and in order, and the points."""
    is_behind: bool
    """Whether some hand laid open could not be read from there."""
    truth: tuple[str, ...]
    told: tuple[str, ...]
    """The events, if they differ."""
    has_hidden_ura: bool = False
    """Whether an ura indicator lay behind the wall, where nobody could read it from there."""


def watch_hand(
    number: int, hand: HandRecord, ruleset: Ruleset, band: str, *, anywhere: bool, strain: str | None
) -> WatchedHand:
    """Films and watches one hand; the same number gives the same."""
    name, faces, table = LOOKS[number % len(LOOKS)]
    camera = seen_aslant(table, band, number, anywhere=anywhere)
    film = prepare_show(
        (scripted_hand(hand, pace_s=1.2),),
        appearance=camera,
        fps=5.0,
        seed=number,
        start=hand.deal.scores,
        ruleset=ruleset,
    )
    replayed = watch(film, faces_of(faces), strains=() if strain is None else (strain,))
    true_lines, told_lines = (tuple(map(_line_text, lines)) for lines in (film.truth, replayed.events))
    is_right = true_lines == told_lines and [each.scores for each in replayed.state.history] == list(film.scores)
    return WatchedHand(
        number=number,
        look=f"{name} {lean_of_camera(camera):.0f} deg {camera.width_px} x {camera.height_px}",
        is_right=is_right,
        is_behind=_is_behind(camera),
        truth=() if is_right else true_lines,
        told=() if is_right else told_lines,
        has_hidden_ura=_has_hidden_ura(film),
    )


def seen_aslant(table: Appearance, band: str, number: int, *, anywhere: bool = False) -> Appearance:
    """Returns a table before a camera beside it; the same number gives the same place.

    Raises:
        KeyError: an unknown band.
    """
    rng = np.random.default_rng([number, int(BANDS[band][0])])
    lean, place, off = rng.uniform(*BANDS[band]), 45.0 * (3 * number % 8), rng.uniform(-12, 12)
    usual_focal, wide_focal, aside_mm = rng.uniform(*_USUAL), rng.uniform(*_WIDE), rng.uniform(-15, 15)
    first = number % len(SIZES)
    corner = 45.0 + 90.0 * (place // 90) + off / 4
    views = ((place + off, usual_focal), (place + off, wide_focal), (corner, usual_focal), (corner, wide_focal))
    larger = sorted(size for size in SIZES if size > SIZES[first])
    for width, height in (SIZES[first],) if anywhere else (SIZES[first], *larger):
        sized = replace(table, width_px=width, height_px=height)
        cameras = [
            seen_from(sized, lean=lean, bearing=bearing, focal=focal, aside_mm=aside_mm) for bearing, focal in views
        ]
        if anywhere:
            return cameras[0]
        sound = [camera for camera in cameras if not _is_behind(camera)] or cameras[-1:]
        best = max(sound, key=_least_px_per_mm)
        if _least_px_per_mm(best) >= LEAST_PX_PER_MM:
            break
    return best


def _least_px_per_mm(camera: Appearance) -> float:
    return scales(_place_of(camera))[0]


def _is_behind(camera: Appearance) -> bool:
    return is_behind(_place_of(camera).camera_mm, camera.felt_mm, TileSize())


def _place_of(camera: Appearance) -> Calibration:
    """Returns where the set-up takes the camera to be: by the corners, so a few millimetres off."""
    return calibration_of(camera)


def _has_hidden_ura(film: Show) -> bool:
    """Returns whether the camera sees less than `_READABLE` of an ura indicator, the only faces on the felt by a wall.

    The page then asks for the ura indicators, and somebody would move the tile; in a film nobody does.
    """
    zones = Zones(side_mm=film.appearance.felt_mm, size=film.appearance.tile_size)
    first = next((line["frame"] for line in film.truth if line.get("uradora_markers")), None)
    if first is None:
        return False
    for time_s in np.arange(first / film.fps, film.film.duration_s, 1.0):
        scene = replace(film.film.scene_at(float(time_s)), arms=())
        ura = {tile for tile in scene.tiles if _is_ura(tile, zones)}
        if ura:
            visible = {found.tile: found.visible for found in seen_tiles(scene, film.appearance)}
            return min(visible.get(tile, 0.0) for tile in ura) < _READABLE
    return False


def _is_ura(tile: SceneTile, zones: Zones) -> bool:
    is_by_wall = zones.side_and_zone(float(tile.x_mm), float(tile.y_mm))[1] is Zone.WALL
    return tile.pose is Pose.FACE_UP and tile.z_mm == 0 and is_by_wall


def _line_text(line: Mapping[str, Any]) -> str:
    return " ".join([*(str(line[name]) for name in _LINE_FIELDS if name in line), *sorted(line.get("consumed", ()))])


def figures(hands: Sequence[WatchedHand]) -> str:
    """How many are right, with Wilson's 95 % interval, and how the others differ."""
    lines = []
    for name, group in (
        ("all", hands),
        ("not behind a player", [hand for hand in hands if not hand.is_behind]),
        ("behind a player", [hand for hand in hands if hand.is_behind]),
        ("an ura indicator hidden", [hand for hand in hands if hand.has_hidden_ura]),
    ):
        right = sum(hand.is_right for hand in group)
        low, high = interval(right, len(group))
        lines.append(f"{name}: {right} of {len(group)} entirely right (95 % interval {low:.1f}-{high:.1f} %)")
    for hand in hands:
        if not hand.is_right:
            missed, false = set(hand.truth) - set(hand.told), set(hand.told) - set(hand.truth)
            lines.append(f"{hand.number} {hand.look}: not {sorted(missed)}, but {sorted(false)}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Prints a line a hand, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--band", choices=BANDS, default="25-35", help="degrees from the vertical")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first hand (0)")
    parser.add_argument("--hands", type=int, default=60, help="how many (60)")
    parser.add_argument("--anywhere", action="store_true", help="even behind a player")
    parser.add_argument("--strain", choices=STRAINS, help="what the camera, its light or its mount do to every frame")
    parser.add_argument("--store", type=Path, metavar="FILE", help="lines kept from run to run")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    results = KeptResults(args.store, _read, lambda hand: hand.number)
    for number, record, hand, ruleset in recorded_hands(args.first, args.hands):
        if results.get(number) is not None:
            continue
        result = watch_hand(number, hand, ruleset, args.band, anywhere=args.anywhere, strain=args.strain)
        print(f"{number:3} {result.look:45} {'right' if result.is_right else 'WRONG'}  {record}", flush=True)
        results.add(result)
    if not results.all:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
    print(figures(sorted(results.all, key=lambda hand: hand.number)))
    return 0


def _read(values: dict[str, Any]) -> WatchedHand:
    return WatchedHand(**{**values, "truth": tuple(values["truth"]), "told": tuple(values["told"])})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
