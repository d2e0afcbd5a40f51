"""Reads a photograph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import SupportsFloat

from vision.arrays import Image
from vision.errors import CalibrationError, TileSetError
from vision.frames import check_picture
from vision.geometry.size_limits import SIDES_MM
from vision.photo.files.photo_file import Photo, load_photo
from vision.photo.photo_reader import PhotoReading
from vision.photo.shipped_reader import PhotoReader
from vision.photo.tables.table_photo import TableView
from vision.reading.sticks.strips import StripReader
from vision.tilesets.set_selector import reader_of

Corners = Sequence[tuple[float, float]]
"""The corners of the play surface in pixels: far left, far right, near right, near left."""


def check_side(side_mm: float) -> None:
    """Checks the side of a play surface.

    Raises:
        CalibrationError: it is no number, or no table is so small or so large.
    """
    if not (isinstance(side_mm, SupportsFloat) and SIDES_MM[0] < side_mm <= SIDES_MM[1]):
        raise CalibrationError(f"expected the play surface's side in mm, from 200 to 2000, got {side_mm!r:.100}")


def check_corners(corners_px: Corners | None) -> None:
    """Checks that the corners, if any are given, are several.

    Raises:
        CalibrationError: they are one value.
    """
    if corners_px is not None and not isinstance(corners_px, Iterable):
        raise CalibrationError(f"expected the four corners of the play surface in pixels, got {corners_px!r:.100}")


def set_files(tilesets: Sequence[str | Path]) -> list[Path]:
    """Returns the files of the sets to read with.

    Raises:
        TileSetError: `tilesets` is one name or something else instead of a list of names.
    """
    if isinstance(tilesets, str | Path):
        raise TileSetError(f"expected a list with the file of each set, got one name: {str(tilesets)!r}")
    paths = list(tilesets) if isinstance(tilesets, Iterable) else None
    if paths is None or not all(isinstance(path, str | Path) for path in paths):
        raise TileSetError(f"expected a list with the file of each set, got {tilesets!r:.100}")
    return [Path(path) for path in paths]


def read_photo(
    photo: str | Path | Image,
    *,
    corners_px: Corners | None = None,
    side_mm: float = 720.0,
    tilesets: Sequence[str | Path] = (),
) -> PhotoReading:
    """Returns the tiles and point sticks in a photograph, top to bottom and left to right.

    If the photograph shows a table, what lies on it is read through the table's plane; `table` then says where it was
    found. With the corners of the table, only tiles lying open on its felt are read, never a standing hand.

    >>> [tile.tile for tile in read_photo("photo.jpg").tiles]
    ['1m', '2m', '3m', '5p', '6p', '7p', '1z', '1z']

    Args:
        photo: a JPEG, PNG or other file that OpenCV reads, rotated as it was taken; or a BGR picture of uint8,
            shape [height, width, 3].
        corners_px: the corners of the table in the picture.
        side_mm: the side of the play surface between these corners.
        tilesets: files of sets learnt with `tachiai scan`: one, or both sets of a table that alternates between two.

    Raises:
        VisionError: the file is not a picture, the array is another kind of picture, the corners form no table, or a
            file is not a tile set.
    """
    check_side(side_mm)
    check_corners(corners_px)
    if isinstance(photo, str | Path):
        picture = load_photo(Path(photo))
    else:
        check_picture(photo)
        picture = Photo.of(photo)
    view = None if corners_px is None else TableView(corners_px=tuple(corners_px), side_mm=side_mm)
    return PhotoReader(reader_of(set_files(tilesets)), sticks=StripReader()).read(
        picture.image, view=view, shrunk=picture.shrunk
    )
