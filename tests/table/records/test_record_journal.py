"""The journal that a table would have kept of a record: every hand, and the pot, as in the journal it was made from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from table.cli.record_commands.export import as_text
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.game.journal.history.game_history import game_history
from table.records.format_detection import read_game
from table.records.mjai.from_journal.journal_record import record_of
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.records.mjai_follower import MjaiFollower
from table.records.record_journal import history_of, journal_of
from table.rulebook import rules_named
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.tiles import UNKNOWN

HOME: Final = rules_named("home").ruleset
_HOUSE: Final = rules_named("home")
COSTS_AT_END: Final = replace(_HOUSE, choices={**_HOUSE.choices, "7-01": "j", "7-01-01": "b"}).ruleset
"""A chombo costs 20000 points at the end of the game, and a place."""
LATE_CHOMBO: Final = "0 foul 7-04-01 option=a"
START: Final = "start E1 scores=25000,25000,25000,25000 dora=1z"
SECOND: Final = "start E1 honba=1 scores=26500,25000,23500,25000 dora=1z"
LAST: Final = "start S4 dealer=3 scores=35000,25000,25000,15000 dora=1z; 3 discards 9p; 0 discards 9p"
WON: Final = "1 discards 5p; 2 discards 5m; 3 ron from 2; 3 shows 234m345678s88s34m with 5m; confirm; confirm"
WON_IN_TURN: Final = WON.replace("3 ron from 2; 3 shows", "1 ron from 2; 1 shows")
OTHERS_NOTEN: Final = "1 noten; 2 noten; 3 noten; confirm; confirm"
FINE: Final = "1 foul 7-05-11 option=c"
BOTH: Final = pytest.mark.parametrize("style", ["mjai", "tenhou6"])


def entries_of(game: str, rules: Ruleset = HOME) -> list[Entry]:
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.CAMERA)
    bodies: list[Body] = [GameOpened(ruleset=rules, asks_for_sticks_in_play=False), *parse_events(game)]
    return [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, start=1)]


def read_back(entries: Sequence[Entry], style: str) -> GameState:
    """The game that the page of an export shows."""
    again = read_game(as_text(record_of(entries), style).encode(), "again")
    return history_of(again, journal_of(again)).state


def pot(state: GameState) -> tuple[object, ...]:
    """What lies on the table, and what the next hand starts with."""
    start = state.next_start
    next_pot = None if start is None else (start.scores, start.deposits, start.deposit_points)
    return state.scores, state.deposits, state.deposit_points, next_pot


@pytest.mark.parametrize(
    "game",
    [
        f"{START}; 0 discards 9p; {WON}; {FINE} hand=0",
        f"{START}; 0 discards 9p; {WON}; {FINE} hand=0; {FINE} hand=0",
        f"{START}; 0 discards 9p; {FINE}; {WON}; {FINE} hand=0",
        f"{START}; 0 discards 9p; {FINE}; draw; 0 tenpai; {OTHERS_NOTEN}",
        f"told ron win0=2:0:3:40:0::; {FINE} hand=0",
    ],
)
@BOTH
def test_a_fine_found_after_the_last_win_of_a_game_in_play_lies_in_the_pot(game: str, style: str) -> None:
    entries = entries_of(game)
    state = game_history(entries).state
    assert not state.is_over
    assert state.deposit_points > 0
    assert pot(read_back(entries, style)) == pot(state)


@pytest.mark.parametrize(
    ("game", "is_over"),
    [
        (f"{START}; 0 discards 9p; {WON}; {FINE} hand=0", False),
        (f"{LAST}; {WON_IN_TURN}; {FINE} hand=0", True),
        (f"{LAST}; {WON_IN_TURN}; {FINE} hand=0; {FINE} hand=0", True),
        (f"{LAST}; {WON_IN_TURN}; {LATE_CHOMBO} hand=0", True),
        (f"{LAST}; {WON_IN_TURN}; {FINE} hand=0; {LATE_CHOMBO} hand=0", True),
        (f"{START}; 0 discards 9p; {WON}; {LATE_CHOMBO} hand=0", False),
    ],
)
@pytest.mark.parametrize(
    "rules", [HOME, HOME.but(end_sticks="nobody"), COSTS_AT_END], ids=["top", "nobody", "costs at the end"]
)
def test_who_follows_a_stream_has_a_fine_found_after_the_last_win_in_the_pot_or_where_it_went(
    game: str, is_over: bool, rules: Ruleset
) -> None:
    entries = entries_of(game, rules)
    state = game_history(entries).state
    assert state.is_over is is_over
    follower = MjaiFollower()
    said = [
        logged.announcement
        for line in LiveMjai().new_lines(entries)
        for logged, _ in follower.announcements_after(json.dumps(line))
    ]
    assert (pot(follower.state), follower.state.ranking) == (pot(state), state.ranking)
    ends = [each.args["scores"] for each in said if each.id is AnnouncementId.GAME_ENDED]
    assert ends == ([list(state.scores)] if is_over else [])


@pytest.mark.parametrize(
    "last",
    [
        f"{SECOND}; 0 discards 9p sideways; 0 stick; 1 discards 5p; draw; 0 tenpai; {OTHERS_NOTEN}",
        f"{SECOND}; 0 discards 9p sideways; 0 stick; 1 discards 5p; draw; 0 shows 234m345678s88s34m; {OTHERS_NOTEN}",
        f"{SECOND}; 0 discards 9p sideways; 1 discards 5p; draw; 0 tenpai; {OTHERS_NOTEN}",
        f"{SECOND}; 0 discards 9p sideways; 0 stick; told draw tenpai=0 riichi=0",
        "told draw tenpai=01 riichi=0",
        f"{SECOND}; 0 discards 9p; 1 discards 9s; 2 discards 1m; draw; 0 tenpai; {OTHERS_NOTEN}",
    ],
)
@pytest.mark.parametrize("end", ["", "; end-game"])
@BOTH
def test_a_draw_with_a_riichi_is_no_less_a_hand_for_being_the_last(last: str, end: str, style: str) -> None:
    entries = entries_of(f"told ron win0=0:2:1:30:0::; {last}{end}")
    state, told = game_history(entries).state, read_back(entries, style)
    assert [hand.scores for hand in told.history] == [hand.scores for hand in state.history]
    assert [hand.settlement is None for hand in told.history] == [False, False]
    assert pot(told) == pot(state)


def test_who_follows_a_stream_hears_all_of_the_hand_after_one_that_nobody_settled() -> None:
    first = f"{START}; 0 discards 9p; 1 discards 9s; 2 discards 1m"
    second = f"{START}; 0 discards 9p sideways; 0 stick; 1 discards 5p sideways; 1 stick"
    entries = entries_of(
        f"{first}; {second}; 2 discards 5m; draw; 0 tenpai; 1 tenpai; 2 noten; 3 noten; confirm; confirm"
    )
    state = game_history(entries).state
    follower = MjaiFollower()
    said = [
        (logged.announcement.id, logged.hand)
        for line in LiveMjai().new_lines(entries)
        for logged, _ in follower.announcements_after(json.dumps(line))
    ]
    assert [hand.scores for hand in follower.state.history] == [hand.scores for hand in state.history]
    assert [hand for each, hand in said if each is AnnouncementId.HAND_STARTED] == [0, 1]
    assert [hand for each, hand in said if each is AnnouncementId.RIICHI_ACCEPTED] == [1, 1]
    assert [hand for each, hand in said if each is AnnouncementId.SETTLEMENT_CONFIRMED] == [1]


@BOTH
def test_an_abort_that_the_rules_of_a_record_lack_is_a_hand_of_its_page(style: str) -> None:
    entries = entries_of(f"{START}; 0 discards 2z; 1 discards 2z; 2 discards 2z; 3 discards 2z; confirm; confirm")
    (hand,) = game_history(entries).state.history
    assert hand.settlement is not None
    record = read_game(as_text(record_of(entries), style).encode(), "again")
    rules = record.ruleset.but(four_winds=False)
    record = replace(record, ruleset=rules)
    (told,) = history_of(record, journal_of(record)).state.history
    assert told.settlement is not None
    assert told.settlement.reason is hand.settlement.reason


def test_draws_with_a_riichi_after_a_hand_in_play_are_hands_of_the_page() -> None:
    lasts = (
        "start E2 dealer=1 scores=25000,25000,23000,27000 dora=1z; 1 discards 9p sideways; 1 stick; 2 discards 5p; "
        "draw; 1 tenpai; 0 noten; 2 noten; 3 noten; confirm; confirm",
        "start E3 dealer=2 deposits=1 honba=1 scores=24000,27000,22000,26000 dora=1z; 2 discards 9p sideways; 2 stick; "
        "3 discards 5p; draw; 2 tenpai; 0 noten; 1 noten; 3 noten; confirm; confirm",
    )
    record = record_of(entries_of("; ".join((f"{START}; 0 discards 4p; {WON}", *lasts))))
    first = record.hands[0]
    unknown = replace(first.wins[0], concealed=(UNKNOWN,) * 13, han=None, fu=None, points=None)
    record = replace(record, hands=(replace(first, wins=(unknown,)), *record.hands[1:]))
    state = history_of(record, journal_of(record)).state
    assert [hand.settlement is None for hand in state.history] == [True, False, False]
    assert state.live is None
