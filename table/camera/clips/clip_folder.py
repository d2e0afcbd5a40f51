"""Clips on the disk: each is a recording, with the beliefs and announcements at its time.

```
FOLDER/20261121-210305/recording.toml, frames/…   as every recording, with rules.toml where the rules are a house's own
                      /moment.json                when, by whom, what lay there, what was doubtful and said
                      /crops/17.jpg               tile 17 as it was when it was believed
                      /dated.txt                  only of a clock that was not set: when one that was set first saw it
```

A clip is written to a temporary folder, which is then renamed. Old clips are deleted automatically; beyond the limit of
their total size, the oldest clip of whoever has saved most is deleted.
"""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any, Final

from table.rulebook.recorded_rules import RULES_FILE
from vision.atomic_files import read_whole
from vision.errors import VisionError, reason
from vision.json_text import read_json
from vision.recording.frame_buffer import BufferedFrame
from vision.recording.recording import RecordingWriter
from vision.recording.recording_files import FRAMES
from vision.recording.recording_settings import Settings

MOMENT: Final = "moment.json"
CROPS: Final = "crops"
DATED: Final = "dated.txt"
"""The file of a clip whose time is unknown; empty until a clock that is set has seen it."""
FORMAT: Final = 1
_NAME: Final = re.compile(r"\d{8}-\d{6}(-\d+)?")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """One stored clip."""

    name: str
    when: datetime
    """When it was saved, with its time zone."""
    by: str
    """Who saved it: `seat 2`, `owner`, `owner 2`."""
    seconds: float
    size_bytes: int
    player: str = ""
    """The name of the player who sat there; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The content of a clip."""

    when: datetime
    by: str
    frames: Sequence[BufferedFrame]
    settings: Settings
    details: Mapping[str, Any]
    """The beliefs, doubts and announcements, as JSON."""
    crops: Mapping[int, bytes]
    """JPEGs of tiles by the felt's id."""
    rules: str | None = None
    """The rule set's file, if `settings` refer to one."""
    player: str = ""
    """As in `Clip`."""

    @property
    def seconds(self) -> float:
        """The length of the clip."""
        return (self.frames[-1].t_ns - self.frames[0].t_ns) / 1e9


class ClipFolder:
    """The clips of one table. Read by any thread; written and pruned by one."""

    def __init__(
        self,
        path: Path,
        *,
        days: float,
        most_bytes: int,
        seconds: Callable[[], float] = monotonic,
        is_clock_set: Callable[[], bool | None] = lambda: None,
    ) -> None:
        """Deletes nothing yet.

        Args:
            path: the folder, which need not exist.
            days: the age from which clips are deleted.
            most_bytes: the size of all clips beyond which the oldest are deleted.
            seconds: returns seconds that pass evenly, whatever the time of day is set to.
            is_clock_set: returns whether the time of day was set from the network; None if it is not known.
        """
        self.path = path
        self._lifetime = timedelta(days=days)
        self._most_bytes = most_bytes
        self._seconds = seconds
        self._is_clock_set = is_clock_set
        self._written_at: dict[str, float] = {}
        """When each clip of this run was written, by `seconds`."""

    def clips(self) -> tuple[Clip, ...]:
        """Returns the stored clips, newest first, without unreadable ones."""
        try:
            folders = [folder for folder in self.path.iterdir() if _NAME.fullmatch(folder.name)]
        except OSError:
            return ()
        clips = [clip for clip in map(_clip, folders) if clip is not None]
        return tuple(sorted(clips, key=self._order, reverse=True))

    def _order(self, clip: Clip) -> tuple[bool, float, datetime, str]:
        written_at = self._written_at.get(clip.name)
        return written_at is not None, written_at or 0.0, clip.when, clip.name

    def write(self, moment: Moment) -> Clip:
        """Writes a clip, deleting older ones if necessary.

        Raises:
            OSError: it cannot be written; nothing of it is left.
        """
        self._remove_half_written()
        name = self._new_name(moment.when)
        temporary = self.path / f".{name}"
        try:
            _write(temporary, moment)
            if self._is_clock_set() is False:
                (temporary / DATED).touch()
            temporary.rename(self.path / name)
        except VisionError as error:
            raise OSError(str(error)) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self._written_at[name] = self._seconds()
        self.prune(moment.when)
        return Clip(
            name=name,
            when=moment.when,
            by=moment.by,
            seconds=moment.seconds,
            size_bytes=_size(self.path / name),
            player=moment.player,
        )

    def _remove_half_written(self) -> None:
        """Removes what power cuts left of clips that were being written, which no page shows and no limit counts."""
        for folder in list(self.path.iterdir()) if self.path.is_dir() else []:
            is_temporary = folder.name.startswith(".") and _NAME.fullmatch(folder.name[1:])
            if is_temporary or (_NAME.fullmatch(folder.name) and _is_empty(folder / MOMENT)):
                shutil.rmtree(folder, ignore_errors=True)

    def remove(self, name: str) -> bool:
        """Removes a clip; returns whether it existed."""
        clip = self._folder_of(name)
        if clip is not None:
            shutil.rmtree(clip, ignore_errors=True)
        return clip is not None

    def prune(self, now: datetime) -> None:
        """Removes clips that are too old; beyond the size limit, the oldest of whoever has most, but never the newest.

        So nobody displaces other people's clips by flagging again and again. The age of a clip of this run does not
        depend on the time of day, which may be set at any moment. One of a clock that was not set ages from the moment
        when a clock that is set first sees it.
        """
        clips = self.clips()
        old = [clip for clip in clips if self._age(clip, now) > self._lifetime]
        for clip in (*old, *_clips_beyond(self._most_bytes, [clip for clip in clips if clip not in old])):
            _log.info("the clip %s is deleted", clip.name)
            self.remove(clip.name)

    def _age(self, clip: Clip, now: datetime) -> timedelta:
        written_at = self._written_at.get(clip.name)
        if written_at is not None:
            return timedelta(seconds=self._seconds() - written_at)
        dated = self.path / clip.name / DATED
        return now - (self._date(dated, now) if dated.exists() else clip.when)

    def _date(self, dated: Path, now: datetime) -> datetime:
        """Returns when a clock that is set first saw a clip of unknown time; until then `now`."""
        try:
            return datetime.fromisoformat(read_whole(dated).decode())
        except (OSError, ValueError):
            if self._is_clock_set() is not False:
                with suppress(OSError):
                    dated.write_text(now.isoformat(), encoding="utf-8")
            return now

    def zipped(self, name: str) -> Iterator[bytes] | None:
        """Returns a clip as the bytes of a ZIP file, in chunks; None if it does not exist."""
        clip = self._folder_of(name)
        return None if clip is None else _zipped(clip)

    def last_picture(self, name: str) -> bytes | None:
        """Returns the newest frame of a clip as JPEG, with standing hands painted over; None without a clip."""
        clip = self._folder_of(name)
        try:
            frames = [] if clip is None else sorted((clip / FRAMES).glob("*.jpg"))
            return read_whole(frames[-1]) if frames else None
        except OSError:
            return None

    def _folder_of(self, name: str) -> Path | None:
        """Returns the folder of a clip; None if no clip has that name."""
        clip = self.path / name
        return clip if _NAME.fullmatch(name) and clip.is_dir() else None

    def _new_name(self, when: datetime) -> str:
        name = when.strftime("%Y%m%d-%H%M%S")
        used_names = {folder.name for folder in self.path.iterdir()} if self.path.is_dir() else set()
        numbered = (f"{name}-{number}" for number in range(2, 1000))
        return name if name not in used_names else next(each for each in numbered if each not in used_names)


def _clips_beyond(most_bytes: int, clips: list[Clip]) -> Iterator[Clip]:
    """Yields the clips to delete until the others fit; `clips` are newest first."""
    sizes = Counter[str]()
    for clip in clips:
        sizes[clip.by] += clip.size_bytes
    while len(clips) > 1 and sizes.total() > most_bytes:
        oldest = max(reversed(clips[1:]), key=lambda clip: sizes[clip.by])
        clips.remove(oldest)
        sizes[oldest.by] -= oldest.size_bytes
        yield oldest


def _write(path: Path, moment: Moment) -> None:
    shutil.rmtree(path, ignore_errors=True)
    first_ns = moment.frames[0].t_ns
    with RecordingWriter(path, moment.settings) as writer:
        for frame in moment.frames:
            writer.add_jpeg(frame.jpeg, t_ns=frame.t_ns - first_ns)
    if moment.rules is not None:
        (path / RULES_FILE).write_text(moment.rules, encoding="utf-8")
    (path / CROPS).mkdir()
    for number, crop in moment.crops.items():
        (path / CROPS / f"{number}.jpg").write_bytes(crop)
    head = {
        "format": FORMAT,
        "when": moment.when.isoformat(),
        "by": moment.by,
        "player": moment.player,
        "seconds": round(moment.seconds, 3),
    }
    text = json.dumps({**head, **moment.details}, ensure_ascii=False, indent=1)
    (path / MOMENT).write_text(text, encoding="utf-8")


def _is_empty(file: Path) -> bool:
    """Whether a file has no content, as a power cut leaves one; not if it is missing or cannot be looked at."""
    try:
        return not file.stat().st_size
    except OSError:
        return False


def _clip(path: Path) -> Clip | None:
    try:
        details = read_json(read_whole(path / MOMENT))
        when = datetime.fromisoformat(details["when"])
        if when.tzinfo is None:
            raise ValueError(f"expected a time with its zone, got {when}")
        return Clip(
            name=path.name,
            when=when,
            by=str(details["by"]),
            seconds=float(details["seconds"]),
            size_bytes=_size(path),
            player=str(details.get("player", "")),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("expected a clip, got: %s, at %s: left out", reason(error), path)
        return None


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


class _Pipe(io.RawIOBase):
    """Buffers written bytes until they are read, so that a ZIP file is never whole in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def write(self, data: Any, /) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def take_all(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _zipped(path: Path) -> Iterator[bytes]:
    pipe = _Pipe()
    # Without `strict_timestamps`, files from a clock that said a year before 1980 can be stored.
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_STORED, strict_timestamps=False) as archive:
        for file in sorted(path.rglob("*")):
            if file.is_file():
                archive.write(file, f"{path.name}/{file.relative_to(path)}")
                yield pipe.take_all()
    yield pipe.take_all()
