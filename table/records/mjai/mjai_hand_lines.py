"""The mjai lines of one hand while it is written: some are retracted or added later, in an earlier place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from table.records.mjai.mjai_tiles import to_mjai
from table.records.mjai.written_event import Line, WrittenEvent
from table.rules.events import CallKind, Discarded
from table.rules.state import HandState
from table.rules.terms.seats import Seat

_ACT_LINES = ("dahai", *(kind.mjai for kind in CallKind), "kakan", "ankan")


@dataclass(slots=True)
class _Declared:
    """A riichi whose acceptance is not written yet."""

    place: int
    """The index of the hand's line after which the acceptance belongs."""
    frame: int | None
    """The frame in which the declaration tile was first seen sideways; the acceptance cannot be earlier."""
    passed: WrittenEvent | None = None
    """The event that showed that nobody won on the tile."""


@dataclass(slots=True)
class HandLines:
    """The lines of a hand while it is written."""

    is_raw: bool
    """Whether retracted lines are kept, marked `"retracted": true`."""
    lines: list[Line] = field(default_factory=list)
    accepted: dict[int, list[Line]] = field(default_factory=dict)
    """Lines to insert after each line, since an acceptance is known later than its place."""
    declared: dict[Seat, _Declared] = field(default_factory=dict)
    claims: dict[Seat, WrittenEvent] = field(default_factory=dict)
    end: WrittenEvent | None = None
    """The event that ended the hand in a draw or an abort."""

    def kept(self) -> Iterator[Line]:
        """Yields the hand's lines, each acceptance after its discard."""
        for place, line in enumerate(self.lines):
            if self.is_raw or "retracted" not in line:
                yield line
            yield from self.accepted.get(place, ())

    def retract(self, removed: WrittenEvent, discard: Discarded, hand: HandState) -> None:
        """Adds the lines of a discard that a correction removed."""
        self.lines += _retracted(removed, discard, hand)

    def take_back(self, count: int) -> None:
        """Retracts the lines of the last tiles and melds, since they were taken up again; if negative, keeps them."""
        lines = self.lines
        for place in range(len(lines) - 1, -1, -1):
            if count == 0:
                return
            if lines[place]["type"] not in _ACT_LINES or ("retracted" in lines[place]) != (count < 0):
                continue
            declares = lines[place]["type"] == "dahai" and lines[place - 1]["type"] == "reach"
            for each in (place - 1, place) if declares else (place,):
                if count > 0:
                    lines[each] = {**lines[each], "retracted": True}
                else:
                    del lines[each]["retracted"]
            if declares and count > 0:
                self.declared.pop(Seat(lines[place]["actor"]), None)
                self.accepted.pop(place, None)
            count += 1 if count < 0 else -1

    def discard(self, effective: WrittenEvent, event: Discarded, before: HandState | None, after: HandState) -> None:
        """Adds a discard, with the state before and after it, and the riichi that it declares."""
        first = effective.first or effective
        was = first.event if isinstance(first.event, Discarded) else None
        if self.is_raw and was is not None and first is not effective:
            self.lines += _retracted(first, was, before)
        is_declaration = after.rivers[event.seat][-1].is_declaration
        self.lines += _discarded(effective, event, is_declaration=is_declaration)
        if is_declaration:
            frame = first.frame if was is not None and was.sideways else effective.frame
            self.declared[event.seat] = _Declared(place=len(self.lines) - 1, frame=frame)
            if after.sticks[event.seat]:
                self.accept(replace(effective, frame=frame), event.seat, after)

    def accept(self, effective: WrittenEvent, seat: Seat, after: HandState) -> None:
        """Accepts a declared riichi whose stick is on the table, if nobody won on its tile."""
        if seat not in self.declared or not after.riichi[seat].is_declared:
            return
        declared = self.declared.pop(seat)
        frames = [frame for frame in (declared.frame, effective.frame) if frame is not None]
        line = replace(effective, frame=max(frames, default=None)).line("reach_accepted", actor=int(seat))
        self.accepted.setdefault(declared.place, []).append(line)

    def accept_without_stick(self, effective: WrittenEvent, hand: HandState | None) -> None:
        """Remembers the event that let a declaration pass; it is only used at the end, if no stick was placed."""
        for seat, declared in self.declared.items():
            if declared.passed is None and hand is not None and hand.riichi[seat].has_passed:
                declared.passed = replace(effective, frame=(effective.first or effective).frame)

    def withdraw(self, effective: WrittenEvent, seat: Seat) -> None:
        """Removes the claim of a win, and keeps its line as a retracted one if these are kept."""
        claim = self.claims.pop(seat, None)
        if claim is not None and self.is_raw:
            self.lines.append({**claim.line("hora", actor=int(seat)), "retracted": True, "until": effective.frame})

    def closed(self) -> list[Line]:
        """Returns the hand's lines at its end, where a declaration that passed is accepted even without a stick."""
        for seat, declared in self.declared.items():
            if declared.passed is not None:
                line = declared.passed.line("reach_accepted", actor=int(seat), stick=False)
                self.accepted.setdefault(declared.place, []).append(line)
        return list(self.kept())


def _discarded(effective: WrittenEvent, event: Discarded, *, is_declaration: bool) -> list[Line]:
    """Returns the lines of a discard, after that of the riichi that it declares."""
    seat = int(event.seat)
    dahai = effective.line("dahai", actor=seat, pai=to_mjai(event.tile), tsumogiri=None)
    return [effective.line("reach", actor=seat), dahai] if is_declaration else [dahai]


def _retracted(first: WrittenEvent, was: Discarded, before: HandState | None) -> list[Line]:
    """Returns the lines of a discard that was corrected or removed."""
    had_declared = before is not None and before.riichi[was.seat].is_declared
    lines = _discarded(first, was, is_declaration=was.sideways and not had_declared)
    return [{**line, "retracted": True} for line in lines]
