"""``.venv/bin/python -m tests.benchmarks.audit``: our audit beside a peer's check of the same games, one process each.

`tachiai audit` plays every event of every hand through the rules' one door; `jansou-validate` checks the scores of the
wins alone. Both run in turn, several times, and CPU time is compared, since machines are noisy. Without the real game
records beside the checkout it says so and measures nothing.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

from tests.places import SHARED

RUNS = 5
BIN = Path(sys.executable).parent


def main() -> int:
    """Prints both medians and their ratio."""
    games = sorted((SHARED / "logs" / "tenhou").glob("*.mjlog"))
    if not games:
        print("SKIPPED: the real game records are absent: ../shared/logs/tenhou")
        return 0
    ours = [str(BIN / "tachiai"), "audit", "--json", *map(str, games)]
    theirs = [str(BIN / "jansou-validate"), "-q", "-j", "1", str(games[0].parent / "*.mjlog")]
    times = [(_cpu_seconds(ours), _cpu_seconds(theirs)) for _ in range(RUNS)]
    us, them = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(ours / theirs for ours, theirs in times)
    print(f"{len(games)} games, {RUNS} runs each in turn, CPU time (median):")
    print(f"tachiai audit {us:.2f} s, jansou-validate {them:.2f} s")
    print(f"ratio {ratio:.2f} (goal: at most 3)")
    return 0


def _cpu_seconds(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)


if __name__ == "__main__":
    sys.exit(main())
