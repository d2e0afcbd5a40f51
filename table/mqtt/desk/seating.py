"""Who sits where: rounds in which no two players meet twice, as long as that is possible.

A player meets three others a round: beyond a third of all others (the bound) somebody meets somebody again. For the
usual sizes a first round is kept that was searched for once: each further round adds one to every number of that round,
in circles of as many numbers as there are rounds, and no pair comes twice. Beyond that it is searched.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from time import monotonic
from typing import Final

Tables = tuple[tuple[int, int, int, int], ...]
"""One round: the players of each table by number, East first."""
SEARCHED_S: Final = 60.0
"""How long is searched at most for rounds beyond the kept ones."""
_FIRST_ROUNDS: Final[Mapping[int, tuple[int, str]]] = {
    16: (5, "15-10-6-4 14-9-11-8 13-12-0-3 7-2-1-5"),
    20: (5, "19-10-11-17 18-3-7-9 16-4-15-2 14-5-12-6 13-0-1-8"),
    24: (7, "23-10-17-4 22-18-9-6 21-13-16-1 20-12-8-7 19-15-14-5 11-0-2-3"),
    28: (9, "27-23-10-5 26-22-20-14 25-9-0-11 24-15-3-7 21-2-8-1 19-18-17-4 16-12-13-6"),
    32: (9, "31-5-14-23 30-8-21-9 29-4-10-25 28-0-19-12 27-22-17-6 26-3-18-20 24-16-13-11 15-2-7-1"),
    36: (11, "35-30-21-2 34-23-5-20 33-27-7-17 32-16-28-31 29-24-10-8 26-4-0-3 25-12-19-18 22-14-11-9 15-1-13-6"),
    40: (
        11,
        "39-29-7-21 38-12-5-26 37-32-11-9 36-19-2-28 35-0-27-15 34-31-3-14 33-4-16-23 30-10-6-1 25-20-24-22 18-8-13-17",
    ),
}
"""By the number of players: how many rounds follow from it, and the first round's tables."""


class SeatingError(ValueError):
    """So many players, or rounds, cannot be seated."""


def most_rounds(players: int) -> int:
    """Returns the bound: in more rounds than this some pair meets twice, however they sit."""
    return (players - 1) // 3


def kept_rounds(players: int) -> int:
    """Returns in how many rounds this program seats so many players without a pair meeting twice for sure."""
    return _FIRST_ROUNDS[players][0] if players in _FIRST_ROUNDS else 1


def seated(
    players: int, rounds: int, *, seed: int = 0, seconds: float = SEARCHED_S, now: Callable[[], float] = monotonic
) -> list[Tables]:
    """Returns who sits where in each round.

    Up to `kept_rounds` no pair meets twice; rounds beyond are searched for at most so many seconds in all, so that as
    few pairs as can be found meet again (`repeats` counts them).

    Raises:
        SeatingError: the players fill no tables of four, or there is no round.
    """
    if players < 4 or players % 4:
        raise SeatingError(f"expected players for whole tables of four, got {players}")
    if rounds < 1:
        raise SeatingError(f"expected one round at least, got {rounds}")
    found = list(_kept(players))[:rounds]
    chance, until = random.Random(seed), now() + seconds  # noqa: S311 - a seating, no secret
    for left in range(rounds - len(found), 0, -1):
        found.append(_searched(found, players, chance, now, now() + (until - now()) / left))
    return [_turned(tables, number) for number, tables in enumerate(found)]


def repeats(rounds: Sequence[Tables]) -> int:
    """Returns how many meetings there are beyond the first of each pair."""
    return sum(count - 1 for count in _meetings(rounds).values())


def _meetings(rounds: Sequence[Tables]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def _kept(players: int) -> Iterator[Tables]:
    if players not in _FIRST_ROUNDS:
        yield tuple((at, at + 1, at + 2, at + 3) for at in range(0, players, 4))
        return
    count, text = _FIRST_ROUNDS[players]
    first = [[int(number) for number in table.split("-")] for table in text.split()]
    circles = players // count * count
    for step in range(count):
        moved = [[_moved(each, step, count, circles) for each in table] for table in first]
        yield tuple((east, south, west, north) for east, south, west, north in moved)


def _moved(number: int, step: int, circle: int, circles: int) -> int:
    """The player who sits there so many rounds later; those beyond the circles stay."""
    return number if number >= circles else number // circle * circle + (number + step) % circle


def _turned(tables: Tables, number: int) -> Tables:
    """The same tables, whose winds move on by one each round."""
    turn = number % 4
    return tuple(
        (east, south, west, north) for table in tables for east, south, west, north in [table[turn:] + table[:turn]]
    )


def _searched(
    before: Sequence[Tables], players: int, chance: random.Random, now: Callable[[], float], until: float
) -> Tables:
    """A round in which as few pairs meet again as are found by swapping players, until time is up or none do."""
    met = _meetings(before)
    best, least = list(range(players)), None
    while least is None or (least > 0 and now() < until):
        order = chance.sample(range(players), players)
        cost = _improve(order, met, chance, now, until)
        if least is None or cost < least:
            best, least = order, cost
    return tuple((best[at], best[at + 1], best[at + 2], best[at + 3]) for at in range(0, players, 4))


def _improve(
    order: list[int], met: Counter[frozenset[int]], chance: random.Random, now: Callable[[], float], until: float
) -> int:
    """Swaps two players wherever fewer pairs meet again by it; returns how many still do."""

    def cost(table: int) -> int:
        return sum(met[frozenset(pair)] for pair in combinations(order[4 * table : 4 * table + 4], 2))

    swaps = [pair for pair in combinations(range(len(order)), 2) if pair[0] // 4 != pair[1] // 4]
    is_better = True
    while is_better and now() < until:
        is_better = False
        chance.shuffle(swaps)
        for one, other in swaps:
            before = cost(one // 4) + cost(other // 4)
            order[one], order[other] = order[other], order[one]
            if cost(one // 4) + cost(other // 4) < before:
                is_better = True
            else:
                order[one], order[other] = order[other], order[one]
    return sum(cost(table) for table in range(len(order) // 4))
