"""It learns from taps: when a hand is settled, what people corrected in it becomes examples of the set on the table.

Nothing is learnt behind anybody's back: every tap is listed with its picture, who said it and what came of it
(`vision.tilesets.corrections.State`), and one tap takes it back.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import cv2

from table.game.journal.effective_events import Standing, standing
from table.game.journal.entries import Entry, SettlementRecorded, Source
from table.game.snapshot import Board
from table.rules.events import Discarded, DoraTurned
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import PressError
from table.runtime.worker import Worker
from vision.arrays import Image
from vision.confidence import SURE
from vision.errors import TileSetError
from vision.reading.reader import TileReader
from vision.tilesets.corrections import State, Tap, judged, load_taps, path_of, save_taps
from vision.tilesets.tileset import Look, TileSet
from vision.tilesets.tileset import load as load_set

LOOK_S: Final = 1.0
_log = logging.getLogger(__name__)


class Sight(Protocol):
    """What watches the table: `table.camera.live_camera.Watch`."""

    @property
    def tileset_files(self) -> tuple[Path, ...]:
        """Where each set on this table lies, or would lie if it were scanned."""

    @property
    def lying_set(self) -> int | None:
        """Which of these lies on the table, counted from 0; None while that is open."""

    def example(self, number: int) -> Image | None:
        """The picture that the belief in a tile rested on, by the felt's id; None where there is none any more."""

    def learn_again(self) -> None:
        """Reads by what the files say now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One tap as it is listed."""

    key: str
    set: str
    """The file's name without its ending."""
    tap: Tap


class Learning(Worker):
    """Learns from one table's taps. A context manager: its thread lives inside ``with``."""

    def __init__(self, board: Board, entries: Callable[[int], Sequence[Entry]], sight: Sight, *, after: int) -> None:
        """Takes where snapshots and journal entries come from, and what watches the table.

        Args:
            board: the table's snapshots.
            entries: gives the journal's entries with a number above one.
            sight: what watches.
            after: the journal's last entry when the camera began: what was told before it had no picture.
        """
        super().__init__("learning", patience_s=5.0)
        self._board, self._entries, self._sight, self._after = board, entries, sight, after
        self._settled = 0
        self._taught: set[int] = set()
        self._is_changed = False
        self._reader: TileReader | None = None
        self._lock = threading.Lock()

    def listed(self) -> list[Listed]:
        """Every tap, the newest first."""
        found = [
            Listed(key=f"{index}-{tap.name}", set=path.stem, tap=tap)
            for index, path in enumerate(self._sight.tileset_files)
            for tap in _taps(path)
        ]
        return sorted(found, key=lambda each: each.tap.when, reverse=True)

    def picture(self, key: str) -> bytes | None:
        """The picture of a tap as a JPEG."""
        tap = next((each.tap for each in self.listed() if each.key == key), None)
        if tap is None:
            return None
        large = cv2.resize(tap.crop, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        return cv2.imencode(".jpg", large)[1].tobytes()

    def forget(self, key: str) -> None:
        """Takes a tap back, or brings back one that was.

        Raises:
            PressError: there is no such tap, or the disk refuses.
        """
        index, _, name = key.partition("-")
        files = self._sight.tileset_files
        if not index.isdecimal() or int(index) >= len(files):
            raise PressError(f"expected a tap that is listed, got {key!r}")
        path = files[int(index)]
        with self._lock:
            taps = _taps(path)
            if name not in {tap.name for tap in taps}:
                raise PressError(f"expected a tap that is listed, got {key!r}")
            try:
                save_taps(tuple(_turned(tap) if tap.name == name else tap for tap in taps), path_of(path))
            except TileSetError as error:
                raise PressError(str(error)) from error
        self._is_changed = True

    def settle(self) -> None:
        """Learns from the hands that were settled since; does nothing where none was."""
        entries = self._entries(self._after)
        records = [entry.number for entry in entries if isinstance(entry.body, SettlementRecorded)]
        if len(records) <= self._settled:
            return
        self._settled = len(records)
        seen = [each for each in standing(entries) if each.first.number < records[-1] and _is_seen(each)]
        told = [each for each in seen if _is_lesson(each) and each.first.number not in self._taught]
        if told:
            self._taught |= {each.first.number for each in told}
            self._teach(told, seen)

    def learn_changed(self) -> None:
        """Reads by the taps that are left, where one was taken back or brought back."""
        if self._is_changed:
            self._is_changed = False
            for path in self._sight.tileset_files:
                self._judge(path, (), ())
            self._sight.learn_again()

    def _teach(self, told: Sequence[Standing], seen: Sequence[Standing]) -> None:
        lying = self._sight.lying_set
        if lying is None:
            _log.info("nothing is learnt from %d taps: which set lay on the table is open", len(told))
            return
        path = self._sight.tileset_files[lying]
        # What was surely read and not corrected in a settled hand was right.
        right = [each for each in seen if not each.because and each.first.envelope.confidence >= SURE]
        looks = [look for each in right if (look := self._look(each)) is not None]
        new = [tap for each in told if (tap := self._tap(each)) is not None]
        if new and self._judge(path, new, looks):
            self._sight.learn_again()

    def _look(self, each: Standing) -> Look | None:
        tile, crop = _tile(each.event), self._sight.example(each.first.envelope.evidence[0])
        return None if crop is None or not tile.is_known else Look(face=tile.text, source="hand", crop=crop)

    def _tap(self, each: Standing) -> Tap | None:
        look, said = self._look(each), each.by.envelope
        if look is None:
            return None
        return Tap(
            name="", face=look.face, read=_tile(each.first.body).text, when=said.wall, by=said.by, crop=look.crop
        )

    def _judge(self, path: Path, new: Sequence[Tap], right: Sequence[Look]) -> bool:
        """Keeps new taps of a set with what came of them, and says whether any is learnt now that was not before."""
        with self._lock:
            before = _taps(path)
            begin = 1 + max((int(tap.name.partition("-")[2]) for tap in before), default=0)
            named = [replace(tap, name=f"tap-{number}") for number, tap in enumerate(new, begin)]
            self._reader = self._reader or TileReader()
            after = judged(self._reader, _scan(path), (*before, *named), right)
            if not named and all(a.state is b.state for a, b in zip(after, before, strict=True)):
                return False
            try:
                save_taps(after, path_of(path))
            except TileSetError as error:
                _log.error("what was learnt is not kept: %s", error)
                return False
        for tap in after[len(before) :]:
            _log.info("a tap says %s for what was read as %s: %s", tap.face, tap.read, tap.state.value)
        learnt = {tap.name for tap in before if tap.state is State.LEARNT}
        return any(tap.state is State.LEARNT and tap.name not in learnt for tap in after)

    def _run(self) -> None:
        version, hands = -1, 0
        while not self._stopping.is_set() and not self._board.is_closed:
            snapshot = self._board.wait_for(version, LOOK_S)
            version, was, hands = snapshot.version, hands, len(snapshot.game.history)
            try:
                self.learn_changed()
                if hands != was:
                    self.settle()
            except Exception:
                _log.exception("learning from taps stumbled")


def _is_seen(each: Standing) -> bool:
    """Whether one tile told it, and the camera saw that."""
    envelope = each.first.envelope
    return (
        isinstance(each.event, Discarded | DoraTurned)
        and isinstance(each.first.body, Discarded | DoraTurned)
        and envelope.source is Source.CAMERA
        and len(envelope.evidence) == 1
    )


def _is_lesson(each: Standing) -> bool:
    """Whether a person said of it what the camera did not know surely."""
    is_other = _tile(each.event) != _tile(each.first.body)
    return each.is_edited and (is_other or each.first.envelope.confidence < SURE)


def _tile(told: object) -> Tile:
    """The one tile that an event of a discard or an indicator is about."""
    if isinstance(told, Discarded):
        return told.tile
    return told.indicator if isinstance(told, DoraTurned) else UNKNOWN


def _turned(tap: Tap) -> Tap:
    """Taken back; or, where it was, judged anew."""
    return replace(tap, state=State.WAITING if tap.state is State.FORGOTTEN else State.FORGOTTEN)


def _taps(path: Path) -> tuple[Tap, ...]:
    try:
        return load_taps(path_of(path))
    except TileSetError as error:
        _log.error("the taps are left out: %s", error)
        return ()


def _scan(path: Path) -> TileSet | None:
    return load_set(path) if path.exists() else None
