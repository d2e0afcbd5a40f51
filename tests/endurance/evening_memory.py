"""What `tachiai run` holds of the memory while a table is played before it, with ring, dashboard and twelve phones.

``python3 -m tests.endurance.evening_memory [SECONDS] [--way simulate|stream] [--photos]`` runs the command in a process
of its own, once with its drawn camera and once on a camera in the network that is played: the demo's evening over and
over, 1920 x 1080, ten JPEGs a second. Twelve phones hold the stream of events, open pages and look through the camera;
a seat keeps a moment now and then, and with ``--photos`` another one sends a photo of a hand. It prints the most that
the process and its children held, and fails above 400 MB. After a hundred seconds the ring is full, and nothing more
should come: see `watching_hour` for how memory goes on.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import cv2

from table.appliance.setup import owner_choices
from table.camera.simulation.simulated_camera import EVENING, DrawnTable
from table.camera.table_place.table_calibration import CALIBRATION
from tests.endurance.crowd import join, photo, table_server
from tests.endurance.crowd_clients import HOST, Door, Session
from tests.fakes.played_stream import played_stream
from tests.fakes.waiting import PATIENCE_S, wait_for
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.geometry.calibration_file import save

SECONDS: Final = 240.0
MOST_MB: Final = 400.0
SOURCES: Final = ("simulate", "stream")
PHONES: Final = 12
PAGES: Final = ("/", "/api/table", "/camera", "/game", "/wall", "/health", "/static/live/table.js")
PAGE_EVERY_S: Final = 1.0
SENT_EVERY_S: Final = 20.0
"""Between two photos of a hand, and between two moments that are kept."""
SAMPLE_S: Final = 0.2
STREAM_FPS: Final = 10.0


@dataclass(slots=True, kw_only=True)
class HeldMemory:
    """What was held, and what was done meanwhile."""

    source: str
    peaks_mb: dict[int, float] = field(default_factory=dict)
    """The most that each process held, as the system notes it: nothing between two looks is missed."""
    samples_mb: list[float] = field(default_factory=list)
    """What all held together, look by look; what several share is counted once."""
    answers: int = 0
    photos: int = 0
    moments: int = 0
    events: int = 0
    frames: int = 0
    """How many the camera's watcher looked at."""

    @property
    def peak_mb(self) -> float:
        """The most of the process and its children together: no less than what it was."""
        return sum(self.peaks_mb.values())

    def __str__(self) -> str:
        """One line."""
        middle = self.samples_mb[len(self.samples_mb) // 2 :] or [0.0]
        return (
            f"{self.source:<8} at most {self.peak_mb:.0f} MB in {len(self.peaks_mb)} processes; half-way "
            f"{middle[0]:.0f} MB, at the end {middle[-1]:.0f} MB; {self.frames} frames, {self.answers} answers to "
            f"{PHONES} phones, {self.events} events, {self.photos} photos, {self.moments} moments kept"
        )


def measure(folder: Path, source: str, seconds: float, *, photos: bool = False) -> HeldMemory:
    """Plays for so long; returns what was held. With `photos`, hands are photographed too."""
    _begin_with_the_evening(folder)
    with ExitStack() as stack:
        options = ["--simulate"]
        if source == "stream":
            options = ["--camera", stack.enter_context(_camera_of_its_own())]
        process, port = stack.enter_context(table_server(folder, None, options))
        memory, is_over = HeldMemory(source=source), threading.Event()
        door = Door(port=port, is_tls=False)
        threads = [threading.Thread(target=_watch_memory, args=(process.pid, memory, is_over))]
        threads += [
            threading.Thread(target=_listen, args=(door, memory, phone), daemon=True) for phone in range(PHONES)
        ]
        for thread in threads:
            thread.start()
        try:
            wait_for(lambda: _answer(door, "/camera.jpg")[0] == 200)
            _use(door, memory, seconds, photo() if photos else None)
        finally:
            is_over.set()
            threads[0].join()
        return memory


def _begin_with_the_evening(folder: Path) -> None:
    """A table that was set up before, and that lies where the played camera shows it."""
    folder.mkdir(parents=True)
    settings = {"format": owner_choices.FORMAT, "settings": {}, "steps": {"over": "done"}}
    (folder / owner_choices.FILE).write_text(json.dumps(settings), "utf-8")
    save(DrawnTable(_appearance()).calibration, folder / CALIBRATION)


def _use(door: Door, memory: HeldMemory, seconds: float, picture: bytes | None) -> None:
    """Twelve phones open pages and look through the camera; seats keep moments, and send the picture of a hand."""
    sessions = [join(door, seat) for seat in range(2)]
    until = time.monotonic() + seconds
    users = [threading.Thread(target=_look_around, args=(door, memory, until, phone)) for phone in range(PHONES)]
    for user in users:
        user.start()
    while (left := until - time.monotonic()) > 0:
        if picture is not None:
            memory.photos += _post(door, sessions[0], "/api/photo", picture, "image/jpeg")
        memory.moments += _post(door, sessions[1], "/api/flag", b"{}", "application/json")
        time.sleep(min(left, SENT_EVERY_S))
    for user in users:
        user.join()
    _, health = _answer(door, "/api/health")
    memory.frames = json.loads(health)["camera"]["frames"]


def _look_around(door: Door, memory: HeldMemory, until: float, phone: int) -> None:
    turn = phone
    while time.monotonic() < until:
        for page in (PAGES[turn % len(PAGES)], "/camera.jpg", f"/camera/{turn}.jpg"):
            status, _ = _answer(door, page, phone)
            memory.answers += status == 200
        turn += 1
        time.sleep(PAGE_EVERY_S)


def _answer(door: Door, page: str, phone: int = 0) -> tuple[int, bytes]:
    connection = _connection(door, phone)
    try:
        connection.request("GET", page)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _connection(door: Door, phone: int) -> http.client.HTTPConnection:
    """A phone has an address of its own."""
    return http.client.HTTPConnection(HOST, door.port, timeout=PATIENCE_S, source_address=(f"127.0.1.{1 + phone}", 0))


def _post(door: Door, session: Session, page: str, body: bytes, kind: str) -> bool:
    connection = door.connection()
    try:
        connection.request("POST", page, body, {**session.headers, "Content-Type": kind})
        answer = connection.getresponse()
        answer.read()
        return answer.status < 300
    finally:
        connection.close()


def _listen(door: Door, memory: HeldMemory, phone: int) -> None:
    """A phone that hears every event until the table ends."""
    connection = _connection(door, phone)
    connection.request("GET", "/api/stream")
    with suppress(OSError, http.client.HTTPException):
        answer = connection.getresponse()
        while line := answer.readline():
            memory.events += line.startswith(b"data: ")


def _watch_memory(process: int, memory: HeldMemory, is_over: threading.Event) -> None:
    while not is_over.wait(SAMPLE_S):
        readings_mb = {each: _memory_mb(each) for each in _with_children(process)}
        for each, (peak, _) in readings_mb.items():
            memory.peaks_mb[each] = max(peak, memory.peaks_mb.get(each, 0.0))
        memory.samples_mb.append(sum(now for _, now in readings_mb.values()))


def _with_children(process: int) -> list[int]:
    found = [process]
    for each in found:
        with suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text("ascii").split()]
    return found


def _memory_mb(process: int) -> tuple[float, float]:
    """The most that it held so far, and what it holds now, its share of what others use too."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text("ascii")
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
        peak, now = re.search(r"VmHWM:\s+(\d+) kB", status), re.search(r"\nPss:\s+(\d+) kB", rollup)
        if peak and now:
            return int(peak[1]) / 1024, int(now[1]) / 1024
    return 0.0, 0.0  # it has ended


def _appearance() -> Appearance:
    return Appearance(width_px=1920, height_px=1080)


@contextmanager
def _camera_of_its_own() -> Iterator[str]:
    """The played camera, in a process that is not measured; yields its address."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_play, args=(theirs,), daemon=True)
    process.start()
    try:
        assert ours.poll(PATIENCE_S), "the played camera does not answer"
        yield ours.recv()
    finally:
        ours.send("end")
        process.join()


def _play(pipe: Connection) -> None:
    table = DrawnTable(_appearance(), fps=STREAM_FPS)
    table.play(EVENING)
    renderer, begin_s, k = Renderer(_appearance()), time.monotonic(), 0

    def next_jpeg() -> bytes:
        nonlocal k
        k = max(k + 1, int((time.monotonic() - begin_s) * STREAM_FPS))
        time.sleep(max(0.0, begin_s + k / STREAM_FPS - time.monotonic()))
        return cv2.imencode(".jpg", renderer.render(table.scene(), k=k), [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()

    with played_stream(next_jpeg) as address:
        pipe.send(address)
        pipe.recv()


def main(arguments: Sequence[str]) -> int:
    """Measures both ways and says what was held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=SECONDS)
    parser.add_argument("--way", choices=SOURCES, help="only this way")
    parser.add_argument("--photos", action="store_true", help="photograph hands too")
    args = parser.parse_args(arguments)
    is_right = True
    for source in SOURCES if args.way is None else (args.way,):
        with tempfile.TemporaryDirectory() as folder:
            memory = measure(Path(folder) / "data", source, args.seconds, photos=args.photos)
        print(memory, flush=True)
        is_right &= memory.peak_mb < MOST_MB
    print(f"{'under' if is_right else 'OVER'} {MOST_MB:.0f} MB")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
