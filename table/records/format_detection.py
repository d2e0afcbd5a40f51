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
from vision.errors import reason
from vision.json_text import read_any_json

MOST_BYTES: Final = 16 * 1024 * 1024
"""Limit of a record, unpacked too: games that were played have a few hundred thousand bytes in any format."""
_TOO_LARGE: Final = f"expected a game of at most {MOST_BYTES} bytes, unpacked too, got more"
_GZIP: Final = b"\x1f\x8b"


def read_game(data: bytes, source: str) -> GameRecord:
    """Reads a game in any known format, plain or gzipped.

    Raises:
        RecordError: the format is unknown, the game has three players, or it cannot be read or is far too large;
            `source` names it.
    """
    try:
        text, is_cut = _decompressed(data)
    except zlib.error as error:
        raise RecordError(f"{source}: expected gzipped text, got {error}") from error
    if len(text) > MOST_BYTES:
        raise RecordError(f"{source}: {_TOO_LARGE}")
    start = text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        return read_mjlog(text, source, is_cut=is_cut)
    if start == b"{":
        return read_mjai(text, source) if is_mjai(text) else read_tenhou6(text, source)
    if b"#json=" in text[:200]:
        return read_tenhou6(text, source)
    raise RecordError(f"{source}: expected mjlog (XML or gz), tenhou.net/6 JSON or mjai lines, got {kind_of(text)}")


def kind_of(data: bytes) -> str:
    """Returns the kind of a file in an unknown format, without any of its content, which may be a password."""
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
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0].split(b"\r", 1)[0]
    try:
        line = read_any_json(first.decode("utf-8", errors="replace"))
    except ValueError:  # cut off, or a line of an object that is written in several
        return b'"type"' in first[:2000] and b'"log"' not in data[:2000]
    return isinstance(line, dict) and "type" in line and "log" not in line


def decompressed(data: bytes) -> bytes:
    """Returns a record without its compression, as far as it can be read and no further than a record may be long."""
    try:
        return _decompressed(data)[0]
    except zlib.error:
        return data


def _decompressed(data: bytes) -> tuple[bytes, bool]:
    """Returns a record without its compression, and whether its compressed form breaks off.

    Consecutive compressed parts form one text, as for gzip itself. A text longer than `MOST_BYTES` is cut after one
    byte more than that.

    Raises:
        zlib.error: it only begins like gzip.
    """
    if not data.startswith(_GZIP):
        return data, False
    parts, remaining = list[bytes](), MOST_BYTES + 1
    while data.startswith(_GZIP) and remaining:
        unpacking = zlib.decompressobj(wbits=31)
        parts.append(unpacking.decompress(data, remaining))
        remaining -= len(parts[-1])
        if not unpacking.eof:
            return b"".join(parts), True
        data = unpacking.unused_data
    return b"".join(parts), False


def load_game(path: Path) -> GameRecord:
    """Reads the game in a file.

    Raises:
        RecordError: for a file that cannot be read.
    """
    try:
        data = record_bytes(path)
    except OSError as error:
        raise RecordError(f"{path}: expected readable game records, got: {reason(error)}") from error
    return read_game(data, str(path))


def record_bytes(path: Path) -> bytes:
    """Returns the content of a record's file.

    Raises:
        RecordError: it is larger than any record, or has no end, like a device.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: {_TOO_LARGE}")
    return data
