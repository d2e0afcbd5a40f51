"""An hour of table time before recorded pictures: what is watched, shown, kept and flagged holds no more at its end.

``python3 -m tests.endurance.watching_hour [HANDS]`` plays the recordings beside it over and over, a hand every three
minutes at three frames a second, through the shipped models, the ring of the last minutes and the table, flags a moment
in every third hand, and prints what the program holds after each.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from table.camera.clips.clip_folder import ClipFolder
from table.camera.clips.clip_recorder import ClipRecorder
from table.camera.preview import Preview
from table.camera.shipped_watcher import make_watcher
from table.cli.record_commands.replay import calibration_of
from table.config import ClipsConfig
from table.game.commands.game_commands import OpenGame, Press
from table.game.input_feed import FrameWatcher, feed
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.health.machine import read_machine
from table.records.replay.recorded_presses import timed_presses
from table.records.replay.recording_replay import ruleset_of
from table.runtime.clock import LogicalClock
from tests.fakes.waiting import wait_for
from tests.places import RECORDINGS
from vision.cameras.recording_camera import RecordingCamera
from vision.felt import FeltReport
from vision.frames import Frame
from vision.recording.frame_buffer import FrameBuffer
from vision.recording.recording import Recording

NAMES: Final = ("riichi_tsumo", "called_riichi", "pon_and_kans", "open_hands")
"""All filmed with one camera over one table."""
HANDS: Final = 20
HAND_S: Final = 180.0
FPS: Final = 3.0
WARM_HANDS: Final = 4
"""Memory is measured from here on: the ring is full, and every recording was seen once."""
MOST_MB: Final = 24.0
"""How much more may be held at the end."""
FLAG_EVERY: Final = 3
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMemory:
    """What the program holds after a hand."""

    hand: int
    frames: int
    memory_mb: float
    ring_mb: float
    clips: int
    entries: int

    def __str__(self) -> str:
        """One line."""
        return (
            f"{self.hand * HAND_S / 60:5.0f} min  {self.frames:6} frames  {self.memory_mb:7.1f} MB, "
            f"the ring {self.ring_mb:4.1f} MB of it  {self.clips} clips  {self.entries} entries"
        )


class Hour:
    """The parts of a watched table, and frames that never end."""

    def __init__(self, folder: Path, table: TableLoop, table_kept: Table, *, hand_frames: int) -> None:
        first = Recording.open(RECORDINGS / NAMES[0])
        clips = ClipsConfig()
        self._table, self._watched_table, self._hand_frames = table, table_kept, hand_frames
        self.buffer = FrameBuffer(seconds=clips.seconds, most_bytes=clips.memory_mb * MEGABYTE, fps=clips.fps)
        self.folder = ClipFolder(folder / "clips", days=clips.days, most_bytes=30 * MEGABYTE)
        self.preview = Preview(first.settings.tiles)
        self.moments = ClipRecorder(
            self.buffer,
            self.folder,
            fps=clips.fps,
            tile=first.settings.tiles,
            red=first.settings.red,
            board=table_kept.board,
            inbox=table,
            crop=self.preview.tile_picture,
            now=lambda: datetime(2026, 11, 21, tzinfo=UTC),
        )
        self.watcher = make_watcher(calibration_of(first), first.settings.tiles, reds=first.settings.red)
        self.measured: list[HeldMemory] = []

    def observe(self, frame: Frame, report: FeltReport | None, watcher: FrameWatcher) -> None:
        """Shows and keeps a frame; waits for the ring, which at a table has all the time between two frames."""
        self.preview.observe(frame, report, watcher)
        self.moments.observe(frame, report, watcher)
        wait_for(lambda: self.buffer.frames and self.buffer.frames[-1].t_ns == frame.t_ns)

    def report(self, report: FeltReport) -> None:
        """Takes in what was seen."""
        self._table.report(report)

    def handle(self, command: Press) -> None:
        """Takes in what was pressed."""
        self._table.handle(command)

    def frames(self, hands: int) -> Iterator[Frame]:
        """Hand after hand, each standing still at its end until the next begins; measures in between."""
        for hand in range(hands):
            first_frame = hand * self._hand_frames
            if self._watched_table.state.is_over:
                self._table.handle(OpenGame(by="owner"))
            recorded = RecordingCamera(Recording.open(RECORDINGS / NAMES[hand % len(NAMES)])).frames()
            last: Frame | None = None
            for k in range(first_frame, first_frame + self._hand_frames):
                last = next(recorded, last)
                if last is not None:
                    yield replace(last, k=k, t_ns=round(k / FPS * 1e9))
            if hand % FLAG_EVERY == 0:
                self.moments.flag(f"hand {hand}")
            self._measure(hand + 1, first_frame + self._hand_frames)

    def presses(self, hands: int) -> list[Press]:
        """What was pressed in the recordings, hand after hand."""
        found: list[Press] = []
        for hand in range(hands):
            lines = Recording.open(RECORDINGS / NAMES[hand % len(NAMES)]).presses
            found += timed_presses({**line, "frame": line["frame"] + hand * self._hand_frames} for line in lines)
        return found

    def _measure(self, hand: int, frames: int) -> None:
        gc.collect()
        memory = read_machine(self.folder.path.parent).memory_mb
        self.measured.append(
            HeldMemory(
                hand=hand,
                frames=frames,
                memory_mb=memory or 0.0,
                ring_mb=self.buffer.size_bytes / MEGABYTE,
                clips=len(self.folder.clips()),
                entries=self._watched_table.journal.last,
            )
        )
        print(self.measured[-1], flush=True)


def play(folder: Path, hands: int, *, hand_s: float = HAND_S) -> list[HeldMemory]:
    """Plays so many hands; returns what was held after each."""
    game = Recording.open(RECORDINGS / NAMES[0]).settings.game
    with Journal(folder / "table.journal") as journal:
        table_kept = Table(journal=journal, referee=Referee(), ruleset=ruleset_of(game), clock=LogicalClock())
        with TableLoop(table_kept) as table:
            hour = Hour(folder, table, table_kept, hand_frames=round(hand_s * FPS))
            with hour.moments:
                feed(hour.frames(hands), hour.watcher, hour, hour.presses(hands), observers=(hour.observe,))
            return hour.measured


def main(arguments: Sequence[str]) -> int:
    """Plays the hour and says whether memory is flat."""
    hands = int(arguments[0]) if arguments else HANDS
    with tempfile.TemporaryDirectory() as folder:
        measured = play(Path(folder), hands)
    if hands <= WARM_HANDS:
        print(f"expected more than {WARM_HANDS} hands to tell whether memory is flat, got {hands}")
        return 1
    grown = measured[-1].memory_mb - measured[WARM_HANDS - 1].memory_mb
    print(f"grown by {grown:+.1f} MB since {WARM_HANDS * HAND_S / 60:.0f} min; at most {MOST_MB:.0f} MB allowed")
    return 0 if grown <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
