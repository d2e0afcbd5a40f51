"""Besieges the whole appliance for an hour and prints one table: attempts and survivals, by kind.

    python3 -m tests.endurance.siege [--minutes 60] [--processes 2] [--seed 1] [--only KIND …] [--short]

Each process goes on with the kind that is furthest behind its share of the goals. What went wrong is told below the
table, with the seed that makes it happen again, and ends the command with 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Sequence
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.queues import Queue
from queue import Empty
from time import monotonic
from typing import Final

from tests.endurance.siege.besieger import Round, besiege
from tests.endurance.siege.tally import Kind, Tallies, as_table, sum_of

SPAWNING: Final[SpawnContext] = multiprocessing.get_context("spawn")


def gathered(besiegers: Sequence[SpawnProcess], done: Queue[Round]) -> Tallies:
    """Waits for all besiegers, or for Ctrl-C; returns what they brought."""
    whole = sum_of(())
    try:
        while any(each.is_alive() for each in besiegers) or not done.empty():
            try:
                kind, tally = done.get(timeout=1)
            except Empty:
                continue
            whole[kind].add(tally)
            for fault in tally.faults:
                print(fault, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        for each in besiegers:
            each.terminate()
    for each in besiegers:
        each.join()
        if each.exitcode:
            whole[Kind.ACTS].faults.append(f"a besieger ended with {each.exitcode}")
    return whole


def main(arguments: Sequence[str]) -> int:
    """Besieges, and prints the table."""
    parser = argparse.ArgumentParser(prog="siege", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--processes", type=int, default=2, help="how many besiege at once (2)")
    parser.add_argument("--seed", type=int, default=1, help="what follows from it is the same but for races (1)")
    parser.add_argument("--only", nargs="+", choices=[kind.name.lower() for kind in Kind], help="these kinds alone")
    parser.add_argument("--short", action="store_true", help="one small round of each kind, by one process")
    args = parser.parse_args(arguments)
    kinds = [kind for kind in Kind if args.only is None or kind.name.lower() in args.only]
    begin, done = monotonic(), SPAWNING.Queue()
    besiegers = [
        SPAWNING.Process(
            target=besiege,
            args=(args.seed + number, 60 * args.minutes, kinds, done),
            kwargs={"is_short": args.short},
        )
        for number in range(1 if args.short else args.processes)
    ]
    for each in besiegers:
        each.start()
    tallies = gathered(besiegers, done)
    print(as_table(tallies, kinds))
    faults = [fault for tally in tallies.values() for fault in tally.faults]
    print(f"\n{(monotonic() - begin) / 60:.1f} minutes, {len(besiegers)} processes, seed {args.seed}: ", end="")
    print("\n".join((f"{len(faults)} FAULTS", *faults)) if faults else "nothing lost, no page dead")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
