"""What is foreseen of a foul is what is told once it is logged, and what the settlement then pays.

Every clause under every named rule set, at each point of a hand; every option of the catalogue under the rules at home.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from table.i18n import catalogue
from table.i18n.foul_text import foul_sentences
from table.rulebook import SHIPPED, rules_named
from table.rules.advance import advance, new_game
from table.rules.events import FoulLogged
from table.rules.foul_preview import preview_foul
from table.rules.fouls.foul_outlook import outlook_of_newest
from table.rules.notation.event_notation import parse_events
from table.rules.penalties.effect_terms import Op
from table.rules.penalties.penalty_rules import Rule
from table.rules.ruleset import Ruleset
from table.rules.state import FinishedHand, GameState
from table.rules.terms.results import Deltas
from table.rules.terms.seats import SEATS, Seat
from tests.table.rules.fouls.fouled_hands import FACTS, HOME
from tests.table.rules.situations import START, discards

ENGLISH = catalogue("en")
WINDS = ("East", "South", "West", "North")
ROUND = discards("2m 3p 4s 6m")
RON = f"{ROUND}; 0 discards 5p; 1 ron from 0 han=2 fu=30"
POINTS = {
    "play": f"{ROUND}; 0 discards 5p",
    "won": RON,
    "won beside": f"{RON}; 2 ron from 0",
    "drawn": f"{ROUND}; 0 discards 5p; draw; 0 noten; 1 noten; 2 noten; 3 noten",
    "aborted": "abort nine_terminals by 0",
    "settled won": f"{RON}; confirm",
    "settled drawn": "draw; confirm",
}
ENDS = {"draw": "draw", "win": "1 ron from 0 han=2 fu=30"}
"""How a hand that is still being played may end."""
EndWithoutFoul = Callable[[str], FinishedHand | None]
PAYMENT = re.compile(r"(East|South|West|North) (?:pays ([\d,]+) in all|puts ([\d,]+) in the pot)")
ENDING = (
    "The hand is replayed",
    "The rules do not say who deals after a chombo: the hand is replayed",
    "The hand ends;",
)
DRAWN, WON, ENDED = "If the hand is drawn: ", "When a win is settled: ", "When the hand ends: "


def followed(game: GameState, text: str, rules: Ruleset) -> GameState:
    for event in parse_events(text):
        game = advance(game, event, rules).state
    return game


@cache
def at(point: str, rules: Ruleset) -> GameState:
    return followed(new_game(rules), f"{START}; {POINTS[point]}", rules)


def finished_hand(game: GameState, end: str, rules: Ruleset) -> FinishedHand | None:
    """The hand as it ends; None if it cannot, since a ruling is still missing or the claimed win is gone."""
    game = followed(game, end, rules)
    for _ in range(2):
        if game.live is not None:
            game = followed(game, "confirm", rules)
    return None if game.live is not None else game.history[-1]


def without_foul(game: GameState, rules: Ruleset) -> EndWithoutFoul:
    """Tells how a game's hand ends without any foul; each way is played once."""
    return cache(lambda end: finished_hand(game, end, rules))


def deltas_of(line: FinishedHand) -> Deltas:
    assert line.settlement is not None
    return line.settlement.deltas


def points_paid(lines: list[str]) -> dict[Seat, int]:
    """What each seat pays in all by these sentences."""
    found = dict.fromkeys(SEATS, 0)
    for line in lines:
        for wind, pays, puts in PAYMENT.findall(line):
            found[SEATS[WINDS.index(wind)]] += int((pays or puts).replace(",", ""))
    return found


def fouls_of(rule: Rule, *, all_options: bool) -> Iterator[FoulLogged]:
    for option in rule.options if all_options else (None,):
        for facts in FACTS:
            letter = None if option is None else option.letter
            yield FoulLogged(seat=Seat.FAR, clause=rule.clause, option=letter, facts=tuple(facts.split(",")))


def check_preview(
    game: GameState, event: FoulLogged, rules: Ruleset, point: str, end_without_foul: EndWithoutFoul
) -> None:
    lines = list(foul_sentences(preview_foul(game, event, rules), Seat.NEAR, ENGLISH))
    state = advance(game, event, rules).state
    assert lines == list(foul_sentences(outlook_of_newest(state, event, rules), Seat.NEAR, ENGLISH))
    if point.startswith("settled"):
        check_late(lines, game, state)
        return
    assert not (point == "drawn" and any(line.startswith(DRAWN) for line in lines))
    live = state.live
    assert live is not None
    if any(line.startswith("Not decided yet") for line in lines):
        return
    ends_now = any(line.startswith(ENDING) or "the game ends" in line for line in lines)
    if live.phase.value != "play" or ends_now:
        check_end([line for line in lines if not line.startswith(DRAWN)], end_without_foul, state, rules, "")
        assert "Play goes on." not in lines
        return
    assert lines[-1] in ("Play goes on.", "The house rules do not say: the referee decides.")
    if point == "play":
        for end, lapsed in (("draw", WON), ("win", DRAWN)):
            check_end(
                [line for line in lines if not line.startswith(lapsed)], end_without_foul, state, rules, ENDS[end]
            )


def net_of(points: dict[Seat, int]) -> dict[Seat, int]:
    """What each seat loses that is told to pay: where two pay each other a chombo, less its share of the other's."""
    dealer = SEATS[0]  # in all these hands
    owing = [seat for seat in SEATS if points[seat]]
    if len(owing) < 2:
        return points
    parts = {seat: 3 if seat is dealer else 4 for seat in owing}
    received = {
        seat: sum(points[one] * (2 if seat is dealer else 1) // parts[one] for one in owing if one is not seat)
        for seat in owing
    }
    return {seat: points[seat] - received.get(seat, 0) for seat in SEATS}


def check_late(lines: list[str], game: GameState, state: GameState) -> None:
    before, after = deltas_of(game.history[-1]), deltas_of(state.history[-1])
    assert "Play goes on." not in lines
    assert not any(line.startswith((DRAWN, WON, ENDED)) for line in lines)
    for seat, points in net_of(points_paid(lines)).items():
        if points:
            assert after[seat] - before[seat] == -points


def check_end(lines: list[str], end_without_foul: EndWithoutFoul, state: GameState, rules: Ruleset, end: str) -> None:
    """Checks that a hand with the foul pays what was told, beside what it pays without the foul."""
    line, line_without = finished_hand(state, end, rules), end_without_foul(end)
    if line is None or line_without is None or line.settlement is None:
        return
    text = " ".join(lines)
    is_ended = line.settlement.penalty is not None
    assert is_ended == any(each in text for each in (*ENDING, "the game ends"))
    for seat, points in net_of(points_paid(lines)).items():
        base = 0 if is_ended else deltas_of(line_without)[seat]
        if points or is_ended:
            assert deltas_of(line)[seat] - base == -points or (is_ended and not points and deltas_of(line)[seat] >= 0)
    after_uma = sum(due.amount for due in line.dues if due.op is Op.AFTER_UMA)
    assert after_uma == sum(int(each.replace(",", "")) for each in re.findall(r"loses ([\d,]+) after uma", text))


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_what_is_foreseen_of_a_foul_is_told_and_paid(name: str, point: str) -> None:
    rules = rules_named(name).ruleset
    game = at(point, rules)
    end_without_foul = without_foul(game, rules)
    for rule in rules.penalties.rules:
        for event in fouls_of(rule, all_options=name == "home"):
            check_preview(game, event, rules, point, end_without_foul)


@pytest.mark.parametrize("mode", ["a", "b", "c", "d", "referee"])
@pytest.mark.parametrize("valid", ["1 ron from 0 han=2 fu=30", "3 ron from 0 han=2 fu=30"])
def test_what_counts_of_a_false_ron_beside_a_valid_one_is_told_and_paid(mode: str, valid: str) -> None:
    """7-05-01-01."""
    rules = replace(HOME, choices={**HOME.choices, "7-05-01-01": mode}).ruleset
    game = followed(new_game(rules), f"{START}; {ROUND}; 0 discards 5p; {valid}; 2 ron from 0", rules)
    end_without_foul = without_foul(game, rules)
    for rule in rules.penalties.rules:
        if rule.clause in ("7-05-01", "7-05-01-01"):
            for event in fouls_of(rule, all_options=rule.clause == "7-05-01"):
                check_preview(game, event, rules, "won beside", end_without_foul)
