"""Writes the journal as mjai lines, in the dialect of recordings: each line has the frame in which it was committed.

There are no `tsumo` lines (draws cannot be seen), `tsumogiri` is null, and hidden tiles are `"?"`. Events that were
corrected or withdrawn are left out or, with `raw`, kept and marked `"retracted": true`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.game.journal.effective_events import effective_events, removed_events
from table.game.journal.entries import Entry, GameOpened
from table.game.journal.fold import fold_steps, opened_game
from table.records.formats.game_record import PointCorrection
from table.records.formats.late_penalties import late_dues, late_fields
from table.records.mjai.fields.mjai_corrections import corrected_fields
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_tiles import mjai_texts, to_mjai
from table.records.mjai.from_journal.mjai_end_lines import claimed_win_line, declared_win_lines, draw_line
from table.records.mjai.from_journal.mjai_hand_lines import HandLines
from table.records.mjai.from_journal.settled_points import with_scores, with_settled_points
from table.records.mjai.from_journal.written_event import WrittenEvent, committed_event, written_event
from table.rules import events
from table.rules.advance import advance
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState, Phase, Riichi
from table.rules.terms.melds import MeldKind
from table.rules.terms.results import Settlement, add
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

_ACTS = (events.Discarded, events.Called, events.AddedKan, events.ClosedKan)


def mjai_lines(entries: Sequence[Entry], *, raw: bool = False, is_live: bool = False) -> list[MjaiLine]:
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
    writer = _Writer(game.state, opening.ruleset, raw=raw)
    removed = deque(removed_events(entries[1:]) if raw else ())
    for effective, game_after in zip(effective_events(entries[1:]), fold_steps(game, entries[1:]), strict=True):
        while removed and removed[0].number < effective.place:
            writer.retract(removed.popleft())
        if game_after.state is not writer.state:  # otherwise the event did not fit
            writer.write(written_event(effective), game_after.state)
    for entry in removed:
        writer.retract(entry)
    if is_live:
        return writer.lines_so_far()
    hand = writer.state.live
    if hand is not None and hand.phase is not Phase.PLAY:
        # The recording ended before anybody confirmed: the proposal stands.
        closing = WrittenEvent(event=events.ClaimsConfirmed(), frame=writer.frame, confidence=0.5, is_inferred=True)
        for _ in range(2):
            if writer.state.live is not None:
                writer.write(closing, advance(writer.state, closing.event, opening.ruleset).state)
    return writer.all_lines()


class _Writer:
    def __init__(self, state: GameState, rules: Ruleset, *, raw: bool) -> None:
        self.state = state
        self._rules = rules
        self.frame: int | None = None
        self._raw = raw
        self._lines: list[MjaiLine] = [{"type": "start_game", "frame": 0}]
        self._hand = HandLines(is_raw=raw)
        self._corrected: PointCorrection | None = None
        """What people corrected since the last settled hand."""
        self._ended: _EndedHand | None = None

    def write(self, effective: WrittenEvent, after: GameState) -> None:
        """Adds one event, with the state after it."""
        before, self.state = self.state, after
        self.frame = effective.frame if effective.frame is not None else self.frame
        if isinstance(effective.event, events.HandStarted):
            self._start(effective, before, after)
        elif isinstance(effective.event, events.PointsAdjusted):
            self._adjust(effective.event)
        elif isinstance(effective.event, events.GameEnded):
            self._hand = HandLines(is_raw=self._raw)  # the hand in play does not count
        elif after.hand is not None:
            if before.live is None and after.live is not None:  # a foul opened the hand before its deal
                self._flush()
                self._deal(effective, after.live.start)
            if before.live is not None:
                self._hand.take_back(
                    _act_count(before.live) - _act_count(after.hand) + isinstance(effective.event, _ACTS)
                )
            self._play(effective, before.hand, after.hand)
        if before.live is not None and after.live is not None and before.live.start != after.live.start:
            self._start_anew(after.live.start)
        self._hand.accept_without_stick(effective, after.hand)
        if before.live is None and after.live is None and len(after.history) == len(before.history) and after.hand:
            self._settle_again(before, after, after.hand.riichi)
        if len(after.history) > len(before.history) and after.live is None and after.hand is not None:
            self._end(effective, before.live, after, after.hand)

    def retract(self, removed: Entry) -> None:
        """Adds the lines of a discard that a correction removed."""
        if isinstance(removed.body, events.Discarded) and self.state.live is not None:
            committed = committed_event(removed.body, removed.envelope)
            self._hand.retract(committed, removed.body, self.state.live)

    def all_lines(self) -> list[MjaiLine]:
        """Returns all lines, including the last hand's so far; a claim that could not be valued has no points."""
        if (hand := self.state.live) is not None:
            for claim in hand.claims:
                if claim.from_seat is None:  # nobody has said yet who discarded its tile
                    continue
                event = self._hand.claims[claim.seat]
                self._add(claimed_win_line(event, hand, claim, None, self.state, is_paid=False))
        self._flush()
        return [*self._lines, *self._game_end()]

    def lines_so_far(self) -> list[MjaiLine]:
        """Returns the lines that no later entry changes, except amendments; a riichi is accepted with its stick."""
        lines, history = [*self._lines, *self._hand.ordered_lines()], self.state.history
        settled = with_settled_points(list(with_scores(lines, history)), history)
        return [*settled, *self._game_end()]

    def _game_end(self) -> list[MjaiLine]:
        state = self.state
        if not state.is_over:
            return []
        dues = late_dues([due for hand in state.history for due in hand.dues])
        earlier = late_dues([due for hand in state.history[:-1] for due in hand.dues])
        changes = corrected_fields(self._corrected) | late_fields(dues, list, earlier=earlier)
        return [{"type": "end_game", "scores": list(state.scores), **changes, "frame": self.frame}]

    def _start(self, effective: WrittenEvent, before: GameState, after: GameState) -> None:
        is_unknown = False
        if before.live is not None:
            settled = after.history[-1].settlement
            is_unknown = settled is None
            if settled is not None:
                self._settle(replace(effective, is_inferred=True), before.live, after, settled)
            else:
                self._hand.lines.append(replace(effective, is_inferred=True).line("end_kyoku"))
        self._flush()
        if after.live is not None:
            self._deal(effective, after.live.start, is_unknown=is_unknown)

    def _deal(self, effective: WrittenEvent, start: events.HandStarted, *, is_unknown: bool = False) -> None:
        self._hand.lines.append(
            effective.line(
                "start_kyoku",
                bakaze=start.round.wind.letter,
                kyoku=start.round.number,
                honba=start.honba,
                kyotaku=start.deposits,
                oya=int(start.dealer),
                scores=None if is_unknown else list(start.scores),
                dora_marker="?" if start.dora_indicator is None else to_mjai(start.dora_indicator),
                tehais=[["?"] * 13] * 4,
                **corrected_fields(self._corrected),
            )
        )

    def _adjust(self, event: events.PointsAdjusted) -> None:
        """Adds a correction of points to those since the last settled hand."""
        earlier = self._corrected or PointCorrection(points=(0, 0, 0, 0))
        points, sticks = add(earlier.points, event.points), earlier.sticks + event.sticks
        self._corrected = PointCorrection(points=points, sticks=sticks) if any(points) or sticks else None

    def _start_anew(self, start: events.HandStarted) -> None:
        """Writes the points, sticks and honba with which the hand in play started, after they were changed."""
        for number, line in enumerate(self._hand.lines):
            if line["type"] == "start_kyoku":
                scores = None if line["scores"] is None else list(start.scores)
                changed_fields = {"honba": start.honba, "kyotaku": start.deposits, "scores": scores}
                self._hand.lines[number] = {**line, **changed_fields, **corrected_fields(self._corrected)}

    def _end(self, effective: WrittenEvent, before: HandState | None, after: GameState, hand: HandState) -> None:
        """Writes the end of a hand; a hand of which only the result was entered gets a deal first."""
        if before is None:
            self._flush()
            self._deal(effective, hand.start)
        if (settlement := after.history[-1].settlement) is not None:
            self._settle(effective, before or hand, after, settlement)

    def _play(self, effective: WrittenEvent, before: HandState | None, after: HandState) -> None:
        event = effective.event
        match event:
            case events.Discarded():
                self._hand.discard(effective, event, before, after)
            case events.Called():
                kind = event.kind.mjai
                pai = to_mjai(event.tile)
                consumed = mjai_texts(event.own)
                self._add(
                    effective.line(kind, actor=int(event.seat), target=int(event.from_seat), pai=pai, consumed=consumed)
                )
            case events.AddedKan():
                consumed = mjai_texts(_pon_tiles(before, event))
                self._add(effective.line("kakan", actor=int(event.seat), pai=to_mjai(event.tile), consumed=consumed))
            case events.ClosedKan():
                self._add(effective.line("ankan", actor=int(event.seat), consumed=mjai_texts(event.tiles)))
            case events.DoraTurned():
                self._add(effective.line("dora", dora_marker=to_mjai(event.indicator)))
            case events.StickPlaced():
                self._hand.accept(effective, event.seat, after)
            case events.WinClaimed():
                self._hand.claims[event.seat] = effective
            case events.WinWithdrawn():
                self._hand.withdraw(effective, event.seat)
            case events.DrawReached() | events.AbortCalled():
                self._hand.end = effective
            case _:
                pass

    def _add(self, line: MjaiLine) -> None:
        self._hand.lines.append(line)

    def _flush(self) -> None:
        """Moves the hand's lines to the output."""
        self._lines += self._hand.lines_at_end()
        self._hand = HandLines(is_raw=self._raw)

    def _settle(self, effective: WrittenEvent, hand: HandState, after: GameState, settlement: Settlement) -> None:
        """Writes the end of the hand and its points."""
        ended, self._corrected = self._hand, None
        self._flush()
        self._ended = _EndedHand(place=len(self._lines), end=effective, hand=hand, lines=ended, rules=self._rules)
        self._lines += self._ended.end_lines(after, settlement)

    def _settle_again(self, before: GameState, after: GameState, riichi: tuple[Riichi, ...]) -> None:
        """Writes the end of the last hand anew if a foul that was found or cancelled after it has changed it."""
        old, new, ended = before.history[-1].settlement, after.history[-1].settlement, self._ended
        if old is None or new is None or ended is None:
            return
        if (old.kind, old.reason, _winners(old)) == (new.kind, new.reason, _winners(new)):
            return
        ended.hand = replace(ended.hand, riichi=riichi)
        self._lines[ended.place :] = ended.end_lines(after, new)


@dataclass(slots=True)
class _EndedHand:
    """The last hand that was settled, whose end may still change."""

    place: int
    """The index of the first line of its end."""
    end: WrittenEvent
    hand: HandState
    lines: HandLines
    rules: Ruleset

    def end_lines(self, after: GameState, settlement: Settlement) -> list[MjaiLine]:
        """Returns the lines of its end with this settlement; a result edited by people replaces the claims.

        A claim that won nothing has no line: a false one, one after the only winner's, or those of an abort.
        """
        lines: list[MjaiLine] = []
        claims = {(claim.seat, claim.from_seat): claim for claim in self.hand.claims}
        winners = _winners(settlement)
        if not winners:
            lines.append(draw_line(self.lines.end or self.end, self.hand, settlement, after, self.rules))
        elif claims.keys() >= set(winners):
            for winner in winners:
                claim, is_last = claims[winner], winner == winners[-1]
                claimed_by = self.lines.claims.get(claim.seat, self.end)
                lines.append(claimed_win_line(claimed_by, self.hand, claim, settlement, after, is_paid=is_last))
        else:
            lines += declared_win_lines(self.end, settlement, self.hand, after)
        return [*lines, self.end.line("end_kyoku")]


def _winners(settlement: Settlement) -> list[tuple[Seat, Seat]]:
    """Returns each winner with the seat whose tile won."""
    return [(win.seat, win.from_seat) for win in settlement.wins]


def _pon_tiles(before: HandState | None, event: events.AddedKan) -> Sequence[Tile]:
    """Returns the tiles of the pon that becomes a kan; plain ones if nobody saw it."""
    melds = () if before is None else before.melds[event.seat]
    pon = next((meld for meld in melds if meld.tiles[0].kind == event.tile.kind), None)
    return (event.tile.without_red,) * 3 if pon is None else pon.tiles


def _act_count(hand: HandState) -> int:
    """Returns how many tiles and melds were laid in a hand and not taken up again, without entered melds."""
    melds_entered = [() if hand_shown is None else hand_shown.melds for hand_shown in hand.shown_hands]
    melds = [
        meld
        for all_melds, entered in zip(hand.melds, melds_entered, strict=True)
        for meld in all_melds
        if meld not in entered
    ]
    return hand.discards + len(melds) + sum(meld.kind is MeldKind.ADDED_KAN for meld in melds)
