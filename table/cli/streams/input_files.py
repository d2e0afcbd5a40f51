"""The inputs of commands: files, or standard input for the name `-`."""

from __future__ import annotations

import lzma
import os
import shutil
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, BinaryIO, Final

from table.cli.streams.limited_stream import LimitedStream
from table.records.format_detection import load_game, read_game
from table.records.formats.game_record import GameRecord
from table.runtime.table_errors import RecordError, TachiaiError, UsageError
from vision.atomic_files import FULL, naming
from vision.errors import VisionError, reason
from vision.recording.recording_files import SETTINGS

STANDARD_INPUT: Final = "-"
INPUT_NAME: Final = "standard input"
"""The name of standard input in messages."""
INPUT_STEM: Final = "standard-input"
"""The stem of names derived from standard input."""
BLOCK: Final = 1024 * 1024
"""Bytes that are copied at a time."""
PACKED_AT_MOST: Final = 20
"""How many times as large as its packed file a recording may be: pictures can hardly be packed any further."""
ALWAYS_ALLOWED: Final = 256 * 1024 * 1024
"""Bytes of a recording that are unpacked however small its packed file is."""
MEMBERS_AT_MOST: Final = 200_000
"""Files and folders of a recording: over five hours of ten pictures a second."""
DAMAGED: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    KeyError,
    OverflowError,
)
"""What the libraries raise for a packed file that is damaged, or is none."""


def is_standard(path: Path | str) -> bool:
    """Whether a file name means standard input."""
    return str(path) == STANDARD_INPUT


def input_name(path: Path | str) -> str:
    """Returns the name of a file in messages."""
    return INPUT_NAME if is_standard(path) else str(path)


def check_inputs(inputs: Iterable[Path | str | None]) -> None:
    """Checks that standard input is used at most once, since nothing is left of it for a second reader.

    Raises:
        UsageError: it is used several times.
    """
    if sum(path is not None and is_standard(path) for path in inputs) > 1:
        raise UsageError(f"expected one {STANDARD_INPUT} for standard input at most, got several")


def standard_bytes() -> bytes:
    """Returns all of standard input."""
    return sys.stdin.buffer.read()


@contextmanager
def lines_of(path: Path) -> Iterator[Iterator[bytes]]:
    """Yields the lines of standard input or a pipe, each as soon as it arrives."""
    with _opened(path) as given:
        yield iter(given.readline, b"")


def game_in(path: Path) -> GameRecord:
    """Reads a game record from a file or from standard input.

    Raises:
        RecordError: it cannot be read.
    """
    return read_game(standard_bytes(), INPUT_NAME) if is_standard(path) else load_game(path)


@contextmanager
def as_file(path: Path) -> Iterator[Path]:
    """Yields a file; standard input or a pipe, which can be read only once, is copied to a temporary one.

    Errors that name the temporary file are changed to name what was copied.
    """
    if not is_standard(path) and not path.is_fifo():
        yield path
        return
    with _opened(path) as given, spooled(iter(lambda: given.read(BLOCK), b""), input_name(path)) as kept:
        yield kept


@contextmanager
def spooled(parts: Iterable[bytes], name: str) -> Iterator[Path]:
    """Yields a temporary file with these bytes, which nobody else can read; errors name it by `name`."""
    with TemporaryDirectory(prefix="tachiai-") as home:
        kept = Path(home) / INPUT_STEM
        with naming(kept), kept.open("wb") as file:
            file.writelines(parts)
        with _named_in_errors(kept, name):
            yield kept


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if is_standard(path) else path.open("rb")


@contextmanager
def as_files(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Yields files like `as_file`."""
    with ExitStack() as stack:
        yield [stack.enter_context(as_file(path)) for path in paths]


@contextmanager
def _named_in_errors(path: Path, name: str) -> Iterator[None]:
    """Replaces a temporary path by this name in our errors."""
    try:
        yield
    except (TachiaiError, VisionError) as error:
        error.args = tuple(str(said).replace(str(path), name) for said in error.args)
        raise


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yields a recording's folder; a packed recording is unpacked to a temporary one for the context.

    Args:
        path: the folder, a tar or zip file with it, or standard input with such a file.

    Raises:
        RecordError: it is no such file, is far larger than it is packed, or not one recording is in it.
    """
    if path.is_dir():
        yield path
        return
    where = input_name(path)
    if not is_standard(path) and not path.exists():
        raise RecordError(f"{where}: expected a recording's folder, or one packed as tar or zip, got none")
    with as_file(path) as file, TemporaryDirectory(prefix="tachiai-") as home:
        expected = "expected a recording's folder, or one packed as tar or zip"
        try:
            with naming(Path(home)):
                _unpack(file, Path(home))
        except DAMAGED as error:
            raise RecordError(f"{where}: {expected}, got another file, or a damaged one") from error
        except (OSError, RuntimeError) as error:  # encrypted, packed in another way, or too long a name for this disk
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            raise RecordError(f"{where}: {expected}, got one that cannot be unpacked: {reason(error)}") from error
        there = list(Path(home).rglob(SETTINGS))
        if len(there) != 1:
            raise RecordError(f"{where}: expected one recording in it, got {len(there)}")
        with _named_in_errors(there[0].parent, where):
            yield there[0].parent


def _unpack(file: Path, home: Path) -> None:
    limit = PACKED_AT_MOST * file.stat().st_size + ALWAYS_ALLOWED
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            left = limit
            for number, info in enumerate(archive.infolist(), start=1):
                _check_number(number)
                left = _less(left, info.file_size)
                archive.extract(info, home)
    else:
        with (
            file.open("rb") as given,
            tarfile.open(fileobj=LimitedStream(given, limit, _too_large), mode="r:") as packed,
        ):
            _unpack_tar(packed, home, limit)


def _unpack_tar(packed: tarfile.TarFile, home: Path, left: int) -> None:
    """Writes what a tar file has, at most so many bytes.

    A link is never made, since what is packed after it could be written through it. A hard link, as `tar` packs the
    second of two equal files, is written as a file of its own.
    """
    files: dict[str, tarfile.TarInfo] = {}
    for number, member in enumerate(packed, start=1):
        _check_number(number)
        if member.isdir():
            continue
        linked = files[os.path.normpath(member.linkname)] if member.islnk() else member
        files[os.path.normpath(member.name)] = linked
        data = None if linked.issym() else packed.extractfile(linked)
        if data is None:
            raise RuntimeError(f"expected only files and folders in it, got {_shown(member.name)}")
        left = _less(left, data.seek(0, os.SEEK_END))
        data.seek(0)
        _write_packed(data, member.name, home)


def _write_packed(data: IO[bytes], name: str, home: Path) -> None:
    written = Path(os.path.normpath(home / name.lstrip("/")))
    if home not in written.parents:
        raise RuntimeError(f"expected only names inside of its folder, got {_shown(name)}")
    written.parent.mkdir(parents=True, exist_ok=True)
    with written.open("wb") as file:
        shutil.copyfileobj(data, file)


def _shown(name: str) -> str:
    """Returns a name that somebody else chose as it may be written to a terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in name)


def _check_number(number: int) -> None:
    if number > MEMBERS_AT_MOST:
        raise RuntimeError(f"it has more than {MEMBERS_AT_MOST} files and folders")


def _too_large() -> RuntimeError:
    return RuntimeError(f"it would become more than {PACKED_AT_MOST} times as large")


def _less(left: int, size: int) -> int:
    """Returns how many bytes may still be unpacked after `size` more."""
    if size > left:
        raise _too_large()
    return left - size
