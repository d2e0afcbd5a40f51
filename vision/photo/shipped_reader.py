"""Reads photographs with the shipped models; commands, the library and a table all read photographs in this way.

They therefore all look for a table in a photograph without given corners.
"""

from __future__ import annotations

from vision.arrays import Image
from vision.photo.photo_reader import PhotoReading, read_photo
from vision.photo.tables.table_photo import TableView
from vision.reading.locator import Locator
from vision.reading.reader import FaceReader
from vision.reading.sticks.strips import ReadsSticks


class PhotoReader:
    """Reads photographs of hands, tiles and whole tables."""

    def __init__(self, faces: FaceReader, *, sticks: ReadsSticks | None) -> None:
        """Loads the locators.

        Args:
            faces: reads faces.
            sticks: reads the sticks on a table; None to use the locator's values.

        Raises:
            ModelError: a model cannot be used.
        """
        self._faces, self._sticks = faces, sticks
        self._anywhere, self._from_above = Locator(), Locator.from_above()

    def read(self, image: Image, *, view: TableView | None = None, shrunk: float = 1.0) -> PhotoReading:
        """Returns what a BGR picture shows; with a `view`, only what lies open on that table's felt.

        The `view` and the answer are in the pixels of the file's picture, which is `shrunk` times as wide and as high.

        Raises:
            ImageError: the picture is too small.
            CalibrationError: the corners of the `view` are not those of a table in this picture.
        """
        return read_photo(
            image,
            locator=self._anywhere if view is None else self._from_above,
            reader=self._faces,
            view=view and view.scaled(1 / shrunk),
            strips=self._sticks,
            from_above=self._from_above,
        ).scaled(shrunk)
