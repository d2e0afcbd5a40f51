"""Output files of commands: written whole or not at all, and never over an input or a journal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from table.cli.streams.input_files import is_standard
from table.cli.streams.output_encoding import use_utf8
from table.game.journal.storage.journal_start import is_journal
from table.runtime.table_errors import ConfigError, UsageError
from vision.atomic_files import naming, write_whole

_DESCRIPTORS: Final = Path("/dev/fd")
"""The folder of this program's open files, each named by its number."""
_MAX_LINKS: Final = 40
"""How many links are followed: as many as the system follows."""
_SIDES: Final = ("", "-wal", "-shm")
"""The suffixes of a journal's file and of those that SQLite keeps beside it."""


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path]) -> None:
    """Checks, before any work is done, that the outputs can be written.

    Raises:
        UsageError: two outputs, or an output and an input, are the same by name.
        ConfigError: two names lead to the same file, an output is a journal or a folder, or its folder is missing.
    """
    targets, sources = [path for path in outputs if path is not None], list(inputs)
    if sum(map(is_standard, targets)) > 1:
        raise UsageError("expected one output at most on standard output, got several: -")
    targets = [path for path in targets if not is_standard(path)]
    for one, other in combinations(targets, 2):
        _check_apart(one, other, "a file of its own for each output")
    for path in targets:
        for source in sources:
            _check_apart(path, source, "another file to write than the one that is read")
        _check_place(path)


def write_output(path: Path, content: str | bytes) -> None:
    """Writes a file whole or not at all; a pipe, a device or an open file (`-`, /dev/stderr) is written to directly.

    Text is UTF-8 everywhere.

    Raises:
        OSError: it cannot be written; an existing file stays unchanged.
    """
    if is_standard(path):
        if isinstance(content, str):
            use_utf8()
            sys.stdout.write(content)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        return
    target, descriptor = path.resolve(), _descriptor(path)
    if descriptor is None and (not target.exists() or target.is_file()):
        write_whole(target, content)
        return
    sys.stdout.flush()
    with naming(path), target.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def _descriptor(path: Path) -> int | None:
    """Returns which open file of this program a path such as /dev/stderr or /dev/fd/63 names; None for any other."""
    descriptors = _DESCRIPTORS.resolve()
    for _ in range(_MAX_LINKS):
        if path.name.isdecimal() and path.parent.resolve() == descriptors:
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def _check_apart(one: Path, other: Path, expected: str) -> None:
    if os.path.abspath(one) == os.path.abspath(other):
        raise UsageError(f"expected {expected}, got the same: {one}")
    if any(_is_same(one, Path(f"{other}{side}")) for side in _SIDES):
        raise ConfigError(f"expected {expected}, got the same by another name: {one} and {other}")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return one.resolve() == other.resolve()


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise ConfigError(f"expected a file to write, got a folder: {path}")
    if (descriptor := _descriptor(path)) is not None:
        _check_open(path, descriptor)
        return
    if not path.resolve().parent.is_dir():
        raise ConfigError(f"expected a folder to write into, got none: {path.parent}")
    if is_journal(path):
        raise ConfigError(f"expected a file to write other than a journal, got one: {path}")
    target = path.resolve()
    if not target.exists() or target.is_file():
        check_folder(target.parent)


def _check_open(path: Path, descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError as error:
        raise ConfigError(f"expected an open file to write, got: {error.strerror}, at {path}") from error


def check_folder(folder: Path) -> None:
    """Checks, before any work is done, that files can be written into a folder, or that it can be created.

    Raises:
        ConfigError: the folder cannot be written to.
    """
    existing = next(parent for parent in (folder, *folder.absolute().parents) if os.path.lexists(parent))
    if not existing.exists():
        raise ConfigError(f"expected a writable folder, got a link that leads nowhere, at {existing}")
    try:
        with TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise ConfigError(f"expected a writable folder, got: {error.strerror}, at {existing}") from error
