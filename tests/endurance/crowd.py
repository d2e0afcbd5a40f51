"""A crowd at the door: 200 open pages, silent, trickling and deaf clients, and 60 photos at once, around one phone.

``python3 -m tests.endurance.crowd [SECONDS]`` runs `tachiai run` in a process of its own, by HTTP and then by TLS, and
the crowd in another; a polite phone meanwhile opens pages and names a player every second. It must be answered each
time within two seconds, every open page must hear of every name that lasts, some photos must be read and the rest told
to come again, and the server may hold 400 MB at most. The figures are printed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import median
from typing import Any, Final

import cv2
import numpy as np

from table.dashboard.server import TlsFiles
from tests.endurance.crowd_clients import PHOTOS, STREAMS, Crowd, Door, Session, crowd_at
from tests.fakes.certificate import make_certificate
from tests.places import RECORDINGS, ROOT

SECONDS: Final = 60.0
MOST_S: Final = 2.0
"""How long the polite phone may wait for an answer."""
MOST_MB: Final = 400.0
PAGES: Final = ("/wall", "/api/table", "/game", "/static/live/table.js", "/api/session")
NAMED_EVERY_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdResult:
    """What came of it."""

    scheme: str
    answers_s: list[float] = field(default_factory=list)
    """How long the polite phone waited, each time."""
    server_cpu_s: float
    """The processor's time that the server took."""
    peak_mb: float
    """The most that the server held."""
    crowd: Crowd

    def __str__(self) -> str:
        """One line."""
        photos = ", ".join(f"{count} x {status}" for status, count in sorted(self.crowd.photos.items()))
        return (
            f"{self.scheme:<5} {len(self.answers_s)} answers to the polite phone: middle "
            f"{median(self.answers_s) * 1000:.0f} ms, worst {max(self.answers_s) * 1000:.0f} ms; "
            f"{self.crowd.streams} streams heard {self.crowd.events} events; photos: {photos}; "
            f"{self.crowd.sent_away} connections sent away; {self.server_cpu_s:.1f} s of processor, at most "
            f"{self.peak_mb:.0f} MB"
        )


def meet(folder: Path, seconds: float, tls: TlsFiles | None) -> CrowdResult:
    """Lets the crowd come for so long; returns what came of it."""
    with table_server(folder, tls) as (process, port):
        door = Door(port=port, is_tls=tls is not None)
        sessions = [join(door, seat) for seat in range(4)]
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        crowd = spawn.Process(target=crowd_at, args=(door, sessions, photo(), theirs), daemon=True)
        crowd.start()
        try:
            _hear(ours, crowd)
            answers_s = polite(door, sessions[0], seconds)
            ours.send(_answer(door, sessions[0], "/api/table")["version"])
            found: Crowd = _hear(ours, crowd)
        finally:
            crowd.terminate()
            crowd.join()
        return CrowdResult(
            scheme="https" if tls else "http",
            answers_s=answers_s,
            server_cpu_s=_cpu_s(process.pid),
            peak_mb=_peak_mb(process.pid),
            crowd=found,
        )


def check(result: CrowdResult, most_s: float | None = MOST_S) -> None:
    """Checks it; how long the phone waited only where a limit is given."""
    assert result.crowd.streams == STREAMS, f"{result.crowd.streams} of {STREAMS} streams heard the last of the table"
    assert result.crowd.photos.get(200, 0) > 0, f"no photo was read: {result.crowd.photos}"
    assert set(result.crowd.photos) <= {200, 503}, f"photos were answered by {result.crowd.photos}"
    assert result.peak_mb < MOST_MB, f"{result.peak_mb:.0f} MB were held"
    assert most_s is None or max(result.answers_s) < most_s, f"the phone waited {max(result.answers_s):.1f} s"


def polite(door: Door, session: Session, seconds: float) -> list[float]:
    """Opens pages one after the other, names a player every second; returns how long each answer took."""
    answers_s, until, named_at = list[float](), time.monotonic() + seconds, 0.0
    while time.monotonic() < until:
        answers_s += [_timed(door, session, page) for page in PAGES]
        if time.monotonic() - named_at >= NAMED_EVERY_S:
            named_at = time.monotonic()
            answers_s.append(_timed(door, session, "/api/names", {"names": [f"A{len(answers_s)}", "B", "C", "D"]}))
        time.sleep(0.05)
    return answers_s


def join(door: Door, seat: int) -> Session:
    """A browser that sits at the table."""
    connection = door.connection()
    connection.request("GET", "/api/session")
    answer = connection.getresponse()
    token, cookie = json.load(answer)["token"], str(answer.headers["Set-Cookie"]).partition(";")[0]
    form = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/join", f"role=seat&seat={seat}&token={token}", form)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 302, f"joining was answered by {answer.status}"
    cookie = str(answer.headers["Set-Cookie"] or cookie).partition(";")[0]
    connection.close()
    return Session(cookie=cookie, token=token)


def photo() -> bytes:
    """A photo as a phone takes it, twelve megapixels."""
    frame = cv2.imread(str(sorted((RECORDINGS / "riichi_tsumo" / "frames").iterdir())[-1]))
    assert frame is not None
    large = cv2.resize(frame, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(0).integers(-12, 13, large.shape, np.int16)
    noisy = np.clip(large.astype(np.int16) + noise, 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()


@contextmanager
def table_server(
    folder: Path, tls: TlsFiles | None, options: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A table kept by phone alone, or as the `options` say, by the command; yields its process and port."""
    words = [sys.executable, "-m", "table", "run", "--port", "0", "--data", str(folder), *options]
    words += [] if tls is None else ["--tls-cert", tls[0], "--tls-key", tls[1]]
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        lines = process.stderr or ()
        port = next(int(found[1]) for line in lines if (found := re.search(r"localhost:(\d+)", line)))
        log = threading.Thread(target=lambda: [print(line, end="", file=sys.stderr) for line in lines], daemon=True)
        log.start()
        try:
            yield process, port
        finally:
            process.terminate()
            process.wait()
            log.join()


def _timed(door: Door, session: Session, page: str, body: dict[str, Any] | None = None) -> float:
    begin_s = time.perf_counter()
    _answer(door, session, page, body)
    return time.perf_counter() - begin_s


def _answer(door: Door, session: Session, page: str, body: dict[str, Any] | None = None) -> Any:
    """What a new connection is answered: the JSON, or the text of a page."""
    connection: http.client.HTTPConnection = door.connection()
    headers = session.headers | {"Content-Type": "application/json"}
    try:
        connection.request("POST" if body else "GET", page, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    assert answer.status in (200, 202), f"{page} was answered by {answer.status}: {text[:200]!r}"
    return json.loads(text) if answer.headers.get_content_type() == "application/json" else text


def _hear(pipe: Connection, crowd: BaseProcess) -> Any:
    """What the crowd says next; it says itself what it waited for in vain, and ends."""
    assert pipe in wait([pipe, crowd.sentinel]), "the crowd has ended without a word"
    return pipe.recv()


def _peak_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def _cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(arguments: Sequence[str]) -> int:
    """Lets the crowd come by HTTP and by TLS, and says what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=SECONDS)
    parser.add_argument("--way", choices=("http", "https"), help="only this way")
    parser.add_argument("--unhurried", action="store_true", help="whatever time the answers take")
    args = parser.parse_args(arguments)
    for scheme in ("http", "https"):
        if args.way in (None, scheme):
            with tempfile.TemporaryDirectory() as folder:
                tls = make_certificate(Path(folder)) if scheme == "https" else None
                result = meet(Path(folder) / "data", args.seconds, tls)
            print(result, flush=True)
            check(result, None if args.unhurried else MOST_S)
    print(f"{STREAMS} streams, {PHOTOS} photos at once: the phone was always answered, and all heard the last")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
