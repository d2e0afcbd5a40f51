"""Reads a packed file's content as a stream that is never longer than a limit, whatever its headers claim."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
from collections.abc import Callable
from typing import BinaryIO, Final

_PACKERS: Final[dict[bytes, Callable[[BinaryIO], io.BufferedIOBase]]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lzma.LZMAFile,
    b"\x5d\x00\x00": lzma.LZMAFile,
}
"""How a file is unpacked, by its first bytes."""


class LimitedStream(io.RawIOBase):
    """The content of a file, unpacked if it is packed as gzip, bzip2 or xz."""

    def __init__(self, file: BinaryIO, limit: int, refuse: Callable[[], Exception]) -> None:
        """Takes the open file, at its start, and the number of bytes that its content may have.

        `refuse` makes the error to raise if the content is longer.
        """
        super().__init__()
        start = file.read(max(map(len, _PACKERS)))
        file.seek(0)
        packers = [packer for magic, packer in _PACKERS.items() if start.startswith(magic)]
        self._content: io.BufferedIOBase | BinaryIO = packers[0](file) if packers else file
        self._limit, self._refuse = limit, refuse

    def readable(self) -> bool:
        """Returns True: the stream can be read."""
        return True

    def seekable(self) -> bool:
        """Returns True: the stream can be read from every position."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Returns the next bytes, all if `size` is negative or None.

        Raises:
            Exception: the content is too long; `refuse` made the error.
            ValueError: the file is damaged.
        """
        remaining = self._limit - self._content.tell()
        try:
            found = self._content.read(remaining + 1 if size is None or size < 0 else min(size, remaining + 1))
        except OSError as error:
            raise _damage_or(error) from error
        if len(found) > remaining:
            raise self._refuse()
        return found

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        """Goes to a position, counted from the start.

        Raises:
            Exception: the content is too long; `refuse` made the error.
            ValueError: there is no such position, or the file is damaged.
        """
        if whence != os.SEEK_SET or position < 0:
            raise ValueError(f"expected a place from the start, got {position}")
        if position > self._limit:
            raise self._refuse()
        try:
            return self._content.seek(position)
        except OSError as error:
            raise _damage_or(error) from error

    def tell(self) -> int:
        """Returns the position of the next byte to be read."""
        return self._content.tell()


def _damage_or(error: OSError) -> Exception:
    """Returns a `ValueError` for a damaged file, which the libraries report without a number, else the error itself."""
    return ValueError(str(error)) if error.errno is None else error
