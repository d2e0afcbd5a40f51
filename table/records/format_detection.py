"""Detects the format of a game record by its first characters."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

from table.records.formats.game_record import GameRecord
from table.records.mjai.mjai_reader import read_mjai
from table.records.tenhou.mjlog_reader import read_mjlog
from table.records.tenhou.tenhou6_reader import read_tenhou6
from table.runtime.table_errors import RecordError

_GZIP: Final = b"\x1f\x8b"


def read_game(data: bytes, source: str) -> GameRecord:
    """Reads a game in any known format, plain or gzipped.

    Raises:
        RecordError: the format is unknown, the game has three players, or it cannot be read; `source` names it.
    """
    try:
        text, is_cut = _decompressed(data)
    except zlib.error as error:
        raise RecordError(f"{source}: expected gzipped text, got {error}") from error
    start = text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        return read_mjlog(text, source, is_cut=is_cut)
    if start == b"{":
        return read_mjai(text, source) if is_mjai(text) else read_tenhou6(text, source)
    if b"#json=" in text[:200]:
        return read_tenhou6(text, source)
    raise RecordError(f"{source}: expected mjlog (XML or gz), tenhou.net/6 JSON or mjai lines, got {kind_of(text)}")


def kind_of(data: bytes) -> str:
    """Returns what a file in an unknown format looks like; nothing of what it holds, which may be a password."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if not start:
        return "an empty file"
    if start in (b"[", b'"'):
        return "other JSON"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes that are no text"
    return "bytes that are no text" if "\0" in text else "another text"


def is_mjai(data: bytes) -> bool:
    """Whether the first line is an mjai action; a tenhou.net/6 object has no such key."""
    return b'"type"' in data.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0][:2000] and b'"log"' not in data[:2000]


def decompressed(data: bytes) -> bytes:
    """Returns a record without its compression, as far as it can be read."""
    try:
        return _decompressed(data)[0]
    except zlib.error:
        return data


def _decompressed(data: bytes) -> tuple[bytes, bool]:
    """Returns a record without its compression, and whether its compressed form breaks off.

    Raises:
        zlib.error: it only begins like gzip.
    """
    if not data.startswith(_GZIP):
        return data, False
    unpacking = zlib.decompressobj(wbits=31)
    return unpacking.decompress(data), not unpacking.eof


def load_game(path: Path) -> GameRecord:
    """Reads the game in a file.

    Raises:
        RecordError: for a file that cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: expected a readable file, got {error.strerror}") from error
    return read_game(data, str(path))
