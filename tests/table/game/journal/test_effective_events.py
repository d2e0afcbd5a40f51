"""Whatever is told, edited, logged, undone and redone, the game is that of the acts that stand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.game.commands.game_commands import (
    Confirm,
    DeclareResult,
    DeclareRiichi,
    DropFoul,
    EditResult,
    EndGame,
    NameFoul,
    NameSeats,
    OpenGame,
    PressTableButton,
    Redo,
    Reseat,
    Undo,
)
from table.game.journal.effective_events import effective_events
from table.game.journal.entries import Envelope, SettlementRecorded, Source
from table.game.journal.history.game_history import game_history, hand_steps
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.records.mjai.from_journal.journal_record import record_of
from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.state import GameState
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import SEATS, Seat
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError, RecordError
from tests.table.game.by_hand import draw, win

HOME = rules_named("home").ruleset
Deed = Callable[[Table], None]
"""One thing that somebody does; a table may refuse it."""


def table_at(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())


def act(table: Table, kind: type[Any], **fields: Any) -> None:
    table.handle(kind(**fields))


def tell(table: Table, result: DeclaredResult) -> None:
    table.handle(DeclareResult(result=result, hand=table.folded_game.hand, by="seat 0"))


def foul(table: Table, **fields: Any) -> None:
    """A foul that a phone names and the table's button confirms: one act."""
    act(table, NameFoul, by="seat 0", **fields)
    try:
        act(table, PressTableButton)
    except PressError:
        act(table, DropFoul)
        raise


def undo(table: Table) -> None:
    number = table.board.latest.changes.undo
    if number is None:
        raise PressError("nothing to take back")
    table.handle(Undo(act=number, by="seat 1"))


def redo(table: Table) -> None:
    number = table.board.latest.changes.redo
    if number is None:
        raise PressError("nothing to bring again")
    table.handle(Redo(act=number, by="seat 1"))


UNDO, REDO = undo, redo
seats = st.sampled_from(SEATS)
back = st.integers(1, 3)
"""How many hands back from the one that people look at."""
riichis = st.sampled_from([(), (), (0,), (1, 3)])
results = st.one_of(
    st.builds(win, st.integers(0, 3), st.integers(0, 3), st.sampled_from([2, 3, 4]), riichi=riichis),
    st.builds(lambda tenpai, riichi: draw(*{*tenpai, *riichi}, riichi=riichi), st.sets(st.integers(0, 3)), riichis),
)
fouls = st.sampled_from(
    [
        {"clause": "7-04-01", "option": "a"},
        {"clause": "7-04-01", "option": "d"},
        {"clause": "7-05-11"},
        {"clause": "7-07-02", "option": "a", "facts": ("breaker=2",)},
        {"clause": "7-05-01", "facts": ("offender_opened_hand",)},
    ]
)
orders = st.permutations(SEATS).map(tuple)


def earlier_hand(table: Table, hands_back: int) -> int:
    return max(0, len(table.state.history) - hands_back)


def foul_before(table: Table, hands_back: int, **fields: Any) -> None:
    foul(table, hand=earlier_hand(table, hands_back), **fields)


def edit_before(table: Table, hands_back: int, result: DeclaredResult) -> None:
    table.handle(EditResult(hand=earlier_hand(table, hands_back), result=result, by="owner"))


def deeds_of(act: Callable[..., None], **fields: Any) -> st.SearchStrategy[Deed]:
    """That deed with these fields, each a strategy or a value."""
    drawn_ones = {name: each if isinstance(each, st.SearchStrategy) else st.just(each) for name, each in fields.items()}
    return st.fixed_dictionaries(drawn_ones).map(lambda found: partial(act, **found))


def fouls_of(act: Callable[..., None], **fields: Any) -> st.SearchStrategy[Deed]:
    return st.tuples(fouls, st.fixed_dictionaries({"seat": seats, **fields})).map(
        lambda both: partial(act, **both[0], **both[1])
    )


tells = deeds_of(tell, result=results)
late = fouls_of(foul_before, hands_back=back)
cancels = deeds_of(foul_before, hands_back=st.integers(0, 3), seat=Seat.NEAR, foul=st.integers(0, 1), reason="misread")
deeds: st.SearchStrategy[Deed] = st.one_of(
    tells,
    st.just(UNDO),
    st.just(REDO),
    late,
    fouls_of(foul),
    cancels,
    deeds_of(act, kind=DeclareRiichi, seat=seats),
    deeds_of(act, kind=Confirm),
    deeds_of(edit_before, hands_back=back, result=results),
    deeds_of(act, kind=Reseat, order=orders),
    deeds_of(act, kind=NameSeats, names=("A", "B", "C", "D")),
    deeds_of(act, kind=EndGame),
    deeds_of(act, kind=OpenGame, first_dealer=seats),
)
evenings = st.tuples(st.lists(tells, min_size=1, max_size=2), st.lists(deeds, min_size=2, max_size=8)).map(
    lambda parts: [*parts[0], *parts[1]]
)


@dataclass
class Evening:
    """A table, and beside it the acts of all its games that stand, as a person would list them."""

    journal: Journal
    table: Table
    done: list[Deed] = field(default_factory=list)
    undone: list[Deed] = field(default_factory=list)

    def take(self, deed: Deed) -> bool:
        """Does one thing; returns whether the table took it."""
        last, before = self.journal.last, self.table.state
        try:
            deed(self.table)
        except PressError:
            assert self.journal.last == last
            assert self.table.state == before
            return False
        if deed is UNDO:
            self.undone.append(self.done.pop())
        elif deed is REDO:
            self.done.append(self.undone.pop())
        else:
            self.done.append(deed)
            self.undone.clear()
        return True

    def replayed_state(self) -> GameState:
        """The game of a table at which only the acts that stand were ever done."""
        with Journal(None) as journal:
            table = table_at(journal)
            for deed in self.done:
                deed(table)
            return table.state


def check(evening: Evening) -> None:
    """The same game live, of the acts that stand and from the journal; points add up, every page can be made."""
    table = evening.table
    state = table.state
    assert points(state) == points(evening.replayed_state())
    restarted_table = table_at(evening.journal)
    assert points(state) == points(restarted_table.state)
    assert restarted_table.board.latest.changes == table.board.latest.changes
    assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == 100_000
    entries = evening.journal.last_game()
    game_history(entries)
    for hand in range(len(state.history)):
        hand_steps(entries, hand)
    with suppress(RecordError):
        record_of(entries)


def points(state: GameState) -> Any:
    """Everything in points and sticks: on the table, and line by line on the score sheet."""
    live = state.live
    return (
        state.scores,
        (state.deposits, state.deposit_points, state.ranking, state.next_start),
        [(line.round, line.honba, line.dealer, line.scores, line.settlement) for line in state.history],
        [[(foul.seat, foul.clause, foul.cancel_reason) for foul in line.fouls] for line in state.history],
        None if live is None else (live.start, live.fouls, live.riichi),
    )


def spend(deeds: list[Deed]) -> None:
    """Does one thing after the other, and checks the table after each that it took."""
    with Journal(None) as journal:
        evening = Evening(journal, table_at(journal))
        for deed in deeds:
            if evening.take(deed):
                check(evening)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(evenings)
def test_the_points_are_those_of_the_acts_that_stand(deeds: list[Deed]) -> None:
    spend(deeds)


@pytest.mark.long
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(evenings)
def test_the_points_are_those_of_the_acts_that_stand_at_length(deeds: list[Deed]) -> None:
    spend(deeds)


WON: Deed = partial(tell, result=win(1, 0, 3))
FOUND: Deed = partial(foul, seat=Seat.FAR, clause="7-04-01", option="a", hand=0)
"""A chombo found after the first hand was settled."""
NAME_PLAYERS: Deed = partial(act, kind=NameSeats, names=("A", "B", "C", "D"))
SETTLED, CHARGED = (21100, 28900, 25000, 25000), (25100, 30900, 17000, 27000)


@pytest.mark.parametrize(
    ("deeds", "scores"),
    [
        ([WON, FOUND, UNDO, REDO, UNDO], SETTLED),
        ([WON, FOUND, UNDO, REDO], CHARGED),
        ([WON, FOUND, NAME_PLAYERS], CHARGED),
        ([WON, FOUND, NAME_PLAYERS, UNDO, UNDO], SETTLED),
        ([WON, FOUND, partial(act, kind=EditResult, hand=0, result=win(1, 0, 4))], (21300, 34700, 17000, 27000)),
        ([WON, FOUND, partial(act, kind=EditResult, hand=0, result=win(1, 0, 4)), UNDO, UNDO], SETTLED),
    ],
)
def test_a_foul_found_late_is_charged_once_or_not_at_all(deeds: list[Deed], scores: tuple[int, ...]) -> None:
    with Journal(None) as journal:
        evening = Evening(journal, table_at(journal))
        for deed in deeds:
            assert evening.take(deed)
            check(evening)
        assert evening.table.state.scores == scores


def test_a_hand_dealt_after_a_late_foul_follows_where_its_offender_really_sits() -> None:
    with Journal(None) as journal:
        evening = Evening(journal, table_at(journal))
        swapped = Seat.FAR, Seat.RIGHT, Seat.NEAR, Seat.LEFT
        for deed in (
            partial(tell, result=draw()),
            FOUND,
            partial(act, kind=DeclareRiichi, seat=Seat.LEFT),
            partial(act, kind=Reseat, order=swapped),
        ):
            assert evening.take(deed)
            check(evening)
        assert evening.table.state.scores == (13000, 29000, 29000, 28000)


def test_who_else_a_foul_speaks_of_moves_along_with_the_seats() -> None:
    """7-07-02 a: the breaker pays, who was said to sit at 2 and sits at 0."""
    with Journal(None) as journal:
        evening = Evening(journal, table_at(journal))
        facts = ("breaker=2", "outside=2")
        evening.take(partial(foul, seat=Seat.RIGHT, clause="7-07-02", option="a", facts=facts))
        evening.take(partial(act, kind=Reseat, order=(Seat.FAR, Seat.RIGHT, Seat.NEAR, Seat.LEFT)))
        (found,) = [
            effective.event
            for effective in effective_events(journal.last_game())
            if isinstance(effective.event, FoulLogged)
        ]
        assert (found.seat, found.facts) == (Seat.RIGHT, ("breaker=0", "outside=2"))


# Journals of earlier programs, which recorded more


def record_settlement(table: Table, act: int | None) -> None:
    """Records the settlement that stands with the foul found late in it, as those programs did."""
    settlement = table.state.history[0].settlement
    assert settlement is not None
    wall = "2026-11-20T20:00:00.000+00:00"
    envelope = Envelope(utc=wall, source=Source.TABLE, by="seat 1", act=act)
    table.journal.append(envelope, SettlementRecorded(hand=0, settlement=settlement))


def test_what_was_recorded_when_a_foul_was_taken_back_and_brought_again_is_no_longer_believed() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        for deed in (WON, FOUND, UNDO, REDO):
            deed(table)
        record_settlement(table, act=journal.last)
        restarted_table = table_at(journal)
        assert restarted_table.state.scores == CHARGED
        undo(restarted_table)
        assert restarted_table.state.scores == table_at(journal).state.scores == SETTLED


def test_what_was_recorded_with_a_foul_in_it_charges_that_foul_no_second_time() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        for deed in (WON, FOUND, NAME_PLAYERS):
            deed(table)
        record_settlement(table, act=journal.last)
        assert table_at(journal).state.scores == CHARGED
