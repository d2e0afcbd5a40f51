"""Pulls the plug on a table, over and over: the demo evening is played by a process that is killed at any moment.

Each round forks a child that opens the journal, sees the table as it lies, and plays on at full speed; the parent
kills it (SIGKILL) after a random while, and may tear what was being written. The child says of each step that it is
done: what it said must be in the journal for good. ``python3 -m tests.endurance.power_cuts [CUTS] [SEED]`` prints what
came of it; ``… presses`` cuts once after each press, when it is written and not yet confirmed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import BinaryIO

from table.camera.simulation import evening
from table.camera.simulation.script_timeline import stage_script
from table.game.commands.game_commands import ClaimRon, FoulVotePress, Press, PressTableButton
from table.game.journal.effective_events import effective_events, is_event
from table.game.journal.entries import Entry, Source
from table.game.journal.fold import FoldedGame, fold, opened_game
from table.game.journal.journal import Journal
from table.game.journal.storage.journal_codec import encode
from table.game.referee import Referee
from table.game.referee.pending_findings import PATIENCE_NS
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.events import (
    AddedKan,
    Called,
    ClosedKan,
    Discarded,
    Event,
    HandSettled,
    HandStarted,
    StickPlaced,
    WinClaimed,
)
from table.runtime.clock import SystemClock
from table.runtime.table_errors import PressError
from tests.table.camera.simulation.felts import LAYOUT, observations
from vision.felt import FeltReport

MOST_ALIVE_S = 0.06
"""A child lives at most so long after it first said something."""
TORN = 3
"""One cut of so many tears what was being written."""
RULES = rules_named("home").ruleset


@dataclass(slots=True)
class Outcome:
    """What came of an evening of power cuts."""

    cuts: int = 0
    torn: int = 0
    resumed: list[int] = field(default_factory=list)
    """At which step each child took up the game."""
    entries: int = 0


@cache
def steps() -> tuple[FeltReport | Press, ...]:
    """The evening as looks of a perfect eye and presses, in order."""
    return tuple(observations(stage_script(evening(), LAYOUT)))


def table_at(journal: Journal) -> Table:
    """A table as a program that starts has it: it knows what the journal says, and nothing else."""
    return Table(journal=journal, referee=Referee(), ruleset=RULES, clock=SystemClock())


def play_evening(path: Path, cuts: int, seed: int) -> Outcome:
    """Plays one evening with at most so many power cuts; checks the journal after each and at the end."""
    chance, outcome = random.Random(seed), Outcome()
    step, acknowledged, entries = 0, 0, list[Entry]()
    while step < len(steps()):
        outcome.resumed.append(step)
        alive_s = chance.uniform(0, MOST_ALIVE_S) if outcome.cuts < cuts else None
        step, acknowledged, wal = _live(path, step, acknowledged, alive_s)
        if alive_s is not None and step < len(steps()):
            outcome.cuts += 1
            outcome.torn += _tear(path, wal, chance) if chance.randrange(TORN) == 0 else 0
        entries = check(path, entries, acknowledged)
    outcome.entries = len(entries)
    check_end(entries)
    return outcome


def check(path: Path, before: Sequence[Entry], acknowledged: int) -> list[Entry]:
    """Checks a journal after a cut: nothing that was said is lost or altered, and the points add up."""
    with Journal(path) as journal:
        entries = list(journal.entries())
    assert len(entries) >= acknowledged, f"{acknowledged} entries were confirmed, {len(entries)} are left"
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert [encode(entry.body) for entry in entries[: len(before)]] == [encode(entry.body) for entry in before]
    if entries:
        state = fold_game(entries).state
        assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == 100_000
    return entries


def check_end(entries: Sequence[Entry]) -> None:
    """Checks a whole evening: the script's points after every hand, and each thing that happened told once."""
    end = fold_game(entries)
    assert [hand.scores for hand in end.state.history] == [hand.scores for hand in evening()]
    assert end.rejected_entries == ()
    assert happened(entries) == happened(reference())


def happened(entries: Sequence[Entry]) -> list[str]:
    """What people did, as it stands; times, frames, sureness, scores and who dealt in follow from the rest."""
    events: list[Event] = [each.event for each in effective_events(entries[1:])]
    return [
        json.dumps(encode(_without_what_follows(event)))
        for event in events
        if isinstance(
            event, HandStarted | Discarded | Called | ClosedKan | AddedKan | StickPlaced | WinClaimed | HandSettled
        )
    ]


def _without_what_follows(event: Event) -> Event:
    if isinstance(event, HandStarted):
        return replace(event, scores=(0, 0, 0, 0))
    return replace(event, from_seat=None) if isinstance(event, WinClaimed) else event


@cache
def reference() -> tuple[Entry, ...]:
    """The journal of the same evening without any cut."""
    with Journal(None) as journal:
        table = table_at(journal)
        for step in steps():
            take(table, step)
        return journal.entries()


def take(table: Table, step: FeltReport | Press) -> None:
    """Lets a table take in a step; a press that means nothing now costs only itself."""
    if isinstance(step, FeltReport):
        table.report(step)
    else:
        with suppress(PressError):
            table.handle(step)


def fold_game(entries: Sequence[Entry]) -> FoldedGame:
    """The game that a journal tells."""
    return fold(opened_game(entries[0]), list(entries[1:]))


def cut_after_each_press(folder: Path) -> None:
    """Cuts the power when a press is written and not yet confirmed: once for each press of the evening."""
    for number in [number for number, step in enumerate(steps()) if isinstance(step, Press)]:
        path = folder / f"{number}.journal"
        step, acknowledged, _ = _live(path, 0, 0, None, silent_from=number)
        assert step == number
        entries = check(path, [], acknowledged)
        _, acknowledged, _ = _live(path, step, acknowledged, None)
        check_end(check(path, entries, acknowledged))


def _live(
    path: Path, first: int, known_entries: int, alive_s: float | None, silent_from: int | None = None
) -> tuple[int, int, int]:
    """Lets a child play from a step on; returns the next step, how many entries it confirmed, and its log's size.

    It is killed after `alive_s` seconds, or before it can say that the step `silent_from` is done.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb", buffering=0) as report:
            _play(path, first, known_entries, report, silent_from)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        if alive_s is not None:
            first_line = pipe.readline()
            time.sleep(alive_s)
            os.kill(child, signal.SIGKILL)
            lines = [first_line, *pipe.read().splitlines(keepends=True)]
        else:
            lines = pipe.read().splitlines(keepends=True)
    os.waitpid(child, 0)
    said_last = [line for line in lines if line.endswith(b"\n")]
    assert said_last, "the child died of itself"
    step, entries, wal = map(int, said_last[-1].split())
    return step + 1, entries, wal


def _play(path: Path, first: int, known_entries: int, report: BinaryIO, silent_from: int | None) -> None:
    """The child: opens the journal, looks at the table as often as a camera that is back, and plays on.

    People press again only what was not taken.
    """
    with Journal(path) as journal:
        new_entries = journal.entries(after=known_entries)
        table = table_at(journal)
        reports = [step for step in steps()[: first + bool(new_entries)] if isinstance(step, FeltReport)]
        for before_ns in (PATIENCE_NS, 0) if reports else ():
            table.report(replace(reports[-1], t_ns=reports[-1].t_ns - before_ns, changes=()))
        if any(is_event(each.body) and each.envelope.source is Source.PRESS for each in new_entries):
            first += 1
        else:
            for press in _unconfirmed(first):
                take(table, press)
        report.write(b"%d %d %d\n" % (first - 1, journal.last, _size(path)))
        for number, step in enumerate(steps()[first:], first):
            take(table, _naming(step, table) if reports else step)
            if number == silent_from:
                os.kill(os.getpid(), signal.SIGKILL)
            report.write(b"%d %d %d\n" % (number, journal.last, _size(path)))


def _naming(step: FeltReport | Press, table: Table) -> FeltReport | Press:
    """The step; a ron names who dealt in, since after a power cut its winner may have lifted a tile that nobody saw."""
    hand = table.state.live
    if not isinstance(step, ClaimRon) or hand is None or hand.claimable_tile is None:
        return step
    return replace(step, discarder=hand.claimable_tile.seat)


def _unconfirmed(first: int) -> list[Press]:
    """The presses that named a foul which nobody had confirmed: after a power cut it is named again."""
    presses: list[Press] = []
    for step in steps()[:first]:
        if isinstance(step, FoulVotePress):
            presses = [] if isinstance(step, PressTableButton) else [*presses, step]
    return presses


def _size(path: Path) -> int:
    log = path.with_name(f"{path.name}-wal")
    return log.stat().st_size if log.exists() else 0


def _tear(path: Path, confirmed_bytes: int, chance: random.Random) -> bool:
    """Tears the page that was being written: what the disk had not confirmed may be there in part, or be rubbish."""
    log = path.with_name(f"{path.name}-wal")
    if not log.exists():
        return False
    size = log.stat().st_size
    with log.open("r+b") as file:
        if size > confirmed_bytes:
            file.truncate(chance.randint(confirmed_bytes, size))
        file.seek(0, os.SEEK_END)
        file.write(chance.randbytes(chance.randint(1, 4000)))
    return True


def main(arguments: Sequence[str]) -> int:
    """Plays evenings until there were so many cuts, or one for each press."""
    if arguments == ["presses"]:
        with tempfile.TemporaryDirectory() as folder:
            cut_after_each_press(Path(folder))
        return 0
    most_cuts, seed = int(arguments[0]) if arguments else 300, int(arguments[1]) if len(arguments) > 1 else 1
    cuts = torn = evenings = 0
    while cuts < most_cuts:
        with tempfile.TemporaryDirectory() as folder:
            outcome = play_evening(Path(folder) / "table.journal", most_cuts - cuts, seed + evenings)
        cuts, torn, evenings = cuts + outcome.cuts, torn + outcome.torn, evenings + 1
        print(
            f"evening {evenings}: {outcome.cuts} cuts, {outcome.torn} torn, {outcome.entries} entries, all there",
            flush=True,
        )
    print(f"{cuts} cuts in {evenings} evenings, {torn} of them torn: nothing lost, nothing twice")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
