"""Recordings on disk: pictures in order, the table's place in them, the presses, and the ground truth.

```
NAME/recording.toml       format = 1, fps, [table], [camera], [tiles], [game]
NAME/frames/000000.jpg …  frame k is at k / fps seconds, or as frames.jsonl {"k", "t_ns"} says
NAME/frames.jsonl         optional
NAME/presses.jsonl        optional: {"frame": k, "press": P, …}
NAME/truth.mjson          optional, never an input: one event per line, each with "frame"
```

This module does not interpret presses and events: their lines are plain data with a frame.
"""

from __future__ import annotations

import json
import logging
import os
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import cv2

from vision.arrays import Image
from vision.atomic_files import missing_folders, naming, read_whole, remove_empty
from vision.errors import RecordingError, reason
from vision.json_text import read_json
from vision.recording.recording_files import FRAMES, PRESSES, SETTINGS, TIMES, TRUTH
from vision.recording.recording_settings import Settings, format_settings, parse_settings

QUALITY: Final = 92
"""Quality of the JPEGs, 1-100."""
_PICTURES: Final = (".jpg", ".jpeg", ".png")
_MOST_DIGITS: Final = 9
"""The most digits of a picture's number: more than any recording needs."""
_NANOSECONDS: Final = 1_000_000_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFile:
    """The file and time of one frame."""

    k: int
    t_ns: int
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """An open recording: settings and presses are in memory, pictures and truth are read when they are asked for."""

    path: Path
    settings: Settings
    frames: tuple[FrameFile, ...]
    """In order of k."""
    presses: tuple[Mapping[str, Any], ...] = ()
    """The lines of presses.jsonl, in order; each has an int `frame`."""
    press_places: tuple[str, ...] = ()
    """The file and line of each press, for messages."""

    @classmethod
    def open(cls, path: str | Path) -> Recording:
        """Reads the folder `path`.

        Raises:
            RecordingError: there is no recording, or one of its files has another format; the message names file, place
                and value.
        """
        folder = Path(path)
        text = _text(folder / SETTINGS)
        settings = parse_settings(text, source=str(folder / SETTINGS))
        presses = _placed_lines(folder / PRESSES, needs="frame") or []
        frames = _frame_files(folder, settings.fps)
        for place, line in presses:
            if line["frame"] > frames[-1].k:
                _log.warning(
                    "expected a press at frame %d at most, got %d, at %s: taken at the end",
                    frames[-1].k,
                    line["frame"],
                    place,
                )
        return cls(
            path=folder,
            settings=settings,
            frames=frames,
            presses=tuple(line for _, line in presses),
            press_places=tuple(place for place, _ in presses),
        )

    def read_truth(self) -> tuple[Mapping[str, Any], ...] | None:
        """Reads truth.mjson, the events that took place, for comparison only; None if there is no such file.

        Raises:
            RecordingError: it has another format.
        """
        lines = _lines(self.path / TRUTH, needs="frame")
        return None if lines is None else tuple(lines)


class RecordingWriter:
    """Writes a recording, frame by frame."""

    def __init__(
        self, path: str | Path, settings: Settings, *, quality: int = QUALITY, keeps_pictures: bool = False
    ) -> None:
        """Creates the folder `path` and writes its settings.

        Args:
            path: a new or empty folder.
            settings: the content of recording.toml.
            quality: that of the JPEGs, 1-100.
            keeps_pictures: whether the pictures so far remain as a complete recording if an error ends the context.
                Otherwise, or if there is no picture yet, everything written is removed.

        Raises:
            RecordingError: the folder is not empty.
            OSError: it cannot be written.
        """
        self.path = Path(path)
        check_new(self.path)
        self.settings = settings
        self._quality, self._keeps_pictures = quality, keeps_pictures
        self._next = 0
        self._attached: list[str] = []
        self._missing = missing_folders(self.path)
        try:
            (self.path / FRAMES).mkdir(parents=True, exist_ok=True)
            with naming(self.path / SETTINGS):
                (self.path / SETTINGS).write_text(format_settings(settings), encoding="utf-8")
        except OSError:
            self._remove()
            raise

    @property
    def count(self) -> int:
        """The number of pictures written."""
        return self._next

    def attach(self, name: str, text: str) -> None:
        """Writes a further text file into the folder."""
        self._attached.append(name)
        with naming(self.path / name):
            (self.path / name).write_text(text, encoding="utf-8")

    def add(self, image: Image, *, t_ns: int | None = None) -> int:
        """Writes one BGR picture and returns its k; `t_ns` is needed only if it is not k / fps."""
        return self.add_jpeg(as_jpeg(image, quality=self._quality), t_ns=t_ns)

    def add_jpeg(self, jpeg: bytes, *, t_ns: int | None) -> int:
        """Writes one picture given as a JPEG, and returns its k; after an error, no part of the picture remains."""
        k = self._next
        path = self.path / FRAMES / f"{k:06d}.jpg"
        try:
            with naming(path):
                path.write_bytes(jpeg)
            if t_ns is not None:
                self._append(TIMES, {"k": k, "t_ns": t_ns})
        except BaseException:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise
        self._next += 1
        return k

    def add_press(self, line: Mapping[str, Any]) -> None:
        """Adds a line to presses.jsonl; it needs an int `frame`."""
        self._append(PRESSES, _with_frame(line, "frame", str(self.path / PRESSES)))

    def add_truth(self, line: Mapping[str, Any]) -> None:
        """Adds a line to truth.mjson; it needs an int `frame`."""
        self._append(TRUTH, _with_frame(line, "frame", str(self.path / TRUTH)))

    def close(self) -> None:
        """Ends the recording; every line is on disk already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is not None and not (self._keeps_pictures and self._next):
            self._remove()

    def _remove(self) -> None:
        """Removes what was written, as far as possible."""
        with suppress(OSError):
            for k in range(self._next + 1):
                (self.path / FRAMES / f"{k:06d}.jpg").unlink(missing_ok=True)
            for name in (SETTINGS, TIMES, PRESSES, TRUTH, *self._attached):
                (self.path / name).unlink(missing_ok=True)
        remove_empty((self.path / FRAMES, *self._missing))

    def _append(self, name: str, line: Mapping[str, Any]) -> None:
        path = self.path / name
        before = path.stat().st_size if path.exists() else 0
        try:
            with naming(path), path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(dict(line), ensure_ascii=False) + "\n")
        except BaseException:
            with suppress(OSError):
                os.truncate(path, before)
            raise


def check_new(path: Path) -> None:
    """Checks that a recording can be written into a folder: into a new or empty one; hidden files do not count.

    Raises:
        RecordingError: the folder is not empty.
    """
    frames = path / FRAMES
    if any((path / name).exists() for name in (SETTINGS, TIMES, PRESSES, TRUTH)):
        raise RecordingError(f"expected a new folder, got one with a recording in it, at {path}")
    if frames.is_dir() and any(frames.iterdir()):
        raise RecordingError(f"expected a new folder, got one with pictures in it, at {frames}")
    others = (file.name for file in path.iterdir() if file != frames) if path.is_dir() else ()
    if visible := sorted(name for name in others if not name.startswith(".")):
        raise RecordingError(f"expected a new folder, got one with {visible[0]} in it, at {path}")


def as_jpeg(image: Image, *, quality: int = QUALITY) -> bytes:
    """Returns a BGR picture as a JPEG.

    Raises:
        RecordingError: it cannot be encoded.
    """
    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RecordingError(f"expected a picture to encode as JPEG, got shape {image.shape}")
    return jpeg.tobytes()


def _frame_files(folder: Path, fps: float) -> tuple[FrameFile, ...]:
    """Returns the pictures of a recording, in order, with their times: the listed ones, or those by `fps`."""
    pictures = folder / FRAMES
    if not pictures.is_dir():
        raise RecordingError(f"expected a folder of pictures, got none, at {pictures}")
    numbered = sorted(_numbered(pictures), key=lambda pair: pair[0])
    if not numbered:
        raise RecordingError(f"expected pictures named 000000.jpg, 000001.jpg, …, got none, in {pictures}")
    times = _times(folder)
    files: list[FrameFile] = []
    for k, path in numbered:
        t_ns = times[k] if k in times else _unlisted_time_ns(k, files, fps)
        if files and k == files[-1].k:
            both = " and ".join(sorted((files[-1].path.name, path.name)))
            raise RecordingError(f"expected one picture of frame {k}, got {both}, in {pictures}")
        if files and t_ns <= files[-1].t_ns:
            raise RecordingError(f"expected frame {k} later than frame {files[-1].k}, got {t_ns} ns, in {folder}")
        files.append(FrameFile(k=k, t_ns=t_ns, path=path))
    _warn_of_gaps(files, pictures)
    return tuple(files)


def _warn_of_gaps(files: Sequence[FrameFile], pictures: Path) -> None:
    last = files[-1].k
    if missing := last + 1 - len(files):
        first_gap = next(k for k, file in enumerate(files) if file.k != k)
        _log.warning(
            "expected every picture up to number %d, got none for %d, the first of them %d, in %s",
            last,
            missing,
            first_gap,
            pictures,
        )


def _numbered(pictures: Path) -> Iterator[tuple[int, Path]]:
    for path in pictures.iterdir():
        if path.suffix.lower() not in _PICTURES:
            continue
        if path.stem.isdecimal() and len(path.stem) <= _MOST_DIGITS:
            yield int(path.stem), path
        else:
            _log.warning("expected a picture named by its number, got %s: skipped", path)


def _times(folder: Path) -> dict[int, int]:
    """Returns the times in frames.jsonl; some writers store it in the folder of pictures."""
    among_pictures = folder / FRAMES / TIMES
    path = among_pictures if among_pictures.exists() else folder / TIMES
    times: dict[int, int] = {}
    last = -1
    for place, line in _placed_lines(path, needs="k") or []:
        k, t_ns = line["k"], _with_frame(line, "t_ns", place)["t_ns"]
        if k <= last:
            raise RecordingError(f"expected a frame after frame {last}, got frame {k}, at {place}")
        if times and t_ns <= times[last]:
            before = f"frame {last} at {times[last]} ns"
            raise RecordingError(f"expected frame {k} later than {before}, got {t_ns}, at {place}")
        times[k], last = t_ns, k
    return times


def _unlisted_time_ns(k: int, files: list[FrameFile], fps: float) -> int:
    """Returns the time of a frame that frames.jsonl does not list."""
    if not files:
        return round(k / fps * _NANOSECONDS)
    last = files[-1]
    return last.t_ns + round(k / fps * _NANOSECONDS) - round(last.k / fps * _NANOSECONDS)


def _text(path: Path, *, may_be_cut: bool = False) -> str:
    """Returns the text of a file; of one that may be cut, without a last letter of which only a part is there."""
    try:
        return getincrementaldecoder("utf-8-sig")().decode(read_whole(path), final=not may_be_cut)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"expected a readable text file, got {reason(error)}, at {path}") from error


def _lines(path: Path, *, needs: str) -> list[Mapping[str, Any]] | None:
    """Returns the JSON objects of a file, one per line, without an incomplete last line; None without the file."""
    placed_lines = _placed_lines(path, needs=needs)
    return None if placed_lines is None else [line for _, line in placed_lines]


def _placed_lines(path: Path, *, needs: str) -> list[tuple[str, Mapping[str, Any]]] | None:
    """Returns the JSON objects of a file as `_lines` does, each with its file and line."""
    if not path.exists():
        return None
    text = _text(path, may_be_cut=True)
    rows = re.split(r"\r\n?|\n", text)  # `splitlines` also parts at characters that a text in JSON may contain
    found: list[tuple[str, Mapping[str, Any]]] = []
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        place = f"{path} line {number}"
        try:
            value = read_json(row)
        except ValueError as error:
            if number == len(rows) and not text.endswith("\n"):
                _log.warning("expected a whole JSON line, got %r, at %s: skipped", row[:80], place)
                break
            is_json = not isinstance(error, json.JSONDecodeError)
            problem = str(error) if is_json else f"expected one JSON object per line, got {row[:80]!r}"
            raise RecordingError(f"{problem}, at {place}") from error
        found.append((place, _with_frame(value, needs, place)))
    return found


def _with_frame(value: Any, key: str, place: str) -> Mapping[str, Any]:
    number = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise RecordingError(f"expected an object with {key!r}: a whole number from 0, got {value!r:.120}, at {place}")
    return dict(value)
