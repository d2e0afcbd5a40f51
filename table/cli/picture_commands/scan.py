"""`tachiai scan PHOTO…`: learns a set of tiles from photos of its faces, and reports how reliably it is read."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import numpy as np

from table.cli.arguments.picture_options import view_of
from table.cli.picture_commands.given_photo import given_photo
from table.cli.streams.input_files import (
    INPUT_STEM,
    as_file,
    check_inputs,
    input_name,
    is_standard,
)
from table.cli.streams.output_files import check_outputs, write_output
from table.cli.streams.progress import progress
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError, UsageError
from vision.arrays import Image
from vision.atomic_files import LARGEST_TEXT
from vision.confidence import UNREAD_TILE_IN_SCAN
from vision.errors import VisionError
from vision.photo.photo_reader import read_photo
from vision.photo.tables.table_photo import TableView
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.tilesets import tileset
from vision.tilesets.corrections import State, load_corrections, path_of, save_corrections, with_corrections
from vision.tilesets.set_scan import ScannedSet, scan
from vision.tilesets.tileset import Readiness, SetReader, TileSet

NOT_READY = 1


def run(args: argparse.Namespace) -> int:
    """Learns or shows one set; returns 0 if it is ready.

    Raises:
        UsageError: options exclude each other, or a photo would be overwritten.
        ConfigError: a photo does not show every face in order, or the file cannot be written.
    """
    if bool(args.photos) == (args.show is not None):
        raise UsageError("expected photos to learn from or --show FILE, got " + ("both" if args.photos else "neither"))
    check_inputs([*args.photos, args.show])
    photo_flags = (args.out, args.name, args.corners, args.side_mm)
    if args.show is not None and any(flag is not None for flag in photo_flags):
        raise UsageError("expected --show alone or with --forget, got a flag for photos to learn from")
    if args.show is None and args.forget is not None:
        raise UsageError("expected --forget with --show FILE, got it with photos to learn from")
    if args.forget is not None and is_standard(args.show or ""):
        raise UsageError("expected a file with --forget, got -, which is standard input")
    if args.show is not None:
        return _report_stored(args)
    view = view_of(args)
    check_outputs([args.out], args.photos)
    scans = _scan_photos(args.photos, view)
    named_file = args.photos[0] if args.out is None or is_standard(args.out) else args.out
    name = args.name or _stem(named_file)
    learnt = TileSet(name=name, examples=scans[0].examples)
    if len(scans) > 1:
        learnt = replace(learnt, readiness=tileset.measure(SetReader(TileReader(), learnt), scans[1].examples))
    for other in scans[1:]:
        learnt = learnt.having(other.examples)
    if args.out is None:
        return _report(learnt, scans[0].misread, as_json=args.json)
    if is_standard(args.out):
        write_output(args.out, tileset.as_text(learnt))
        return _report(learnt, scans[0].misread, as_json=args.json, to=sys.stderr)
    tileset.save(learnt, args.out)
    return _report(learnt, scans[0].misread, as_json=args.json)


def _report_stored(args: argparse.Namespace) -> int:
    with as_file(args.show, LARGEST_TEXT) as path:
        return _report(_stored_set(path, args.forget), (), as_json=args.json)


def _stored_set(path: Path, forget: str | None) -> TileSet:
    """Returns the set in a file, learnt corrections included, after one source is forgotten."""
    corrections = load_corrections(path_of(path))
    if forget in {correction.name for correction in corrections}:
        corrections = tuple(
            replace(correction, state=State.FORGOTTEN) if correction.name == forget else correction
            for correction in corrections
        )
        save_corrections(corrections, path_of(path))
    elif forget is not None:
        tileset.save(tileset.load(path).without(forget), path)
    scanned = tileset.load(path)
    return with_corrections(scanned, corrections) or scanned


def _scan_photos(photos: list[Path], view: TableView | None) -> list[ScannedSet]:
    """Returns the crops of every photo; the faults of all photos are reported together.

    Raises:
        ConfigError: a photo does not show every face in order.
    """
    locator, reader = Locator() if view is None else Locator.from_above(), TileReader()
    images: list[Image] = []
    scans, faults = [], []
    for path in progress(photos, "scanning"):
        try:
            photo = given_photo(path)
            image = photo.image
            if any(np.array_equal(image, other) for other in images):
                raise ConfigError("expected another photo, got the same one again")
            images.append(image)
            place = view and view.scaled(1 / photo.shrunk)
            found = read_photo(image, locator=locator, reader=reader, view=place, unread_score=UNREAD_TILE_IN_SCAN)
            scans.append(scan(image, found, reader, source=_stem(path)))
        except (VisionError, ConfigError) as error:
            name = input_name(path)
            faults.append(f"{name}: {str(error).removesuffix(f', at {name}')}")
    if faults:
        raise ConfigError("\n".join(faults))
    return scans


def _stem(path: Path) -> str:
    """Returns the name for something derived from a file."""
    return INPUT_STEM if is_standard(path) else path.stem


def _report(tiles: TileSet, misread: tuple[tuple[str, str], ...], *, as_json: bool, to: TextIO | None = None) -> int:
    is_ready = tiles.readiness is not None and tiles.readiness.is_ready
    if as_json:
        print(json.dumps(_report_json(tiles, misread, is_ready=is_ready), ensure_ascii=False), file=to)
    else:
        print("\n".join(_report_lines(tiles, misread)), file=to)
    if not is_ready:
        print(f"tachiai scan: {_refusal(tiles.readiness)}", file=sys.stderr)
    return 0 if is_ready else NOT_READY


def _report_json(tiles: TileSet, misread: tuple[tuple[str, str], ...], *, is_ready: bool) -> dict[str, object]:
    readiness = tiles.readiness
    return {
        "name": tiles.name,
        "faces": list(tiles.faces),
        "sources": _sources(tiles),
        "misread": [list(pair) for pair in misread],
        "readiness": None if readiness is None else round(readiness.score, 4),
        "confused": [] if readiness is None else [list(row) for row in readiness.confused],
        "ready": is_ready,
    }


def _report_lines(tiles: TileSet, misread: tuple[tuple[str, str], ...]) -> list[str]:
    sources = ", ".join(f"{source} {count}" for source, count in _sources(tiles).items())
    lines = [f"{tiles.name}: {amount(len(tiles.faces), 'face')}, looks: {sources}"]
    if misread:
        lines.append("  misread without this scan: " + ", ".join(f"{face} as {read}" for face, read in misread))
    if tiles.readiness is not None:
        lines.append(
            f"  readiness {100 * tiles.readiness.score:.1f} % of "
            f"{amount(tiles.readiness.total, 'tile')} in the second photo"
        )
        lines += [
            f"  still confused: {face} as {read} in {100 * part:.0f} %" for face, read, part in tiles.readiness.confused
        ]
        if tiles.readiness.is_ready:
            lines.append("  ready")
    return lines


def _sources(tiles: TileSet) -> dict[str, int]:
    sources: dict[str, int] = {}
    for example in tiles.examples:
        sources[example.source] = sources.get(example.source, 0) + 1
    return sources


def _refusal(readiness: Readiness | None) -> str:
    if readiness is None:
        return "not ready: expected a second photo to measure by, got one"
    count = len(readiness.confused)
    confused = f" and {amount(count, 'face')} {'is' if count == 1 else 'are'} still confused" if count else ""
    expected, got = 100 * tileset.FLOOR, 100 * readiness.score
    return f"not ready: expected {expected:.0f} % of the second photo read correctly, got {got:.1f} %{confused}"
