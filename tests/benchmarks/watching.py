"""``.venv/bin/python -m tests.benchmarks.watching``: films hands of real records, watches them, counts what went wrong.

Each hand is filmed in one of several looks (table, tiles, camera, light, noise, wear), watched by the shipped models
through the whole pipeline, and its events are held against the truth, in order. With `--scan` each look's tiles are
learnt before, from two drawn looks at the 37 faces, as a table's owner would. Without the real game records beside the
checkout it says so and measures nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any, Final
from zlib import crc32

import cv2
import numpy as np

from table.appliance.setup.guided_scan import SetScan
from table.camera import live_camera
from table.camera.simulation.script_from_record import scripted
from table.camera.simulation.script_recording import Show, press_line, settings_of, show
from table.camera.simulation.simulated_camera import laid_out
from table.game.journal.fold import Status
from table.records.format_detection import load_game
from table.records.formats.game_record import HandRecord
from table.records.mjai.journal_mjai import Line
from table.records.recording_replay import Replayed, replay
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from tests.benchmarks.strains import STRAINS, strained
from tests.places import SHARED
from vision.arrays import Bgra
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.cameras.synthetic.ground_truth import corners_px
from vision.geometry.calibration import calibrate
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.plane_geometry import TileSize

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
TOLD: Final = ("type", "actor", "target", "pai", "consumed", "dora_marker", "reason", "bakaze", "kyoku", "honba")
"""What makes two lines tell the same act."""
FOUR: Final = (AnnouncementId.FOUR_RIICHI_PENDING, AnnouncementId.FOUR_RIICHI_ABORT)


@dataclass
class Count:
    """What came of the hands watched."""

    hands: int = 0
    right: int = 0
    """With every event right and in order, and the points."""
    settled: int = 0
    """With the right points."""
    events: int = 0
    missed: int = 0
    false: int = 0
    wrong: int = 0
    """Told at their place, but with another tile or seat."""
    false_riichi: int = 0
    """Hands in which a riichi was accepted that nobody declared."""
    false_four: int = 0
    """Hands in which four riichi were told though fewer were declared."""
    questions: int = 0
    late_s: list[float] = field(default_factory=list)
    """From at rest to told."""
    slips: Counter[str] = field(default_factory=Counter)

    def add(self, film: Show, seen: Replayed) -> bool:
        """Counts one hand; returns whether it was entirely right."""
        want, got = list(film.truth), list(seen.events)
        lines = [_key(line) for line in got]
        for what, begin, end, other, stop in SequenceMatcher(
            None, [_key(line) for line in want], lines, autojunk=False
        ).get_opcodes():
            if what == "equal":
                pairs = zip(want[begin:end], got[other:stop], strict=True)
                self.late_s += [(b["frame"] - a["frame"]) / film.fps for a, b in pairs if b["type"] == "dahai"]
                continue
            replaced = min(end - begin, stop - other)
            self.wrong += replaced
            self.missed += end - begin - replaced
            self.false += stop - other - replaced
            self.slips.update(f"not {line['type']} {line.get('pai', '')}" for line in want[begin:end])
            self.slips.update(f"but {line['type']} {line.get('pai', '')}" for line in got[other:stop])
        reached = Counter(line["actor"] for line in want if line["type"] == "reach_accepted")
        accepted = Counter(line["actor"] for line in got if line["type"] == "reach_accepted")
        self.false_riichi += bool(accepted - reached)
        declared = {line["actor"] for line in want if line["type"] == "reach"}
        self.false_four += len(declared) < 4 and any(logged.announcement.id in FOUR for logged in seen.announcements)
        is_settled = [hand.scores for hand in seen.state.history] == list(film.scores)
        is_right = is_settled and lines == [_key(line) for line in want]
        self.hands += 1
        self.events += len(want)
        self.settled += is_settled
        self.right += is_right
        doubts = [logged for logged in seen.announcements if logged.announcement.id is AnnouncementId.DOUBT]
        self.questions += sum(doubt.status is Status.NEW for doubt in doubts)
        return is_right

    def lines(self) -> Iterator[str]:
        """The figures."""
        low, high = interval(self.right, self.hands)
        share = 100 * self.right / max(self.hands, 1)
        yield f"hands entirely right   {self.right} of {self.hands} ({share:.1f} %, 95 % interval {low:.1f}-{high:.1f})"
        yield f"hands settled right    {self.settled} of {self.hands}"
        for name in ("missed", "false", "wrong"):
            yield f"events {name:6}          {1000 * getattr(self, name) / max(self.events, 1):.1f} per thousand"
        for what, count in (("false riichi     ", self.false_riichi), ("false four riichi", self.false_four)):
            low, high = interval(count, self.hands)
            yield f"{what}      {count} hands (95 % interval {10 * low:.0f}-{10 * high:.0f} per thousand)"
        corrections = (self.missed + self.false + self.wrong) / max(self.hands, 1)
        yield f"corrections a hand     {corrections:.2f} by hand, {self.questions / max(self.hands, 1):.2f} asked for"
        if self.late_s:
            late = sorted(self.late_s)
            most = late[len(late) * 9 // 10]
            yield f"from rest to event     median {median(late):.2f} s, nine of ten within {most:.2f} s"


def interval(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in per cent."""
    if not count:
        return 0.0, 100.0
    share, z = right / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return 100 * (middle - half), 100 * (middle + half)


def recorded_hands(count: int) -> Iterator[tuple[str, HandRecord, Ruleset]]:
    """Yields so many hands, spread over the records."""
    paths = sorted((SHARED / "logs" / "tenhou").glob("*.mjlog"))
    for number, path in enumerate(islice(paths, 0, None, max(1, len(paths) // count))):
        if number == count:
            return
        record = load_game(path)
        index = number % len(record.hands)
        yield f"{path.stem} hand {index}", record.hands[index], record.ruleset


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
def scanned(number: int, folder: Path) -> Path:
    """The file of a look's tiles, learnt from two drawn looks at them."""
    _, faces, appearance = LOOKS[number]
    size = TileSize(
        width_mm=appearance.tile_width_mm, height_mm=appearance.tile_height_mm, depth_mm=appearance.tile_depth_mm
    )
    corners = tuple((float(x), float(y)) for x, y in corners_px(appearance))
    stored = StoredCalibration(
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
            Renderer(appearance, faces=faces_of(faces)).render(laid_out(appearance, away_mm=away_mm)), stored
        )
    return path


def watch(film: Show, faces: FaceSource, tilesets: Sequence[Path] = (), strain: str | None = None) -> Replayed:
    """Watches a show as a recording of it would be watched, under a strain of `tests.benchmarks.strains`."""
    settings, size = settings_of(film), (film.appearance.width_px, film.appearance.height_px)
    assert settings.table.corners_px is not None
    side_mm, lens = settings.table.side_mm, settings.lens
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=side_mm, lens=lens)
    watcher = live_camera.make_watcher(calibration, settings.tiles, reds=settings.red, tilesets=tilesets)
    presses = [press_line(press) for press in film.presses]
    with film.camera(faces=faces) as camera:
        frames = camera.frames() if strain is None else strained(camera.frames(), strain)
        return replay(frames, watcher, game=settings.game, presses=presses)


def main(arguments: Sequence[str]) -> int:
    """Prints a line a hand, then the figures."""
    args = _parsed(arguments)
    count = Count()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, hand, ruleset) in enumerate(recorded_hands(args.hands)):
            which = number % args.looks
            title, faces, appearance = LOOKS[which]
            script = (scripted(hand, pace_s=args.pace),)
            shown = show(
                script, appearance=appearance, fps=args.fps, seed=number, start=hand.deal.scores, ruleset=ruleset
            )
            tilesets = (scanned(which, Path(folder)),) if args.scan else ()
            seen = watch(shown, faces_of(faces), tilesets, args.strain)
            is_right = count.add(shown, seen)
            print(f"{number:3} {title:11} {faces:14} {'right' if is_right else 'WRONG'}  {name}", flush=True)
            if args.slips is not None and not is_right:
                _write(args.slips / f"{number:03}", shown.truth, seen.events)
    if not count.hands:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
    print(*count.lines(), sep="\n")
    print("slips:", ", ".join(f"{slip.strip()} x{times}" for slip, times in count.slips.most_common(40)) or "none")
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=30)
    parser.add_argument("--looks", type=int, default=len(LOOKS), choices=range(1, len(LOOKS) + 1), metavar="N")
    parser.add_argument("--scan", action="store_true", help="with the tiles of each look learnt before")
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=1.2, help="seconds from discard to discard")
    parser.add_argument("--strain", choices=STRAINS, help="what the camera, its light or its mount do to every frame")
    parser.add_argument("--slips", type=Path, help="write the truth and what was told of hands that went wrong there")
    return parser.parse_args(arguments)


def _write(path: Path, truth: Sequence[Line], told: Sequence[Line]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for ending, lines in ((".true", truth), (".got", told)):
        path.with_suffix(ending).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _key(line: Mapping[str, Any]) -> str:
    return repr([(name, sorted(line[name]) if name == "consumed" else line[name]) for name in TOLD if name in line])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
