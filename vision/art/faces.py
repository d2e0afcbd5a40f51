"""The shapes of each face, by tile text (``1m`` … ``9s``, ``1z`` … ``7z``, ``0m 0p 0s``, ``back``)."""

from functools import cache

from vision.art.glyphs import write
from vision.art.shapes import BLACK, GREEN, RED, Shape
from vision.art.suits import bamboo, circles
from vision.errors import VisionError
from vision.felt import BACK, FACES

ALL_FACES = (*FACES, BACK)
"""The 37 printed faces and the back."""

_NUMERALS = "一二三四伍六七八九"
_WINDS = "東南西北"
_RED_FIVE = 0
_HATSU, _CHUN = "6z", "7z"


class UnknownFaceError(VisionError, ValueError):
    """A tile text that is not the name of a face."""


@cache
def shapes_of(face: str) -> tuple[Shape, ...]:
    """Returns the inked shapes of a face, in drawing order; haku and the back have none.

    Raises:
        UnknownFaceError: `face` is not one of `ALL_FACES`.
    """
    if face not in ALL_FACES:
        raise UnknownFaceError(f"expected a tile text such as '1m', '0p', '7z' or 'back', got {face!r}")
    if face == BACK:
        return ()
    number, suit = int(face[0]), face[1]
    red = number == _RED_FIVE
    count = 5 if red else number
    if suit == "m":
        return _characters(count, red=red)
    if suit == "p":
        return circles(count, red=red)
    if suit == "s":
        return bamboo(count, red=red)
    return _honour(face)


def _characters(number: int, *, red: bool) -> tuple[Shape, ...]:
    ink = RED if red else BLACK
    numeral = write(_NUMERALS[number - 1], x=60, y=22, width=180, height=140, colour=ink)
    return (*numeral, *write("萬", x=54, y=182, width=192, height=198, colour=RED))


def _honour(face: str) -> tuple[Shape, ...]:
    if face == _HATSU:
        return write("發", x=42, y=66, width=216, height=266, colour=GREEN)
    if face == _CHUN:
        return write("中", x=52, y=60, width=196, height=280, colour=RED)
    if int(face[0]) <= len(_WINDS):
        wind = _WINDS[int(face[0]) - 1]
        return write(wind, x=45, y=68, width=210, height=264, colour=BLACK)
    return ()
