"""The four point sticks: rows of dots on a white stick 930 units long and 90 wide."""

from functools import cache

from vision.art.shapes import BLACK, RED, Disc
from vision.errors import VisionError

LENGTH = 930
BREADTH = 90
VALUES = (10000, 5000, 1000, 100)
_MIDDLE = BREADTH / 2


class UnknownStickError(VisionError, ValueError):
    """A value that no point stick has."""


@cache
def dots_of(value: int) -> tuple[Disc, ...]:
    """Returns the dots of a stick that lies along x.

    Raises:
        UnknownStickError: `value` is not one of `VALUES`.
    """
    if value == 10000:
        return (*_row((305, 385, 465, 545, 625), RED, 21), *_row((225, 705), BLACK, 21))
    if value == 5000:
        return _row((265, 365, 465, 565, 665), RED, 23)
    if value == 1000:
        return _row((465,), RED, 32)
    if value == 100:
        return tuple(
            Disc(colour=BLACK, x=x, y=y, radius=12) for x in (405, 445, 485, 525) for y in (_MIDDLE - 17, _MIDDLE + 17)
        )
    raise UnknownStickError(f"expected a stick of {VALUES} points, got {value!r}")


def _row(places: tuple[float, ...], colour: str, radius: float) -> tuple[Disc, ...]:
    return tuple(Disc(colour=colour, x=x, y=_MIDDLE, radius=radius) for x in places)
