"""The errors of this package.

VisionError
├── ModelError (also ValueError): a model or its manifest is missing, altered, or made for another version
├── RecordingError (also ValueError): a recording lacks a part or contains unknown content
├── CameraError (also OSError): a source of pictures cannot be opened, or delivers none
├── ImageError (also ValueError): a file or an array is not a picture that can be read
├── CalibrationError (also ValueError): the table's place cannot be determined
└── TileSetError (also ValueError): a set of tiles cannot be learnt or its file cannot be used
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from json import JSONDecodeError
from typing import Final

_DANGLING: Final = "a link that leads nowhere"


def reason(error: BaseException) -> str:
    """Returns why a file cannot be read or written, without its path, which the caller's message names.

    "File exists" is also said of a folder to be made where a link leads nowhere; that link is named instead.
    """
    if isinstance(error, UnicodeDecodeError):
        return "bytes that are not UTF-8 text"
    if isinstance(error, JSONDecodeError):
        return f"no JSON at line {error.lineno}, column {error.colno}"
    if isinstance(error, FileExistsError) and _leads_nowhere(error.filename):
        return _DANGLING
    if isinstance(error, OSError) and error.strerror:
        return re.sub(r"^\[[A-Z0-9_: ]*\] | \(_ssl\.c:\d+\)$", "", error.strerror)  # TLS also names its source code
    return str(error) or type(error).__name__


def found_instead_of_folder(error: FileExistsError | NotADirectoryError) -> str:
    """Returns what stands where a folder cannot be made."""
    return _DANGLING if _leads_nowhere(error.filename) else "a file"


def _leads_nowhere(path: str | None) -> bool:
    return path is not None and os.path.islink(path) and not os.path.exists(path)


def reason_and_place(error: BaseException) -> str:
    """Returns why a file, a device or a program cannot be used, with its path if the error names one."""
    path = error.filename if isinstance(error, OSError) else None
    return reason(error) if path is None else f"{reason(error)}, at {path}"


class VisionError(Exception):
    """Base class of this package's errors; the message says what was expected, what was found, and where.

    `says` is the key of a sentence for the host, empty if there is none; `values` fill its placeholders.
    """

    def __init__(self, *message: object, says: str = "", values: Mapping[str, str] | None = None) -> None:
        """Takes the message, and the key and values of the sentence for the host."""
        super().__init__(*message)
        self.says, self.values = says, dict(values or {})


class ModelError(VisionError, ValueError):
    """The weights cannot be used: missing, different from the manifest, or of an unexpected form."""


class RecordingError(VisionError, ValueError):
    """The recording does not have the documented format."""


class CameraError(VisionError, OSError):
    """The source delivers no pictures."""


class CalibrationError(VisionError, ValueError):
    """The corners are missing, or cannot be those of a table seen by a camera."""


class ImageError(VisionError, ValueError):
    """The file is missing, or it or an array is not a picture that can be read."""


class TileSetError(VisionError, ValueError):
    """A scan does not show every face in order, or a tile set's file does not have the documented format.

    `missing` are the faces absent from a scan, `misplaced` those out of order.
    """

    def __init__(self, message: str, *, missing: Sequence[str] = (), misplaced: Sequence[str] = ()) -> None:
        """Takes the message, and the faces concerned."""
        super().__init__(message)
        self.missing, self.misplaced = tuple(missing), tuple(misplaced)
