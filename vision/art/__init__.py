"""The project's own tile faces and point sticks: one source of shapes, for SVG and for pixels."""

from vision.art.faces import ALL_FACES, UnknownFaceError
from vision.art.raster import draw_face, draw_stick
from vision.art.sticks import VALUES as STICK_VALUES
from vision.art.sticks import UnknownStickError
from vision.art.svg import face_svg, stick_svg

__all__ = [
    "ALL_FACES",
    "STICK_VALUES",
    "UnknownFaceError",
    "UnknownStickError",
    "draw_face",
    "draw_stick",
    "face_svg",
    "stick_svg",
]
