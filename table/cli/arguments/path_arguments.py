"""Path arguments: an empty text (from an unset variable) is a usage error and never means the current folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

_STANDARD: Final = "-"
"""As in `table.cli.streams.input_files`, repeated here to keep `--help` free of its imports."""
_STANDARD_OUTPUT: Final = "/dev/stdout"
"""The system's own name for standard output."""


def file_name(text: str) -> str:
    """Reads the name of a file, or `-` for a standard stream; for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file, got an empty text")
    return text


def any_file(text: str) -> Path:
    """Reads the path of a file, or `-` for a standard stream; for argparse."""
    return Path(file_name(text))


def output_name(text: str) -> str:
    """Reads the name of a file to write, where `-` and /dev/stdout both mean standard output; for argparse."""
    return _STANDARD if text == _STANDARD_OUTPUT else file_name(text)


def output_file(text: str) -> Path:
    """Reads the path of a file to write, as `output_name` does; for argparse."""
    return Path(output_name(text))


def file_on_disk(text: str) -> Path:
    """Reads the path of a file for which standard input is not allowed; for argparse."""
    if text == _STANDARD:
        raise argparse.ArgumentTypeError("expected a file on the disk, got -, which is standard input")
    return any_file(text)


def folder(text: str) -> Path:
    """Reads the path of a folder; for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected a folder, got an empty text")
    if text == _STANDARD:
        raise argparse.ArgumentTypeError("expected a folder, got -, which is standard input or output")
    return Path(text)
