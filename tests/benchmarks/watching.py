"""``.venv/bin/python -m tests.benchmarks.watching``: films hands of real records, watches them, counts what went wrong.

Each hand is filmed in one of several looks (table, tiles, camera, light, noise), watched by the shipped models through
the whole pipeline, and its events are held against the truth, in order. Without the real game records beside the
checkout it says so and measures nothing.
"""

from __future__ import annotations

import argparse
import sys
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

import cv2

from table import app
from table.formats.mjai_out import Line
from table.formats.reading import load_game
from table.formats.record import HandRecord
from table.replaying import Replayed, replay
from table.rules.ruleset import Ruleset
from table.scenes.from_record import scripted
from table.scenes.show import Show, press_line, settings_of, show
from tests.conftest import SHARED
from vision.calibration import calibrate
from vision.cameras.look import Look
from vision.cameras.textures import Bgra, FaceSource, own_faces

ART: Final = ("own", "fluffystuff", "tempai1", "tempai2", "own", "gl-mahjongtile")
"""Whose faces the tiles of each look have, in turn."""
TOLD: Final = ("type", "actor", "target", "pai", "consumed", "dora_marker", "reason", "bakaze", "kyoku", "honba")
"""What makes two lines tell the same act."""


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
    questions: int = 0
    late_s: list[float] = field(default_factory=list)
    """From at rest to told."""
    slips: Counter[str] = field(default_factory=Counter)

    def add(self, shown: Show, seen: Replayed) -> bool:
        """Counts one hand; returns whether it was entirely right."""
        want, got = list(shown.truth), list(seen.events)
        told = [_key(line) for line in got]
        for what, begin, end, other, stop in SequenceMatcher(
            None, [_key(line) for line in want], told, autojunk=False
        ).get_opcodes():
            if what == "equal":
                pairs = zip(want[begin:end], got[other:stop], strict=True)
                self.late_s += [(b["frame"] - a["frame"]) / shown.fps for a, b in pairs if b["type"] == "dahai"]
                continue
            replaced = min(end - begin, stop - other)
            self.wrong += replaced
            self.missed += end - begin - replaced
            self.false += stop - other - replaced
            self.slips.update(f"not {line['type']} {line.get('pai', '')}" for line in want[begin:end])
            self.slips.update(f"but {line['type']} {line.get('pai', '')}" for line in got[other:stop])
        reached = Counter(line["actor"] for line in want if line["type"] == "reach_accepted")
        self.false_riichi += (
            Counter(line["actor"] for line in got if line["type"] == "reach_accepted") - reached
        ).total()
        is_settled = [hand.scores for hand in seen.state.history] == list(shown.scores)
        is_right = is_settled and told == [_key(line) for line in want]
        self.hands += 1
        self.events += len(want)
        self.settled += is_settled
        self.right += is_right
        self.questions += sum(said["id"] == "doubt" and said["status"] == "new" for said in seen.announcements)
        return is_right

    def lines(self) -> Iterator[str]:
        """The figures."""
        low, high = interval(self.right, self.hands)
        share = 100 * self.right / max(self.hands, 1)
        yield f"hands entirely right   {self.right} of {self.hands} ({share:.1f} %, 95 % interval {low:.1f}-{high:.1f})"
        yield f"hands settled right    {self.settled} of {self.hands}"
        for name in ("missed", "false", "wrong"):
            yield f"events {name:6}          {1000 * getattr(self, name) / max(self.events, 1):.1f} per thousand"
        yield f"false riichi           {self.false_riichi}"
        yield f"questions a hand       {self.questions / max(self.hands, 1):.2f}"
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


def look_of(number: int) -> Look:
    """The default table first, then random ones."""
    return Look.default() if number == 0 else Look.random(number)


@cache
def faces_of(name: str) -> FaceSource:
    """The faces of a set beside the checkout, or the project's own."""
    if name == "own":
        return own_faces

    @cache
    def face(text: str) -> Bgra:
        path = SHARED / "art" / name / f"{text}.png"
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.is_file() else None
        return own_faces(text) if picture is None else picture  # type: ignore[return-value]

    return face


def watch(shown: Show, faces: FaceSource) -> Replayed:
    """Watches a show as a recording of it would be watched."""
    settings, size = settings_of(shown), (shown.look.width_px, shown.look.height_px)
    assert settings.table.corners_px is not None
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    eyes = app.watcher(calibration, settings.tiles, reds=settings.red)
    presses = [press_line(press) for press in shown.presses]
    with shown.camera(faces=faces) as camera:
        return replay(camera.frames(), eyes, game=settings.game, presses=presses)


def main(arguments: Sequence[str]) -> int:
    """Prints a line a hand, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=30)
    parser.add_argument("--looks", type=int, default=6)
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=1.2, help="seconds from discard to discard")
    parser.add_argument("--slips", type=Path, help="write the truth and what was told of hands that went wrong there")
    args = parser.parse_args(arguments)
    count = Count()
    for number, (name, hand, ruleset) in enumerate(recorded_hands(args.hands)):
        look, faces = number % args.looks, ART[number % args.looks % len(ART)]
        script = (scripted(hand, pace_s=args.pace),)
        shown = show(script, look=look_of(look), fps=args.fps, seed=number, start=hand.deal.scores, ruleset=ruleset)
        seen = watch(shown, faces_of(faces))
        is_right = count.add(shown, seen)
        print(f"{number:3} look {look} {faces:14} {'right' if is_right else 'WRONG'}  {name}", flush=True)
        if args.slips is not None and not is_right:
            _write(args.slips / f"{number:03}", shown.truth, seen.events)
    if not count.hands:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
    print(*count.lines(), sep="\n")
    print("slips:", ", ".join(f"{slip.strip()} x{times}" for slip, times in count.slips.most_common(40)) or "none")
    return 0


def _write(path: Path, truth: Sequence[Line], told: Sequence[Line]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for ending, lines in ((".true", truth), (".got", told)):
        path.with_suffix(ending).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _key(line: Mapping[str, Any]) -> str:
    return repr([(name, sorted(line[name]) if name == "consumed" else line[name]) for name in TOLD if name in line])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
