"""The interface of panels: the buttons, the lights and the buzzer."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Protocol

from table.game.commands.game_commands import ClaimRon, ClaimTsumo, Press, PressFoulButton, PressTableButton
from table.panel.seat_lights import SeatColours
from table.rules.terms.seats import SEATS, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """One button of the panel."""

    kind: str
    """`win` or `foul` at a seat, or `table`."""
    seat: Seat | None = None

    def __str__(self) -> str:
        """Returns the name used in the configuration and the log: `win 2`, `table`."""
        return self.kind if self.seat is None else f"{self.kind} {int(self.seat)}"


TABLE: Final = Button(kind="table")
WINS: Final = tuple(Button(kind="win", seat=seat) for seat in SEATS)
FOULS: Final = tuple(Button(kind="foul", seat=seat) for seat in SEATS)
BUTTONS: Final = (*WINS, *FOULS, TABLE)


class Panel(Protocol):
    """A panel, real or not. Used by one thread."""

    @property
    def left_out(self) -> Sequence[str]:
        """The parts that cannot be used, each with its reason. Thread-safe."""

    def down(self) -> AbstractSet[Button]:
        """Returns the buttons that are down now, without debouncing."""

    def light(self, colours: SeatColours) -> None:
        """Lights the four seats."""

    def sound(self, hz: int | None) -> None:
        """Sounds a tone until the next call; None is silence."""

    def close(self) -> None:
        """Releases the pins, dark and silent; closing twice does nothing."""


def press_of(button: Button, *, held: bool) -> Press:
    """Returns a button's command: win claims ron or, held, tsumo; the table button confirms or, held, cancels.

    The foul button means the same tapped or held: it marks the seat, then steps through the house's quick fouls.
    """
    if button.seat is None:
        return PressTableButton(held=held)
    if button.kind == "foul":
        return PressFoulButton(seat=button.seat)
    return ClaimTsumo(seat=button.seat) if held else ClaimRon(seat=button.seat)
