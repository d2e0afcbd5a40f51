"""What holds for any events in any order: they advance or raise and change nothing, and points are never lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.rules.advance import advance, new_game
from table.rules.chips import Chips
from table.rules.draft import Draft
from table.rules.events import (
    AbortCalled,
    AddedKan,
    Called,
    CallKind,
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    FoulCancelled,
    FoulLogged,
    GameEnded,
    HandSettled,
    HandShown,
    HandStarted,
    Origin,
    PointsAdjusted,
    PutBack,
    ResultDeclared,
    RiichiOpened,
    RiichiReported,
    RiichiVoiced,
    StickPlaced,
    StickTakenBack,
    TenpaiStated,
    TilePassed,
    TilesExposed,
    TimeSignal,
    UraTurned,
    WaitDeclared,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.notation.event_notation import parse_event
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.results import AbortReason, DeclaredResult, DeclaredWin, ResultKind, Settlement
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.rules.invariants import check

RULES = (
    Ruleset(),
    Ruleset(riichi_stands_on="passed_and_stick", triple_ron="abort", ippatsu=False, open_kan_dora="at_once"),
    Ruleset(
        multiple_ron="head_bump",
        min_tiles_left=0,
        kuikae="allowed",
        ura_dora=False,
        pointed_seat_discarded=True,
        ask_unvoiced_riichi=True,
    ),
    Ruleset(open_riichi=True, open_riichi_yakuman=True, renhou="mangan_alone", pao_scope="whole", bust_bonus=10000),
    Ruleset(chips=Chips(ippatsu=1, yakuman=5), eight_in_a_row=True, two_han_from_honba=1, honba_value_tsumo=1500),
)
TILES = tuple(Tile(text) for text in ("1m", "2m", "3m", "5m", "0m", "9p", "1z", "5z", "7z", "?"))
HANDS = tuple(
    parse_tiles(text)
    for text in (
        "234m567p345s2277z",
        "19m19p19s1123456z",
        "147m258p369s1234z",
        "2345m55z",
        "123m",
        "1112223334445s",
        "",
    )
)
seats = st.sampled_from(SEATS)
tiles = st.sampled_from(TILES)
LAYS = (Discarded, Called, AddedKan, ClosedKan)


def other(seat: Seat, turns: int) -> Seat:
    return seat.plus(turns)


@st.composite
def calls(draw: st.DrawFn) -> Called:
    kind = draw(st.sampled_from(CallKind))
    seat, tile = draw(seats), draw(tiles)
    count = 3 if kind is CallKind.OPEN_KAN else 2
    own_tiles = (
        (tile.without_red if tile.is_known else tile,) * count
        if kind is not CallKind.CHI
        else (draw(tiles), draw(tiles))
    )
    return Called(
        seat=seat,
        kind=kind,
        tile=tile,
        from_seat=other(seat, draw(st.integers(1, 3))),
        own=own_tiles,
        points_at=draw(st.none() | seats),
    )


@st.composite
def claims(draw: st.DrawFn) -> WinClaimed:
    seat, han = draw(seats), draw(st.none() | st.integers(1, 14))
    return WinClaimed(
        seat=seat,
        kind=draw(st.sampled_from(WinKind)),
        from_seat=draw(st.none() | st.integers(1, 3).map(seat.plus)),
        han=han,
        fu=None if han is None else draw(st.none() | st.sampled_from((30, 40, 110))),  # fu alone are refused
    )


starts = st.builds(
    HandStarted,
    round=st.sampled_from([Round.parse(text) for text in ("E1", "E4", "S4")]),
    dealer=seats,
    scores=st.sampled_from([(25000, 25000, 25000, 25000), (900, 40000, 29100, 30000)]),
    honba=st.integers(0, 2),
    deposits=st.integers(0, 2),
    deposit_points=st.sampled_from((0, 500)),
    dora_indicator=st.none() | st.sampled_from(TILES[:-1]),
)
settled = st.builds(
    HandSettled,
    settlement=st.builds(
        Settlement,
        kind=st.just(ResultKind.DRAW),
        deltas=st.sampled_from([(0, 0, 0, 0), (1000, -1000, 0, 0), (-1000, 0, 0, 0)]),
        deposits=st.integers(0, 2),
    ),
)
declared_wins = st.builds(
    DeclaredWin,
    seat=seats,
    from_seat=seats,
    han=st.integers(1, 13),
    fu=st.sampled_from((20, 25, 30, 110)),
    yaku=st.sampled_from(((), (("riichi", 1), ("dora", 2)))),
) | st.builds(
    DeclaredWin,
    seat=seats,
    from_seat=seats,
    yakuman=st.integers(1, 3),
    pao=st.just(()) | seats.map(lambda seat: (("big_three_dragons", seat),)),
)
some_seats = st.lists(seats, max_size=3).map(tuple)
declared_results = st.builds(
    ResultDeclared,
    result=st.builds(
        DeclaredResult,
        kind=st.sampled_from(ResultKind),
        wins=st.lists(declared_wins, max_size=3).map(tuple),
        reason=st.none() | st.sampled_from(AbortReason),
        tenpai=some_seats,
        nagashi=some_seats,
        riichi=some_seats,
    ),
)
turns_of_play = st.builds(Discarded, seat=seats, tile=tiles, sideways=st.booleans(), origin=st.sampled_from(Origin))
any_event: st.SearchStrategy[Event] = st.one_of(
    turns_of_play,
    turns_of_play,
    calls(),
    st.builds(AddedKan, seat=seats, tile=tiles),
    st.builds(ClosedKan, seat=seats, tiles=tiles.map(lambda tile: (tile, tile, tile, tile))),
    st.just(TilePassed()),
    st.builds(DoraTurned, indicator=tiles),
    st.builds(UraTurned, seat=seats, indicators=st.tuples(tiles)),
    st.builds(StickPlaced, seat=seats),
    st.builds(StickTakenBack, seat=seats),
    st.builds(RiichiVoiced, seat=seats),
    claims(),
    st.builds(WinWithdrawn, seat=seats),
    st.builds(HandShown, seat=seats, tiles=st.sampled_from(HANDS), winning_tile=st.none() | tiles),
    st.builds(WaitDeclared, seat=seats, tiles=st.sampled_from(HANDS[3:5])),
    st.builds(TenpaiStated, seat=seats, is_tenpai=st.booleans()),
    st.just(DrawReached()),
    st.builds(AbortCalled, reason=st.sampled_from(AbortReason), seat=st.none() | seats),
    st.builds(PutBack, seat=seats, meld=st.booleans()),
    st.builds(TilesExposed, seat=seats, tiles=st.sampled_from(HANDS)),
    st.builds(
        RiichiOpened, seat=seats, tiles=st.sampled_from((*filter(None, HANDS), parse_tiles("45p"), parse_tiles("?")))
    ),
    st.builds(
        FoulLogged,
        seat=seats,
        clause=st.sampled_from(("7-05-01", "EMA 6.6")),
        note=st.sampled_from(("", "x y")),
        hand=st.sampled_from((None, 0, 1)),
    ),
    st.builds(FoulCancelled, foul=st.integers(0, 2), reason=st.just("misread")),
    st.just(ClaimsConfirmed()),
    starts,
    settled,
    st.builds(RiichiReported, seat=seats),
    st.builds(TimeSignal),
    st.builds(
        PointsAdjusted,
        points=st.tuples(*[st.integers(-30, 30).map(lambda hundreds: 100 * hundreds)] * 4),
        sticks=st.integers(-2, 2),
        honba=st.none() | st.integers(0, 3),
        reason=st.sampled_from(("", "x y; #z", "it's")),
        by=st.sampled_from(("", "owner", "seat 2")),
    ),
    st.builds(GameEnded),
    declared_results,
)
"""Any event at all, discards more often."""


def in_turn(state: GameState, tile: Tile, sideways: bool) -> Event:
    """A discard by the seat whose turn it is or comes next."""
    hand = state.live
    if hand is None:
        return state.next_start or HandStarted(round=Round.parse("E1"), dealer=SEATS[0], scores=(25000,) * 4)
    seat = hand.turn if hand.turn is not None else hand.laid_tiles[-1].seat.next if hand.laid_tiles else hand.dealer
    return Discarded(seat=seat, tile=tile, sideways=sideways)


def walk(data: st.DataObject, ruleset: Ruleset) -> tuple[GameState, list[Event]]:
    """Feeds some forty events, most of them in turn; returns where that leads and the events that could happen."""
    state = new_game(ruleset)
    done: list[Event] = []
    for _ in range(data.draw(st.integers(1, 40))):
        if data.draw(st.booleans()):
            event = in_turn(state, data.draw(tiles), data.draw(st.booleans()))
        else:
            event = data.draw(any_event)
        try:
            step = advance(state, event, ruleset)
        except RulesError:
            continue
        check(step.state, ruleset)
        for announcement in step.announcements:
            assert announcement.id.value
        state = step.state
        done.append(event)
    return state, done


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=30)


@unhurried
@given(data=st.data(), ruleset=st.sampled_from(RULES))
def test_any_events_advance_or_raise_and_the_same_events_lead_to_the_same_state(
    data: st.DataObject, ruleset: Ruleset
) -> None:
    state, done = walk(data, ruleset)  # leaves out what raised: it must have changed nothing
    again = new_game(ruleset)
    for event in done:
        again = advance(again, event, ruleset).state
    assert again == state


@unhurried
@given(event=any_event)
def test_every_event_reads_back_from_its_text(event: Event) -> None:
    assert parse_event(str(event)) == event


@unhurried
@given(data=st.data(), ruleset=st.sampled_from(RULES), tile=tiles, sideways=st.booleans(), call=calls())
def test_what_is_put_back_was_never_laid(
    data: st.DataObject, ruleset: Ruleset, tile: Tile, sideways: bool, call: Called
) -> None:
    state, _ = walk(data, ruleset)
    for event in (in_turn(state, tile, sideways), call):
        try:
            state_after = advance(state, event, ruleset).state
        except RulesError:
            continue
        if isinstance(event, LAYS):
            back = PutBack(seat=event.seat, meld=not isinstance(event, Discarded))
            assert advance(state_after, back, ruleset).state == state


@unhurried
@given(data=st.data(), ruleset=st.sampled_from(RULES))
def test_a_stated_pass_changes_nothing_that_the_next_discard_would_not_imply(
    data: st.DataObject, ruleset: Ruleset
) -> None:
    state, _ = walk(data, ruleset)
    passed = _try(state, TilePassed(), ruleset)
    if passed is None or passed.live is None or passed.live.turn is None:
        return
    event = Discarded(seat=passed.live.turn, tile=Tile("?"))
    with_pass, without = _try(passed, event, ruleset), _try(state, event, ruleset)
    assert with_pass is not None
    assert without is not None
    assert _bare(with_pass) == _bare(without)


def _try(state: GameState, event: Event, ruleset: Ruleset) -> GameState | None:
    try:
        return advance(state, event, ruleset).state
    except RulesError:
        return None


def _bare(state: GameState) -> GameState:
    return replace(state, hand=None if state.hand is None else replace(state.hand, before_act=None))


@pytest.mark.long
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=3000)
@given(data=st.data(), ruleset=st.sampled_from(RULES))
def test_any_events_at_length(data: st.DataObject, ruleset: Ruleset) -> None:
    walk(data, ruleset)


def test_a_draft_has_exactly_the_fields_of_a_hand() -> None:
    assert {**Draft.__annotations__} == {**HandState.__annotations__}
