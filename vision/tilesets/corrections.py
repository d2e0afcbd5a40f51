"""Learns a set from people's corrections: misread or doubtful pictures with their true faces.

They are stored in a separate file beside the set's (`home.tileset.taps`, JSON), so that a scan is never altered:

    {"format": "tachiai-taps", "version": 1,
     "taps": [{"name": "tap-1", "face": "9m", "read": "6m", "when": "…", "by": "…", "state": "learnt", "jpeg": "…"}, …]}

A correction is accepted only if something else supports it: the reader itself considered the face possible, or another
correction says the same about a similar picture. It is learnt only if the reader then still reads everything correctly
that it did before.
"""

from __future__ import annotations

import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.arrays import Image
from vision.art import draw_face
from vision.art.face_sheet import IVORY
from vision.atomic_files import check_regular
from vision.confidence import CONCEIVABLE
from vision.errors import TileSetError, reason
from vision.felt import CLASSES, FACES
from vision.reading.reader import HEIGHT, WIDTH, TileReader
from vision.tilesets.tileset import (
    FaceExample,
    SetReader,
    TileSet,
    disturbed,
    load,
    packed,
    read_document,
    unpacked,
    write_document,
)

FORMAT: Final = "tachiai-taps"
VERSION: Final = 1
ENDING: Final = ".taps"
MOST_PER_FACE: Final = 3
"""Number of corrections of one face that are learnt, the newest ones."""
UNSCANNED: Final = "taps"
"""The name of a set of which only corrections are known."""
_LIKE: Final = 0.957
"""One correction supports another if their embeddings are at least this similar, as 29 of 30 pairs of one face are."""
_COPIES: Final = 10
_READ: Final = 0.8
"""The share of a correction's augmented copies that must be read correctly once it is learnt."""


class State(Enum):
    """The state of a correction."""

    LEARNT = "learnt"
    WAITING = "waiting"
    """Nothing supports it yet."""
    REFUSED = "refused"
    """Learning it would make the reader misread what it reads correctly."""
    FORGOTTEN = "forgotten"
    """Undone."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Correction:
    """One tile corrected by a person."""

    name: str
    """Its source in the set of examples."""
    face: str
    """mpsz."""
    read: str
    """The face that the reader had read."""
    when: str
    """Date and time, ISO 8601."""
    by: str
    """Who corrected it; empty if unknown."""
    crop: Image
    """[64, 48, 3], BGR, glyph upright."""
    state: State = State.WAITING

    @property
    def example(self) -> FaceExample:
        """The correction as an example of the face."""
        return FaceExample(face=self.face, source=self.name, crop=self.crop)


def with_corrections(tiles: TileSet | None, corrections: Sequence[Correction]) -> TileSet | None:
    """Returns a set with its learnt corrections; None without a scan and without a learnt correction.

    Without a scan, the set consists of the project's own drawings of all faces and of the corrections, so that other
    faces are read as before.
    """
    learnt = [correction for correction in corrections if correction.state is State.LEARNT]
    newest = [
        correction
        for face in FACES
        for correction in [correction for correction in learnt if correction.face == face][-MOST_PER_FACE:]
    ]
    if not newest:
        return tiles
    base = TileSet(name=UNSCANNED, examples=_drawn_faces()) if tiles is None else tiles
    return base.having(tuple(correction.example for correction in newest))


def assess_corrections(
    reader: TileReader, tiles: TileSet | None, corrections: Sequence[Correction], right: Sequence[FaceExample]
) -> tuple[Correction, ...]:
    """Returns the corrections, with waiting ones learnt or refused if that can be decided now.

    Args:
        reader: the shipped reader.
        tiles: the scan; None if there is none.
        corrections: all corrections of the set, oldest first.
        right: examples that are surely correct, such as the uncorrected tiles of the same hand.
    """
    found = list(corrections)
    for place, correction in enumerate(found):
        if correction.state is not State.WAITING or not _is_agreed(
            reader, correction, [other for other in found if other != correction]
        ):
            continue
        found[place] = replace(correction, state=State.LEARNT)
        if not _is_sound(
            reader, tiles, corrections=(*found[:place], *found[place + 1 :]), correction=found[place], right=right
        ):
            found[place] = replace(correction, state=State.REFUSED)
    return tuple(found)


def _is_agreed(reader: TileReader, correction: Correction, others: Sequence[Correction]) -> bool:
    chances, _, embeddings = reader.outputs(correction.crop[None])
    if chances[0, CLASSES.index(correction.face)] >= CONCEIVABLE:
        return True
    same_face = [other.crop for other in others if other.face == correction.face and other.state is not State.FORGOTTEN]
    if not same_face:
        return False
    vectors = reader.outputs(np.stack(same_face))[2]
    likeness = vectors @ embeddings[0] / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(embeddings[0]))
    return bool(likeness.max() >= _LIKE)


def _is_sound(
    reader: TileReader,
    tiles: TileSet | None,
    *,
    corrections: Sequence[Correction],
    correction: Correction,
    right: Sequence[FaceExample],
) -> bool:
    """Returns whether the correction is read correctly once learnt, and all correct readings stay correct."""
    before, after = with_corrections(tiles, corrections), with_corrections(tiles, (*corrections, correction))
    if after is None:
        return False
    learnt_reader = SetReader(reader, after)
    copies = learnt_reader.read_crops(disturbed(correction.crop, _COPIES, np.random.default_rng(3)))
    if sum(reading.tile == correction.face for reading in copies) < _READ * _COPIES:
        return False
    examples = [*(example for example in after.examples if example.source != correction.name), *right]
    crops = np.stack([example.crop for example in examples])
    readings_before = (reader if before is None else SetReader(reader, before)).read_crops(crops)
    return all(
        now.tile == example.face
        for example, then, now in zip(examples, readings_before, learnt_reader.read_crops(crops), strict=True)
        if then.tile == example.face
    )


@cache
def _drawn_faces() -> tuple[FaceExample, ...]:
    examples = []
    for face in FACES:
        drawn = draw_face(face, WIDTH, HEIGHT).astype(np.float32)
        cover = drawn[..., 3:] / 255
        page = np.asarray(np.array(IVORY) * (1 - cover) + drawn[..., :3] * cover, np.uint8)
        examples.append(FaceExample(face=face, source="own", crop=page))
    return tuple(examples)


def path_of(tileset: Path) -> Path:
    """Returns the path of a set's corrections."""
    return tileset.with_name(tileset.name + ENDING)


def load_taught(tileset: Path) -> TileSet | None:
    """Returns a set with its corrections; None if it was never scanned and none of its corrections is learnt.

    Raises:
        TileSetError: a file cannot be used, or there is neither a scan nor a correction.
    """
    corrections = load_corrections(path_of(tileset))
    return with_corrections(load(tileset) if tileset.exists() or not corrections else None, corrections)


def save_corrections(corrections: Sequence[Correction], path: Path) -> None:
    """Writes the file of corrections, whole or not at all.

    Raises:
        TileSetError: the file cannot be written.
    """
    lines = [
        {
            "name": correction.name,
            "face": correction.face,
            "read": correction.read,
            "when": correction.when,
            "by": correction.by,
            "state": correction.state.value,
            "jpeg": packed(correction.crop),
        }
        for correction in corrections
    ]
    write_document({"format": FORMAT, "version": VERSION, "taps": lines}, path)


def load_corrections(path: Path) -> tuple[Correction, ...]:
    """Reads the file of corrections; returns none if it does not exist.

    Raises:
        TileSetError: it has another format or version, or a correction in it cannot be used.
    """
    try:
        check_regular(path)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise TileSetError(f"expected a file of corrections, got {reason(error)}, at {path}") from error
    content = read_document(path, (FORMAT, VERSION), "file of corrections")
    try:
        return tuple(_correction(line) for line in content["taps"])
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise TileSetError(f"expected corrections as documented, got {error!r}, in {path}") from error


def _correction(line: dict[str, Any]) -> Correction:
    if line["face"] not in FACES:
        raise ValueError(f"expected a face in mpsz, got {line['face']!r}")
    return Correction(
        name=str(line["name"]),
        face=str(line["face"]),
        read=str(line["read"]),
        when=str(line["when"]),
        by=str(line["by"]),
        crop=unpacked(line["jpeg"]),
        state=State(line["state"]),
    )
