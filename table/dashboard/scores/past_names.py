"""Who sat at the seats when a foul was logged or points were corrected, by the list of changes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence

from table.game.journal.entries import Body, Names
from table.game.journal.history.change_history import Changes
from table.rules.events import FoulLogged, PointsAdjusted
from table.rules.state import Adjustment, GameState

Mark = Hashable
"""What identifies an act in the list of changes."""


def names_at_adjustments(adjustments: Sequence[Adjustment], changes: Changes) -> list[Names | None]:
    """Returns who sat at the present seats at each correction of points, oldest first; None if that is unknown."""
    return _names_then([_correction_mark(adjustment.event) for adjustment in adjustments], changes, _correction_mark)


def names_at_fouls(game: GameState, changes: Changes) -> dict[tuple[int, int], Names]:
    """Returns who sat at the present seats when a foul was logged, by hand and number of the foul.

    A foul that was found after its hand, or whose act is unknown, is left out.
    """
    hands = [line.fouls for line in game.history] + ([] if game.live is None else [game.live.fouls])
    places = [(hand, number) for hand, fouls in enumerate(hands) for number in range(len(fouls))]
    fouls = [hands[hand][number] for hand, number in places]
    marks = [
        (hand, foul.seat, foul.clause, foul.facts, foul.note) for (hand, _), foul in zip(places, fouls, strict=True)
    ]
    found = zip(places, fouls, _names_then(marks, changes, _foul_mark), strict=True)
    return {place: names for place, foul, names in found if names is not None and not foul.is_late}


def _names_then(marks: Sequence[Mark], changes: Changes, mark: Callable[[Body], Mark]) -> list[Names | None]:
    """Returns who sat at the seats at each of these acts, None if unknown; acts with the same mark are in order."""
    done: defaultdict[Mark, deque[Names]] = defaultdict(deque)
    for change in changes.all:
        if not change.is_undone:
            done[mark(change.body)].append(change.names)
    return [done[each].popleft() if done[each] else None for each in marks]


def _correction_mark(body: Body) -> Mark:
    return (body.points, body.sticks, body.honba, body.reason) if isinstance(body, PointsAdjusted) else None


def _foul_mark(body: Body) -> Mark:
    return (body.hand, body.seat, body.clause, body.facts, body.note) if isinstance(body, FoulLogged) else None
