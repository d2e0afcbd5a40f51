"""The printable sheet of markers, as SVG and as PDF, on A4 or Letter.

The markers are from ArUco's DICT_4X4_50. The large ones, 0 to 3, lie on the rail: the corner of the black square that
is nearest the table's middle lies on the play surface's corner. The small ones, 4 to 7, lie inside the play surface:
the corner of their paper lies in its corner. Both may be rotated in any way. Each paper has a caption inside its cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2

CELLS: Final = 6
"""Number of cells along a marker's black square."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerKind:
    """Markers of one size."""

    first: int
    """The id of the one at the far left corner; far right, near right and near left follow."""
    side_mm: float
    """Side of the black square."""
    margin_mm: float
    """Width of the white margin up to the cut: detection needs one cell of it, and the caption is outside that."""

    @property
    def cell_mm(self) -> float:
        """Side of one cell."""
        return self.side_mm / CELLS

    @property
    def paper_mm(self) -> float:
        """Side of the paper to cut out."""
        return self.side_mm + 2 * self.margin_mm


RAIL: Final = MarkerKind(first=0, side_mm=30.0, margin_mm=9.0)
INSIDE: Final = MarkerKind(first=4, side_mm=24.0, margin_mm=8.0)
PLACES: Final = ("far left", "far right", "near right", "near left")


class Paper(Enum):
    """A paper size: width and height in millimetres."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the sheet, in millimetres from its top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: where it starts, and the height of its letters, in millimetres."""

    x: float
    y: float
    size: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlacedMarker:
    """A marker on the sheet: the top left corner of its black square."""

    kind: MarkerKind
    corner: int
    x: float
    y: float

    @property
    def id(self) -> int:
        return self.kind.first + self.corner

    @property
    def cut(self) -> Box:
        margin = self.kind.margin_mm
        return Box(self.x - margin, self.y - margin, self.kind.paper_mm, self.kind.paper_mm)

    @property
    def caption(self) -> Text:
        """The caption, between the white margin that detection needs and the cut."""
        kind_text = "rail, " if self.kind is RAIL else ""
        y = self.y + self.kind.side_mm + self.kind.margin_mm - 0.9
        return Text(self.cut.x + 2, y, 2.6, f"{self.id}  {kind_text}{PLACES[self.corner]}")

    def cells(self) -> Iterator[Box]:
        """Yields the black cells."""
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        image = cv2.aruco.generateImageMarker(dictionary, self.id, CELLS)
        cell = self.kind.cell_mm
        for row in range(CELLS):
            for column in range(CELLS):
                if not image[row, column]:
                    yield Box(self.x + column * cell, self.y + row * cell, cell, cell)


_MARKERS: Final = (
    _PlacedMarker(kind=RAIL, corner=0, x=39, y=24),
    _PlacedMarker(kind=RAIL, corner=1, x=99, y=24),
    _PlacedMarker(kind=RAIL, corner=2, x=99, y=84),
    _PlacedMarker(kind=RAIL, corner=3, x=39, y=84),
    _PlacedMarker(kind=INSIDE, corner=0, x=28, y=152),
    _PlacedMarker(kind=INSIDE, corner=1, x=73, y=152),
    _PlacedMarker(kind=INSIDE, corner=2, x=118, y=152),
    _PlacedMarker(kind=INSIDE, corner=3, x=163, y=152),
)
_RULER: Final = Box(30.0, 212.0, 150.0, 0.0)
_HINTS: Final = (
    "Print at 100 % (actual size). The line above must measure 150 mm (5.91 inches): else the scale was changed.",
    "0 to 3 lie on the rail: the black corner nearest the table's middle lies on the play surface's corner.",
    "4 to 7 lie inside the play surface: the corner of their paper lies in its corner. Use four of either kind.",
    "Cut along the dashed lines.",
)


def boxes() -> Iterator[Box]:
    """Yields every black rectangle: the markers' cells, and the ruler's line and ticks."""
    for marker in _MARKERS:
        yield from marker.cells()
    yield Box(_RULER.x, _RULER.y - 0.15, _RULER.width, 0.3)
    for n in range(16):
        yield Box(_RULER.x + 10 * n - 0.1, _RULER.y - (4 if n % 5 == 0 else 2.5), 0.2, 4 if n % 5 == 0 else 2.5)


def cuts() -> Iterator[Box]:
    """Yields where to cut each marker out."""
    return (marker.cut for marker in _MARKERS)


def texts() -> Iterator[Text]:
    """Yields every line of text."""
    yield from (marker.caption for marker in _MARKERS)
    yield Text(_RULER.x - 1, _RULER.y + 5, 3.5, "0")
    yield Text(_RULER.x + _RULER.width - 6, _RULER.y + 5, 3.5, "150 mm")
    for n, words in enumerate(_HINTS):
        yield Text(18.0, _RULER.y + 14 + 6 * n, 3.3, words)


def sheet_svg(paper: Paper = Paper.A4) -> str:
    """Returns the sheet as SVG in millimetres of the page."""
    width, height = paper.value
    parts = [f'<rect x="{b.x:g}" y="{b.y:g}" width="{b.width:g}" height="{b.height:g}"/>' for b in boxes()]
    parts += [
        f'<rect x="{b.x:g}" y="{b.y:g}" width="{b.width:g}" height="{b.height:g}" fill="none" stroke="#999" '
        'stroke-width="0.2" stroke-dasharray="2 2"/>'
        for b in cuts()
    ]
    parts += [
        f'<text x="{t.x:g}" y="{t.y:g}" font-size="{t.size:g}" font-family="Helvetica, Arial, sans-serif">'
        f"{t.words}</text>"
        for t in texts()
    ]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )


_POINTS: Final = 72 / 25.4


def sheet_pdf(paper: Paper) -> bytes:
    """Returns the sheet as a PDF of one page, in vector graphics."""
    height = paper.value[1]
    drawn = [f"{b.x:.3f} {height - b.y - b.height:.3f} {b.width:.3f} {b.height:.3f} re f" for b in boxes()]
    drawn += ["0.2 w 0.6 G [2 2] 0 d"]
    drawn += [f"{b.x:.3f} {height - b.y - b.height:.3f} {b.width:.3f} {b.height:.3f} re S" for b in cuts()]
    drawn += [f"BT /F {t.size:g} Tf {t.x:.3f} {height - t.y:.3f} Td ({_escaped(t.words)}) Tj ET" for t in texts()]
    content = f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm\n" + "\n".join(drawn)
    size = " ".join(f"{length * _POINTS:.3f}" for length in paper.value)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return _pdf(objects)


def _escaped(words: str) -> str:
    """Escapes text for a PDF's string in parentheses."""
    return words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _pdf(objects: list[str]) -> bytes:
    content, places = b"%PDF-1.4\n", list[int]()
    for number, text in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n{text}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    return content + f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}".encode("ascii")
