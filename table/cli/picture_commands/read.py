"""`tachiai read IMAGE…`: which tiles and sticks a photo shows, and where."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2

from table.cli.arguments.picture_options import view_of
from table.cli.picture_commands.given_photo import given_photo
from table.cli.streams.input_files import as_files, check_inputs, input_name, is_standard
from table.cli.streams.output_files import check_outputs, write_output
from table.cli.streams.progress import progress, say
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError, UsageError
from vision.confidence import MARK_BELOW
from vision.errors import VisionError, found_instead_of_folder
from vision.felt import Outcome
from vision.photo import overlay
from vision.photo.files.photo_file import Photo
from vision.photo.photo_reader import PhotoReading
from vision.photo.shipped_reader import PhotoReader
from vision.photo.tables.table_in_photo import TableInPhoto
from vision.reading.set_consistency import Remark
from vision.reading.sticks.strips import StripReader
from vision.tilesets.set_selector import reader_of

GREY_SUFFIXES: Final = (".pbm", ".pgm")
"""The suffixes of formats without colours."""


def run(args: argparse.Namespace) -> int:
    """Reads every image; one that cannot be read is reported, and the others are still read.

    Raises:
        UsageError: options exclude each other, or an input would be overwritten.
        ConfigError: no picture can be written there.
        OSError: a picture cannot be written; an existing file stays unchanged.
    """
    view = view_of(args)
    check_inputs([*args.images, *args.tileset])
    drawing_paths = _drawing_paths(args)
    text_output = sys.stderr if any(map(is_standard, drawing_paths.values())) else None
    with as_files(args.tileset) as tilesets:
        reader = PhotoReader(reader_of(tilesets), sticks=StripReader())
    failed = False
    for name in progress(args.images, "reading"):
        try:
            photo = given_photo(name)
            reading = reader.read(photo.image, view=view, shrunk=photo.shrunk)
            say(json.dumps(reading.to_json(name)) if args.json else _reading_text(name, reading), file=text_output)
            if reading.is_too_long:
                say(f"tachiai read: {_cutting_advice(photo)}, at {input_name(name)}", file=sys.stderr)
            if drawing_paths:
                _save_drawing(drawing_paths[name], photo, reading)
        except (VisionError, ConfigError) as error:
            say(f"tachiai read: {_with_name(str(error), input_name(name))}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


def _with_name(message: str, name: str) -> str:
    """Returns an error message with the name of its picture, since a command may read many."""
    return message if name in message else f"{message}, at {name}"


def _cutting_advice(photo: Photo) -> str:
    """Returns what to do with a picture that is too long to be read whole."""
    height, width = (round(side * photo.shrunk) for side in photo.image.shape[:2])
    return f"a picture of {width} x {height} pixels shows too little when read whole: cut it into parts, and read these"


def _reading_text(name: str, reading: PhotoReading) -> str:
    numbered = {remark.index for remark in reading.remarks}
    tiles = " ".join(
        (f"{index + 1}:" if index in numbered else "") + (tile.tile if tile.score >= MARK_BELOW else f"{tile.tile}?")
        for index, tile in enumerate(reading.tiles)
    )
    sticks = " ".join(str(stick.value or "?") for stick in reading.sticks)
    lines = [
        f"{name}: {amount(len(reading.tiles), 'tile')}, {amount(len(reading.sticks), 'stick')} in {reading.ms:.0f} ms",
        *([] if reading.table is None else [f"  table:  {_table_text(reading.table)}"]),
        f"  tiles:  {tiles}",
    ]
    if sticks:
        lines.append(f"  sticks: {sticks}")
    lines += [f"  {_remark_text(remark)}" for remark in reading.remarks]
    return "\n".join(lines)


def _table_text(found: TableInPhoto) -> str:
    """Returns where the table, or the part of it around its tiles, was found."""
    corners = ",".join(f"{x:.0f},{y:.0f}" for x, y in found.view.corners_px)
    extent = "found" if found.view.is_whole else "a part found"
    return f"{extent} by its {found.by} at {corners}, read through its plane; --corners and --side-mm put this right"


def _remark_text(remark: Remark) -> str:
    """Returns a remark that follows from the whole set about one tile, counted from 1 in reading order."""
    text = f"{remark.outcome.value}: tile {remark.index + 1}, {remark.now}"
    if remark.now != remark.before:
        text += f", read as {remark.before}"
    return text if remark.outcome is not Outcome.SURPLUS else f"{text}: more copies than one set has"


def _drawing_paths(args: argparse.Namespace) -> dict[str, Path]:
    """Returns the output of each image; empty without `--overlay`. A folder for several images is created."""
    if args.overlay is None:
        return {}
    out, names = Path(args.overlay), list(dict.fromkeys(args.images))
    if is_standard(out):
        if len(args.images) > 1:
            raise UsageError(f"expected one picture with --overlay -, got {len(args.images)}")
        return {names[0]: out}
    if len(args.images) == 1 and not out.is_dir():
        paths = {names[0]: out}
    else:
        _make_folder(out)
        paths = {name: out / f"{stem}-read.jpg" for name, stem in zip(names, _distinct_stems(names), strict=True)}
    check_outputs(paths.values(), [*map(Path, names), *args.tileset])
    for path in paths.values():
        _check_format(path)
    return paths


def _check_format(path: Path) -> None:
    if not _is_picture_name(path):
        raise ConfigError(f"expected a picture file to write such as out.jpg, got {path}")
    if path.suffix.lower() in GREY_SUFFIXES:
        raise ConfigError(f"expected a picture file in colour to write such as out.jpg, got one in grey: {path}")


def _is_picture_name(path: Path) -> bool:
    """Returns whether a name ends in the suffix of a format that can be written; a name such as .jpg has none.

    OpenCV sees the suffix only: a name that is not UTF-8 would end the program.
    """
    return bool(path.suffix) and path.suffix.isascii() and cv2.haveImageWriter(f"out{path.suffix}")


def _make_folder(path: Path) -> None:
    if not path.exists() and _is_picture_name(path):
        raise ConfigError(f"expected a folder for the drawings of several pictures, got a picture's name: {path}")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        found = found_instead_of_folder(error)
        raise ConfigError(f"expected a folder for the drawings of several pictures, got {found}: {path}") from error


def _distinct_stems(images: Sequence[str]) -> list[str]:
    """Returns a distinct name for each picture's drawing: its file name, prefixed by folders where names collide.

    Two pictures of one folder that differ only in their suffix keep the suffix.
    """
    paths = [Path("standard-input" if is_standard(name) else name).absolute() for name in images]
    parts_of_all = [path.with_suffix("").parts[1:] for path in paths]
    names = []
    for path, parts in zip(paths, parts_of_all, strict=True):
        others = [other for other in parts_of_all if other != parts]
        count = next((n for n in range(1, len(parts)) if all(other[-n:] != parts[-n:] for other in others)), len(parts))
        names.append("-".join(parts[-count:]) + (path.suffix if parts_of_all.count(parts) > 1 else ""))
    return names


def _save_drawing(path: Path, photo: Photo, reading: PhotoReading) -> None:
    """Draws the reading onto the picture, at the size at which it was read."""
    numbered = {remark.index for remark in reading.remarks}
    scaled = reading.scaled(1 / photo.shrunk)
    drawing = overlay.draw(photo.image, scaled.tiles, scaled.sticks, numbered=numbered, is_explained=True)
    is_encoded, picture = cv2.imencode(".jpg" if is_standard(path) else path.suffix, drawing)
    if not is_encoded:
        raise ConfigError(f"expected a picture that fits the format {path.suffix}, got {drawing.shape}, at {path}")
    write_output(path, picture.tobytes())
