"""The referee: explains the difference between the felt and the state by events, one at a time.

Each step compares the newest state with the felt and yields the one event that can have happened next. So several
changes between two observations are reported in the order of play. A change that does not fit the turn waits for an
explanation (a meld under an arm, a discard not yet at rest) before it is reported as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial

from table.game.commands.game_commands import ClaimRon, Confirm, DeclareRiichi, HandPress, LogFoul
from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.discards import DiscardFinder, correction_to, discard_question, has_copy_left, late_discard
from table.game.referee.findings import Finding, FoundEvent
from table.game.referee.hand_change import HandChange
from table.game.referee.melds.meld_events import MeldFinder
from table.game.referee.melds.put_back_calls import PutBackFinder
from table.game.referee.observation import Observation, Search
from table.game.referee.press_events import events_of, hand_for
from table.game.referee.red_fives import counted_as_plain
from table.game.referee.sight import SightFinder
from table.rules.events import HandStarted, SightLost
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import UNKNOWN
from vision.confidence import ASK_BELOW
from vision.felt import FeltReport, Outcome, TileReread, Zone

GetState = Callable[[], GameState]
"""Returns the newest state, which includes earlier findings unless they were refused."""


class Referee:
    """The referee of one table. Not thread-safe."""

    def __init__(self, *, first: HandStarted | None = None, is_complete: bool = False) -> None:
        """Starts without observations.

        Args:
            first: the start of the first hand, if it is not the one that the state expects.
            is_complete: whether the reports show every discard, as a recording does, whose hands may be drawn early.
        """
        self._first = first
        self.is_complete = is_complete
        """Whether the reports show every discard."""
        self._red = {"m": 1, "p": 1, "s": 1}
        self._report: FeltReport | None = None
        self._opened_by = 0
        """The number of the entry that opened the game."""
        self._hand: tuple[int, int, HandStarted] | None = None
        """The hand that it last watched: its game, its number there, and its start."""
        self._discards = DiscardFinder(self._red)
        self._melds = MeldFinder(self._red)
        self._put_back_calls = PutBackFinder(self._discards, self._melds)
        self._hand_change = HandChange()
        self._sight = SightFinder()

    def set_game(self, opened_by: int, ruleset: Ruleset) -> None:
        """Takes up a game by the number of the entry that opened it, and the number of red fives by its rules.

        In a suit without any, they count as plain.
        """
        self._opened_by, self._red = opened_by, ruleset.reds

    def memory(self) -> Mapping[str, object]:
        """Returns a copy of all that it remembers now, for `restore`."""
        unchanging = (self._report, self._hand_change.confirmed_facts)  # copying these would take most of the time
        return deepcopy(vars(self), {id(each): each for each in unchanging})

    def restore(self, memory: Mapping[str, object]) -> None:
        """Goes back to an earlier `memory`, since nothing that it found since then is in the journal."""
        vars(self).update(memory)

    def on_report(self, report: FeltReport, get_state: GetState) -> Iterator[Finding]:
        """Yields the findings of a report of the felt; `get_state` knows the effects of earlier findings."""
        report = counted_as_plain(report, self._red)
        self._report = report
        yield from self._corrections(report, get_state())
        yield from self._explain(report, get_state)
        if (hand := get_state().live) is not None:
            yield from self._sight.next(Observation(hand=hand, report=report))
        self._report = replace(report, changes=())  # a press uses the felt, not its earlier changes

    def on_press(self, press: HandPress, get_state: GetState) -> Iterator[Finding]:
        """Yields the findings of a press, and those about the felt that it makes clear.

        Raises:
            PressError: it is not possible now.
        """
        frame = press.frame if press.frame is not None else self.frame
        if self._report is not None:
            yield from self._explain(self._report, get_state, is_press=True)
            yield from self._tenpai_before_confirming(press, self._report, get_state())
        elif isinstance(press, DeclareRiichi):
            yield from _dealt_hand(get_state())
        if isinstance(press, LogFoul) and press.hand is None:
            press = replace(press, hand=_undealt_hand(get_state()))
        if isinstance(press, ClaimRon) and self._report is not None and (live := get_state().live) is not None:
            observation = Observation(hand=live, report=self._report, is_press=True)
            press = replace(press, discarder=self._sight.sole_discarder(press, observation))
            yield from self._sight.findings_before_ron(press, observation)
        hand, is_watched = hand_for(press, get_state()), self._report is not None
        is_pressed = not self._hand_change.is_inferred_win(press, hand)
        for event in events_of(
            press, hand, is_watched=is_watched, is_complete=self.is_complete, is_claim_pressed=is_pressed
        ):
            yield FoundEvent(event=event, source=Source.PRESS, frame=frame)
        self._hand_change.take_as_said(press, hand)
        if self._report is not None:
            yield from self._explain(self._report, get_state)

    def lose_sight(self) -> None:
        """Treats the camera as lost: what was seen until now proves nothing about what is played meanwhile."""
        self._sight.reset()

    def stop_correcting(self, discard: int) -> None:
        """Stops correcting a discard of the hand by later readings, since people named its tile."""
        self._discards.named_discards.add(discard)

    @property
    def frame(self) -> int | None:
        """The frame of the last report; None before the first."""
        return None if self._report is None else self._report.frame

    def _tenpai_before_confirming(self, press: HandPress, report: FeltReport, state: GameState) -> tuple[Finding, ...]:
        if not isinstance(press, Confirm) or state.live is None:
            return ()
        return self._hand_change.tenpai_statements(Observation(hand=state.live, report=report, is_press=True))

    def _explain(self, report: FeltReport, get_state: GetState, *, is_press: bool = False) -> Iterator[Finding]:
        """Yields findings one after another until only refused ones are left."""
        earlier_findings: list[tuple[Finding, ...]] = []
        while findings := self._next(report, get_state(), is_press, earlier_findings):
            earlier_findings.append(findings)
            yield from findings
        if self._melds.is_order_open:
            self._melds.is_order_open = False
            yield FoundEvent(event=SightLost(), source=Source.CAMERA, frame=report.frame)

    def _next(
        self, report: FeltReport, state: GameState, is_press: bool, earlier_findings: Sequence[tuple[Finding, ...]]
    ) -> tuple[Finding, ...]:
        """Returns the next possible findings, skipping those that were refused."""
        hand = state.live
        if hand is None or self._hand_change.is_swept(hand, report.felt):
            found = self._hand_change.between_hands(report, state, self._first)
            return () if found in earlier_findings else found
        self._begin_hand(hand, (self._opened_by, len(state.history), hand.start))
        observation = Observation(hand=hand, report=report, is_press=is_press)
        self._hand_change.watch(report.felt)
        for search in self._searches_in_play if hand.phase is Phase.PLAY else self._searches_at_end(hand):
            found = search(observation)
            if found and found not in earlier_findings:
                return found
        return ()

    @property
    def _searches_in_play(self) -> tuple[Search, ...]:
        """The searches for findings during a hand, in their order."""
        discards, melds = self._discards, self._melds
        return (
            discards.stick,
            self._put_back_calls.next,
            lambda observation: melds.next(observation, discards),
            discards.next,
            self._hand_change.shown_hands,
        )

    def _searches_at_end(self, hand: HandState) -> tuple[Search, ...]:
        discards = self._discards
        return (
            discards.stick,
            lambda observation: late_discard(observation, discards),
            self._melds.late_kan,
            *self._hand_change.end_searches(hand, self._red),
        )

    def _begin_hand(self, hand: HandState, which: tuple[int, int, HandStarted]) -> None:
        """Forgets the previous hand when a new one starts, which may start just like it, as after a replayed hand."""
        if self._hand != which:
            if self._hand is not None and self._hand[:2] != which[:2]:
                self._hand_change.forget_hands()
            self._hand = which
            self._discards = DiscardFinder(
                self._red, old_ids=frozenset() if hand.dora_indicators else self._hand_change.old_ids
            )
            self._melds = MeldFinder(self._red)
            self._put_back_calls = PutBackFinder(self._discards, self._melds)

    def _corrections(self, report: FeltReport, state: GameState) -> Iterator[Finding]:
        """Yields corrections of tiles whose reading changed, except those named by people."""
        if (hand := state.live) is None:
            return
        for change in report.changes:
            if not isinstance(change, TileReread) or not felt_in_seats.is_face_up(change.tile):
                continue
            if change.tile.zone is Zone.RIVER:
                yield from self._discard_reread(change, hand, report)
            elif change.tile.zone is Zone.WALL and not _is_same(change):
                yield from _indicator_reread(change, hand, report)

    def _discard_reread(self, change: TileReread, hand: HandState, report: FeltReport) -> Iterator[Finding]:
        number = self._discards.rivers.discard_of(change.tile)
        discards = {discard.discard_number: discard for river in hand.rivers for discard in river}
        discard = None if number is None else discards.get(number)
        if discard is None:
            return
        is_other = not _is_same(change)
        if discard.called_by is not None:
            if is_other:
                self._discards.rivers.forget(change.tile)
            return
        is_by_people = discard.discard_number in self._discards.named_discards
        if is_by_people or discard.tile not in (felt_in_seats.tile_of(change.before), UNKNOWN):
            return
        seat = next(seat for seat in SEATS if discard in hand.rivers[seat])
        question = partial(
            discard_question, seat=seat, discard=discard.discard_number, tile=change.tile, frame=report.frame
        )
        if is_other and not has_copy_left(hand, felt_in_seats.tile_of(change.tile), self._red):
            yield question(AnnouncementId.IMPOSSIBLE_READING)
            return
        if is_other or _is_answered(change):
            yield correction_to(change.tile, report.frame, discard=discard.discard_number)
        if change.tile.reading.score < ASK_BELOW <= change.before.reading.score:
            yield question(AnnouncementId.DOUBT)


def _is_same(change: TileReread) -> bool:
    return felt_in_seats.tile_of(change.before) == felt_in_seats.tile_of(change.tile)


def _is_answered(change: TileReread) -> bool:
    """Whether a question about a face is now answered by the rest of the table."""
    before, now = change.before.reading, change.tile.reading
    was_asked = before.score < ASK_BELOW or before.outcome is Outcome.SURPLUS
    return was_asked and now.score >= ASK_BELOW and now.outcome is not Outcome.SURPLUS


def _undealt_hand(state: GameState) -> int | None:
    """Returns the number of the hand on the table if it is not dealt yet; None if it is in play or just settled."""
    return state.on_table if state.live is None and state.on_table == len(state.history) else None


def _dealt_hand(state: GameState) -> Iterator[Finding]:
    """Yields the deal of the next hand when riichi is declared in it, if no camera watches."""
    if state.live is None and state.next_start is not None:
        yield FoundEvent(event=state.next_start, source=Source.TABLE)


def _indicator_reread(change: TileReread, hand: HandState, report: FeltReport) -> Iterator[Finding]:
    before = felt_in_seats.tile_of(change.before)
    if before in hand.dora_indicators:
        yield correction_to(change.tile, report.frame, indicator=hand.dora_indicators.index(before))
