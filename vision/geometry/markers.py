"""The printable sheet of markers: four squares for the corners of the play surface, as SVG and as PDF.

Each is an ArUco marker of DICT_4X4_50 with its white margin. Its inner corner, the one nearest the table's middle, goes
on the play surface's corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2

SIDE_MM: Final = 42.0
"""A marker's black square, of six cells."""
MARGIN_MM: Final = 7.0
"""White around it: one cell, which is what finding it needs."""
PAGE_MM: Final = (210.0, 297.0)
CELLS: Final = 6
CORNERS: Final = ("0  far left", "1  far right", "2  near right", "3  near left")
_AT_MM: Final = ((35.0, 40.0), (125.0, 40.0), (125.0, 150.0), (35.0, 150.0))
_POINTS: Final = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Box:
    """A black rectangle on the sheet, in millimetres from its top left."""

    x: float
    y: float
    width: float
    height: float


def boxes(marker: int) -> Iterator[Box]:
    """The black cells of a marker where it lies on the sheet."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    image = cv2.aruco.generateImageMarker(dictionary, marker, CELLS)
    left, top = _AT_MM[marker]
    cell = SIDE_MM / CELLS
    for row in range(CELLS):
        for column in range(CELLS):
            if not image[row, column]:
                yield Box(left + column * cell, top + row * cell, cell, cell)


def _cuts() -> Iterator[Box]:
    """Where to cut: the margin's outline."""
    for left, top in _AT_MM:
        side = SIDE_MM + 2 * MARGIN_MM
        yield Box(left - MARGIN_MM, top - MARGIN_MM, side, side)


def sheet_svg() -> str:
    """Returns the sheet as SVG in millimetres of an A4 page."""
    width, height = PAGE_MM
    parts = [f'<rect x="{b.x}" y="{b.y}" width="{b.width}" height="{b.height}"/>' for n in range(4) for b in boxes(n)]
    parts += [
        f'<rect x="{b.x}" y="{b.y}" width="{b.width}" height="{b.height}" fill="none" stroke="#999" '
        'stroke-width="0.2" stroke-dasharray="2 2"/>'
        for b in _cuts()
    ]
    parts += [
        f'<text x="{x}" y="{y + SIDE_MM + MARGIN_MM + 6}" font-size="4" font-family="sans-serif">{text}</text>'
        for text, (x, y) in zip(CORNERS, _AT_MM, strict=True)
    ]
    parts.append(f'<text x="20" y="260" font-size="4" font-family="sans-serif">{_HINT}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )


def sheet_pdf() -> bytes:
    """Returns the sheet as a PDF of one A4 page, drawn in lines and not in pixels."""
    height = PAGE_MM[1]
    drawn = [
        f"{b.x:.3f} {height - b.y - b.height:.3f} {b.width:.3f} {b.height:.3f} re f" for n in range(4) for b in boxes(n)
    ]
    drawn += ["0.2 w 0.6 G [2 2] 0 d"]
    drawn += [f"{b.x:.3f} {height - b.y - b.height:.3f} {b.width:.3f} {b.height:.3f} re S" for b in _cuts()]
    texts = [(x, y + SIDE_MM + MARGIN_MM + 6, text) for text, (x, y) in zip(CORNERS, _AT_MM, strict=True)]
    drawn += [f"BT /F 4 Tf {x:.3f} {height - y:.3f} Td ({text}) Tj ET" for x, y, text in [*texts, (20, 260, _HINT)]]
    content = f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm\n" + "\n".join(drawn)
    size = " ".join(f"{each * _POINTS:.3f}" for each in PAGE_MM)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return _pdf(objects)


_HINT: Final = "Print at 100 %. The corner of each square nearest the table's middle goes on the play surface's corner."


def _pdf(objects: list[str]) -> bytes:
    written, places = b"%PDF-1.4\n", list[int]()
    for number, text in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{text}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return written + f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}".encode("ascii")
