"""How hands move when something on the table changes: reach in, take, carry, lay, let go, leave."""

from dataclasses import dataclass, replace
from math import cos, pi, sin

import numpy as np

from vision.cameras.synthetic.scene import Arm, Pose, Scene, SceneStick, SceneTile
from vision.geometry.sides import SIDES

Thing = SceneTile | SceneStick
Place = tuple[float, float]

REACH_S = 0.35
"""From outside the table to the thing taken."""
CARRY_S = 0.45
"""From taking it to letting go."""
LEAVE_S = 0.40
"""From letting go to being out of sight."""
_SWEEP_THINGS = 24
"""A change of more things than this is a deal or a clearing, made by all hands."""
_OUTSIDE_MM = 70.0
"""Distance from the felt at which fingertips appear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """One change with the hands that make it, in seconds; it is invisible before `start_s` and after `end_s`."""

    start_s: float
    take_s: float
    """When the things taken disappear."""
    lay_s: float
    """When the new things lie at rest."""
    end_s: float
    taken_things: frozenset[Thing]
    hands: tuple["Hand", ...] = ()

    def arms_at(self, time_s: float) -> tuple[Arm, ...]:
        """Returns the arms over the table at one time."""
        if not self.start_s <= time_s < self.end_s:
            return ()
        return tuple(hand.arm_at(time_s, self) for hand in self.hands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The path of one hand through a gesture."""

    side: int
    enter: Place
    take: Place
    lay: Place
    leave: Place
    carried: SceneTile | None = None

    def arm_at(self, time_s: float, gesture: Gesture) -> Arm:
        """Returns the arm at a time within the gesture."""
        stops = (gesture.start_s, gesture.take_s, gesture.lay_s, gesture.end_s)
        places = (self.enter, self.take, self.lay, self.leave)
        leg = sum(time_s >= stop for stop in stops[1:3])
        share = (time_s - stops[leg]) / max(stops[leg + 1] - stops[leg], 1e-9)
        x, y = _between(places[leg], places[leg + 1], share)
        return Arm(side=self.side, x_mm=x, y_mm=y, holds=self.carried if leg == 1 else None)


def gesture_for(
    before: Scene, after: Scene, *, time_s: float, side: int | None, felt_mm: float, haste: float = 1.0
) -> Gesture:
    """Returns how one scene becomes the next at `time_s`.

    Args:
        before: the first scene.
        after: the next one.
        time_s: when the next one is at rest.
        side: whose hand makes the change; with None, a small change needs no hand and a large one all four.
        felt_mm: side of the play surface.
        haste: shortens every movement by this factor.
    """
    old: set[Thing] = {*before.tiles, *before.sticks}
    new: set[Thing] = {*after.tiles, *after.sticks}
    taken_things, laid_things = frozenset(old - new), frozenset(new - old)
    hands: tuple[Hand, ...] = ()
    if side is not None and (taken_things or laid_things):
        hands = (_hand(side, taken_things, laid_things, felt_mm),)
    elif len(taken_things) + len(laid_things) > _SWEEP_THINGS:
        hands = tuple(_sweep(s, felt_mm) for s in SIDES)
    moves = 1.0 if hands else 0.0
    take_s = time_s - CARRY_S * moves / haste
    return Gesture(
        start_s=take_s - REACH_S * moves / haste,
        take_s=take_s,
        lay_s=time_s,
        end_s=time_s + LEAVE_S * moves / haste,
        taken_things=taken_things,
        hands=hands,
    )


def linked_gestures(first: Gesture, second: Gesture) -> tuple[Gesture, Gesture]:
    """Returns two successive gestures; a hand that has not left yet continues from where it is."""
    if second.start_s >= first.end_s or [hand.side for hand in first.hands] != [hand.side for hand in second.hands]:
        return first, second
    turn_s = max(first.lay_s, second.start_s)
    staying_hands = tuple(replace(hand, leave=hand.lay) for hand in first.hands)
    continuing_hands = tuple(
        replace(hand, enter=before.lay) for hand, before in zip(second.hands, first.hands, strict=True)
    )
    return (
        replace(first, end_s=turn_s, hands=staying_hands),
        replace(second, start_s=turn_s, take_s=max(second.take_s, turn_s), hands=continuing_hands),
    )


def _hand(side: int, taken_things: frozenset[Thing], laid_things: frozenset[Thing], felt_mm: float) -> Hand:
    lay = _middle(_aimed_at(laid_things) or laid_things or taken_things)
    take = _middle(_aimed_at(taken_things) or taken_things or laid_things)
    outside = _outside(side, lay, felt_mm)
    return Hand(
        side=side, enter=outside, take=take, lay=lay, leave=outside, carried=_carried_tile(taken_things, laid_things)
    )


def _aimed_at(things: frozenset[Thing]) -> frozenset[Thing]:
    """Returns what lies face up, and sticks: the things that a hand aims at."""
    return frozenset(t for t in things if isinstance(t, SceneStick) or t.pose is Pose.FACE_UP)


def _carried_tile(taken_things: frozenset[Thing], laid_things: frozenset[Thing]) -> SceneTile | None:
    """Returns the tile that a hand will lay; a tile on its way into a hand shows its back."""
    tiles = sorted(
        (t for t in _aimed_at(laid_things) or laid_things if isinstance(t, SceneTile)), key=lambda t: (t.x_mm, t.y_mm)
    )
    if not taken_things or not tiles:
        return None
    if tiles[0].pose is Pose.STANDING:
        return replace(tiles[0], pose=Pose.FACE_DOWN)
    return tiles[0]


def _sweep(side: int, felt_mm: float) -> Hand:
    """Returns a hand of one side that moves about over the middle of the table."""
    near, far = _from_side(side, -60.0, felt_mm * 0.28), _from_side(side, 70.0, felt_mm * 0.16)
    outside = _outside(side, near, felt_mm)
    return Hand(side=side, enter=outside, take=near, lay=far, leave=outside)


def _outside(side: int, target: Place, felt_mm: float) -> Place:
    """Returns where a hand appears: at its own side, a little toward the target."""
    turn = side * pi / 2
    along = target[0] * cos(turn) + target[1] * sin(turn)
    return _from_side(side, 0.5 * along, felt_mm / 2 + _OUTSIDE_MM)


def _from_side(side: int, along: float, distance: float) -> Place:
    turn = side * pi / 2
    return along * cos(turn) + distance * sin(turn), along * sin(turn) - distance * cos(turn)


def _middle(things: frozenset[Thing]) -> Place:
    # Sets have no order, and the sum of floats depends on it.
    places = sorted((thing.x_mm, thing.y_mm) for thing in things)
    x, y = np.mean(places, axis=0)
    return float(x), float(y)


def _between(start: Place, end: Place, share: float) -> Place:
    """Returns a point on the way from one place to another, starting and ending slowly."""
    eased = share * share * (3 - 2 * share)
    return start[0] + (end[0] - start[0]) * eased, start[1] + (end[1] - start[1]) * eased
