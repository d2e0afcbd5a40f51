"""What a journal on the disk tells, read beside whoever uses it, and what must be true of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from table.game.journal.entries import Entry, GameOpened
from table.game.journal.history.game_history import games_of
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_check import trouble_of
from table.game.journal.storage.journal_codec import encode
from table.game.journal.storage.opened_database import opened
from tests.endurance.power_cuts import folded
from tests.endurance.siege.phones import ROLES, Ledger
from tests.table.rules import invariants

Shown = tuple[int, int, tuple[int, ...]]
"""What tells a state from others on the page: the entry that opened its game, its finished hands, its scores."""


def entries_of(path: Path) -> tuple[Entry, ...]:
    """Reads a journal, in use or not; nothing is written."""
    with Journal(None) as journal, opened(path) as disk:
        journal.take_over(disk)
        return journal.entries()


def bodies_of(entries: Sequence[Entry]) -> list[Any]:
    """What entries say, to be compared."""
    return [encode(entry.body) for entry in entries]


def check_kept(entries: Sequence[Entry], ledger: Ledger) -> int:
    """Checks that everything confirmed stands in a journal once, and nothing that nobody asked for; returns how much.

    Raises:
        AssertionError: it does not.
    """
    written = Counter(by for by, _ in {(each.envelope.by, each.envelope.act or each.number) for each in entries})
    for by in filter(None, ROLES):
        least, most = ledger.count(by)
        assert written[by] >= least, f"{by}: {least} acts were confirmed, {written[by]} are in the journal"
        assert written[by] <= most, f"{by}: {most} acts may have been taken, {written[by]} are in the journal"
    return sum(ledger.count(by)[0] for by in filter(None, ROLES))


def check_whole(entries: Sequence[Entry]) -> None:
    """Checks that a journal has no gap, can be taken up, and that its last game contradicts itself nowhere.

    Raises:
        AssertionError: it does not hold.
    """
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert not any(map(trouble_of, games_of(entries)))
    last = max(at for at, entry in enumerate(entries) if isinstance(entry.body, GameOpened))
    end = folded(entries[last:])
    invariants.check(end.state, end.ruleset)


def shown_by(entries: Sequence[Entry]) -> Shown:
    """What the page shows of a journal."""
    last = max(at for at, entry in enumerate(entries) if isinstance(entry.body, GameOpened))
    state = folded(entries[last:]).state
    return entries[last].number, len(state.history), tuple(state.scores)


def shown_on(table: Any) -> Shown:
    """The same of what `/api/table` says."""
    return table["keeping"]["game"], table["keeping"]["hand"], tuple(seat["score"] for seat in table["seats"])
