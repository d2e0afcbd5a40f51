"""Any rule set, and any event of a game with fouls: what walks through games are made of."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from table.rulebook import SHIPPED, all_clauses, rules_named
from table.rules.penalties.effect_terms import Count, Fact, FoulRole
from table.rules.ruleset import Ruleset
from table.rules.state import GameState

TILES: Final = ("2m", "5p", "8p", "9s", "1z", "5z", "9m", "3p")
SHOWN_HANDS: Final = (
    "234m567m34567p22s",
    "147m258p369s1234z",
    "19m19p19s1123456z",
    "111m222p333s44z66z",
    "123m",
    "234m567m34567p2s?",
)
FACTS: Final = (
    *(f"{answer}{fact.value}" for fact in Fact for answer in ("", "not ")),
    *(f"{count.value}={number}" for count in Count for number in (1, 3, 9)),
    *(f"{who.value}={seat}" for who in FoulRole for seat in range(4)),
    "outside=1",
)
PRESSED: Final = ("7-05-01", "7-05-12", "7-05-13", "7-05-14", "7-05-15", "7-04-01", "7-05-06", "7-07-02", "R60")
"""What touches claims, riichi and the end of the hand: told more often than the rest."""


def any_house(rng: random.Random) -> Ruleset:
    """One that comes with Tachiai, or the home set with any option of each clause."""
    if rng.random() < 0.6:
        return rules_named(rng.choice(SHIPPED)).ruleset
    choices = {number: rng.choice(clause.letters) for number, clause in all_clauses().items()}
    return replace(rules_named("home"), choices=choices).ruleset.but(
        triple_ron=rng.choice(("ron", "abort")),
        multiple_ron=rng.choice(("all", "head_bump")),
        riichi_stands_on=rng.choice(("passed", "passed_and_stick")),
        riichi_below_1000=rng.random() < 0.3,
        tobi=rng.choice(("never", "below_zero")),
    )


def any_foul(rng: random.Random, seat: int, ruleset: Ruleset) -> str:
    rules = ruleset.penalties.rules
    pressed = [rule for rule in rules if rule.clause in PRESSED]
    rule = rng.choice(pressed if rng.random() < 0.4 else rules)
    option = f" option='{rng.choice(rule.options).letter}'" if rng.random() < 0.6 else ""
    facts = ",".join(rng.sample(FACTS, rng.randrange(3)))
    return f"{seat} foul '{rule.clause}'{option}" + (f" facts='{facts}'" if facts else "")


def any_discard(rng: random.Random, state: GameState) -> str:
    """A discard by the seat whose turn it is or comes next; between hands the next deal."""
    hand = state.live
    if hand is None:
        return "draw" if state.next_start is None else str(state.next_start)
    seat = hand.turn if hand.turn is not None else hand.laid_tiles[-1].seat.next if hand.laid_tiles else hand.dealer
    sideways = " sideways" if rng.random() < 0.3 else ""
    return f"{int(seat)} discards {rng.choice(TILES)}{sideways}{rng.choice(('', ' hand', ' drawn'))}"


def any_claim(rng: random.Random, seat: int) -> str:
    worth = " han=2 fu=30" if rng.random() < 0.6 else ""
    source = f" from {(seat + rng.randrange(1, 4)) % 4}" if rng.random() < 0.4 else ""
    return rng.choice((f"{seat} ron{source}{worth}", f"{seat} ron{worth}", f"{seat} withdraws", f"{seat} tsumo{worth}"))


def any_word(rng: random.Random, seat: int) -> str:
    """Everything else that people do or say."""
    tile, other = rng.choice(TILES), (seat + rng.randrange(1, 4)) % 4
    return rng.choice(
        (
            "confirm",
            "confirm",
            "draw",
            "pass",
            f"{seat} stick",
            f"{seat} stick",
            f"{seat} stick-back",
            f"{seat} shows {rng.choice(SHOWN_HANDS)}",
            f"{seat} shows {rng.choice(SHOWN_HANDS)} with 5p",
            f"{seat} puts-back",
            f"{seat} puts-back-meld",
            f"{seat} waits 258p",
            f"{seat} noten",
            f"{seat} riichi",
            f"{seat} riichi-told",
            f"{seat} ura 9p",
            f"dora {tile}",
            f"{seat} pon {tile} from {other} with {tile[0] * 2}{tile[1]}",
            f"{seat} closed {tile[0] * 4}{tile[1]}",
            f"told draw tenpai={seat}",
            f"told draw riichi={seat} tenpai={seat}",
            f"told ron win0={seat}:{other}:2:30:0::",
            f"told tsumo win0={seat}:{seat}:2:30:0::",
            "told abort reason=four_winds",
            "abort four_riichi",
            "end-game",
        )
    )


def any_event(rng: random.Random, state: GameState, ruleset: Ruleset) -> str:
    seat = rng.randrange(4)
    hand = f" hand={rng.randrange(4)}" if rng.random() < 0.5 else ""
    generators: tuple[tuple[float, Callable[[], str]], ...] = (
        (0.45, lambda: any_discard(rng, state)),
        (0.63, lambda: any_foul(rng, seat, ruleset)),
        (0.71, lambda: f"cancel-foul {rng.randrange(4)} reason=no{hand}"),
        (0.84, lambda: any_claim(rng, seat)),
        (1.0, lambda: any_word(rng, seat)),
    )
    drawn = rng.random()
    return next(generate() for below, generate in generators if drawn < below)
