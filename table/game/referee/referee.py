"""The referee: explains the difference between the felt and the state by events, one at a time.

Each step looks at the newest state, takes the one thing that can have happened next, and says it; then it looks again.
So two changes between two looks come out in the order of play. What does not fit the turn waits a little for what
explains it (a meld under an arm, a discard not yet at rest) before it is said as it looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from table.game.game_commands import Confirm, DeclareRiichi, HandPress, LogFoul
from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.discards import Playing, asked, late_discard
from table.game.referee.findings import Correction, Finding, FoundEvent
from table.game.referee.hand_change import Endings
from table.game.referee.meld_events import Melding
from table.game.referee.observation import Observation
from table.game.referee.press_events import events_of, hand_for
from table.rules.events import HandStarted
from table.rules.state import GameState, HandState, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import UNKNOWN
from vision.confidence import ASK_BELOW
from vision.felt import FeltReport, Outcome, TileReread, Zone

Explain = Callable[[Observation], tuple[Finding, ...]]
State = Callable[[], GameState]
"""Gives the newest state: what was yielded before is in it, unless it was refused."""


class Referee:
    """Watches one table. Not for several threads at once."""

    def __init__(self, *, first: HandStarted | None = None, red: Mapping[str, int] | None = None) -> None:
        """Begins with nothing seen.

        Args:
            first: how the first hand starts, where it is not the one that the state expects.
            red: how many red fives of each suit the set has, `{"m": 1, "p": 1, "s": 1}` where not said.
        """
        self._first = first
        self._red = dict(red) if red is not None else {"m": 1, "p": 1, "s": 1}
        self._report: FeltReport | None = None
        self._hand: HandStarted | None = None
        self._playing = Playing(self._red)
        self._melding = Melding()
        self._endings = Endings()

    def on_report(self, report: FeltReport, state: State) -> Iterator[Finding]:
        """Says what a report of the felt means; `state` must give what earlier findings led to."""
        self._report = report
        yield from self._corrections(report, state())
        yield from self._explain(report, state)
        self._report = replace(report, changes=())  # a press looks at what lies there, not at what changed before it

    def on_press(self, press: HandPress, state: State) -> Iterator[Finding]:
        """Says what a press means, and what on the felt is clear now because of it.

        Raises:
            PressError: it has no meaning now.
        """
        frame = press.frame if press.frame is not None else self.frame
        if self._report is not None:
            yield from self._explain(self._report, state, is_press=True)
            yield from self._before_confirming(press, self._report, state())
        elif isinstance(press, DeclareRiichi):
            yield from _dealt(state())
        if isinstance(press, LogFoul) and press.hand is None:
            press = replace(press, hand=_unopened(state()))
        for event in events_of(press, hand_for(press, state()), is_watched=self._report is not None):
            yield FoundEvent(event=event, source=Source.PRESS, frame=frame)
        if self._report is not None:
            yield from self._explain(self._report, state)

    def leave_alone(self, discard: int) -> None:
        """Corrects a discard of the hand no more, whatever is read there: people said what it is."""
        self._playing.named.add(discard)

    @property
    def frame(self) -> int | None:
        """The last frame that it was told of; None before the first."""
        return None if self._report is None else self._report.frame

    def _before_confirming(self, press: HandPress, report: FeltReport, state: GameState) -> tuple[Finding, ...]:
        if not isinstance(press, Confirm) or state.live is None:
            return ()
        return self._endings.stated(Observation(hand=state.live, report=report, is_press=True))

    def _explain(self, report: FeltReport, state: State, *, is_press: bool = False) -> Iterator[Finding]:
        """Says one thing after another until nothing is left to say but what was refused."""
        said: list[tuple[Finding, ...]] = []
        while findings := self._next(report, state(), is_press, said):
            said.append(findings)
            yield from findings

    def _next(
        self, report: FeltReport, state: GameState, is_press: bool, findings: Sequence[tuple[Finding, ...]]
    ) -> tuple[Finding, ...]:
        """The next thing that can have happened; what was said in vain is passed over."""
        hand = state.live
        if hand is None or self._endings.is_swept(hand, report.felt):
            found = self._endings.between(report, state, self._first)
            return () if found in findings else found
        self._take_up(hand)
        observation = Observation(hand=hand, report=report, is_press=is_press)
        self._endings.watch(report.felt)
        for explain in self._in_play if hand.phase is Phase.PLAY else self._at_the_end:
            found = explain(observation)
            if found and found not in findings:
                return found
        return ()

    @property
    def _in_play(self) -> tuple[Explain, ...]:
        """What can be seen while a hand is played, in the order in which it is asked for."""
        playing, melding = self._playing, self._melding
        return playing.stick, lambda look: melding.next(look, playing), playing.next, self._endings.shown_hands

    @property
    def _at_the_end(self) -> tuple[Explain, ...]:
        playing = self._playing
        return playing.stick, lambda look: late_discard(look, playing), self._endings.next

    def _take_up(self, hand: HandState) -> None:
        """Forgets the tiles of the hand before."""
        if self._hand != hand.start:
            self._hand = hand.start
            self._playing = Playing(self._red, old=frozenset() if hand.dora_indicators else self._endings.old)
            self._melding = Melding()

    def _corrections(self, report: FeltReport, state: GameState) -> Iterator[Finding]:
        """What is read otherwise than when it was told; what people corrected is left alone."""
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
        index = self._playing.rivers.discard_of(change.tile)
        known = {discard.index: discard for river in hand.rivers for discard in river}
        discard = None if index is None else known.get(index)
        if discard is None:
            return
        if discard.called_by is not None:
            if not _is_same(change):
                self._playing.rivers.forget(change.tile)
        elif (
            discard.tile in (felt_in_seats.tile_of(change.before), UNKNOWN) and discard.index not in self._playing.named
        ):
            if not _is_same(change) or _is_cleared(change):
                yield _correction(change, report, discard=discard.index)
            if change.tile.reading.score < ASK_BELOW <= change.before.reading.score:
                seat = next(seat for seat in SEATS if discard in hand.rivers[seat])
                yield asked(AnnouncementId.DOUBT, seat, discard.index, change.tile, report.frame)


def _is_same(change: TileReread) -> bool:
    return felt_in_seats.tile_of(change.before) == felt_in_seats.tile_of(change.tile)


def _is_cleared(change: TileReread) -> bool:
    """Whether what was asked about a face is clear now by the rest of the table."""
    before, now = change.before.reading, change.tile.reading
    was_asked = before.score < ASK_BELOW or before.outcome is Outcome.SURPLUS
    return was_asked and now.score >= ASK_BELOW and now.outcome is not Outcome.SURPLUS


def _unopened(state: GameState) -> int | None:
    """The hand that people look at where it is not in play yet; None for one that is, or is just settled."""
    return state.on_table if state.live is None and state.on_table == len(state.history) else None


def _dealt(state: GameState) -> Iterator[Finding]:
    """Where nobody watches, the next hand is dealt when riichi is declared in it."""
    if state.live is None and state.next_start is not None:
        yield FoundEvent(event=state.next_start, source=Source.TABLE)


def _indicator_reread(change: TileReread, hand: HandState, report: FeltReport) -> Iterator[Finding]:
    before = felt_in_seats.tile_of(change.before)
    if before in hand.dora_indicators:
        yield _correction(change, report, indicator=hand.dora_indicators.index(before))


def _correction(
    change: TileReread, report: FeltReport, *, discard: int | None = None, indicator: int | None = None
) -> Correction:
    return Correction(
        discard=discard,
        indicator=indicator,
        to=felt_in_seats.tile_of(change.tile),
        source=Source.CAMERA,
        frame=report.frame,
        confidence=felt_in_seats.confidence([change.tile]),
        evidence=(change.tile.id,),
    )
