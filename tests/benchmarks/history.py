"""``.venv/bin/python -m tests.benchmarks.history``: what a long history costs, against a journal of one game.

Journals of 1, 250 and 2,000 whole games are served in turn, several times over, each by a program of its own: how long
it takes from its start until it answers, and how long `/game` takes then, by HTTP, once earlier games were read (where
a program first meets a long history, that is done in the background). The journal of one game is the peer in each run.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from table.game.journal.history.summary_file import SUFFIX, SummaryFile
from table.game.journal.journal import Journal
from tests.table.game.journal.played_games import write_games

GAMES: Final = (1, 250, 2000)
PAGES_PER_RUN: Final = 30
START_TIMES: Final = 3.0
"""What a start may take, against one with a single game."""
PAGE_TIMES: Final = 2.0
"""What `/game` may take, likewise."""


def main() -> int:
    """Prints the figures and their ratios; returns 1 where one is above its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=GAMES)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    starts: dict[int, list[float]] = {games: [] for games in args.games}
    pages: dict[int, list[float]] = {games: [] for games in args.games}
    with tempfile.TemporaryDirectory() as name:
        for games in args.games:
            _prepare(Path(name) / str(games), games)
        for _ in range(args.runs):
            for games in args.games:
                started_s, page_ms = _measured(Path(name) / str(games))
                starts[games].append(started_s)
                pages[games] += page_ms
    start, page = starts[args.games[0]], pages[args.games[0]]
    worst = 0.0
    for games in args.games:
        start_s, page_ms_median = statistics.median(starts[games]), statistics.median(pages[games])
        times = start_s / statistics.median(start), page_ms_median / statistics.median(page)
        worst = max(worst, times[0] / START_TIMES, times[1] / PAGE_TIMES)
        print(
            f"{games:>5} games: start {start_s:5.2f} s, {times[0]:.1f} times (goal {START_TIMES:.0f}); "
            f"/game {page_ms_median:6.1f} ms, {times[1]:.1f} times (goal {PAGE_TIMES:.0f})"
        )
    return int(worst > 1)


def _prepare(folder: Path, games: int) -> None:
    """A folder with a journal, and with the summaries of its games."""
    folder.mkdir()
    with Journal(folder / "table.journal") as journal:
        write_games(journal, games)
    (folder / "tachiai.toml").write_text(f'[table]\ndata = "{folder}"\nbackups = 1\n', encoding="utf-8")
    summaries = SummaryFile(folder / f"table{SUFFIX}")
    with _running(folder) as port:
        while "still loading" in _timed_page(port)[1] or len(summaries.read()) < games - 1:
            time.sleep(0.5)


def _measured(folder: Path) -> tuple[float, list[float]]:
    """Seconds until the program answers, and milliseconds of each `/game` after the first."""
    begin_s = time.perf_counter()
    with _running(folder) as port:
        _timed_page(port, "/api/session")
        started_s = time.perf_counter() - begin_s
        _timed_page(port)
        return started_s, [_timed_page(port)[0] for _ in range(PAGES_PER_RUN)]


def _timed_page(port: int, page: str = "/game") -> tuple[float, str]:
    """How many milliseconds a page takes over a new connection, and what it says."""
    begin_s = time.perf_counter()
    connection = http.client.HTTPConnection("localhost", port, timeout=120)
    connection.request("GET", page)
    text = connection.getresponse().read().decode()
    connection.close()
    return (time.perf_counter() - begin_s) * 1000, text


@contextmanager
def _running(folder: Path) -> Iterator[int]:
    words = [sys.executable, "-m", "table", "run", "--config", str(folder / "tachiai.toml"), "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            yield next(
                int(found[1]) for line in process.stderr or () if (found := re.search(r"http://\S+:(\d+)", line))
            )
        finally:
            process.terminate()


if __name__ == "__main__":
    sys.exit(main())
