"""The photographs that commands are given: files, or `-` for standard input."""

from __future__ import annotations

from pathlib import Path

from table.cli.streams.input_files import INPUT_NAME, first_standard_bytes, is_standard
from vision.photo.files.photo_file import MOST_BYTES, Photo, decode_photo, load_photo


def given_photo(path: Path | str) -> Photo:
    """Reads an image file, or the image on standard input.

    Raises:
        ImageError: it is missing, OpenCV cannot read it, or it is damaged, too small or too large.
    """
    if is_standard(path):
        return decode_photo(first_standard_bytes(MOST_BYTES + 1), INPUT_NAME)
    return load_photo(Path(path))
