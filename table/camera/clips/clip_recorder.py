"""Saves clips: the camera's last minutes, with the beliefs and doubts of that time.

Frames arrive from the camera's thread and are held in memory with standing hands already painted over
(`vision.privacy.redaction`): nothing that could be a hand is in a compressed frame or on the disk. A request only marks
the frames; a separate thread writes them and reports the result to the table, whose page shows it.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Final

from table.camera.capture.camera_thread import Inbox
from table.camera.clips.clip_folder import ClipFolder, Moment
from table.game.announcement_json import announcement_line
from table.game.input_feed import FrameWatcher
from table.game.journal.authors import author_seat
from table.game.snapshot import Board, Doubt, SavedClip, Snapshot
from table.rulebook.recorded_rules import rules_reference
from table.rules.terms.announcements import Scope
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import PressError
from table.runtime.threads import PATIENCE_S, JobThread, wait_until_ended
from vision.errors import reason_and_place
from vision.felt import Felt, FeltReport, LyingTile
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.privacy.redaction import HandRedaction
from vision.recording.frame_buffer import FrameBuffer
from vision.recording.recording_settings import Settings, TableSettings

UNSURE_NS: Final = 3_000_000_000
"""Time before a push was noticed in which hands may have been visible outside the redaction."""
PRUNE_S: Final = 3600.0
WRITING_S: Final = 10.0
"""How long clips may take to be written when the program ends."""
PAUSE_S: Final = 10.0
"""Time between two clips of one person: their pictures are almost the same, and each displaces older clips."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _WatchedFrame:
    """A frame to be added to the ring buffer."""

    frame: Frame
    felt: Felt
    redaction: HandRedaction


class ClipRecorder:
    """Saves clips on request. A context manager: its thread runs inside ``with``."""

    def __init__(
        self,
        buffer: FrameBuffer,
        folder: ClipFolder,
        *,
        fps: float,
        tile: TileSize,
        red: Mapping[str, int],
        board: Board,
        inbox: Inbox,
        crop: Callable[[int], bytes | None],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Takes its dependencies.

        Args:
            buffer: the ring buffer of frames.
            folder: the folder of clips.
            fps: frames per second in the buffer, for the recording's settings.
            tile: the size of the tiles.
            red: the number of red fives of each suit.
            board: the source of snapshots.
            inbox: receives the result of a request.
            crop: returns a tile's picture, by its id on the felt, at the time when it was believed.
            now: returns the time of day with its zone.
            clock: returns monotonic seconds.
        """
        self.folder = folder
        self._buffer = buffer
        self._fps, self._tile, self._red = fps, tile, red
        self._board, self._inbox, self._crop, self._now = board, inbox, crop, now
        self._redaction: HandRedaction | None = None
        self._frames: queue.Queue[_WatchedFrame | None] = queue.Queue(maxsize=1)
        self._thread = threading.Thread(target=self._run, name="ring", daemon=True)
        self._disk = JobThread("clips")
        self._pruned_at = -PRUNE_S
        self._clock = clock
        self._last_seen = (0, clock())
        """The time of the camera's last frame, whether it was buffered or not, and when it arrived by `clock`."""
        self._flagged_at: dict[str, float] = {}
        """When somebody's last clip was requested, unless it could not be written."""

    def observe(self, frame: Frame, _: FeltReport | None, watcher: FrameWatcher) -> None:
        """Adds a processed frame; called by the camera's thread, without blocking it.

        A frame that arrives while earlier ones are still being compressed is dropped.
        """
        self._last_seen = (frame.t_ns, self._clock())
        if not watcher.is_in_place:
            self._forget_displaced(frame.t_ns)
            return
        if frame.image.shape[1::-1] != watcher.calibration.size:
            return
        redaction = self._redaction_for(watcher.calibration, frame.t_ns)
        if self._buffer.wants(frame.t_ns):
            with suppress(queue.Full):
                self._frames.put_nowait(_WatchedFrame(frame=frame, felt=watcher.felt, redaction=redaction))

    def _forget_displaced(self, now_ns: int) -> None:
        """Drops frames of a displaced table, including the last ones before that was noticed."""
        before, self._redaction = self._redaction, None
        if before is not None:
            self._buffer.forget(now_ns - UNSURE_NS)

    def _redaction_for(self, calibration: Calibration, now_ns: int) -> HandRedaction:
        """Returns the redaction of a calibration; when it changes, the last frames may show hands and are dropped."""
        before = self._redaction
        if before is not None and before.calibration is calibration:
            return before
        self._redaction = redaction = HandRedaction(calibration, self._tile)
        if before is not None:
            self._buffer.forget(now_ns - UNSURE_NS)
        return redaction

    def flag(self, by: str) -> float:
        """Requests a clip of the last minutes; returns its length in seconds.

        Raises:
            PressError: nothing was seen in the last minutes, or the same person requested the last clip just now.
        """
        (seen_ns, seen_at), now = self._last_seen, self._clock()
        frames = self._buffer.frames_at(seen_ns + round((now - seen_at) * 1e9))  # a lost camera sends none
        if len(frames) < 2:
            raise PressError("expected pictures of the last minutes, got none", says="no_moment")
        if now - self._flagged_at.get(by, -PAUSE_S) < PAUSE_S:
            raise PressError(f"expected {PAUSE_S:.0f} s between two clips, got another", says="moment_just_kept")
        self._flagged_at[by] = now
        snapshot, seat = self._board.latest, author_seat(by)
        felt, rules = snapshot.felt or Felt(), rules_reference(snapshot.ruleset)
        moment = Moment(
            when=self._now(),
            by=by,
            frames=frames,
            settings=self._settings(frames[0].calibration, snapshot, rules.ruleset),
            details=details_json(snapshot, felt),
            crops=self._crops(snapshot, felt),
            rules=rules.toml,
            player="" if seat is None else snapshot.names[seat],
        )
        self._disk.submit(partial(self._write, moment))
        return moment.seconds

    def _settings(self, calibration: Calibration, snapshot: Snapshot, ruleset: str) -> Settings:
        side = calibration.side_mm
        return Settings(
            fps=self._fps,
            table=TableSettings(
                side_mm=side, corners_px=tuple((float(x), float(y)) for x, y in calibration.corners_px)
            ),
            lens=calibration.lens,
            tiles=self._tile,
            red=self._red,
            game={**_game(snapshot), "ruleset": ruleset},
        )

    def _crops(self, snapshot: Snapshot, felt: Felt) -> dict[int, bytes]:
        """Returns the pictures of all tiles that lie there, are doubtful, or caused an announcement."""
        numbers = {tile.id for tile in felt.tiles}
        numbers |= {doubt.tile_id for doubt in snapshot.doubts if doubt.tile_id is not None}
        numbers |= {number for logged in snapshot.announcements for number in logged.evidence}
        found = {number: self._crop(number) for number in sorted(numbers)}
        return {number: crop for number, crop in found.items() if crop is not None}

    def _run(self) -> None:
        throttle = LogThrottle()
        while (watched := self._frames.get()) is not None:
            try:
                self._buffer_frame(watched)
            except Exception as error:  # a frame that cannot be held must not stop the recorder
                if throttle.is_due_for(error):
                    _log.exception("a frame could not be buffered")
            if monotonic() - self._pruned_at > PRUNE_S:
                self._pruned_at = monotonic()
                self._disk.submit(lambda: self.folder.prune(self._now()))

    def _buffer_frame(self, watched: _WatchedFrame) -> None:
        if watched.redaction is self._redaction:
            image = watched.redaction.applied_to(watched.frame.image, watched.felt.tiles)
            self._buffer.add(image, t_ns=watched.frame.t_ns, calibration=watched.redaction.calibration)
            if watched.redaction is not self._redaction:  # the table was displaced meanwhile
                self._buffer.forget(watched.frame.t_ns)

    def _write(self, moment: Moment) -> None:
        name, is_kept = moment.when.strftime("%Y%m%d-%H%M%S"), True
        try:
            name = self.folder.write(moment).name
        except OSError as error:
            is_kept = False
            self._flagged_at.pop(moment.by, None)
            _log.error("expected to write the clip %s, got: %s", name, reason_and_place(error))
        at = moment.when.strftime("%H:%M")
        self._inbox.send(SavedClip(name=name, time=at, seconds=round(moment.seconds), is_saved=is_kept))

    def __enter__(self) -> ClipRecorder:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(queue.Full):  # a thread that takes nothing is named by the wait
            self._frames.put(None, timeout=PATIENCE_S)
        wait_until_ended(self._thread)
        self._disk.close(WRITING_S)


def details_json(snapshot: Snapshot, felt: Felt) -> dict[str, Any]:
    """Returns the beliefs, doubts and announcements at a moment as JSON, without private announcements."""
    return {
        "felt": [_tile(tile) for tile in felt.tiles],
        "doubts": [_doubt(doubt) for doubt in snapshot.doubts],
        "said": [
            announcement_line(logged)
            for logged in snapshot.announcements
            if logged.announcement.scope is not Scope.PRIVATE
        ],
    }


def _tile(tile: LyingTile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "tile": tile.reading.tile,
        "score": round(tile.reading.score, 4),
        "alternatives": [[face, round(score, 4)] for face, score in tile.reading.alternatives],
        "side": tile.side,
        "zone": tile.zone.value,
        "order": tile.order,
        "group": tile.group,
        "sideways": tile.is_sideways,
        "x_mm": round(tile.x_mm, 1),
        "y_mm": round(tile.y_mm, 1),
        "angle_deg": round(tile.angle_deg, 1),
    }


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {
        "seat": int(doubt.seat),
        "discard": doubt.discard,
        "tile": doubt.tile,
        "alternatives": [[face, round(score, 4)] for face, score in doubt.alternatives],
        "lying": doubt.tile_id,
    }


def _game(snapshot: Snapshot) -> dict[str, Any]:
    """Returns the start of the hand on the table, as in recording.toml."""
    start = snapshot.game.start_on_table
    if start is None:
        return {}
    return {
        "dealer_seat": int(start.dealer),
        "round": repr(start.round),
        "honba": start.honba,
        "deposits": start.deposits,
        "scores": list(start.scores),
    }
