"""A correction in the past leads to what having been right at once would have led to, whenever it comes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.game.journal.entries import (
    Corrected,
    Entry,
    Envelope,
    GameOpened,
    Inserted,
    SettlementRecorded,
    Source,
)
from table.game.journal.fold import fold, opened_game
from table.rulebook import rules_named
from table.rules.events import Discarded, HandStarted
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset
from table.rules.terms.results import NOTHING, AbortReason, ResultKind, Settlement
from table.rules.terms.tiles import UNKNOWN, Tile
from tests.benchmarks.refold import journal
from tests.table.records.selfplay import selfplay_game

HOME = rules_named("home").ruleset
SEEDS = (0, 1, 3)
unhurried = settings(deadline=None, max_examples=25)


@cache
def game(seed: int) -> list[Entry]:
    """The journal of a whole game."""
    return journal(selfplay_game(seed))


journals = st.sampled_from(SEEDS).map(game)


WITHOUT_STICK = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5z sideways; 1 discards 1m"
"""The riichi tile passed, and no stick lies there."""


@pytest.fixture(scope="module", autouse=True)
def _games() -> None:
    """Plays them before the first test, not while tests are collected, which every process does."""
    for seed in SEEDS:
        game(seed)


def discards(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if isinstance(entry.body, Discarded)]


def with_last_entry(entries: list[Entry], body: Corrected | Inserted) -> list[Entry]:
    """The journal with one more entry at its end."""
    last = entries[-1]
    return [*entries, replace(last, number=last.number + 1, body=body)]


@pytest.mark.parametrize(("in_play", "times"), [(False, 0), (True, 1)], ids=["now", "opened before format 4"])
def test_a_missing_stick_is_asked_for_in_play_only_in_games_of_older_programs(in_play: bool, times: int) -> None:
    opening = GameOpened(ruleset=Ruleset(), asks_for_sticks_in_play=in_play)
    envelope = Envelope(utc="2026-11-23T20:00:00+00:00", source=Source.CAMERA)
    entries = [
        Entry(number=number, envelope=envelope, body=body)
        for number, body in enumerate((opening, *parse_events(WITHOUT_STICK)), start=1)
    ]
    ids = [logged.announcement.id.value for logged in fold(opened_game(entries[0]), entries[1:]).announcements]
    assert ids.count("stick_missing") == times
    if in_play:
        assert ids.index("stick_missing") + 1 == ids.index("riichi_accepted")


def test_a_confirmed_result_that_stricter_rules_refuse_keeps_its_points() -> None:
    """A dead hand's win, which older programs took."""
    start, foul, confirm = parse_events(
        "start E1 scores=25000,25000,25000,25000 dora=1z; 2 foul 7-04-01; told ron win0=2:1:3:30:0::"
    )
    envelope = Envelope(utc="2026-11-25T20:00:00+00:00", source=Source.PRESS)
    bodies = (GameOpened(ruleset=HOME), start, foul, confirm)
    entries = [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]
    (record,) = fold(opened_game(entries[0]), [entries[1], entries[3]]).settlement_records
    assert record is not None
    entries.append(replace(entries[-1], number=5, body=record))
    game = fold(opened_game(entries[0]), entries[1:])
    assert game.state.scores == (25000, 21100, 28900, 25000)
    assert "keeps its confirmed settlement" in game.rejected_entries[0].message
    assert fold(opened_game(entries[0]), entries[1:-1]).state.live is not None


def test_a_settlement_of_the_first_programs_keeps_its_points() -> None:
    """Those recorded neither the start of the hand nor the entry that ended it."""
    text = "start E1 scores=25000,25000,25000,25000 dora=1z; told ron win0=2:1:3:30:0::"
    envelope = Envelope(utc="2026-11-25T20:00:00+00:00", source=Source.PRESS)
    bodies = (GameOpened(ruleset=HOME), *parse_events(text))
    entries = [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]
    settlement = fold(opened_game(entries[0]), entries[1:]).state.history[0].settlement
    assert settlement is not None
    recorded = replace(settlement, deltas=(0, -4000, 4000, 0))
    entries.append(replace(entries[-1], number=4, body=SettlementRecorded(hand=0, settlement=recorded)))
    assert fold(opened_game(entries[0]), entries[1:]).state.scores == (25000, 21000, 29000, 25000)


def test_a_chombo_that_older_programs_settled_without_its_payment_keeps_its_points() -> None:
    """Today's rules wait for the referee's ruling; those settled it with the second confirmation."""
    text = "start E1 scores=25000,25000,25000,25000 dora=1z; 2 foul 7-05-01 option=a; confirm; confirm"
    envelope = Envelope(utc="2026-11-25T20:00:00+00:00", source=Source.PRESS)
    bodies = (GameOpened(ruleset=rules_named("tenhou").ruleset), *parse_events(text))
    entries = [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]
    free = Settlement(kind=ResultKind.ABORT, reason=AbortReason.CHOMBO, deltas=NOTHING, dealer_stays=True)
    start = opened_game(entries[0]).state.next_start
    record = replace(entries[-1], number=6, body=SettlementRecorded(hand=0, settlement=free, start=start))
    game = fold(opened_game(entries[0]), [*entries[1:], record])
    assert game.state.history[0].settlement == free
    assert "keeps its confirmed settlement" in game.rejected_entries[0].message
    assert fold(opened_game(entries[0]), entries[1:]).state.live is not None


DEALT = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 9m; 1 discards 9p; 2 discards 5p"
NEXT = "start E2 dealer=1 scores=25000,23000,27000,25000 dora=1z"


@pytest.mark.parametrize("names_end", [True, False])
@pytest.mark.parametrize(
    ("played", "aside"),
    [
        (
            "3 discards 1m; {aside}0 discards 9s; 1 discards 1p; 3 ron han=2 fu=30; confirm",
            "draw; 2 tsumo; 2 withdraws; confirm; ",
        ),
        (f"0 ron han=2 fu=30; {{aside}}{NEXT}; 1 discards 1m", "0 foul 7-05-01; "),
    ],
    ids=[
        "it went on after a draw and a withdrawn tsumo",
        "the next deal followed a claimed win that the referee rules on",
    ],
)
def test_a_hand_ends_where_and_how_an_older_program_recorded_it(played: str, aside: str, names_end: bool) -> None:
    envelope = Envelope(utc="2026-11-30T20:00:00+00:00", source=Source.CAMERA)
    opening = GameOpened(ruleset=rules_named("m-league").ruleset)

    def entries_of(text: str) -> list[Entry]:
        bodies = (opening, *parse_events(f"{DEALT}; {text}"))
        return [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]

    entries, plain = entries_of(played.format(aside=aside)), entries_of(played.format(aside=""))
    expected = fold(opened_game(plain[0]), plain[1:])
    (record,) = expected.settlement_records
    assert record is not None
    is_left = isinstance(entries[-2].body, HandStarted)
    end = entries[-2 if is_left else -1].number
    entries.append(
        replace(entries[-1], number=entries[-1].number + 1, body=replace(record, end=end if names_end else None))
    )
    game = fold(opened_game(entries[0]), entries[1:])
    assert [hand.settlement for hand in game.state.history] == [hand.settlement for hand in expected.state.history]
    assert (game.state.scores, game.state.live is None) == (expected.state.scores, not is_left)


@unhurried
@given(entries=journals, data=st.data(), wrong=st.sampled_from((UNKNOWN, Tile("1z"), Tile("0p"))))
def test_a_corrected_reading_is_as_if_it_had_been_right_at_once(
    entries: list[Entry], data: st.DataObject, wrong: Tile
) -> None:
    entry = data.draw(st.sampled_from(discards(entries)))
    assert isinstance(entry.body, Discarded)
    misread = replace(entry, body=replace(entry.body, tile=wrong))
    changed_entries = [misread if each is entry else each for each in entries]
    with_correction = with_last_entry(changed_entries, Corrected(entry=entry.number, event=entry.body))
    assert fold(opened_game(entries[0]), with_correction[1:]).state == fold(opened_game(entries[0]), entries[1:]).state


@unhurried
@given(entries=journals, data=st.data())
def test_a_missed_discard_that_is_put_in_is_as_if_it_had_been_seen(entries: list[Entry], data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(discards(entries)[:-1]))
    assert isinstance(entry.body, Discarded)
    place = entries.index(entry)
    with_insertion = with_last_entry(
        [*entries[:place], *entries[place + 1 :]], Inserted(before=entries[place + 1].number, event=entry.body)
    )
    assert fold(opened_game(entries[0]), with_insertion[1:]).state == fold(opened_game(entries[0]), entries[1:]).state


@unhurried
@given(entries=journals, data=st.data())
def test_a_game_followed_entry_by_entry_is_the_game_folded_at_once(entries: list[Entry], data: st.DataObject) -> None:
    until = data.draw(st.integers(1, len(entries)))
    live = opened_game(entries[0])
    for entry in entries[1:until]:
        live = fold(live, [entry])
    assert live == fold(opened_game(entries[0]), entries[1:until])
