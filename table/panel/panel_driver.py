"""Drives a panel: one thread reads the buttons and updates the lights."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns
from typing import Final

from table.game.commands.foul_vote import FoulProposal
from table.game.commands.game_commands import Press
from table.game.snapshot import Board
from table.panel.buttons import Contact, Fault, Push
from table.panel.panel_port import BUTTONS, FOULS, TABLE, Button, Panel, press_of
from table.panel.panel_trial import PanelTrial
from table.panel.seat_lights import TIME, colours, lights
from table.rules.terms.seats import Seat
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import PressError
from table.runtime.threads import Worker
from vision.errors import reason

STEP_S: Final = 0.01
"""Interval of reading the buttons."""
LIGHT_NS: Final = 40_000_000
"""Shortest interval of light changes: enough for a smooth pulse."""
TONE_NS: Final = 120_000_000
"""How long a tone sounds, except that of a call of time."""
REFUSED_HZ: Final = 196
"""Sounded when a press has no meaning now."""
FLAGGED_HZ: Final = 988
"""Sounded when a clip is saved."""
HEARD_HZ: Final = 880
"""Sounded for a press during the panel's trial."""
TIME_HZ: Final = 659
"""Sounded when time is called."""
TIME_TONE_NS: Final = 1_500_000_000
TIME_LIT_NS: Final = 10_000_000_000
"""How long the lights show that time was called."""
_log = logging.getLogger(__name__)


class PanelDriver(Worker):
    """A running panel. A context manager; tests that control the time call `step` instead."""

    def __init__(
        self,
        panel: Panel,
        board: Board,
        press: Callable[[Press], None],
        *,
        flag: Callable[[Seat], object] | None = None,
        hold_s: float = 0.8,
        brightness: float = 1.0,
        now_ns: Callable[[], int] = monotonic_ns,
    ) -> None:
        """Takes ownership of the panel, which is closed with the driver.

        Args:
            panel: the buttons, lights and buzzer.
            board: the source of snapshots.
            press: handles a press; raises `PressError` if it is refused.
            flag: saves a clip for a seat; raises `PressError` if there is nothing to save.
            hold_s: how long a press must last to count as held.
            brightness: the brightness of the lights, from 0 to 1.
            now_ns: returns monotonic time.
        """
        super().__init__("panel")
        self.trial = PanelTrial()
        """The trial of the panel: while it is running, it gets the presses and sets the lights.

        A hand that is played ends it.
        """
        self._panel = panel
        self._board = board
        self._press = press
        self._flag = flag
        self._brightness = brightness
        self._now_ns = now_ns
        self._contacts = {button: Contact(hold_ns=round(hold_s * 1e9)) for button in BUTTONS}
        self._logged_faults: dict[Button, Fault] = {}
        self._lit_ns: int | None = None
        self._tone_end_ns: int | None = None
        self._proposal: FoulProposal | None = None
        self._last_time_call = self._time_call()
        self._time_lit_until_ns = -1

    @property
    def faults(self) -> Mapping[Button, Fault]:
        """The buttons that are ignored now, and why."""
        return {button: contact.fault for button, contact in self._contacts.items() if contact.fault is not None}

    @property
    def left_out(self) -> Sequence[str]:
        """The parts of the panel that cannot be used, each with its reason."""
        return self._panel.left_out

    def step(self) -> None:
        """Reads the buttons once and updates the lights."""
        now = self._now_ns()
        hand = self._board.latest.game.live
        if hand is not None and hand.has_begun:
            self.trial.end()
        down = self._panel.down()
        for button, contact in self._contacts.items():
            push = contact.update(button in down, now)
            if push is not None and self.trial.is_on:
                self.trial.record_press(button, push)
                self._sound(HEARD_HZ, now)
            elif push is not None:
                self._send(press_of(button, held=push is Push.HELD), now)
        if not self.trial.is_on:
            self._check_for_flag(now)
        self._log_faults()
        self._update_lights(now)

    def _check_for_flag(self, now: int) -> None:
        """Saves a clip if the table button and a foul button are down together; neither has another meaning then."""
        table = self._contacts[TABLE]
        foul = next((button for button in FOULS if self._contacts[button].is_waiting), None)
        if self._flag is None or foul is None or foul.seat is None or not table.is_waiting:
            return
        table.spend()
        self._contacts[foul].spend()
        try:
            self._flag(foul.seat)
        except PressError as error:
            _log.info("a clip requested at the panel was refused: %s", error)
            self._sound(REFUSED_HZ, now)
        else:
            self._sound(FLAGGED_HZ, now)

    def _send(self, press: Press, now: int) -> None:
        try:
            self._press(press)
        except (PressError, TimeoutError) as error:
            _log.info("%s at the panel was refused: %s", press.word, reason(error))
            self._sound(REFUSED_HZ, now)

    def _log_faults(self) -> None:
        faults = dict(self.faults)
        for button in faults.keys() - self._logged_faults.keys():
            _log.warning("button %s is ignored until it is released: %s", button, faults[button].value)
        self._logged_faults = faults

    def _update_lights(self, now: int) -> None:
        snapshot = self._board.latest
        if snapshot.proposal != self._proposal:
            self._proposal = snapshot.proposal
            if self._proposal is not None:
                self._sound(self._proposal.signal.tone_hz, now)
        self._signal_time_call(now)
        if self._tone_end_ns is not None and now >= self._tone_end_ns:
            self._tone_end_ns = None
            self._panel.sound(None)
        if self._lit_ns is None or now - self._lit_ns >= LIGHT_NS:
            self._lit_ns = now
            lit = (TIME,) * 4 if now < self._time_lit_until_ns else lights(snapshot)
            self._panel.light(self.trial.colours if self.trial.is_on else colours(lit, now, self._brightness))

    def _signal_time_call(self, now: int) -> None:
        """Signals once that time was called."""
        time_call = self._time_call()
        if time_call != self._last_time_call:
            self._last_time_call = time_call
            if time_call is not None:
                self._time_lit_until_ns = now + TIME_LIT_NS
                self._sound(TIME_HZ, now, TIME_TONE_NS)

    def _time_call(self) -> tuple[int, int] | None:
        """Returns the game in which time was called, and its last hand; None if it was not called."""
        snapshot = self._board.latest
        last = snapshot.game.ends_after
        return None if last is None else (snapshot.opened_by, last)

    def _sound(self, hz: int, now: int, tone_ns: int = TONE_NS) -> None:
        self._tone_end_ns = now + tone_ns
        self._panel.sound(hz)

    def _run(self) -> None:
        throttle = LogThrottle()
        while not self._stopping.wait(STEP_S):
            try:
                self.step()
            except Exception as error:  # a loose wire must not stop the table
                if throttle.is_due_for(error):
                    _log.exception("the panel could not be read")
                self._stopping.wait(1.0)

    def __exit__(self, *_: object) -> None:
        """Stops the thread and releases the pins."""
        super().__exit__()
        self._panel.close()
