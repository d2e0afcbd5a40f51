"""Writes the journal as mjai lines, in the dialect of recordings: each line has the frame in which it was committed.

There are no `tsumo` lines (draws cannot be seen), `tsumogiri` is null, and hidden tiles are `"?"`. Events that were
corrected or withdrawn are left out or, with `raw`, kept and marked `"retracted": true`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from table.game.journal.effective_events import EffectiveEvent, effective_events, is_event, removed_events
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.game.journal.fold import folding, opened_game
from table.records.formats.game_record import Corrected
from table.records.mjai.mjai_corrections import corrected_fields
from table.records.mjai.mjai_melds import melds_lines
from table.records.mjai.mjai_reasons import REASON_NAMES
from table.records.mjai.mjai_tiles import mjai_texts, to_mjai
from table.records.mjai.mjai_wins import worth_line
from table.rules import events
from table.rules.advance import advance
from table.rules.events import Event
from table.rules.state import Claim, GameState, HandState, Phase
from table.rules.terms.melds import MeldKind
from table.rules.terms.results import Settlement, Win, add
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import UNKNOWN, Tile

Line = dict[str, Any]
_ACTS = (events.Discarded, events.Called, events.AddedKan, events.ClosedKan)
_ACT_LINES = ("dahai", *(kind.mjai for kind in events.CallKind), "kakan", "ankan")


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrittenEvent:
    """One effective event, with the additional fields of its lines."""

    event: Event
    frame: int | None
    confidence: float
    is_inferred: bool
    first: _WrittenEvent | None = None
    """The event before its correction, as it was committed; None if it was not corrected."""

    def line(self, kind: str, **fields: Any) -> Line:
        """Returns an mjai line of that type."""
        line: Line = {"type": kind, **fields, "frame": self.frame, "confidence": round(self.confidence, 3)}
        return {**line, "inferred": True} if self.is_inferred else line


def mjai_lines(entries: Sequence[Entry], *, raw: bool = False, is_live: bool = False) -> list[Line]:
    """Returns a game's journal as mjai lines in game order.

    Args:
        entries: the entries of one game, from its opening.
        raw: whether to include retracted lines, marked `"retracted": true`.
        is_live: whether more entries will follow; then the hand in play is left open, without lines that may change.
    """
    opening = entries[0].body if entries else None
    if not isinstance(opening, GameOpened):
        return []
    game = opened_game(entries[0])
    writer = _Writer(game.state, raw=raw)
    removed = deque(removed_events(entries[1:]) if raw else ())
    for effective, folded in zip(effective_events(entries[1:]), folding(game, entries[1:]), strict=True):
        while removed and removed[0].number < effective.place:
            writer.retract(removed.popleft())
        if folded.state is not writer.state:  # otherwise the event did not fit
            writer.write(_written(effective), folded.state)
    for entry in removed:
        writer.retract(entry)
    if is_live:
        return writer.so_far()
    hand = writer.state.live
    if hand is not None and hand.phase is not Phase.PLAY:
        # The recording ended before anybody confirmed: the proposal stands.
        closing = _WrittenEvent(event=events.ClaimsConfirmed(), frame=writer.frame, confidence=0.5, is_inferred=True)
        for _ in range(2):
            if writer.state.live is not None:
                writer.write(closing, advance(writer.state, closing.event, opening.ruleset).state)
    return writer.finished()


def _written(effective: EffectiveEvent) -> _WrittenEvent:
    """Returns an effective event with the frame in which its last version was committed."""
    body, committed = effective.first.body, effective.first.envelope
    written = _committed(effective.event, effective.by.envelope)
    return replace(
        written,
        frame=committed.frame if written.frame is None else written.frame,
        first=_committed(body, committed) if effective.because and is_event(body) else None,
    )


def _committed(event: Event, envelope: Envelope) -> _WrittenEvent:
    return _WrittenEvent(
        event=event,
        frame=envelope.frame,
        confidence=envelope.confidence,
        is_inferred=envelope.source is Source.INFERRED,
    )


@dataclass(slots=True)
class _Declared:
    """A riichi whose acceptance is not written yet."""

    place: int
    """The index of the hand's line after which the acceptance belongs."""
    frame: int | None
    """The frame in which the declaration tile was first seen sideways; the acceptance cannot be earlier."""
    passed: _WrittenEvent | None = None
    """The event that showed that nobody won on the tile."""


@dataclass(slots=True)
class _Hand:
    """The lines of a hand while it is written."""

    lines: list[Line] = field(default_factory=list)
    accepted: dict[int, list[Line]] = field(default_factory=dict)
    """Lines to insert after each line, since an acceptance is known later than its place."""
    declared: dict[Seat, _Declared] = field(default_factory=dict)
    claims: dict[Seat, _WrittenEvent] = field(default_factory=dict)
    end: _WrittenEvent | None = None
    """The event that ended the hand in a draw or an abort."""


class _Writer:
    def __init__(self, state: GameState, *, raw: bool) -> None:
        self.state = state
        self.frame: int | None = None
        self._raw = raw
        self._out: list[Line] = [{"type": "start_game", "frame": 0}]
        self._hand = _Hand()
        self._corrected: Corrected | None = None
        """What people corrected since the last settled hand."""

    def write(self, effective: _WrittenEvent, after: GameState) -> None:
        """Adds one event, with the state after it."""
        before, self.state = self.state, after
        self.frame = effective.frame if effective.frame is not None else self.frame
        if isinstance(effective.event, events.HandStarted):
            self._start(effective, before, after)
        elif isinstance(effective.event, events.PointsAdjusted):
            self._adjust(effective.event, after)
        elif isinstance(effective.event, events.GameEnded):
            self._hand = _Hand()  # the hand in play does not count
        elif after.hand is not None:
            if before.live is None and after.live is not None:  # a foul opened the hand before its deal
                self._flush()
                self._deal(effective, after.live.start)
            if before.live is not None:
                self._take_back(_acts(before.live) - _acts(after.hand) + isinstance(effective.event, _ACTS))
            self._play(effective, before.hand, after.hand)
        self._accept_without_stick(effective, after.hand)
        if len(after.history) > len(before.history) and after.live is None and after.hand is not None:
            self._end(effective, before.live, after, after.hand)

    def retract(self, removed: Entry) -> None:
        """Adds the lines of a discard that a correction removed."""
        if isinstance(removed.body, events.Discarded) and self.state.live is not None:
            committed = _committed(removed.body, removed.envelope)
            self._hand.lines += _retracted(committed, removed.body, self.state.live)

    def finished(self) -> list[Line]:
        """Returns all lines, including the last hand's so far; a claim that could not be valued has no points."""
        if (hand := self.state.live) is not None:
            for claim in hand.claims:
                if claim.from_seat is None:  # nobody has said yet who discarded its tile
                    continue
                self._add(self._hora(self._hand.claims[claim.seat], hand, claim, None, self.state, is_paid=False))
        self._flush()
        return [*self._out, *self._game_end()]

    def so_far(self) -> list[Line]:
        """Returns the lines that no later entry changes, except amendments; a riichi is accepted with its stick."""
        return [*self._out, *self._kept(), *self._game_end()]

    def _kept(self) -> Iterator[Line]:
        """Yields the hand's lines, each acceptance after its discard."""
        for place, line in enumerate(self._hand.lines):
            if self._raw or "retracted" not in line:
                yield line
            yield from self._hand.accepted.get(place, ())

    def _game_end(self) -> list[Line]:
        state = self.state
        if not state.is_over:
            return []
        corrected = corrected_fields(self._corrected)
        return [{"type": "end_game", "scores": list(state.scores), **corrected, "frame": self.frame}]

    def _start(self, effective: _WrittenEvent, before: GameState, after: GameState) -> None:
        unknown = False
        if before.live is not None:
            settled = after.history[-1].settlement
            unknown = settled is None
            if settled is not None:
                self._settle(replace(effective, is_inferred=True), before.live, after, settled)
            else:
                self._hand.lines.append(replace(effective, is_inferred=True).line("end_kyoku"))
        self._flush()
        if after.live is not None:
            self._deal(effective, after.live.start, unknown=unknown)

    def _deal(self, effective: _WrittenEvent, start: events.HandStarted, *, unknown: bool = False) -> None:
        self._hand.lines.append(
            effective.line(
                "start_kyoku",
                bakaze=start.round.wind.letter,
                kyoku=start.round.number,
                honba=start.honba,
                kyotaku=start.deposits,
                oya=int(start.dealer),
                scores=None if unknown else list(start.scores),
                dora_marker="?" if start.dora_indicator is None else to_mjai(start.dora_indicator),
                tehais=[["?"] * 13] * 4,
                **corrected_fields(self._corrected),
            )
        )

    def _adjust(self, event: events.PointsAdjusted, after: GameState) -> None:
        """Applies a correction of points to the start of the hand."""
        earlier = self._corrected or Corrected(points=(0, 0, 0, 0))
        points, sticks = add(earlier.points, event.points), earlier.sticks + event.sticks
        self._corrected = Corrected(points=points, sticks=sticks) if any(points) or sticks else None
        for number, line in enumerate(self._hand.lines):
            if after.live is not None and line["type"] == "start_kyoku":
                start = after.live.start
                scores = None if line["scores"] is None else list(start.scores)
                told = {"honba": start.honba, "kyotaku": start.deposits, "scores": scores}
                self._hand.lines[number] = {**line, **told, **corrected_fields(self._corrected)}

    def _end(self, effective: _WrittenEvent, before: HandState | None, after: GameState, ended: HandState) -> None:
        """Writes the end of a hand; a hand of which only the result was entered gets a deal first."""
        if before is None:
            self._flush()
            self._deal(effective, ended.start)
        if (settlement := after.history[-1].settlement) is not None:
            self._settle(effective, before or ended, after, settlement)

    def _play(self, effective: _WrittenEvent, before: HandState | None, after: HandState) -> None:
        event = effective.event
        match event:
            case events.Discarded():
                self._discard(effective, event, before, after)
            case events.Called():
                kind = event.kind.mjai
                called = to_mjai(event.tile)
                consumed = mjai_texts(event.own)
                self._add(
                    effective.line(
                        kind, actor=int(event.seat), target=int(event.from_seat), pai=called, consumed=consumed
                    )
                )
            case events.AddedKan():
                pon = (
                    next((m for m in before.melds[event.seat] if m.tiles[0].kind == event.tile.kind), None)
                    if before
                    else None
                )
                consumed = mjai_texts(pon.tiles if pon is not None else (event.tile.plain,) * 3)
                self._add(effective.line("kakan", actor=int(event.seat), pai=to_mjai(event.tile), consumed=consumed))
            case events.ClosedKan():
                self._add(effective.line("ankan", actor=int(event.seat), consumed=mjai_texts(event.tiles)))
            case events.DoraTurned():
                self._add(effective.line("dora", dora_marker=to_mjai(event.indicator)))
            case events.StickPlaced():
                self._accept(effective, event.seat, after)
            case events.WinClaimed():
                self._hand.claims[event.seat] = effective
            case events.WinWithdrawn():
                self._withdraw(effective, event.seat)
            case events.DrawReached() | events.AbortCalled():
                self._hand.end = effective
            case _:
                pass

    def _take_back(self, count: int) -> None:
        """Retracts the lines of the last tiles and melds, since they were taken up again; if negative, keeps them."""
        lines = self._hand.lines
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
                self._hand.declared.pop(Seat(lines[place]["actor"]), None)
                self._hand.accepted.pop(place, None)
            count += 1 if count < 0 else -1

    def _discard(
        self, effective: _WrittenEvent, event: events.Discarded, before: HandState | None, after: HandState
    ) -> None:
        first = effective.first or effective
        was = first.event if isinstance(first.event, events.Discarded) else None
        if self._raw and was is not None and first is not effective:
            self._hand.lines += _retracted(first, was, before)
        is_declaration = after.rivers[event.seat][-1].is_declaration
        self._hand.lines += _discarded(effective, event, is_declaration=is_declaration)
        if is_declaration:
            frame = first.frame if was is not None and was.sideways else effective.frame
            self._hand.declared[event.seat] = _Declared(place=len(self._hand.lines) - 1, frame=frame)
            if after.sticks[event.seat]:
                self._accept(replace(effective, frame=frame), event.seat, after)

    def _accept(self, effective: _WrittenEvent, seat: Seat, after: HandState) -> None:
        """Accepts a declared riichi whose stick is on the table, if nobody won on its tile."""
        if seat not in self._hand.declared or not after.riichi[seat].is_declared:
            return
        declared = self._hand.declared.pop(seat)
        frames = [frame for frame in (declared.frame, effective.frame) if frame is not None]
        line = replace(effective, frame=max(frames, default=None)).line("reach_accepted", actor=int(seat))
        self._hand.accepted.setdefault(declared.place, []).append(line)

    def _accept_without_stick(self, effective: _WrittenEvent, hand: HandState | None) -> None:
        """Remembers the event that let a declaration pass; it is only used at the end, if no stick was placed."""
        for seat, declared in self._hand.declared.items():
            if declared.passed is None and hand is not None and hand.riichi[seat].has_passed:
                declared.passed = replace(effective, frame=(effective.first or effective).frame)

    def _withdraw(self, effective: _WrittenEvent, seat: Seat) -> None:
        claim = self._hand.claims.pop(seat, None)
        if claim is not None and self._raw:
            self._add({**claim.line("hora", actor=int(seat)), "retracted": True, "until": effective.frame})

    def _settle(self, effective: _WrittenEvent, hand: HandState, after: GameState, settlement: Settlement) -> None:
        """Writes the end of the hand and its points; a result edited by people replaces the claims."""
        claimed = {(claim.seat, claim.from_seat) for claim in hand.claims}
        if hand.claims and all((win.seat, win.from_seat) in claimed for win in settlement.wins):
            for number, claim in enumerate(hand.claims):
                is_last = number == len(hand.claims) - 1
                self._add(self._hora(effective, hand, claim, settlement, after, is_paid=is_last))
        elif settlement.wins:
            self._hand.lines += _declared_wins(effective, settlement, hand, after)
        else:
            self._add(self._ryukyoku(self._hand.end or effective, hand, settlement, after))
        self._add(effective.line("end_kyoku"))
        self._flush()
        self._corrected = None

    def _hora(
        self,
        effective: _WrittenEvent,
        hand: HandState,
        claim: Claim,
        settlement: Settlement | None,
        after: GameState,
        *,
        is_paid: bool,
    ) -> Line:
        """Returns the line of a claim, with its value if it was settled; the last of several wins has the payments."""
        shown = hand.shown[claim.seat]
        pai = claim.laid.tile if claim.laid is not None else None if shown is None else shown.winning_tile
        points: dict[str, Any] = {}
        for win in () if settlement is None else settlement.wins:
            points |= worth_line(win) if win.seat is claim.seat else {}
        if settlement is not None and is_paid:
            points |= _payments(settlement, after)
        return self._hand.claims.get(claim.seat, effective).line(
            "hora",
            actor=int(claim.seat),
            target=int(claim.seat if claim.from_seat is None else claim.from_seat),
            pai=to_mjai(UNKNOWN if pai is None else pai),
            uradora_markers=mjai_texts(hand.ura) if hand.riichi[claim.seat].is_declared else [],
            hora_tehais=["?"] * 13 if shown is None else mjai_texts(shown.tiles),
            **points,
        )

    def _ryukyoku(self, effective: _WrittenEvent, hand: HandState, settlement: Settlement, after: GameState) -> Line:
        reason = settlement.reason
        return effective.line(
            "ryukyoku",
            reason=REASON_NAMES[reason],
            tehais=[["?"] * 13 if shown is None else mjai_texts(shown.tiles) for shown in hand.shown],
            tenpais=[seat in settlement.tenpai for seat in SEATS],
            **_payments(settlement, after),
        )

    def _add(self, line: Line) -> None:
        self._hand.lines.append(line)

    def _flush(self) -> None:
        """Moves the hand's lines to the output."""
        for seat, declared in self._hand.declared.items():
            if declared.passed is not None:
                line = declared.passed.line("reach_accepted", actor=int(seat), stick=False)
                self._hand.accepted.setdefault(declared.place, []).append(line)
        self._out += self._kept()
        self._hand = _Hand()


def _payments(settlement: Settlement, after: GameState) -> Line:
    """Returns what the last line of a hand says of its points, and of riichi that people told with the result."""
    ended = after.history[-1]
    told = {"entered_riichi": list(map(int, ended.riichi))} if ended.is_riichi_declared else {}
    return {"deltas": list(settlement.deltas), "scores": list(ended.scores), **told}


def _declared_wins(
    effective: _WrittenEvent, settlement: Settlement, hand: HandState, after: GameState
) -> Iterator[Line]:
    """Yields the lines of wins that people entered, with the hands that they entered; the last one has the payments."""
    for win in settlement.wins:
        points: Mapping[str, Any] = {}
        if win is settlement.wins[-1]:
            points = _payments(settlement, after)
        yield effective.line(
            "hora",
            actor=int(win.seat),
            target=int(win.from_seat),
            **_entered_hand(None if hand.laid else hand.shown[win.seat], _last_tile(hand, win)),
            **{"han": win.han, "fu": win.fu, "points": win.points, **worth_line(win)},
            **points,
        )


def _last_tile(hand: HandState, win: Win) -> Tile:
    """Returns the tile that a ron which people entered was won on: the last one laid, if play was seen to the end."""
    is_seen = bool(hand.laid) and not hand.is_behind and hand.laid[-1].seat is win.from_seat
    return hand.laid[-1].tile if is_seen and win.seat is not win.from_seat else UNKNOWN


def _entered_hand(shown: events.HandShown | None, last: Tile) -> Line:
    """Returns the tiles of a win that people entered; if they entered only its value, hidden ones and the `last`."""
    if shown is None or shown.winning_tile is None:
        return {"pai": to_mjai(last), "uradora_markers": [], "hora_tehais": ["?"] * 13}
    tiles = {"pai": to_mjai(shown.winning_tile), "uradora_markers": [], "hora_tehais": mjai_texts(shown.tiles)}
    return {**tiles, "entered_melds": melds_lines(shown.melds)}


def _discarded(effective: _WrittenEvent, event: events.Discarded, *, is_declaration: bool) -> list[Line]:
    """Returns the lines of a discard, after that of the riichi that it declares."""
    seat = int(event.seat)
    dahai = effective.line("dahai", actor=seat, pai=to_mjai(event.tile), tsumogiri=None)
    return [effective.line("reach", actor=seat), dahai] if is_declaration else [dahai]


def _retracted(first: _WrittenEvent, was: events.Discarded, before: HandState | None) -> list[Line]:
    """Returns the lines of a discard that was corrected or removed."""
    had_declared = before is not None and before.riichi[was.seat].is_declared
    lines = _discarded(first, was, is_declaration=was.sideways and not had_declared)
    return [{**line, "retracted": True} for line in lines]


def _acts(hand: HandState) -> int:
    """Returns how many tiles and melds were laid in a hand and not taken up again; told melds are no acts."""
    told = [() if shown is None else shown.melds for shown in hand.shown]
    melds = [meld for each, entered in zip(hand.melds, told, strict=True) for meld in each if meld not in entered]
    return hand.discards + len(melds) + sum(meld.kind is MeldKind.ADDED_KAN for meld in melds)
