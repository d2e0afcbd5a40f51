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
from table.records.format_detection import MOST_BYTES, load_game, read_game
from table.records.formats.game_record import GameRecord
from table.runtime.table_errors import RecordError, TachiaiError, UsageError
from vision.addresses import printable
from vision.atomic_files import FULL, LARGEST_TEXT, naming, read_at_most
from vision.errors import VisionError, reason
from vision.recording.recording_files import SETTINGS

STANDARD_INPUT: Final = "-"
INPUT_NAME: Final = "standard input"
"""The name of standard input in messages."""
INPUT_STEM: Final = "standard-input"
"""The stem of names derived from standard input."""
BLOCK_BYTES: Final = 1024 * 1024
"""Bytes that are copied at a time."""
MOST_COPIED_BYTES: Final = 4 * 1024 * 1024 * 1024
"""Bytes of standard input or a pipe that are copied to a temporary file: more than a recording of a whole evening."""
MAX_UNPACKED_RATIO: Final = 20
"""How many times as large as its packed file a recording may be: pictures can hardly be packed any further."""
ALWAYS_ALLOWED_BYTES: Final = 256 * 1024 * 1024
"""Bytes that a recording may have beyond that, so that a small one may be packed tightly."""
MAX_MEMBERS: Final = 200_000
"""The most files and folders in a packed recording: over five hours of ten pictures a second."""
DAMAGE_ERRORS: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    KeyError,
    OverflowError,
)
"""The errors of the libraries for a file that is damaged or not packed."""


def is_standard(path: Path | str) -> bool:
    """Returns whether a file name means standard input."""
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


def standard_bytes(most: int = LARGEST_TEXT) -> bytes:
    """Returns all of standard input.

    Raises:
        RecordError: it has more than `most` bytes, or no end.
    """
    if len(content := first_standard_bytes(most + 1)) > most:
        raise RecordError(f"{INPUT_NAME}: expected at most {most} bytes, got more")
    return content


def first_standard_bytes(count: int) -> bytes:
    """Returns the first `count` bytes of standard input, or all if it has fewer."""
    return sys.stdin.buffer.read(count)


def input_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """Returns all of a file or of standard input.

    Raises:
        OSError: the file cannot be read, or has more than `most` bytes.
        RecordError: standard input has more.
    """
    return standard_bytes(most) if is_standard(path) else read_at_most(path, most)


@contextmanager
def lines_of(path: Path) -> Iterator[Iterator[bytes]]:
    """Yields the lines of a file or standard input, each as soon as it arrives; one over `BLOCK_BYTES` in parts."""
    with _open(path) as file:
        yield iter(lambda: file.readline(BLOCK_BYTES), b"")


def game_in(path: Path) -> GameRecord:
    """Reads a game record from a file or from standard input.

    Raises:
        RecordError: it cannot be read.
    """
    return read_game(sys.stdin.buffer.read(MOST_BYTES + 1), INPUT_NAME) if is_standard(path) else load_game(path)


@contextmanager
def as_file(path: Path, most: int | None = None) -> Iterator[Path]:
    """Yields a file; standard input or a pipe, which can be read only once, is copied to a temporary one.

    Errors that name the temporary file are changed to name what was copied.

    Raises:
        RecordError: a pipe has more than `most` bytes (None: `MOST_COPIED_BYTES`), or no end.
    """
    if not is_standard(path) and not path.is_fifo():
        yield path
        return
    with (
        _open(path) as file,
        temporary_copy(iter(lambda: file.read(BLOCK_BYTES), b""), input_name(path), most) as copy,
    ):
        yield copy


@contextmanager
def temporary_copy(parts: Iterable[bytes], name: str, most: int | None = None) -> Iterator[Path]:
    """Yields a temporary file with these bytes, which nobody else can read; errors name it by `name`.

    Raises:
        RecordError: there are more than `most` bytes (None: `MOST_COPIED_BYTES`).
    """
    with TemporaryDirectory(prefix="tachiai-") as folder:
        copy = Path(folder) / INPUT_STEM
        with naming(copy), copy.open("wb") as file:
            file.writelines(_at_most(MOST_COPIED_BYTES if most is None else most, parts, name))
        with _named_in_errors(copy, name):
            yield copy


def _at_most(most: int, parts: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yields the parts; raises a `RecordError` as soon as they have more than `most` bytes together."""
    remaining = most
    for part in parts:
        remaining -= len(part)
        if remaining < 0:
            raise RecordError(f"{name}: expected at most {most} bytes, got more; save it as a file and name that")
        yield part


def _open(path: Path) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if is_standard(path) else path.open("rb")


@contextmanager
def as_files(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Yields the files of tile sets, each as `as_file` does."""
    with ExitStack() as stack:
        yield [stack.enter_context(as_file(path, LARGEST_TEXT)) for path in paths]


@contextmanager
def _named_in_errors(path: Path, name: str) -> Iterator[None]:
    """Replaces a temporary path by this name in our errors."""
    try:
        yield
    except (TachiaiError, VisionError) as error:
        error.args = tuple(str(arg).replace(str(path), name) for arg in error.args)
        raise


@contextmanager
def recording_folder(path: Path) -> Iterator[Path]:
    """Yields a recording's folder; a packed recording is unpacked to a temporary one for the context.

    Args:
        path: the folder, a tar or zip file with it, or standard input with such a file.

    Raises:
        RecordError: the file is not packed so, would become far too large, or does not hold exactly one recording.
    """
    if path.is_dir():
        yield path
        return
    name = input_name(path)
    expected = "expected a recording's folder, or one packed as tar or zip"
    if not (is_standard(path) or path.is_file() or path.is_fifo()):
        raise RecordError(f"{name}: {expected}, got {'a device' if path.exists() else 'none'}")
    with as_file(path) as file, TemporaryDirectory(prefix="tachiai-") as folder:
        try:
            with naming(Path(folder)):
                _unpack(file, Path(folder))
        except DAMAGE_ERRORS as error:
            raise RecordError(f"{name}: {expected}, got another file, or a damaged one") from error
        except (OSError, RuntimeError) as error:  # encrypted, packed in another way, or too long a name for this disk
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            raise RecordError(f"{name}: {expected}, got one that cannot be unpacked: {reason(error)}") from error
        settings_files = list(Path(folder).rglob(SETTINGS))
        if len(settings_files) != 1:
            raise RecordError(f"{name}: expected one recording in it, got {len(settings_files)}")
        with _named_in_errors(settings_files[0].parent, name):
            yield settings_files[0].parent


def _unpack(file: Path, folder: Path) -> None:
    limit = MAX_UNPACKED_RATIO * file.stat().st_size + ALWAYS_ALLOWED_BYTES
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _check_number(len(members))
            _remaining_after(limit, sum(member.file_size for member in members))
            for member in members:
                archive.extract(member, folder)
    else:
        with (
            file.open("rb") as content,
            tarfile.open(fileobj=LimitedStream(content, limit, _too_large), mode="r:") as packed,
        ):
            _unpack_tar(packed, folder, limit)


def _unpack_tar(packed: tarfile.TarFile, folder: Path, remaining: int) -> None:
    """Unpacks a tar file, at most `remaining` bytes.

    No link is created, since a later member could be written through it. A hard link, by which `tar` packs a file that
    it has packed under another name, becomes a file of its own.
    """
    files: dict[str, tarfile.TarInfo] = {}
    for number, member in enumerate(packed, start=1):
        _check_number(number)
        if member.isdir():
            continue
        source = files[os.path.normpath(member.linkname)] if member.islnk() else member
        files[os.path.normpath(member.name)] = source
        data = None if source.issym() else packed.extractfile(source)
        if data is None:
            raise RuntimeError(f"expected only files and folders in it, got {printable(member.name)}")
        remaining = _remaining_after(remaining, data.seek(0, os.SEEK_END))
        data.seek(0)
        _write_packed(data, member.name, folder)


def _write_packed(data: IO[bytes], name: str, folder: Path) -> None:
    target = Path(os.path.normpath(folder / name.lstrip("/")))
    if folder not in target.parents:
        raise RuntimeError(f"expected only names inside of its folder, got {printable(name)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        shutil.copyfileobj(data, file)


def _check_number(number: int) -> None:
    if number > MAX_MEMBERS:
        raise RuntimeError(f"it has more than {MAX_MEMBERS} files and folders")


def _too_large() -> RuntimeError:
    return RuntimeError(f"it would become more than {MAX_UNPACKED_RATIO} times as large")


def _remaining_after(remaining: int, size: int) -> int:
    """Returns how many bytes may still be unpacked after `size` more."""
    if size > remaining:
        raise _too_large()
    return remaining - size
