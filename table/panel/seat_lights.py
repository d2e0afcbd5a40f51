"""Computes what each seat's light shows: a pure function of the snapshot, and of time for pulsing and blinking.

The panel never shows private information and accuses nobody: a foul's colours are shown only while people are deciding
on it. In a tournament the lights show nothing of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import cos, tau
from typing import Final

from table.game.commands.foul_vote import FoulProposal
from table.game.snapshot import CameraHealth, Mode, Snapshot
from table.rules.aspects.ippatsu import window_to_show
from table.rules.state import HandState
from table.rules.terms.seats import SEATS, Seat

Rgb = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255."""
SeatColours = tuple[Rgb, Rgb, Rgb, Rgb]
"""One colour for each seat."""
DARK: Final[Rgb] = (0, 0, 0)
PULSE_NS: Final = 1_200_000_000
"""Duration of a pulse, from bright to dim and back."""
BLINK_NS: Final = 160_000_000
"""Duration of a blink, and of the dark time after it."""
PAUSE_NS: Final = 900_000_000
"""Dark time between two series of blinks."""
_DIMMEST: Final = 0.12


class LightMode(Enum):
    """How a light is lit."""

    STEADY = "steady"
    PULSE = "pulse"
    BLINK = "blink"


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """What one seat's light shows."""

    rgb: Rgb = DARK
    mode: LightMode = LightMode.STEADY
    blinks: int = 0
    """Number of blinks in a series."""

    def at(self, t_ns: int) -> Rgb:
        """Returns the colour at a moment of monotonic time."""
        match self.mode:
            case LightMode.STEADY:
                return self.rgb
            case LightMode.PULSE:
                level = _DIMMEST + (1 - _DIMMEST) * (1 + cos(tau * (t_ns % PULSE_NS) / PULSE_NS)) / 2
                return _dimmed(self.rgb, level)
            case LightMode.BLINK:
                since = t_ns % (2 * BLINK_NS * self.blinks + PAUSE_NS)
                return self.rgb if since < 2 * BLINK_NS * self.blinks and since // BLINK_NS % 2 == 0 else DARK


OFF: Final = Light()
UNWATCHED: Final = Light(rgb=(40, 20, 0))
"""The camera is lost: dim amber at every seat without another light."""
DOUBT: Final = Light(rgb=(255, 140, 0), mode=LightMode.BLINK, blinks=1)
"""A discard of this seat was read with doubt: the page asks about it."""
RIICHI_DECLARED: Final = Light(rgb=(0, 40, 120))
"""The riichi tile lies sideways and may still be claimed."""
RIICHI: Final = Light(rgb=(0, 90, 255))
IPPATSU: Final = Light(rgb=(0, 90, 255), mode=LightMode.PULSE)
"""Ippatsu is open; the pulse ends with it."""
LAST_CHANCE: Final = Light(rgb=(0, 255, 200), mode=LightMode.PULSE)
"""Ippatsu remains only for the declarer's own draw."""
ABORT_DUE: Final = Light(rgb=(150, 0, 255), mode=LightMode.PULSE)
"""An abortive draw ends the hand unless somebody wins on the last tile; shown at all seats until then."""
TIME: Final = Light(rgb=(255, 255, 255), mode=LightMode.BLINK, blinks=3)
"""Time was called; shown at all seats for some seconds, since the hall's clock is public."""


def lights(snapshot: Snapshot) -> tuple[Light, ...]:
    """Returns the four lights, by seat."""
    return tuple(_seat_light(snapshot, seat) for seat in SEATS)


def colours(seat_lights: tuple[Light, ...], t_ns: int, brightness: float) -> SeatColours:
    """Returns the colours of the four lights at one moment, dimmed to a room's `brightness` from 0 to 1."""
    first, second, third, fourth = (_dimmed(light.at(t_ns), brightness) for light in seat_lights)
    return first, second, third, fourth


def _seat_light(snapshot: Snapshot, seat: Seat) -> Light:
    if snapshot.proposal is not None and snapshot.proposal.seat is seat:
        return _foul_light(snapshot.proposal)
    hand = snapshot.game.live
    if (
        hand is not None
        and snapshot.mode is not Mode.TOURNAMENT
        and (light := _hand_light(snapshot, hand, seat)) != OFF
    ):
        return light
    return UNWATCHED if snapshot.camera is CameraHealth.LOST else OFF


def _foul_light(proposal: FoulProposal) -> Light:
    signal = proposal.signal
    return Light(rgb=signal.rgb, mode=LightMode.BLINK if signal.blinks else LightMode.STEADY, blinks=signal.blinks)


def _hand_light(snapshot: Snapshot, hand: HandState, seat: Seat) -> Light:
    """Returns the light of a seat for the hand, the most urgent state first."""
    if any(doubt.seat is seat for doubt in snapshot.doubts):
        return DOUBT
    if hand.pending_abort is not None:
        return ABORT_DUE
    window, riichi = window_to_show(hand, seat), hand.riichi[seat]
    if window is not None:
        return LAST_CHANCE if window is window.LAST_CHANCE else IPPATSU
    if riichi.is_accepted:
        return RIICHI
    return RIICHI_DECLARED if riichi.is_declared else OFF


def _dimmed(rgb: Rgb, level: float) -> Rgb:
    red, green, blue = (round(part * level) for part in rgb)
    return red, green, blue
