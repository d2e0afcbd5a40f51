"""A recording as a camera: in its own logical time, at full speed or in real time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

from vision.arrays import Image
from vision.atomic_files import read_whole
from vision.errors import reason
from vision.frames import Camera, Frame
from vision.picture_decoding import decoded_picture
from vision.recording.recording import FrameFile, Recording

_log = logging.getLogger(__name__)


class RecordingCamera(Camera):
    """Delivers a recording's frames; skips and logs unreadable ones and those of another size than the first."""

    def __init__(
        self,
        recording: Recording,
        *,
        real_time: bool = False,
        now_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Takes an opened recording; with `real_time`, frames arrive no faster than they were recorded."""
        self._recording = recording
        self._real_time = real_time
        self._now_ns = now_ns
        self._sleep = sleep
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Yields the frames in order, with the recording's timestamps."""
        started: int | None = None
        size: tuple[int, ...] | None = None
        skipped = 0
        for file in self._recording.frames:
            if self._closed:
                return
            image = _read(file)
            if image is None:
                continue
            if size is not None and image.shape != size:
                skipped += 1
                if skipped == 1:
                    expected, got = _size_text(size), _size_text(image.shape)
                    _log.warning("expected a picture of %s pixels, got %s, in %s: skipped", expected, got, file.path)
                continue
            size = image.shape
            if self._real_time:
                started = self._wait(file.t_ns, started)
            yield Frame(k=file.k, t_ns=file.t_ns, image=image)
        if skipped > 1:
            count, place = len(self._recording.frames), self._recording.path
            _log.warning(
                "%d of %d pictures were skipped, being of another size than the first, in %s", skipped, count, place
            )

    def close(self) -> None:
        """Ends the stream at the next frame."""
        self._closed = True

    def _wait(self, t_ns: int, started: int | None) -> int:
        """Sleeps until a frame is due; returns the time at which a frame with the timestamp 0 was due."""
        if started is None:
            return self._now_ns() - t_ns
        ahead = started + t_ns - self._now_ns()
        if ahead > 0:
            self._sleep(ahead / 1e9)
        return started


def _size_text(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} x {shape[0]}"


def _read(file: FrameFile) -> Image | None:
    try:
        content = read_whole(file.path)
    except OSError as error:
        _log.warning("expected a readable picture, got %s, at %s: skipped", reason(error), file.path)
        return None
    image = decoded_picture(content)
    if image is None:
        _log.warning("expected a whole picture, got a damaged one of %d bytes, at %s: skipped", len(content), file.path)
    return image
