"""What can go wrong while seeing.

VisionError
├── ModelError (also ValueError): a model or its manifest is missing, altered, or made for another program
├── RecordingError (also ValueError): a recording lacks a part or says what the format does not know
├── CameraError (also OSError): a source of pictures cannot be opened
├── ImageError (also ValueError): a file is absent or is no picture
├── CalibrationError (also ValueError): where the table lies cannot be told
└── TileSetError (also ValueError): a set of tiles cannot be learnt or its file cannot be used
"""

from __future__ import annotations

from collections.abc import Sequence


class VisionError(Exception):
    """Anything this package raises on purpose; the message says what was expected, what came, and where.

    `says` names how a host is told it, where whoever shows it has words for that; empty: there are none.
    """

    def __init__(self, *message: object, says: str = "") -> None:
        """Takes the message, and the name of what a host is told."""
        super().__init__(*message)
        self.says = says


class ModelError(VisionError, ValueError):
    """The weights cannot be used: absent, not the ones the manifest names, or of another shape."""


class RecordingError(VisionError, ValueError):
    """The recording is not of the documented format."""


class CameraError(VisionError, OSError):
    """The source gives no pictures."""


class CalibrationError(VisionError, ValueError):
    """The corners are missing, or are no corners of a table that a camera can see."""


class ImageError(VisionError, ValueError):
    """The file cannot be read as a picture."""


class TileSetError(VisionError, ValueError):
    """A scan does not show one of each face in order, or a tile set's file is not of the documented format.

    `missing` are the faces that a scan does not show, `misplaced` those that lie elsewhere than in order.
    """

    def __init__(self, message: str, *, missing: Sequence[str] = (), misplaced: Sequence[str] = ()) -> None:
        """Takes what was expected and what came, and the faces that it is about."""
        super().__init__(message)
        self.missing, self.misplaced = tuple(missing), tuple(misplaced)
