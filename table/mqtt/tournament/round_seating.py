"""Seats the players of a tournament so that no two meet twice, as long as that is possible.

Each player meets three others in a round, so in more rounds than a third of all others (the bound) some pair meets
twice. For the usual numbers of players a good first round is stored here. It is repeated with every number increased by
one each round, in cycles as long as the number of rounds, and no pair meets twice. Further rounds are found by search.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from time import monotonic
from typing import Final

Tables = tuple[tuple[int, int, int, int], ...]
"""One round: the players of each table by number, East first."""
SEARCH_S: Final = 60.0
"""Limit of the search for rounds beyond the stored ones."""
_FIRST_ROUNDS: Final[Mapping[int, tuple[int, str]]] = {
    16: (5, "15-10-6-4 14-9-11-8 13-12-0-3 7-2-1-5"),
    20: (5, "19-10-11-17 18-3-7-9 16-4-15-2 14-5-12-6 13-0-1-8"),
    24: (7, "23-10-17-4 22-18-9-6 21-13-16-1 20-12-8-7 19-15-14-5 11-0-2-3"),
    28: (9, "27-23-10-5 26-22-20-14 25-9-0-11 24-15-3-7 21-2-8-1 19-18-17-4 16-12-13-6"),
    36: (11, "35-30-21-2 34-23-5-20 33-27-7-17 32-16-28-31 29-24-10-8 26-4-0-3 25-12-19-18 22-14-11-9 15-1-13-6"),
    40: (
        11,
        "39-29-7-21 38-12-5-26 37-32-11-9 36-19-2-28 35-0-27-15 34-31-3-14 33-4-16-23 30-10-6-1 25-20-24-22 18-8-13-17",
    ),
}
"""By the number of players: how many rounds follow from the first round, and the first round's tables."""
_ROUNDS_OF_32: Final = (
    "0-1-2-3 4-5-6-7 8-9-10-11 12-13-14-15 16-17-18-19 20-21-22-23 24-25-26-27 28-29-30-31",
    "0-4-8-28 1-7-18-22 2-6-17-23 3-5-10-31 9-14-27-29 11-13-25-30 12-16-20-24 15-19-21-26",
    "0-21-27-30 1-23-26-28 2-9-15-20 3-6-13-24 4-18-25-31 5-11-14-16 7-10-12-17 8-19-22-29",
    "0-11-18-24 1-10-19-25 2-8-16-27 3-9-17-26 4-12-23-29 5-15-22-30 6-14-21-31 7-13-20-28",
    "0-10-13-22 1-4-15-27 2-21-25-28 3-7-8-30 5-9-12-18 6-16-26-29 11-17-20-31 14-19-23-24",
    "0-9-23-31 1-5-24-29 2-12-19-30 3-14-18-28 4-11-22-26 6-10-20-27 7-15-16-25 8-13-17-21",
    "0-5-19-20 1-6-9-30 2-7-11-29 3-4-16-21 8-12-26-31 10-15-24-28 13-18-23-27 14-17-22-25",
    "0-15-17-29 1-13-16-31 2-4-10-14 3-12-22-27 5-8-23-25 6-11-19-28 7-9-21-24 18-20-26-30",
    "0-6-12-25 1-8-14-20 2-5-13-26 3-11-15-23 4-17-24-30 7-19-27-31 9-16-22-28 10-18-21-29",
    "0-7-14-26 1-11-12-21 2-22-24-31 3-20-25-29 4-9-13-19 5-17-27-28 6-8-15-18 10-16-23-30",
)
"""For 32 players such cycles give nine rounds; the bound is ten. This is the design of A. Aguado, "A 10 days solution
to the social golfer problem" (2004), with players renumbered: everybody meets all others but one.
"""

_FEWEST_REPEATS: Final[Mapping[int, int]] = {1: 6, 2: 2, 3: 1}
"""By the number of tables, if there are fewer than four: the fewest pairs of a table that an earlier round had too."""


class SeatingError(ValueError):
    """This number of players or rounds cannot be seated."""


def most_rounds(players: int) -> int:
    """Returns the bound: in more rounds than this, some pair meets twice in any seating."""
    return 1 if players // 4 in _FEWEST_REPEATS else (players - 1) // 3


def rounds_without_repeats(players: int) -> int:
    """Returns the number of rounds for which this program always seats these players without a pair meeting twice."""
    if players == 32:
        return len(_ROUNDS_OF_32)
    return _FIRST_ROUNDS[players][0] if players in _FIRST_ROUNDS else 1


def find_seating(
    players: int, rounds: int, *, seed: int = 0, seconds: float = SEARCH_S, now: Callable[[], float] = monotonic
) -> list[Tables]:
    """Returns the seating of each round.

    Up to `rounds_without_repeats` no pair meets twice. Further rounds are searched for, at most `seconds` in all, with
    as few repeated meetings as possible (`repeats` counts them).

    Raises:
        SeatingError: the players do not fill tables of four, or `rounds` is less than 1.
    """
    if players < 4 or players % 4:
        raise SeatingError(f"expected players for whole tables of four, got {players}")
    if rounds < 1:
        raise SeatingError(f"expected at least one round, got {rounds}")
    found = list(_stored_rounds(players))[:rounds]
    chance, until = random.Random(seed), now() + seconds  # noqa: S311 - a seating, no secret
    for left in range(rounds - len(found), 0, -1):
        found.append(_search_round(found, players, chance, now, now() + (until - now()) / left))
    return _with_winds(found)


def repeats(rounds: Sequence[Tables]) -> int:
    """Returns the number of repeated meetings: for each pair, those beyond the first."""
    return sum(count - 1 for count in _meetings(rounds).values())


def _meetings(rounds: Sequence[Tables]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def _stored_rounds(players: int) -> Iterator[Tables]:
    if players == 32:
        yield from (tuple(_four(table.split("-")) for table in text.split()) for text in _ROUNDS_OF_32)
        return
    if players not in _FIRST_ROUNDS:
        yield tuple((east, east + 1, east + 2, east + 3) for east in range(0, players, 4))
        return
    count, text = _FIRST_ROUNDS[players]
    first = [_four(table.split("-")) for table in text.split()]
    cycled = players // count * count
    for step in range(count):
        yield tuple(_four(_shifted_player(player, step, count, cycled) for player in table) for table in first)


def _four(numbers: Iterable[str | int]) -> tuple[int, int, int, int]:
    east, south, west, north = map(int, numbers)
    return east, south, west, north


def _shifted_player(number: int, step: int, cycle: int, cycled: int) -> int:
    """Returns the player who sits there `step` rounds later; those beyond the cycles stay."""
    return number if number >= cycled else number // cycle * cycle + (number + step) % cycle


def _with_winds(rounds: Sequence[Tables]) -> list[Tables]:
    """Returns the same tables, each ordered so that nobody sits on a wind twice in rounds 1 to 4, 5 to 8, and so on."""
    return [tables for first in range(0, len(rounds), 4) for tables in _on_different_winds(rounds[first : first + 4])]


def _on_different_winds(rounds: Sequence[Tables]) -> Iterator[Tables]:
    """Yields at most four rounds, ordered so that nobody sits on a wind twice.

    Such an order always exists: winds are four colours of the edges between players and tables, of which no player and
    no table has more than four (D. Kőnig, 1916). Where the wind that a player needs is taken, it and one that is free
    at the table are swapped along the chain of players who sit on them.
    """
    tables = [table for each in rounds for table in each]
    players_on: list[dict[int, int]] = [{} for _ in tables]
    tables_on: defaultdict[int, dict[int, int]] = defaultdict(dict)

    def chain(number: int, wind: int, other: int) -> Iterator[tuple[int, int, int]]:
        while (player := players_on[number].get(wind)) is not None:
            yield player, number, other
            if other not in tables_on[player]:
                return
            number = tables_on[player][other]
            yield player, number, wind

    for number, table in enumerate(tables):
        for player in table:
            needed, free = _first_free(tables_on[player]), _first_free(players_on[number])
            swapped = list(chain(number, needed, free))
            for other, seat_table, wind in swapped:
                tables_on[other].pop(needed + free - wind, None)
                players_on[seat_table].pop(needed + free - wind, None)
            for other, seat_table, wind in (*swapped, (player, number, needed)):
                tables_on[other][wind], players_on[seat_table][wind] = seat_table, other
    ordered = iter([_four(on[wind] for wind in range(4)) for on in players_on])
    for each in rounds:
        yield tuple(islice(ordered, len(each)))


def _first_free(used: Mapping[int, int]) -> int:
    return next(wind for wind in range(4) if wind not in used)


def _search_round(
    before: Sequence[Tables], players: int, chance: random.Random, now: Callable[[], float], until: float
) -> Tables:
    """Returns a round with few repeated meetings, by swapping players until no fewer are possible or time is up."""
    meetings, fewest = _meetings(before), len(before) * players // 4 * _FEWEST_REPEATS.get(players // 4, 0)
    best_order, best_cost = list(range(players)), None
    while best_cost is None or (best_cost > fewest and now() < until):
        order = chance.sample(range(players), players)
        cost = _improve(order, meetings, chance, now, until)
        if best_cost is None or cost < best_cost:
            best_order, best_cost = order, cost
    return tuple(_four(best_order[east : east + 4]) for east in range(0, players, 4))


def _improve(
    order: list[int], meetings: Counter[frozenset[int]], chance: random.Random, now: Callable[[], float], until: float
) -> int:
    """Swaps two players wherever that reduces repeated meetings; returns how many remain."""

    def cost(table: int) -> int:
        return sum(meetings[frozenset(pair)] for pair in combinations(order[4 * table : 4 * table + 4], 2))

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
