"""The panel on a USB board: arcade buttons on an encoder that the kernel takes for a joystick.

Nothing is soldered and no pin is needed; lights and buzzer are left to the phones. The board is read as the kernel's
`Documentation/input/input.rst` describes. It may be unplugged and plugged in at any time.
"""

from __future__ import annotations

import fcntl
import logging
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from time import monotonic
from typing import Final

from table.panel.panel_port import Button
from table.panel.seat_lights import SeatColours
from table.rules.terms.amounts import amount
from vision.errors import reason_and_place

BOARDS: Final = Path("/dev/input/by-id")
JOYSTICK: Final = "*-event-joystick"
"""What udev calls a board that sends a joystick's buttons."""
RETRY_S: Final = 1.0
"""Pause before an absent board is looked for again."""
FIRST_BUTTON: Final = 0x120
"""BTN_JOYSTICK, the first button of a board that does not say which ones it has."""
EVENT: Final = struct.Struct("llHHi")
"""`struct input_event`: seconds, microseconds, type, code, value."""
_AT_ONCE: Final = 64
_SYN, _KEY, _DROPPED = 0, 1, 3
_BUTTONS: Final = range(0x100, 0x160)
"""The codes of buttons; keys of keyboards are lower."""
_CODES_BYTES: Final = 96
"""One bit for each code."""
_SUPPORTED: Final = 0x80000000 | _CODES_BYTES << 16 | ord("E") << 8 | 0x20 + _KEY
"""EVIOCGBIT(EV_KEY): which buttons the board has."""
_DOWN_NOW: Final = 0x80000000 | _CODES_BYTES << 16 | ord("E") << 8 | 0x18
"""EVIOCGKEY: which of them are down."""
_log = logging.getLogger(__name__)


class UsbPanel:
    """The buttons of one board. Used by one thread."""

    def __init__(
        self,
        buttons: Mapping[int, Button],
        *,
        board: str = "",
        boards: Path = BOARDS,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Opens the board if it is there.

        Args:
            buttons: the table's buttons by the number of the board's button, from 1 in the order of the buttons' codes.
            board: the board's path; if empty, the first joystick is used.
            boards: the folder in which udev lists the boards.
            now: returns monotonic seconds.
        """
        self._buttons, self._board, self._boards, self._now = buttons, board, boards, now
        self._descriptor: int | None = None
        self._buttons_by_code: dict[int, Button] = {}
        """The table's buttons by the code that the board sends."""
        self._down: set[int] = set()
        self._partial_event = b""
        self._retry_at_s = 0.0
        self._fault = ""
        self._open()

    @property
    def left_out(self) -> Sequence[str]:
        """Why the board cannot be read, if it cannot. Thread-safe."""
        return (self._fault,) if self._fault else ()

    def down(self) -> AbstractSet[Button]:
        """Returns the buttons that are down; none while the board is unplugged."""
        if self._descriptor is None and self._now() >= self._retry_at_s:
            self._open()
        if self._descriptor is not None:
            self._read(self._descriptor)
        return {self._buttons_by_code[code] for code in self._down if code in self._buttons_by_code}

    def light(self, colours: SeatColours) -> None:
        """Does nothing: the board has no lights."""

    def sound(self, hz: int | None) -> None:
        """Does nothing: the board has no buzzer."""

    def close(self) -> None:
        """Releases the board."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._down.clear()
        self._partial_event = b""

    def _open(self) -> None:
        self._retry_at_s = self._now() + RETRY_S
        path = self._board or next((str(board) for board in sorted(self._boards.glob(JOYSTICK))), "")
        try:
            if not path:
                raise FileNotFoundError(f"no joystick in {self._boards}")
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            self._lose(f"expected a USB board with buttons, got: {reason_and_place(error)}")
            return
        codes = sorted(self._codes(_SUPPORTED).intersection(_BUTTONS))
        codes = codes or [FIRST_BUTTON + place for place in range(max(self._buttons, default=0))]
        self._buttons_by_code = {code: self._buttons[n] for n, code in enumerate(codes, 1) if n in self._buttons}
        self._down = self._codes(_DOWN_NOW)
        missing = ", ".join(str(button) for n, button in self._buttons.items() if n > len(codes))
        expected = f"expected a board with {amount(max(self._buttons, default=0), 'button')}"
        self._fault = f"{expected}, got {len(codes)}: {missing}" if missing else ""
        _log.info("the buttons are read from %s", path)

    def _read(self, descriptor: int) -> None:
        try:
            while chunk := os.read(descriptor, EVENT.size * _AT_ONCE):
                self._apply_events(self._partial_event + chunk)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(f"expected the USB board to answer, got: {reason_and_place(error)}")
            return
        self._lose("expected the USB board to answer, got: it was unplugged")

    def _apply_events(self, content: bytes) -> None:
        complete_size = len(content) - len(content) % EVENT.size
        self._partial_event = content[complete_size:]
        for _, _, kind, code, value in EVENT.iter_unpack(content[:complete_size]):
            if kind == _KEY:
                (self._down.add if value else self._down.discard)(code)
            elif (kind, code) == (_SYN, _DROPPED):
                self._down = self._codes(_DOWN_NOW)

    def _codes(self, request: int) -> set[int]:
        """Returns the codes whose bits the kernel sets in its answer; none if it does not answer."""
        answer = bytearray(_CODES_BYTES)
        try:
            fcntl.ioctl(self._descriptor or 0, request, answer)
        except OSError:
            return set()
        return {8 * at + bit for at, byte in enumerate(answer) for bit in range(8) if byte >> bit & 1}

    def _lose(self, reason: str) -> None:
        if not self._fault:
            _log.warning("%s; it is looked for every second", reason)
        self.close()
        self._fault, self._retry_at_s = reason, self._now() + RETRY_S
