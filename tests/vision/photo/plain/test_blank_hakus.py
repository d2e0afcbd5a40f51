"""Hakus without a frame in a photo: blank tiles with the paper of the faces beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.photo.photo_things import ReadTile
from vision.photo.plain.blank_hakus import with_blank_hakus

FELT: Final = (70, 110, 40)
PAPER: Final = (215, 226, 230)
BLUE: Final = (150, 90, 60)
WIDTH: Final = 30
HEIGHT: Final = 40
NONE: Final = np.zeros((0, 4, 2), np.float32)


def corners(place: int) -> list[tuple[int, int]]:
    left, right = 60 + WIDTH * place, 60 + WIDTH * (place + 1)
    return [(left, 60), (right, 60), (right, 60 + HEIGHT), (left, 60 + HEIGHT)]


def photo(row: str, *, ground: tuple[int, int, int] = FELT) -> Image:
    """Returns a photo of a row: `f` a face, `h` a blank tile, `b` a blue back, and a space bare ground."""
    image = np.full((180, 60 + WIDTH * (len(row) + 4), 3), ground, np.uint8)
    for place, tile in enumerate(row):
        if tile != " ":
            (left, top), _, (right, bottom), _ = corners(place)
            cv2.rectangle(image, (left, top), (right, bottom), BLUE if tile == "b" else PAPER, -1)
            cv2.rectangle(image, (left, top), (right, bottom), (150, 160, 165), 1)
        if tile == "f":
            cv2.line(image, (left + 8, top + 8), (right - 8, bottom - 8), (40, 30, 30), 5)
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def tile(name: str, place: int, score: float = 0.99) -> ReadTile:
    return ReadTile(tile=name, quad=tuple(map(tuple, np.array(corners(place), float))), score=score)


def faces(*places: int) -> list[ReadTile]:
    return [tile(f"{place % 9 + 1}m", place) for place in places]


def hakus(tiles: Sequence[ReadTile]) -> list[int]:
    """Returns at which places hakus lie."""
    return sorted(
        round((float(np.mean(tile.quad, axis=0)[0]) - 60) / WIDTH - 0.5) for tile in tiles if tile.tile == "5z"
    )


@pytest.mark.parametrize(
    ("row", "found"),
    [("fhf", [1]), ("fhhf", [1, 2]), ("ffhhh", [2, 3, 4]), ("hff", [0]), ("ff ff", []), ("ffbff", []), ("ff", [])],
)
def test_a_blank_tile_of_a_row_that_was_not_found_is_a_haku(row: str, found: list[int]) -> None:
    read = faces(*(place for place, tile in enumerate(row) if tile == "f"))
    added = with_blank_hakus(read, NONE, photo(row))
    assert hakus(added) == found
    assert added[: len(read)] == read


@pytest.mark.parametrize("darker", [0, 8, 20])
def test_nothing_is_seen_in_the_gap_of_a_row_on_a_cloth_as_white_as_the_tiles(darker: int) -> None:
    ground = (PAPER[0] - darker, PAPER[1] - darker, PAPER[2] - darker)
    assert with_blank_hakus(faces(0, 1, 3, 4), NONE, photo("ff ff", ground=ground)) == faces(0, 1, 3, 4)


def test_nothing_is_seen_beyond_the_edge_of_a_photo() -> None:
    cut = photo("ffh")[:, : 60 + 2 * WIDTH + 8]
    assert with_blank_hakus(faces(0, 1), NONE, cut) == faces(0, 1)


def test_a_blank_tile_apart_from_the_row_is_a_haku_where_the_locator_suspects_a_tile() -> None:
    apart = np.array([corners(4)], np.float32)
    *_, haku = with_blank_hakus(faces(0, 1), apart, photo("ff  h"))
    assert (hakus([haku]), haku.score) == ([4], 0.84), "the side of a tile may look like that, too"
    assert hakus(with_blank_hakus(faces(0, 1), apart, photo("ff   "))) == []
    assert hakus(with_blank_hakus(faces(0, 1), apart, photo("ff  b"))) == []


@pytest.mark.parametrize(
    ("row", "read", "now"),
    [
        ("ffh", ("back", 0.7), ("5z", 0.93)),
        ("ffh", ("?", 0.8), ("5z", 0.93)),
        ("ffh", ("5z", 0.5), ("5z", 0.93)),
        ("ffh", ("5z", 0.99), ("5z", 0.99)),
        ("ffh", ("back", 0.99), ("5z", 0.84)),
        ("ffb", ("back", 0.7), ("back", 0.7)),
        ("fff", ("back", 0.7), ("back", 0.7)),
        ("ff h", ("back", 0.7), ("5z", 0.84)),
        ("ff h", ("5z", 0.9), ("5z", 0.9)),
        ("ff h", ("back", 0.99), ("back", 0.99)),
    ],
)
def test_what_was_read_as_blank_is_a_haku_if_it_has_the_paper_of_faces(
    row: str, read: tuple[str, float], now: tuple[str, float]
) -> None:
    *_, last = with_blank_hakus([*faces(0, 1), tile(read[0], len(row) - 1, read[1])], NONE, photo(row))
    assert (last.tile, last.score) == now


def test_more_blank_tiles_than_hakus_in_a_set_are_no_hakus() -> None:
    read = [*faces(0, 1), *(tile("back", place, 0.6) for place in range(2, 7))]
    assert with_blank_hakus(read, NONE, photo("ffhhhhh")) == read


def test_hakus_of_a_row_stay_where_too_many_other_things_look_like_hakus() -> None:
    elsewhere = np.array([corners(place) for place in (5, 7, 9)], np.float32)
    found = [tile("back", 2, 0.6), tile("back", 3, 0.6)]
    for read in (faces(0, 1), [*faces(0, 1), *found]):
        assert hakus(with_blank_hakus(read, elsewhere, photo("ffhh h h h"))) == [2, 3]


def test_without_faces_nothing_is_compared() -> None:
    read = [tile("back", 0, 0.6), tile("5z", 1, 0.6), *faces(2)]
    assert with_blank_hakus(read, NONE, photo("hhf")) == read


def test_a_set_whose_hakus_have_a_frame_has_no_blank_ones() -> None:
    inset = np.array([(6, 7), (-6, 7), (-6, -7), (6, -7)])
    image = photo("fhfhh")
    cv2.polylines(image, [np.array(corners(1)) + inset], isClosed=True, color=(150, 60, 40), thickness=3)
    read = [*faces(0, 2), tile("5z", 1), tile("back", 3, 0.6), tile("back", 4, 0.6)]
    assert with_blank_hakus(read, NONE, image) == read


def test_a_haku_where_nothing_was_found_is_doubtful_and_so_are_those_beside_it() -> None:
    added = with_blank_hakus(faces(0, 1), NONE, photo("ffhh"))
    assert [(haku.score, haku.alternatives[0][0]) for haku in added[2:]] == [(0.84, "?")] * 2


def test_the_chances_of_a_named_haku_add_up_to_one_at_most() -> None:
    read = ReadTile(tile="5z", quad=tile("5z", 2).quad, score=0.5, alternatives=(("back", 0.45),))
    *_, named = with_blank_hakus([*faces(0, 1), read], NONE, photo("ffh"))
    assert (named.score, named.alternatives[0][0]) == (0.93, "back")
    assert named.alternatives[0][1] == pytest.approx(0.07)
