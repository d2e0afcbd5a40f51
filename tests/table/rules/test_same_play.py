"""Play that is told in two ways with the same meaning gives the same game, under every rule set.

Every seat may be turned by the same number of places; and `seen` after `unseen` takes back all that it changed.
"""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.rules.advance import advance, new_game
from table.rules.events import Event, SightLost, SightProven
from table.rules.notation.event_notation import parse_events
from table.rules.penalties.effect_terms import FoulRole
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState, Step
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat, four
from tests.table.rules.fouls.any_events import SHOWN_HANDS, TILES, any_discard, any_event, any_house

BY_SEAT: Final = ("scores", "points", "deltas", "chips", "bust_bonus")
"""Fields with a number for each seat."""
ROLES: Final = tuple(f"{role.value}=" for role in FoulRole)
STARTS: Final = ("25000,25000,25000,25000", "900,40000,29100,30000", "31000,31000,31000,7000")
FORGOTTEN: Final = ("values", "unseen_from", "gap")
"""What a hand remembers of having gone unseen."""


def any_start(rng: random.Random) -> str:
    place = f"{rng.choice(('E1', 'E3', 'S4', 'W4'))} dealer={rng.randrange(4)} scores={rng.choice(STARTS)}"
    return f"start {place} honba={rng.randrange(3)} deposits={rng.randrange(3)} dora=3z"


def any_play(rng: random.Random, state: GameState, ruleset: Ruleset) -> str:
    """An event of a walk with fouls, or one that such walks seldom or never have: calls that fit, kans, pao."""
    hand, drawn = state.live, rng.random()
    if hand is not None and drawn < 0.2:
        return _any_meld(rng, hand)
    return _any_rare_word(rng) if drawn < 0.3 else any_event(rng, state, ruleset)


def _any_meld(rng: random.Random, hand: HandState) -> str:
    seat, last = rng.randrange(4), hand.claimable_tile
    pons = [(owner, meld) for owner in SEATS for meld in hand.melds[owner] if meld.kind.value == "pon"]
    if pons and rng.random() < 0.3:
        owner, meld = rng.choice(pons)
        return f"{int(owner)} adds {str(meld.tiles[0]).replace('0', '5')}"
    if last is None or last.kind.is_kan or str(last.tile) == "?" or rng.random() < 0.2:
        return f"{seat} closed {rng.choice(('1111z', '2222z', '9999s', '7777p', '0555p'))}"
    number, suit = str(last.tile)[0].replace("0", "5"), str(last.tile)[1]
    caller, source = (last.seat + rng.randrange(1, 4)) % 4, f"{last.tile} from {int(last.seat)}"
    points = f" points {rng.randrange(4)}" if rng.random() < 0.3 else ""
    first, second = (int(number) + step for step in rng.choice(((-2, -1), (-1, 1), (1, 2))))
    if suit != "z" and rng.random() < 0.3 and first > 0 and second < 10:
        return f"{int(last.seat.next)} chi {source} with {first}{second}{suit}{points}"
    call, count = rng.choice((("pon", 2), ("kan", 3)))
    return f"{caller} {call} {source} with {number * count}{suit}{points}"


def _any_rare_word(rng: random.Random) -> str:
    seat = rng.randrange(4)
    first, second = rng.sample([other for other in range(4) if other != seat], 2)
    return rng.choice(
        (
            f"{seat} shows {rng.choice(SHOWN_HANDS)} with {rng.choice(TILES)}",
            f"{seat} exposes 5z1m",
            f"{seat} opens 45m",
            f"{seat} tenpai",
            "unseen",
            "seen",
            "time-signal",
            "adjust points=1000,-2000,0,0 sticks=1 honba=1 reason=x",
            f"abort nine_terminals by {seat}",
            f"settled draw 0,0,0,0 tenpai={seat}",
            f"told draw nagashi={seat} tenpai={first}",
            f"told tsumo win0={seat}:{seat}:3:30:0:riichi+1,dora+2: riichi={seat}",
            f"told ron win0={seat}:{first}:-:-:1::big_three_dragons+{second} riichi={second}",
            f"told ron win0={seat}:{first}:3:30:0:: win1={second}:{first}:2:40:0:: riichi={seat}{second}",
        )
    )


def advanced(state: GameState, event: Event, ruleset: Ruleset) -> Step | None:
    """Returns the step, or None if the rules refuse the event."""
    try:
        return advance(state, event, ruleset)
    except RulesError:
        return None


def turned(value: Any, turns: int, name: str = "") -> Any:
    """Returns an event, a settlement or a part of one with every seat turned."""
    if isinstance(value, Seat):
        return value.plus(turns)
    if isinstance(value, str) and value.startswith(ROLES):
        role, seat = value.split("=")
        return f"{role}={(int(seat) + turns) % 4}"
    if isinstance(value, (tuple, list)):
        values = [turned(each, turns) for each in value]
        if name in BY_SEAT:
            return four(values[seat - turns] for seat in SEATS)
        return tuple(sorted(values)) if values and all(isinstance(each, Seat) for each in values) else tuple(values)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: turned(getattr(value, f.name), turns, f.name) for f in fields(value)})
    return value


def outcome(step: Step, turns: int) -> list[object]:
    """Returns all that people hear and what the score sheet says, with every seat turned."""
    state, hand = step.state, step.state.live
    said = [
        (say.id.value, str(turned(say.seat, turns)), str(say.args.get("deltas") and "")) for say in step.announcements
    ]
    ranking = [seat.plus(turns) for seat in state.ranking]
    return [
        *(turned(getattr(state, name), turns, name) for name in ("scores", "bust_bonus", "next_start")),
        (state.deposits, state.deposit_points, ranking),
        [(turned(line.settlement, turns), turned(line.scores, turns, "scores")) for line in state.history],
        sorted(said),
        sorted((suspicion.clause, suspicion.seat.plus(turns)) for suspicion in step.suspicions),
        hand and (hand.phase, turned(hand.proposal, turns)),
        hand and sorted((fact.kind.value, str(turned(fact.seat, turns))) for fact in hand.missing),
    ]


def turned_walk(seed: int) -> None:
    """Plays a game of any events at two tables, of which one has turned its seats."""
    rng = random.Random(seed)
    ruleset, turns = any_house(rng), rng.randrange(1, 4)
    if rng.random() < 0.3:
        ruleset = ruleset.but(pao_kans=True, west_in=True, agari_yame="win_or_tenpai", bust_bonus=10000, ties="split")
    here = there = new_game(ruleset)
    happened: list[str] = []
    for number in range(rng.randrange(5, 60)):
        (event,) = parse_events(any_play(rng, here, ruleset) if number else any_start(rng))
        step, turned_step = advanced(here, event, ruleset), advanced(there, turned(event, turns), ruleset)
        happened.append(str(event))
        assert (step is None) == (turned_step is None), (turns, happened)
        if step is None or turned_step is None:
            happened.pop()
            continue
        assert outcome(step, turns) == outcome(turned_step, 0), (turns, happened)
        here, there = step.state, turned_step.state


def unseen_walk(seed: int) -> None:
    """Plays a game of any events, and at each asks what the camera's loss of sight would leave behind.

    Without four riichi: after `seen` that abort is looked for anew, also where a void claim had ended the wait for it.
    """
    rng = random.Random(seed)
    ruleset = any_house(rng).but(four_riichi=False)
    state = new_game(ruleset)
    happened: list[str] = []
    for number in range(rng.randrange(5, 60)):
        text = any_discard(rng, state) if rng.random() < 0.6 else any_play(rng, state, ruleset)
        (event,) = parse_events(text if number else any_start(rng))
        step = advanced(state, event, ruleset)
        if step is None:
            continue
        state = step.state
        happened.append(str(event))
        if state.live is None or state.live.unseen_from is not None:
            continue
        lost = advanced(state, SightLost(), ruleset)
        found = lost and advanced(lost.state, SightProven(), ruleset)
        if found:
            assert known(found.state) == known(state), happened


def known(state: GameState) -> tuple[GameState, dict[str, object]]:
    """Returns a game with its hand apart, which forgets that it ever went unseen."""
    return replace(state, hand=None), {name: value for name, value in vars(state.hand).items() if name not in FORGOTTEN}


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_turned_seats_play_the_same_game(seed: int) -> None:
    turned_walk(seed)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_a_camera_that_missed_nothing_leaves_no_trace(seed: int) -> None:
    unseen_walk(seed)


@pytest.mark.long
@settings(max_examples=5000)
@given(seed=st.integers(0, 2**32))
def test_turned_seats_at_length(seed: int) -> None:
    turned_walk(seed)


@pytest.mark.long
@settings(max_examples=5000)
@given(seed=st.integers(0, 2**32))
def test_a_camera_that_missed_nothing_at_length(seed: int) -> None:
    unseen_walk(seed)
