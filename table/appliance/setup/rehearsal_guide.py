"""Guides people through the rehearsal: a practice table follows the felt as the real one would, and is judged.

The practice table has its own journal in memory, its own referee and the same rules. A person's mistake is undone by
restoring the table as it was before that step; what the camera missed is entered, as people would do by phone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from time import monotonic
from typing import Final

import numpy as np

from table.appliance.setup.rehearsal import (
    JUDGED_EVENTS,
    JudgedEvent,
    Judgement,
    ObservedEvent,
    RehearsalStep,
    StepAnswer,
    StepKind,
    StepOutcome,
    StepResult,
    judge_steps,
    step_of,
    steps,
    verdict,
)
from table.appliance.setup.rest_timer import RestTimer
from table.camera.preview import STICK_MM
from table.camera.report_switch import ReportSwitch
from table.camera.table_place.table_finder import TableFinder
from table.dashboard.wizard.setup_port import GuideState, GuideStatus, GuideStep, SeenEvent
from table.game.commands.game_commands import ClaimTsumo
from table.game.journal.effective_events import EffectiveEvent, effective_events
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.game.live_table import Table
from table.game.referee import Referee
from table.health.health_report import RehearsalResult
from table.rules.events import StickPlaced
from table.rules.ruleset import Ruleset
from table.runtime.clock import SystemClock
from table.runtime.table_errors import PressError
from vision.arrays import Floats
from vision.felt import BACK, Felt, FeltReport, LyingStick, LyingTile, Zone
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize

PLAYED_ZONES: Final = (Zone.RIVER, Zone.MELD, Zone.HAND, Zone.WALL)
"""Zones in which an open face matters."""
IDLE_S: Final = 180.0
"""Time without a visit to the step's page after which the felt is returned to the real table."""


class Guide:
    """One rehearsal at a time. The camera's thread delivers reports; phones query the state and answer."""

    def __init__(
        self,
        table_finder: TableFinder,
        report_switch: ReportSwitch,
        *,
        ruleset: Ruleset,
        tile: TileSize,
        keep: Callable[[RehearsalResult], None],
    ) -> None:
        """Takes the calibration, the switch of reports, the practice table's rules, and a callback for the result."""
        self._table_finder, self._report_switch = table_finder, report_switch
        self._ruleset, self._tile, self._keep = ruleset, tile, keep
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._answers: dict[int, StepAnswer] = {}
        self._measurements: dict[int, tuple[float, float | None]] = {}
        self._tiles_to_take: dict[int, LyingTile] = {}
        self._has_claimed = False
        self._rest_timer = RestTimer()
        self._state = GuideState.IDLE
        self._felt = Felt()
        self._last_visit = monotonic()

    def begin(self) -> None:
        """Starts over; the real table gets no reports until the felt is cleared after the end."""
        with self._lock:
            self._table = self._practice_table(())
            self._answers, self._measurements, self._tiles_to_take = {}, {}, {}
            self._has_claimed = False
            self._state, self._last_visit, self._rest_timer = GuideState.CLEARING, monotonic(), RestTimer()
            if self._report_switch.latest is not None:
                self._felt = self._report_switch.latest.felt
            self._start_if_clear()
        self._report_switch.hold(self._observe)

    def say(self, number: int, word: str) -> None:
        """Handles what people say about the step `number`, counted from 0, if it is the present one.

        Args:
            number: the step that the phone shows.
            word: `misread`, `missed`, or `mine` for a person's own mistake, which is undone.
        """
        with self._lock:
            events, judgement = self._observed_events(), self._judgement()
            if self._state is not GuideState.GOING or number != len(judgement.outcomes) or number >= len(steps()):
                return
            if word == "mine" and judgement.doubt is not None:
                self._take_back(events.index(judgement.doubt))
            elif word == StepAnswer.MISREAD and judgement.doubt is not None:
                self._answers[number] = StepAnswer.MISREAD
            elif word == StepAnswer.MISSED and judgement.doubt is None and not self._claim_win(number):
                self._answers[number] = StepAnswer.MISSED
                self._enter_by_hand(number)
            self._end_if_over()

    def end(self) -> None:
        """Ends the rehearsal; the results so far are kept."""
        with self._lock:
            self._end()

    def status(self) -> GuideStatus:
        """Returns the state, in the terms of `table.appliance.setup.rehearsal`."""
        with self._lock:
            self._last_visit = monotonic()
            judgement = self._judgement()
            found = verdict(steps(), judgement.outcomes)
            return GuideStatus(
                state=self._state,
                done=len(judgement.outcomes),
                steps=tuple(_step_of(step, outcome) for step, outcome in zip_longest(steps(), judgement.outcomes)),
                doubt=_seen_event(judgement.doubt),
                is_taking_back=bool(self._tiles_to_take),
                trust=found.trust,
                advice=found.advice,
            )

    def _observe(self, frame: Frame, report: FeltReport | None) -> None:
        """Handles a frame and its report, in the camera's thread."""
        if self._state in (GuideState.CLEARING, GuideState.GOING):
            self._rest_timer.add_frame(frame)
        if report is None:
            return
        with self._lock:
            self._felt = report.felt
            if monotonic() - self._last_visit > IDLE_S:
                self._end()
            if self._state is GuideState.CLEARING:
                self._start_if_clear()
            elif self._state is GuideState.GOING and self._is_taken_back():
                self._process_report(report)
                self._end_if_over()

    def _start_if_clear(self) -> None:
        if is_clear(self._felt):
            self._state = GuideState.GOING

    def _process_report(self, report: FeltReport) -> None:
        """Passes a report to the practice table, and measures new events."""
        if self._table is None:
            return
        self._table.report(report)
        late_s = max(0.0, monotonic() - self._table_finder.frame_began)
        for effective, _ in self._judged_events():
            if effective.first.number not in self._measurements:
                self._measurements[effective.first.number] = self._measure(effective.first, report, late_s)

    def _measure(self, entry: Entry, report: FeltReport, late_s: float) -> tuple[float, float | None]:
        """Returns an event's confidence, and the seconds from lying still to its report; None if unknown."""
        surety, items = entry.envelope.confidence, self._lying_items(entry, report.felt)
        sticks = [item.score for item in items if isinstance(item, LyingStick)]
        calibration = None if self._table_finder.place is None else self._table_finder.place.calibration
        if calibration is None:
            return min([surety, *sticks]), None
        since = [self._rest_timer.still_since(_quad(item, self._tile, calibration)) for item in items]
        rest_starts = [t_ns for t_ns in since if t_ns is not None]
        seconds = (report.t_ns - max(rest_starts)) / 1e9 + late_s if rest_starts else None
        return min([surety, *sticks]), seconds

    def _lying_items(self, entry: Entry, felt: Felt) -> list[LyingTile | LyingStick]:
        items: list[LyingTile | LyingStick] = [tile for tile in felt.tiles if tile.id in entry.envelope.evidence]
        if isinstance(entry.body, StickPlaced):
            items += [stick for stick in felt.sticks if stick.zone is Zone.STICKS and stick.side == entry.body.seat]
        return items

    def _judged_events(self) -> list[tuple[EffectiveEvent, JudgedEvent]]:
        """Returns the practice table's events of the judged kinds, after corrections, without those entered by hand."""
        if self._table is None:
            return []
        events = effective_events(self._table.journal.entries()[1:])
        return [
            (effective, effective.event)
            for effective in events
            if isinstance(effective.event, JUDGED_EVENTS) and effective.first.envelope.source is not Source.PRESS
        ]

    def _observed_events(self) -> list[ObservedEvent]:
        return [self._observed_event(effective, event) for effective, event in self._judged_events()]

    def _observed_event(self, effective: EffectiveEvent, event: JudgedEvent) -> ObservedEvent:
        surety, seconds = self._measurements.get(effective.first.number, (effective.latest.envelope.confidence, None))
        return ObservedEvent(
            event=event, surety=surety, seconds=seconds, is_late=effective.latest is not effective.first
        )

    def _judgement(self) -> Judgement:
        return judge_steps(steps(), self._observed_events(), self._answers)

    def _take_back(self, index: int) -> None:
        """Restores the practice table to before the wrong event; it waits until one of the event's tiles is moved."""
        wrong, _ = self._judged_events()[index]
        entries = self._entries()
        self._tiles_to_take = {tile.id: tile for tile in self._felt.tiles if tile.id in wrong.first.envelope.evidence}
        self._table = self._practice_table([entry for entry in entries if entry.number < wrong.first.number])

    def _claim_win(self, number: int) -> bool:
        """Claims the win for an open hand, as its owner would; returns whether the table then saw the hand."""
        step, table = steps()[number], self._table
        if step.kind is not StepKind.HAND or step.seat is None or table is None or self._has_claimed:
            return False
        self._has_claimed, before = True, len(self._observed_events())
        with suppress(PressError):
            table.handle(ClaimTsumo(seat=step.seat))
        return len(self._observed_events()) > before

    def _enter_by_hand(self, number: int) -> None:
        """Enters what the camera missed, so that the hand can continue."""
        event = steps()[number].event
        envelope = Envelope(utc=SystemClock().utc(), source=Source.PRESS)
        entries = self._entries()
        self._table = self._practice_table([*entries, Entry(number=len(entries) + 1, envelope=envelope, body=event)])

    def _entries(self) -> list[Entry]:
        return [] if self._table is None else list(self._table.journal.entries())

    def _is_taken_back(self) -> bool:
        """Returns whether one of the wrongly laid tiles was moved, so that the table can follow the felt again."""
        now = {tile.id: tile for tile in self._felt.tiles}
        if self._tiles_to_take and all(
            _is_unmoved(tile, now.get(number)) for number, tile in self._tiles_to_take.items()
        ):
            return False
        self._tiles_to_take = {}
        return True

    def _practice_table(self, entries: Sequence[Entry]) -> Table:
        """Returns a practice table with these entries; forgets the measurements of all later ones."""
        journal, clock = Journal(None), SystemClock()
        if not entries:
            journal.append(
                Envelope(utc=clock.utc(), source=Source.TABLE),
                GameOpened(ruleset=self._ruleset, asks_for_sticks_in_play=False),
            )
        for entry in entries:
            journal.append(entry.envelope, entry.body)
        self._measurements = {
            number: measurement for number, measurement in self._measurements.items() if number <= journal.last
        }
        return Table(journal=journal, referee=Referee(), ruleset=self._ruleset, clock=clock)

    def _end_if_over(self) -> None:
        if self._state is GuideState.GOING and len(self._judgement().outcomes) == len(steps()):
            self._end()

    def _end(self) -> None:
        if self._state in (GuideState.IDLE, GuideState.OVER):
            return
        has_begun = bool(self._judgement().outcomes)
        self._state = GuideState.OVER if has_begun else GuideState.IDLE
        self._report_switch.give_back_when(is_clear)
        if has_begun:
            self._keep(self._result())

    def _result(self) -> RehearsalResult:
        outcomes = self._judgement().outcomes
        return RehearsalResult(
            when=SystemClock().utc(),
            steps=len(steps()),
            done=len(outcomes),
            right=sum(outcome.result is StepResult.RIGHT for outcome in outcomes),
            trust=verdict(steps(), outcomes).trust,
        )


def is_clear(felt: Felt) -> bool:
    """Returns whether no tile lies face up in a zone that matters."""
    return not any(tile.zone in PLAYED_ZONES and tile.reading.tile != BACK for tile in felt.tiles)


def _is_unmoved(before: LyingTile, now: LyingTile | None) -> bool:
    if now is None:
        return False
    return replace(before, reading=now.reading, x_mm=now.x_mm, y_mm=now.y_mm, angle_deg=now.angle_deg) == now


def _quad(item: LyingTile | LyingStick, tile: TileSize, calibration: Calibration) -> Floats:
    """Returns the approximate outline of an object in the picture, [4, 2] pixels, upright or sideways."""
    is_tile = isinstance(item, LyingTile)
    size = (tile.width_mm, tile.height_mm) if is_tile else (STICK_MM[1], STICK_MM[0])
    angle = np.radians(item.angle_deg if is_tile else item.angle_deg - 90.0)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64) * size / 2 @ turn + (item.x_mm, item.y_mm)
    return calibration.to_pixels(corners, height_mm=tile.depth_mm if is_tile else 4.0)


def _step_of(step: RehearsalStep, outcome: StepOutcome | None) -> GuideStep:
    return GuideStep(
        kind=step.kind,
        seat=step.seat,
        tiles=tuple(tile.text for tile in step.tiles),
        result=None if outcome is None else outcome.result,
        seen=None if outcome is None else _seen_event(outcome.event),
    )


def _seen_event(observed: ObservedEvent | None) -> SeenEvent | None:
    if observed is None:
        return None
    step = step_of(observed.event)
    tiles = tuple(tile.text for tile in step.tiles)
    return SeenEvent(kind=step.kind, seat=step.seat, tiles=tiles, surety=observed.surety, seconds=observed.seconds)
