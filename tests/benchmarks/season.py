"""``.venv/bin/python -m tests.benchmarks.season``: what a long season costs once it was counted, against one game.

Journals of 1, 250 and 2,000 whole games lie in folders of their own. `tachiai season FOLDER --json` counts each once;
then they are opened again in turn, several times over, each by a program of its own, and the processor's time of the
program is taken: what else the machine does adds nothing to it. The journal of one game is the peer in each run.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from table.game.journal.journal import Journal
from tests.table.game.journal.played_games import write_games

GAMES: Final = (1, 250, 2000)
TIMES: Final = 2.0
"""What a second opening may take, against one of a single game."""


def main() -> int:
    """Prints the figures and their ratios; returns 1 where one is above its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=GAMES)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    spent: dict[int, list[float]] = {games: [] for games in args.games}
    with tempfile.TemporaryDirectory() as name:
        for games in args.games:
            print(f"{games:>5} games: counted in {_prepare(Path(name) / str(games), games):6.2f} s")
        for _ in range(args.runs):
            for games in args.games:
                spent[games].append(_opening_s(Path(name) / str(games)))
    peer = statistics.median(spent[args.games[0]])
    worst = 0.0
    for games in args.games:
        times = statistics.median(spent[games]) / peer
        worst = max(worst, times / TIMES)
        print(f"{games:>5} games: opened again in {peer * times:.2f} s, {times:.2f} times (goal {TIMES:.0f})")
    return int(worst > 1)


def _prepare(folder: Path, games: int) -> float:
    """A folder with a journal; how long its first opening takes."""
    folder.mkdir()
    with Journal(folder / "table.journal") as journal:
        write_games(journal, games)
    return _opening_s(folder)


def _opening_s(folder: Path) -> float:
    """Seconds of the processor that one opening takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-m", "table", "season", str(folder), "--json"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
