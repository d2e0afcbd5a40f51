"""Streams a game in play as mjai lines, each once, as soon as no later entry can change it.

The lines are those of `tachiai export`: with `?` draws, names and rules at the start, and the first dealer as actor 0.
If people correct a hand that was already sent, it is sent again from its `start_kyoku`, marked `"again": true`, and
replaces the earlier lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from table.game.journal.entries import Entry, GameOpened
from table.game.journal.seating import names
from table.records.formats.late_penalties import EARLIER, FIELDS
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.mjai.mjai_writer import paid_on_acceptance, rules_line
from table.rules.terms.seats import SEATS, Seat

_SEATS: Final = ("actor", "target", "oya", "pao")
_SEAT_LISTS: Final = ("entered_riichi", "paos")
_BY_SEAT: Final = ("scores", "corrected", "deltas", "foul_payments", "tehais", "tenpais", "names", *FIELDS)
_LATE_TYPE: Final = "reach_accepted"
"""The type of line that may come late, since a stick may be placed after other tiles."""


class LiveMjai:
    """The lines sent for one game, to find those to send next."""

    def __init__(self) -> None:
        self._sent_lines: list[MjaiLine] = []
        self._rotation = 0
        self._discarder: int | None = None
        """The actor who has drawn or called already, and discards next."""

    def new_lines(self, entries: Sequence[Entry]) -> list[MjaiLine]:
        """Returns the lines to send now.

        Args:
            entries: the game's entries so far, from its opening.
        """
        lines = _lines(entries)
        to_send = _unsent_lines(self._sent_lines, lines)
        if to_send is None:
            to_send = _lines_to_resend(self._sent_lines, lines)
            self._discarder = None
        self._sent_lines = lines
        opening = entries[0].body
        self._rotation = int(opening.first_dealer) if isinstance(opening, GameOpened) else 0
        return [self._rotated(line) for unsent in to_send for line in self._with_draw(unsent)]

    @property
    def names(self) -> list[str] | None:
        """The players' names by actor, as they are now; None if the game's first line has none."""
        return self._rotated(self._sent_lines[0]).get("names") if self._sent_lines else None

    def _with_draw(self, line: MjaiLine) -> Iterator[MjaiLine]:
        """Yields the line, preceded by the unseen draw that it implies, if any."""
        kind, actor = line["type"], line.get("actor")
        is_last_draw = (kind == "hora" and actor == line["target"]) or (kind == "ryukyoku" and actor is not None)
        draws = kind in ("reach", "dahai", "ankan", "kakan") or is_last_draw
        if draws and self._discarder != actor:
            yield {"type": "tsumo", "actor": actor, "pai": "?", "frame": line.get("frame")}
        if kind in ("reach", "chi", "pon"):
            self._discarder = actor
        elif kind not in (_LATE_TYPE, "dora"):
            self._discarder = None
        yield line

    def _rotated(self, line: Mapping[str, Any]) -> MjaiLine:
        """Returns the line with seats counted from the first dealer."""
        rotated = dict(line)
        for name in _SEATS:
            if rotated.get(name) is not None:
                rotated[name] = self._actor(rotated[name])
        for name in _SEAT_LISTS:
            if rotated.get(name) is not None:
                rotated[name] = list(map(self._actor, rotated[name]))
        for name in _BY_SEAT:
            if rotated.get(name) is not None:
                rotated[name] = [rotated[name][Seat(self._rotation).plus(step)] for step in range(len(SEATS))]
        return rotated | {EARLIER: self._rotated(rotated[EARLIER])} if EARLIER in rotated else rotated

    def _actor(self, seat: int) -> int:
        return (seat - self._rotation) % 4


def _lines(entries: Sequence[Entry]) -> list[MjaiLine]:
    lines = list(paid_on_acceptance(mjai_lines(entries, is_live=True)))
    opening = entries[0].body
    if lines and isinstance(opening, GameOpened):
        lines[0] = {"type": "start_game", "names": list(names(entries)), **rules_line(opening.ruleset)}
    return lines


def _unsent_lines(sent: Sequence[MjaiLine], lines: Sequence[MjaiLine]) -> list[MjaiLine] | None:
    """Returns the lines that were not sent yet; None if a line already sent no longer holds."""
    unsent, index = [], 0
    for line in lines:
        if index < len(sent) and _lasting_fields(line) == _lasting_fields(sent[index]):
            index += 1
        elif index < len(sent) and line["type"] != _LATE_TYPE:
            return None
        else:
            unsent.append(line)
    return unsent if index == len(sent) else None


def _lines_to_resend(sent: Sequence[MjaiLine], lines: Sequence[MjaiLine]) -> list[MjaiLine]:
    """Returns the lines from the deal of the first hand that has changed."""
    pairs = zip(sent, lines, strict=False)
    first_change = next(
        (index for index, (one, other) in enumerate(pairs) if _lasting_fields(one) != _lasting_fields(other)),
        min(len(sent), len(lines)),
    )
    deals = [index for index, line in enumerate(lines[: first_change + 1]) if line["type"] == "start_kyoku"]
    start = deals[-1] if deals else 0
    resent = [dict(line) for line in lines[start:]]
    if resent:
        resent[0]["again"] = True
    return resent


def _lasting_fields(line: MjaiLine) -> MjaiLine:
    """Returns a line without time, confidence and names, whose changes are not sent again."""
    left_out = ("frame", "confidence", "names", "inferred")
    return {name: value for name, value in line.items() if name not in left_out}
