"""Checks all readings of a table against one set: four tiles of each kind, a number of red fives, and valid melds.

A single reading may be wrong, but seventy readings with errors are rarely a possible set. Readings are kept if the set
allows them. If not, the cheapest correction over all tiles is found (a minimum-cost flow between faces), and remarks
list what was changed and what might have been. If only overruling a clear reading would help, the readings stay as
they are, with a remark: then there are tiles of two sets, or a count is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Mask
from vision.confidence import PLAIN_NATS, SURE
from vision.felt import BACK, CLASS_INDEX, CLASSES, COPIES, FACES, NOT_A_TILE, Outcome, Reading

Costs = npt.NDArray[np.float64]
"""The cost of each class for each tile, [N, 39]."""
Assignment = npt.NDArray[np.intp]
"""The class of each tile, [N]."""
Counts = npt.NDArray[np.int64]
"""How many copies of each class there may be, [39]."""

_FREE: Final = (CLASS_INDEX[BACK], CLASS_INDEX[NOT_A_TILE])
"""The classes of which there may be any number."""
_FLOOR: Final = 1e-4
"""The least probability of a class."""
_NEVER: Final = 1e6
"""A cost that rules a class out, and a number of copies that is never used up."""
_KINDS: Final = tuple(
    tuple(CLASS_INDEX[name] for name in ((face, f"0{face[1]}") if face[0] == "5" and face[1] != "z" else (face,)))
    for face in FACES[:34]
)
"""The classes of each kind of tile: a red five is of the same kind as the plain ones."""
_RUNS: Final = tuple(suit * 9 + rank for suit in range(3) for rank in range(7))
"""The first kind of each run of three."""
_ORDERS: Final = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
"""The orders in which three readings may form a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetConstraints:
    """Known facts about the set and the table."""

    reds: Mapping[str, int] | None = None
    """Red fives by suit; None if unknown."""
    elsewhere: tuple[str, ...] = ()
    """Faces certainly present outside the readings, such as an indicator that people confirmed."""
    melds: tuple[tuple[int, ...], ...] = ()
    """Groups of readings that form a meld: three or four of a kind, or three in a row."""

    def __post_init__(self) -> None:
        reds = self.reds or {}
        if any(suit not in {"m", "p", "s"} or not 0 <= count <= COPIES for suit, count in reds.items()):
            raise ValueError(f"expected 0 to {COPIES} red fives of m, p and s, got {reds!r}, in a set")
        if any(len(meld) not in {3, 4} for meld in self.melds):
            raise ValueError(f"expected melds of three or four readings, got {self.melds!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A remark on one reading that the set supports or contradicts."""

    index: int
    """Index of the reading."""
    before: str
    """The face as read."""
    now: str
    """The face after the check."""
    chance: float
    """Probability of `now`, considering all readings."""
    outcome: Outcome


def resolve_readings(
    readings: Sequence[Reading], constraints: SetConstraints | None = None
) -> tuple[list[Reading], tuple[Remark, ...]]:
    """Returns the corrected readings in order, and a remark for each that the set supports or contradicts."""
    constraints = SetConstraints() if constraints is None else constraints
    costs = _costs(readings)
    for meld in constraints.melds:
        _keep_together(costs, meld)
    room = _room(constraints)
    first = costs.argmin(axis=1)
    best = _allotment(costs, room, first)
    surplus = _surplus_classes(room, best)
    weighed, remarks = list(readings), []
    for index, reading in enumerate(readings):
        now = CLASSES[int(best[index])]
        if now == reading.tile and not _is_crowded(index, first, room):
            outcome, chance = _upheld_outcome(readings, best, room, index)
        elif int(best[index]) in surplus:
            outcome, chance = Outcome.SURPLUS, reading.score
        else:
            chance = min(
                _chance(costs, room, best, index), _chance_among_left(costs[index], _used_up(best, room, index), now)
            )
            change = Outcome.CORRECTED if now != reading.tile else None
            outcome = Outcome.DOUBTED if chance < SURE else change
            chance = min(chance, 1.0 if change else reading.score)
        if outcome is not None:
            weighed[index] = replace(_reweighed(reading, now, chance), outcome=outcome)
            remarks.append(Remark(index=index, before=reading.tile, now=now, chance=chance, outcome=outcome))
    return weighed, tuple(remarks)


def _upheld_outcome(
    readings: Sequence[Reading], best: Assignment, room: Counts, index: int
) -> tuple[Outcome | None, float]:
    """Returns the outcome and the score of a reading that the set allows.

    A doubtful reading becomes certain if all copies of its alternatives are surely read elsewhere.
    """
    reading = readings[index]
    if reading.score >= SURE or int(best[index]) in _FREE:
        return None, reading.score
    sure = best[
        [other for other, other_reading in enumerate(readings) if other != index and other_reading.score >= SURE]
    ]
    full = np.bincount(sure, minlength=len(CLASSES)) >= room
    chance = _chance_among_left(_costs([reading])[0], full, reading.tile)
    return (Outcome.UPHELD, chance) if chance >= SURE else (None, reading.score)


def _used_up(best: Assignment, room: Counts, index: int) -> Mask:
    """Returns the classes whose copies are all used by the other tiles."""
    return np.asarray(np.bincount(np.delete(best, index), minlength=len(CLASSES)) >= room, np.bool_)


def _chance_among_left(costs: Costs, full: Mask, now: str) -> float:
    """Returns the probability of a class among those with copies left."""
    chances = np.where(full, 0.0, np.exp(-costs))
    return float(chances[CLASS_INDEX[now]] / max(float(chances.sum()), _FLOOR))


def _costs(readings: Sequence[Reading]) -> Costs:
    """Returns the negative logarithm of each class's probability, [N, 39]."""
    chances = np.empty((len(readings), len(CLASSES)))
    for row, reading in zip(chances, readings, strict=True):
        scores = reading.chances
        row[:] = max(1.0 - sum(scores.values()), 0.0) / (len(CLASSES) - len(scores))
        for name, chance in scores.items():
            row[CLASS_INDEX[name]] = chance
    return np.asarray(-np.log(np.maximum(chances, _FLOOR)), np.float64)


def _room(constraints: SetConstraints) -> Counts:
    """Returns how many copies of each class the readings can contain."""
    room = np.full(len(CLASSES), COPIES)
    room[list(_FREE)] = _NEVER
    for suit in "mps" if constraints.reds is not None else "":
        red = (constraints.reds or {}).get(suit, 0)
        room[CLASS_INDEX[f"0{suit}"]] = red
        room[CLASS_INDEX[f"5{suit}"]] = COPIES - red
    for face in constraints.elsewhere:
        room[CLASS_INDEX[face]] -= 1
    return np.asarray(np.maximum(room, 0), np.int64)


def _keep_together(costs: Costs, meld: Sequence[int]) -> None:
    """Excludes faces that do not form a meld, unless two melds are about equally likely."""
    sure = np.array([[costs[index, list(kind)].min() for kind in _KINDS] for index in meld])
    sums = {(kind,) * len(meld): float(sure[:, kind].sum()) for kind in range(len(_KINDS))}
    if len(meld) == 3:
        for start in _RUNS:
            # Only the readings themselves can show which of the three lies where.
            order = min(_ORDERS, key=lambda order: sum(sure[i, start + step] for i, step in enumerate(order)))
            kinds = tuple(start + step for step in order)
            sums[kinds] = float(sum(sure[i, kind] for i, kind in enumerate(kinds)))
    (chosen, low), (_, next_low) = sorted(sums.items(), key=lambda entry: entry[1])[:2]
    if next_low - low < -np.log(1 - SURE) or low > PLAIN_NATS:
        return
    for index, kind in zip(meld, chosen, strict=True):
        outside = np.setdiff1d(np.arange(len(CLASSES)), _KINDS[kind])
        costs[index, outside] += PLAIN_NATS


def _allotment(costs: Costs, room: Counts, first: Assignment) -> Assignment:
    """Returns the cheapest assignment within the available copies; a class may exceed them if none is cheap enough."""
    chosen = first.copy()
    stubborn: set[int] = set()
    while over := _surplus_classes(room, chosen) - stubborn:
        source = min(over)
        path = _cheapest_path(costs, room, chosen, source)
        if path is None:
            stubborn.add(source)
            continue
        for index, target in path:
            chosen[index] = target
    return chosen


def _surplus_classes(room: Counts, chosen: Assignment) -> set[int]:
    return set(np.flatnonzero(np.bincount(chosen, minlength=len(CLASSES)) > room).tolist())


def _is_crowded(index: int, first: Assignment, room: Counts) -> bool:
    return bool((first == first[index]).sum() > room[first[index]])


def _cheapest_path(costs: Costs, room: Counts, chosen: Assignment, source: int) -> list[tuple[int, int]] | None:
    """Returns the cheapest chain of changes from a class with too many tiles to one with copies left.

    Each change is a tile and its new class. None if the chain costs more than overruling a clear reading.
    """
    lengths, arrivals = _cheapest_chains(costs, chosen, source)
    open_classes = np.flatnonzero(np.bincount(chosen, minlength=len(CLASSES)) < room).tolist()
    end = min(open_classes, key=lambda open_class: float(lengths[open_class]))
    if lengths[end] > PLAIN_NATS:
        return None
    path = []
    while end != source:
        index, previous = arrivals[end]
        path.append((index, end))
        end = previous
    return path[::-1]


def _cheapest_chains(
    costs: Costs, chosen: Assignment, source: int
) -> tuple[npt.NDArray[np.float64], dict[int, tuple[int, int]]]:
    """Returns the cost of the cheapest chain of changes from `source` to each class, and each chain's last change.

    A change is a tile and the class that it leaves. A single change may lower the costs, so they are improved until
    nothing changes (the algorithm of Bellman and Ford).
    """
    lengths = np.full(len(CLASSES), np.inf)
    lengths[source] = 0.0
    arrivals: dict[int, tuple[int, int]] = {}
    movable = _movable_tiles(costs, chosen)
    for _ in range(len(CLASSES)):
        has_improved = False
        for index in movable:
            own_class = int(chosen[index])
            through = lengths[own_class] + costs[index] - costs[index, own_class]
            shorter = np.flatnonzero(through < lengths - 1e-9)
            for new_class in shorter[shorter != source].tolist():
                lengths[new_class], arrivals[new_class], has_improved = through[new_class], (index, own_class), True
        if not has_improved:
            break
    return lengths, arrivals


def _movable_tiles(costs: Costs, chosen: Assignment) -> list[int]:
    """Returns the tiles for which some other class costs no more than overruling a clear reading."""
    tiles = np.arange(len(costs))
    dearer = costs - costs[tiles, chosen][:, None]
    dearer[tiles, chosen] = np.inf
    return [int(index) for index in np.flatnonzero(dearer.min(axis=1) <= PLAIN_NATS)]


def _chance(costs: Costs, room: Counts, best: Assignment, index: int) -> float:
    """Returns the probability of one tile's class, compared with the best assignment without it."""
    without = costs.copy()
    without[index, best[index]] = _NEVER
    other = _allotment(without, room, without.argmin(axis=1))
    difference = _total(without, room, other) - _total(costs, room, best)
    return float(1 / (1 + np.exp(-np.clip(difference, -50, 50))))


def _total(costs: Costs, room: Counts, chosen: Assignment) -> float:
    surplus = np.maximum(np.bincount(chosen, minlength=len(CLASSES)) - room, 0).sum()
    return float(costs[np.arange(len(costs)), chosen].sum() + PLAIN_NATS * surplus)


def _reweighed(reading: Reading, now: str, chance: float) -> Reading:
    """Returns the reading with another face first; the former face becomes one of the alternatives."""
    before = () if now == reading.tile else ((reading.tile, reading.score),)
    others = (*before, *(pair for pair in reading.alternatives if pair[0] != now))
    others = others[: max(len(reading.alternatives), 1)]
    rest, total = 1.0 - chance, sum(score for _, score in others)
    if before or total > rest:
        others = tuple((name, score * rest / max(total, _FLOOR)) for name, score in others)
    return replace(reading, tile=now, score=chance, alternatives=others)
