"""Streams a game in play as mjai lines, each once, as soon as no later entry can change it.

The lines are those of `tachiai export`: with `?` draws, names and rules at the start, and the first dealer as actor 0.
If people correct a hand that was already sent, it is sent again from its `start_kyoku`, marked `"again": true`, and
replaces the earlier lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from table.game.journal.entries import Entry, GameOpened
from table.game.journal.fold import fold, opened_game
from table.game.journal.seating import names
from table.records.mjai.journal_mjai import mjai_lines
from table.records.mjai.journal_record import with_scores
from table.records.mjai.mjai_writer import paid_on_acceptance, rules_line
from table.records.mjai.written_event import Line
from table.rules.terms.seats import SEATS, Seat

_SEATS: Final = ("actor", "target", "oya", "pao")
_BY_SEAT: Final = ("scores", "corrected", "deltas", "tehais", "tenpais", "names")
_LATE: Final = "reach_accepted"
"""The type of line that may come late, since a stick may be placed after other tiles."""


class LiveMjai:
    """The lines sent for one game, to find those to send next."""

    def __init__(self) -> None:
        self._sent: list[Line] = []
        self._turns = 0
        self._ready: int | None = None

    def new_lines(self, entries: Sequence[Entry]) -> list[Line]:
        """Returns the lines to send now.

        Args:
            entries: the game's entries so far, from its opening.
        """
        now = _lines(entries)
        fresh = _unsent(self._sent, now)
        if fresh is None:
            fresh = _again(self._sent, now)
            self._ready = None
        self._sent = now
        opening = entries[0].body
        self._turns = int(opening.first_dealer) if isinstance(opening, GameOpened) else 0
        return [self._turned(line) for each in fresh for line in self._with_draw(each)]

    def _with_draw(self, line: Line) -> Iterator[Line]:
        """Yields the line, preceded by the unseen draw that it implies, if any."""
        kind, actor = line["type"], line.get("actor")
        draws = kind in ("reach", "dahai", "ankan", "kakan") or (kind == "hora" and actor == line["target"])
        if draws and self._ready != actor:
            yield {"type": "tsumo", "actor": actor, "pai": "?", "frame": line.get("frame")}
        if kind in ("reach", "chi", "pon"):
            self._ready = actor
        elif kind not in (_LATE, "dora"):
            self._ready = None
        yield line

    def _turned(self, line: Mapping[str, Any]) -> Line:
        """Returns the line with seats counted from the first dealer."""
        turned = dict(line)
        for name in _SEATS:
            if turned.get(name) is not None:
                turned[name] = (turned[name] - self._turns) % 4
        for name in _BY_SEAT:
            if turned.get(name) is not None:
                turned[name] = [turned[name][Seat(self._turns).plus(step)] for step in range(len(SEATS))]
        return turned


def _lines(entries: Sequence[Entry]) -> list[Line]:
    lines = list(paid_on_acceptance(mjai_lines(entries, is_live=True)))
    if any(line["type"] == "start_kyoku" and line["scores"] is None for line in lines):
        history = fold(opened_game(entries[0]), entries[1:]).state.history
        lines = list(with_scores(lines, history))
    opening = entries[0].body
    if lines and isinstance(opening, GameOpened):
        lines[0] = {"type": "start_game", "names": list(names(entries)), **rules_line(opening.ruleset)}
    return lines


def _unsent(sent: Sequence[Line], now: Sequence[Line]) -> list[Line] | None:
    """Returns the lines of `now` that were not sent yet; None if a line already sent no longer holds."""
    fresh, at = [], 0
    for line in now:
        if at < len(sent) and _means(line) == _means(sent[at]):
            at += 1
        elif at < len(sent) and line["type"] != _LATE:
            return None
        else:
            fresh.append(line)
    return fresh if at == len(sent) else None


def _again(sent: Sequence[Line], now: Sequence[Line]) -> list[Line]:
    """Returns the lines from the deal of the first hand that has changed."""
    pairs = zip(sent, now, strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if _means(one) != _means(other)), min(len(sent), len(now)))
    upto = [at for at, line in enumerate(now[: same + 1]) if line["type"] == "start_kyoku"]
    start = upto[-1] if upto else 0
    fresh = [dict(line) for line in now[start:]]
    if fresh:
        fresh[0]["again"] = True
    return fresh


def _means(line: Line) -> Line:
    """Returns a line without time, confidence and names, whose changes are not sent again."""
    left_out = ("frame", "confidence", "names", "inferred")
    return {name: value for name, value in line.items() if name not in left_out}
