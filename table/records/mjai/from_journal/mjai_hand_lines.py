"""The mjai lines of one hand while it is written: some are retracted or added later, in an earlier place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_tiles import to_mjai
from table.records.mjai.from_journal.written_event import WrittenEvent
from table.rules.events import CallKind, Discarded
from table.rules.state import HandState
from table.rules.terms.seats import Seat

_ACT_LINES = ("dahai", *(kind.mjai for kind in CallKind), "kakan", "ankan")


@dataclass(slots=True)
class _DeclaredRiichi:
    """A riichi whose acceptance is not written yet."""

    place: int
    """The index of the hand's line after which the acceptance belongs."""
    frame: int | None
    """The frame in which the declaration tile was first seen sideways; the acceptance cannot be earlier."""
    passing_event: WrittenEvent | None = None
    """The event that showed that nobody won on the tile."""


@dataclass(slots=True)
class HandLines:
    """The lines of a hand while it is written."""

    is_raw: bool
    """Whether retracted lines are kept, marked `"retracted": true`."""
    lines: list[MjaiLine] = field(default_factory=list)
    acceptances: dict[int, list[MjaiLine]] = field(default_factory=dict)
    """Lines to insert after each line, since an acceptance is known later than its place."""
    declared_riichi: dict[Seat, _DeclaredRiichi] = field(default_factory=dict)
    claims: dict[Seat, WrittenEvent] = field(default_factory=dict)
    end: WrittenEvent | None = None
    """The event that ended the hand in a draw or an abort."""

    def ordered_lines(self) -> Iterator[MjaiLine]:
        """Yields the hand's lines, each acceptance after its discard."""
        for place, line in enumerate(self.lines):
            if self.is_raw or "retracted" not in line:
                yield line
            yield from self.acceptances.get(place, ())

    def retract(self, removed: WrittenEvent, discard: Discarded, hand: HandState) -> None:
        """Adds the lines of a discard that a correction removed."""
        self.lines += _retracted_lines(removed, discard, hand)

    def take_back(self, count: int) -> None:
        """Retracts the lines of the last tiles and melds, which were taken up again; a negative count restores them."""
        lines = self.lines
        for place in range(len(lines) - 1, -1, -1):
            if count == 0:
                return
            if lines[place]["type"] not in _ACT_LINES or ("retracted" in lines[place]) != (count < 0):
                continue
            is_declaration = lines[place]["type"] == "dahai" and lines[place - 1]["type"] == "reach"
            for act_place in (place - 1, place) if is_declaration else (place,):
                if count > 0:
                    lines[act_place] = {**lines[act_place], "retracted": True}
                else:
                    del lines[act_place]["retracted"]
            if is_declaration and count > 0:
                self.declared_riichi.pop(Seat(lines[place]["actor"]), None)
                self.acceptances.pop(place, None)
            count += 1 if count < 0 else -1

    def discard(self, effective: WrittenEvent, event: Discarded, before: HandState | None, after: HandState) -> None:
        """Adds a discard, with the state before and after it, and the riichi that it declares."""
        first = effective.first or effective
        first_discard = first.event if isinstance(first.event, Discarded) else None
        if self.is_raw and first_discard is not None and first is not effective:
            self.lines += _retracted_lines(first, first_discard, before)
        is_declaration = after.rivers[event.seat][-1].is_declaration
        self.lines += _discard_lines(effective, event, is_declaration=is_declaration)
        if is_declaration:
            frame = first.frame if first_discard is not None and first_discard.sideways else effective.frame
            self.declared_riichi[event.seat] = _DeclaredRiichi(place=len(self.lines) - 1, frame=frame)
            if after.sticks[event.seat]:
                self.accept(replace(effective, frame=frame), event.seat, after)

    def accept(self, effective: WrittenEvent, seat: Seat, after: HandState) -> None:
        """Accepts a declared riichi whose stick is on the table, if nobody won on its tile."""
        if seat not in self.declared_riichi or not after.riichi[seat].is_declared:
            return
        riichi = self.declared_riichi.pop(seat)
        frames = [frame for frame in (riichi.frame, effective.frame) if frame is not None]
        line = replace(effective, frame=max(frames, default=None)).line("reach_accepted", actor=int(seat))
        self.acceptances.setdefault(riichi.place, []).append(line)

    def accept_without_stick(self, effective: WrittenEvent, hand: HandState | None) -> None:
        """Remembers the event that let a declaration pass; it is only used at the end, if no stick was placed."""
        for seat, riichi in self.declared_riichi.items():
            if riichi.passing_event is None and hand is not None and hand.riichi[seat].has_passed:
                riichi.passing_event = replace(effective, frame=(effective.first or effective).frame)

    def withdraw(self, effective: WrittenEvent, seat: Seat) -> None:
        """Removes the claim of a win; keeps its line, marked as retracted, if retracted lines are kept."""
        claim = self.claims.pop(seat, None)
        if claim is not None and self.is_raw:
            self.lines.append({**claim.line("hora", actor=int(seat)), "retracted": True, "until": effective.frame})

    def lines_at_end(self) -> list[MjaiLine]:
        """Returns the hand's lines at its end, where a declaration that passed is accepted even without a stick."""
        for seat, riichi in self.declared_riichi.items():
            if riichi.passing_event is not None:
                line = riichi.passing_event.line("reach_accepted", actor=int(seat), stick=False)
                self.acceptances.setdefault(riichi.place, []).append(line)
        return list(self.ordered_lines())


def _discard_lines(effective: WrittenEvent, event: Discarded, *, is_declaration: bool) -> list[MjaiLine]:
    """Returns the lines of a discard, after that of the riichi that it declares."""
    seat = int(event.seat)
    dahai = effective.line("dahai", actor=seat, pai=to_mjai(event.tile), tsumogiri=None)
    return [effective.line("reach", actor=seat), dahai] if is_declaration else [dahai]


def _retracted_lines(first: WrittenEvent, discard: Discarded, before: HandState | None) -> list[MjaiLine]:
    """Returns the lines of a discard that was corrected or removed."""
    had_declared = before is not None and before.riichi[discard.seat].is_declared
    lines = _discard_lines(first, discard, is_declaration=discard.sideways and not had_declared)
    return [{**line, "retracted": True} for line in lines]
