"""A panel without pins."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from table.panel.panel_port import Button
from table.panel.seat_lights import DARK, SeatColours


class FakePanel:
    """Buttons that tests press, and lights and tones that they check."""

    def __init__(self) -> None:
        self.pressed: set[Button] = set()
        self.lit: SeatColours = (DARK, DARK, DARK, DARK)
        self.tones: list[int | None] = []
        self.is_closed = False
        self.left_out: Sequence[str] = ()

    def down(self) -> AbstractSet[Button]:
        """Returns the buttons that the test holds down."""
        return set(self.pressed)

    def light(self, colours: SeatColours) -> None:
        """Records the colours."""
        self.lit = colours

    def sound(self, hz: int | None) -> None:
        """Records the tone."""
        self.tones.append(hz)

    def close(self) -> None:
        """Records that the panel was closed."""
        self.is_closed = True
