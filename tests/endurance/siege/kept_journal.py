"""What a journal on the disk tells, read beside whoever uses it, and what must be true of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from table.game.journal.entries import Entry, GameOpened, Redone, Undone
from table.game.journal.history.game_history import games_of
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_check import game_trouble
from table.game.journal.storage.journal_codec import encode
from table.game.journal.storage.opened_database import open_database
from tests.endurance.power_cuts import fold_game
from tests.endurance.siege.phones import Deed, Ledger
from tests.table.rules import invariants

ShownState = tuple[int, int, tuple[int, ...]]
"""What tells a state from others on the page: the entry that opened its game, its finished hands, its scores."""


def entries_of(path: Path) -> tuple[Entry, ...]:
    """Reads a journal, in use or not; nothing is written."""
    with Journal(None) as journal, open_database(path) as disk:
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
    acts_by_deed: defaultdict[Deed, set[int]] = defaultdict(set)
    for each in entries:
        if each.envelope.by:
            role = each.envelope.by.partition(" ")[0]
            acts_by_deed[role, each.envelope.mark].add(each.envelope.act or each.number)
    for role in {role for role, _ in acts_by_deed}:
        by_form = len(acts_by_deed.pop((role, ""), ()))
        assert by_form <= ledger.forms[role], f"{role}: {ledger.forms[role]} forms were sent, {by_form} were taken"
    missing, unasked = ledger.confirmed - acts_by_deed.keys(), acts_by_deed.keys() - ledger.confirmed - ledger.uncertain
    assert not missing, f"{len(missing)} acts were confirmed and are not in the journal: {sorted(missing)[:5]}"
    assert not unasked, f"{len(unasked)} acts are in the journal and were refused or never sent: {sorted(unasked)[:5]}"
    twice = {deed: sorted(acts) for deed, acts in acts_by_deed.items() if len(acts) > 1}
    assert not twice, f"{len(twice)} acts were taken more than once: {twice}"
    return len(ledger.confirmed)


def check_whole(entries: Sequence[Entry]) -> None:
    """Checks that a journal has no gap, can be taken up, and that its last game contradicts itself nowhere.

    Raises:
        AssertionError: it does not hold.
    """
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert not any(map(game_trouble, games_of(entries)))
    end = fold_game(on_table(entries))
    invariants.check(end.state, end.ruleset)


def on_table(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries of the game that is on the table: from the last opening that is not undone."""
    undone: set[int] = set()
    for entry in entries:
        match entry.body:
            case Undone(act=act):
                undone.add(act)
            case Redone(act=act):
                undone.discard(act)
    openings = [at for at, each in enumerate(entries) if isinstance(each.body, GameOpened)]
    return entries[max(at for at in openings if entries[at].number not in undone) :]


def shown_by(entries: Sequence[Entry]) -> ShownState:
    """What the page shows of a journal."""
    game = on_table(entries)
    state = fold_game(game).state
    return game[0].number, len(state.history), tuple(state.scores)


def shown_on(table: Any) -> ShownState:
    """The same of what `/api/table` says."""
    return table["keeping"]["game"], table["keeping"]["hand"], tuple(seat["score"] for seat in table["seats"])
