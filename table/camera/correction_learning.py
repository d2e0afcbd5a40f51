"""Learns from corrections: tiles corrected in a settled hand become examples of the set on the table.

Learning is transparent: every correction is listed with its picture, its author and its effect
(`vision.tilesets.corrections.State`), and one press undoes it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import cv2

from table.game.journal.authors import author_seat, named_author
from table.game.journal.effective_events import EffectiveEvent, effective_events
from table.game.journal.entries import Entry, Envelope, SettlementRecorded, Source
from table.game.snapshot import Board
from table.rules.events import Discarded, DoraTurned
from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import PressError
from table.runtime.threads import Worker
from table.runtime.whole_number import whole_number
from vision.arrays import Image
from vision.confidence import SURE
from vision.errors import TileSetError
from vision.reading.reader import TileReader
from vision.tilesets.corrections import (
    Correction,
    State,
    assess_corrections,
    load_corrections,
    path_of,
    save_corrections,
)
from vision.tilesets.tileset import FaceExample, TileSet
from vision.tilesets.tileset import load as load_set

WAIT_S: Final = 1.0
_log = logging.getLogger(__name__)


class TileSets(Protocol):
    """The sets of one table: `table.camera.sets_in_use.SetsInUse`."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The file of each set, whether or not it was scanned."""

    @property
    def current(self) -> int | None:
        """The index of the set on the table; None while it is undecided."""

    def reload(self) -> None:
        """Reloads the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCorrection:
    """One listed correction."""

    key: str
    set: str
    """The file's name without its suffix."""
    correction: Correction


class CorrectionLearning(Worker):
    """Learns from one table's corrections. A context manager: its thread runs inside ``with``."""

    def __init__(
        self,
        board: Board,
        entries: Callable[[int], Sequence[Entry]],
        sets: TileSets,
        *,
        example: Callable[[int], Image | None],
        after: int,
    ) -> None:
        """Takes the sources of snapshots, journal entries and pictures, and the sets to improve.

        Args:
            board: the source of snapshots.
            entries: returns the journal's entries above a number.
            sets: the table's sets of tiles.
            example: returns the picture behind the belief in a tile, by its id on the felt; None if it is gone.
            after: the journal's last entry when the camera started; earlier corrections have no picture.
        """
        super().__init__("learning", patience_s=5.0)
        self._board, self._entries, self._sets, self._after = board, entries, sets, after
        self._picture_of = example
        self._finished_hands = 0
        self._taught_entries: set[int] = set()
        self._is_changed = False
        self._reader: TileReader | None = None
        self._lock = threading.Lock()

    def corrections(self) -> list[StoredCorrection]:
        """Returns every correction, newest first."""
        found = [
            StoredCorrection(key=f"{index}-{correction.name}", set=path.stem, correction=correction)
            for index, path in enumerate(self._sets.files)
            for correction in _stored_corrections(path)
        ]
        return sorted(found, key=lambda saved: saved.correction.when, reverse=True)

    def picture(self, key: str) -> bytes | None:
        """Returns the picture of a correction as a JPEG."""
        correction = next((saved.correction for saved in self.corrections() if saved.key == key), None)
        if correction is None:
            return None
        large = cv2.resize(correction.crop, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        return cv2.imencode(".jpg", large)[1].tobytes()

    def toggle(self, key: str) -> None:
        """Undoes a correction, or redoes an undone one.

        Raises:
            PressError: there is no such correction, or it cannot be written.
        """
        number, _, name = key.partition("-")
        files = self._sets.files
        index = whole_number(number, 0, len(files) - 1)
        if index is None:
            raise PressError(f"expected a listed correction, got {key!r:.80}", says="tap_gone")
        path = files[index]
        with self._lock:
            corrections = _stored_corrections(path)
            if name not in {correction.name for correction in corrections}:
                raise PressError(f"expected a listed correction, got {key!r:.80}", says="tap_gone")
            try:
                save_corrections(
                    tuple(
                        _toggled(correction) if correction.name == name else correction for correction in corrections
                    ),
                    path_of(path),
                )
            except TileSetError as error:
                raise PressError(str(error), says="unwritable") from error
        self._is_changed = True

    def learn_finished_hands(self) -> None:
        """Learns from the hands settled since the last call, if any."""
        entries = self._entries(self._after)
        records = [entry.number for entry in entries if isinstance(entry.body, SettlementRecorded)]
        if len(records) <= self._finished_hands:
            return
        self._finished_hands = len(records)
        tile_events = [
            effective
            for effective in effective_events(entries)
            if effective.first.number < records[-1] and _is_tile_event(effective)
        ]
        lessons = [
            effective
            for effective in tile_events
            if _is_lesson(effective) and effective.first.number not in self._taught_entries
        ]
        if lessons:
            self._taught_entries |= {lesson.first.number for lesson in lessons}
            self._teach(lessons, tile_events)

    def learn_changed(self) -> None:
        """Applies the remaining corrections after one was undone or redone."""
        if self._is_changed:
            self._is_changed = False
            for path in self._sets.files:
                self._assess(path, (), ())
            self._sets.reload()

    def _teach(self, lessons: Sequence[EffectiveEvent], tile_events: Sequence[EffectiveEvent]) -> None:
        set_index = self._sets.current
        if set_index is None:
            _log.info("nothing is learnt from %d corrections: it is unknown which set was on the table", len(lessons))
            return
        path = self._sets.files[set_index]
        # A sure reading that nobody corrected in a settled hand was right.
        confirmed = [
            effective
            for effective in tile_events
            if not effective.amendments and effective.first.envelope.confidence >= SURE
        ]
        examples = [example for effective in confirmed if (example := self._example(effective)) is not None]
        new = [correction for lesson in lessons if (correction := self._correction(lesson)) is not None]
        if new and self._assess(path, new, examples):
            self._sets.reload()

    def _example(self, effective: EffectiveEvent) -> FaceExample | None:
        tile, crop = _tile(effective.event), self._picture_of(effective.first.envelope.evidence[0])
        return None if crop is None or not tile.is_known else FaceExample(face=tile.text, source="hand", crop=crop)

    def _correction(self, effective: EffectiveEvent) -> Correction | None:
        example, envelope = self._example(effective), effective.latest.envelope
        if example is None:
            return None
        return Correction(
            name="",
            face=example.face,
            read=_tile(effective.first.body).text,
            when=envelope.utc,
            by=self._author(envelope),
            crop=example.crop,
        )

    def _author(self, envelope: Envelope) -> str:
        """Returns who made a correction, by name if it is known, since people change seats."""
        snapshot = self._board.latest
        by = next((change.by for change in snapshot.changes.all if change.act == envelope.act), envelope.by)
        seat = author_seat(by)
        return by if seat is None or not snapshot.names[seat] else named_author(snapshot.names[seat])

    def _assess(self, path: Path, new: Sequence[Correction], examples: Sequence[FaceExample]) -> bool:
        """Stores new corrections of a set with their effects; returns whether a new one was learnt."""
        with self._lock:
            before = _stored_corrections(path)
            first_number = 1 + max((int(correction.name.partition("-")[2]) for correction in before), default=0)
            numbered = [
                replace(correction, name=f"tap-{number}") for number, correction in enumerate(new, first_number)
            ]
            self._reader = self._reader or TileReader()
            try:
                scan = _scan(path)
            except TileSetError as error:
                _log.error("nothing is learnt for a set that cannot be read: %s", error)
                return False
            after = assess_corrections(self._reader, scan, (*before, *numbered), examples)
            if not numbered and all(a.state is b.state for a, b in zip(after, before, strict=True)):
                return False
            try:
                save_corrections(after, path_of(path))
            except TileSetError as error:
                _log.error("expected to store what was learnt, got: %s", error)
                return False
        for correction in after[len(before) :]:
            _log.info(
                "a correction says %s for what was read as %s: %s",
                correction.face,
                correction.read,
                correction.state.value,
            )
        learnt = {correction.name for correction in before if correction.state is State.LEARNT}
        return any(correction.state is State.LEARNT and correction.name not in learnt for correction in after)

    def _run(self) -> None:
        version, hands = -1, 0
        while not self._stopping.is_set() and not self._board.is_closed:
            snapshot = self._board.wait_for(version, WAIT_S)
            version, hands_before, hands = snapshot.version, hands, len(snapshot.game.history)
            try:
                self.learn_changed()
                if hands != hands_before:
                    self.learn_finished_hands()
            except Exception:
                _log.exception("unexpected error while learning from corrections")


def _is_tile_event(effective: EffectiveEvent) -> bool:
    """Returns whether the event rests on exactly one tile that the camera saw."""
    envelope = effective.first.envelope
    return (
        isinstance(effective.event, Discarded | DoraTurned)
        and isinstance(effective.first.body, Discarded | DoraTurned)
        and envelope.source is Source.CAMERA
        and len(envelope.evidence) == 1
    )


def _is_lesson(effective: EffectiveEvent) -> bool:
    """Returns whether a person corrected an uncertain or wrong reading."""
    is_other = _tile(effective.event) != _tile(effective.first.body)
    return effective.is_edited and (is_other or effective.first.envelope.confidence < SURE)


def _tile(event: object) -> Tile:
    """Returns the tile of a discard or an indicator event."""
    if isinstance(event, Discarded):
        return event.tile
    return event.indicator if isinstance(event, DoraTurned) else UNKNOWN


def _toggled(correction: Correction) -> Correction:
    """Returns the correction undone; or, if it was undone, pending again."""
    return replace(correction, state=State.WAITING if correction.state is State.FORGOTTEN else State.FORGOTTEN)


def _stored_corrections(path: Path) -> tuple[Correction, ...]:
    try:
        return load_corrections(path_of(path))
    except TileSetError as error:
        _log.error("the corrections are ignored: %s", error)
        return ()


def _scan(path: Path) -> TileSet | None:
    return load_set(path) if path.exists() else None
