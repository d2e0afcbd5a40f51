"""``.venv/bin/python -m tests.benchmarks.watching``: films hands of real records, watches them, counts what went wrong.

Each hand is filmed in one of several looks (table, tiles, camera, light, noise, wear), watched by the shipped models
through the whole pipeline, and its events are compared with the truth, in order. With `--scan` each look's tiles are
learnt before, from two drawn looks at the 37 faces, as a table's owner would. Without the real game records beside the
checkout it says so and measures nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

import cv2
import numpy as np

from table.appliance.setup.guided_scan import SetScan
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_recording import Show, prepare_show, press_line, settings_of
from table.camera.simulation.simulated_camera import faces_in_rows
from table.records.format_detection import load_game
from table.records.formats.game_record import HandRecord
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.replay.recording_replay import ReplayResult, replay
from table.rules.ruleset import Ruleset
from tests.benchmarks.hand_results import Count, Filming, HandResult, Store, result_of
from tests.benchmarks.strains import STRAINS, strained
from tests.places import SHARED
from vision.arrays import Bgra
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.cameras.synthetic.ground_truth import corners_px
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.geometry.calibration_file import StoredCalibration

LOOKS: Final[tuple[tuple[str, str, Appearance], ...]] = (
    ("plain", "own", Appearance.default()),
    ("random 1", "fluffystuff", Appearance.random(1)),
    ("random 2", "tempai1", Appearance.random(2)),
    ("random 3", "tempai2", Appearance.random(3)),
    ("random 4", "own", Appearance.random(4)),
    ("random 5", "gl-mahjongtile", Appearance.random(5)),
    ("dim", "tempai1", Appearance(exposure=0.5, noise=7.0, vignette=0.35, jpeg_quality=75)),
    ("warm", "own", Appearance(warmth=1.0, light_slope=0.3, glare=0.4, body=(196, 226, 240))),
    ("tilted", "fluffystuff", Appearance(camera_y_mm=-420.0, camera_height_mm=950.0, covered_mm=1000.0)),
    (
        "big tiles",
        "tempai2",
        Appearance(felt_mm=720.0, tile_height_mm=33.0, tile_width_mm=24.5, tile_depth_mm=18.0, stick_length_mm=65.0),
    ),
    ("small table", "own", Appearance(felt_mm=630.0, unit_mm=0.0, covered_mm=740.0, felt=(48, 40, 92), rail_mm=80.0)),
    ("worn", "worn tempai1", Appearance(body=(190, 214, 222), edge_mm=3.0, blur_px=0.9)),
    ("bent lens", "own", Appearance(distortion=(-0.2, 0.04), covered_mm=900.0)),
)
"""Name, whose faces the tiles have, and the table with its camera and light."""


def recorded_hands(first: int, count: int) -> Iterator[tuple[int, str, HandRecord, Ruleset]]:
    """Yields so many hands from number `first` on: each with its number, its name, and the rules of its game.

    A number always means the same hand. Successive numbers take one hand from each record in turn.
    """
    paths = sorted((SHARED / "logs" / "tenhou").glob("*.mjlog"))
    for number in range(first, first + count if paths else first):
        path = paths[number % len(paths)]
        record = load_game(path)
        index = (7 * number + 3) % len(record.hands)
        yield number, f"{path.stem} hand {index}", record.hands[index], record.ruleset


@cache
def faces_of(name: str) -> FaceSource:
    """The faces of a set beside the checkout, or the project's own; `worn` before it wears them."""
    if name.startswith("worn "):
        return worn(faces_of(name.removeprefix("worn ")))
    if name == "own":
        return own_faces

    @cache
    def face(text: str) -> Bgra:
        path = SHARED / "art" / name / f"{text}.png"
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.is_file() else None
        return own_faces(text) if picture is None else picture  # type: ignore[return-value]

    return face


def worn(faces: FaceSource) -> FaceSource:
    """Faces whose ink is faded and scratched, each in its own way."""

    @cache
    def face(text: str) -> Bgra:
        picture = faces(text).copy()
        rng = np.random.default_rng(crc32(text.encode()))
        ink = np.ascontiguousarray(picture[..., 3])
        height, width = ink.shape
        for _ in range(5):
            start, end = (tuple(int(value) for value in rng.integers(0, (width, height))) for _ in range(2))
            cv2.line(ink, start, end, 0, max(1, width // 60))
        picture[..., 3] = (ink * rng.uniform(0.55, 0.8)).astype(np.uint8)
        return picture

    return face


@cache
def scanned(number: int, px: int, folder: Path) -> Path:
    """The file of a look's tiles, learnt from two drawn looks at them."""
    _, faces, appearance = look(number, px)
    size = appearance.tile_size
    corners = tuple((float(x), float(y)) for x, y in corners_px(appearance))
    calibration = StoredCalibration(
        corners_px=corners,
        size=(appearance.width_px, appearance.height_px),
        side_mm=appearance.felt_mm,
        when="",
        by="drawing",
    )
    path = folder / f"{number}.tileset"
    scan = SetScan(path, size, lambda _: None)
    for away_mm in (-90.0, 200.0):
        scan.scan_frame(
            Renderer(appearance, faces=faces_of(faces)).render(faces_in_rows(appearance, away_mm=away_mm)), calibration
        )
    return path


def look(number: int, px: int) -> tuple[str, str, Appearance]:
    """One of the looks, in pictures of so many pixels a side."""
    name, faces, appearance = LOOKS[number]
    return name, faces, replace(appearance, width_px=px, height_px=px)


def watch(film: Show, faces: FaceSource, tilesets: Sequence[Path] = (), strains: Sequence[str] = ()) -> ReplayResult:
    """Watches a show as a recording of it would be watched, under strains of `tests.benchmarks.strains`."""
    with film.camera(faces=faces) as camera:
        frames: Iterable[Frame] = camera.frames()
        for strain in strains:
            frames = strained(frames, strain)
        return watch_frames(film, frames, tilesets)


def watch_frames(film: Show, frames: Iterable[Frame], tilesets: Sequence[Path] = ()) -> ReplayResult:
    """Watches these frames of a show."""
    settings, size = settings_of(film), (film.appearance.width_px, film.appearance.height_px)
    assert settings.table.corners_px is not None
    side_mm, lens = settings.table.side_mm, settings.lens
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=side_mm, lens=lens)
    watcher = make_watcher(calibration, settings.tiles, reds=settings.red, tilesets=tilesets)
    presses = [press_line(press) for press in film.presses]
    return replay(frames, watcher, game=settings.game, presses=presses)


def main(arguments: Sequence[str]) -> int:
    """Prints a line a hand, then the figures."""
    args = _arguments(arguments)
    cv2.setNumThreads(1)
    store, count = Store(args.store), Count()
    with tempfile.TemporaryDirectory() as folder:
        for number, name, hand, ruleset in recorded_hands(args.first, args.hands):
            filming = _filming(args, number, name)
            result = store.get(filming)
            if result is None:
                result = _result_of_hand(filming, hand, ruleset, Path(folder), args.slips)
                store.add(result)
            count.results.append(result)
            print(f"{number:3} {filming.look:11} {'right' if result.is_right else 'WRONG'}  {name}", flush=True)
    if not count.results:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
    print(*count.lines(), sep="\n")
    return 0


def _filming(args: argparse.Namespace, number: int, record: str) -> Filming:
    return Filming(
        number=number,
        record=record,
        look=LOOKS[number % args.looks][0],
        px=args.px,
        fps=args.fps,
        pace_s=args.pace,
        is_scanned=args.scan,
        strains=tuple(args.strain),
    )


def _result_of_hand(
    filming: Filming, hand: HandRecord, ruleset: Ruleset, folder: Path, slips: Path | None
) -> HandResult:
    look_number = [name for name, _, _ in LOOKS].index(filming.look)
    _, faces, appearance = look(look_number, filming.px)
    film = prepare_show(
        (scripted_hand(hand, pace_s=filming.pace_s),),
        appearance=appearance,
        fps=filming.fps,
        seed=filming.number,
        start=hand.deal.scores,
        ruleset=ruleset,
    )
    tilesets = (scanned(look_number, filming.px, folder),) if filming.is_scanned else ()
    replayed = watch(film, faces_of(faces), tilesets, filming.strains)
    result = result_of(filming, film, replayed)
    if slips is not None and not result.is_right:
        write_slips(slips / f"{filming.number:03}", film.truth, replayed.events)
    return result


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first hand (0)")
    parser.add_argument("--hands", type=int, default=30, help="how many (30)")
    parser.add_argument("--looks", type=int, default=len(LOOKS), choices=range(1, len(LOOKS) + 1), metavar="N")
    parser.add_argument("--scan", action="store_true", help="with the tiles of each look learnt before")
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=1.2, help="seconds from discard to discard")
    parser.add_argument("--px", type=int, default=1600, help="pixels of a picture's side (1600)")
    parser.add_argument(
        "--strain",
        choices=STRAINS,
        action="append",
        default=[],
        help="what the camera, its light or its mount do to every frame; several are joined",
    )
    parser.add_argument("--slips", type=Path, help="write the truth and the reported events of wrong hands there")
    parser.add_argument("--store", type=Path, metavar="FILE", help="a line of JSON a hand, kept from run to run")
    return parser.parse_args(arguments)


def write_slips(path: Path, truth: Sequence[MjaiLine], told: Sequence[MjaiLine]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for ending, lines in ((".true", truth), (".got", told)):
        path.with_suffix(ending).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
