"""Hands read from a photo that is checked before it is decoded."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.camera.phone_photos import MOST_BYTES, MOST_SIDE_PX, Face, PhotoError, Photos, decoded_photo
from table.dashboard import create_app
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from tests.fakes.desks import FakeDesk, join, token
from tests.fakes.waiting import PATIENCE_S
from tests.places import ROOT
from vision.arrays import Image
from vision.errors import ModelError
from vision.photo.photo_reader import PhotoReading
from vision.photo.photo_things import ReadTile

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def picture(width: int = 64, height: int = 48, ending: str = ".jpg") -> bytes:
    return cv2.imencode(ending, np.full((height, width, 3), 128, np.uint8))[1].tobytes()


def faces(data: bytes) -> tuple[Face, ...]:
    decoded_photo(data)
    return (Face(tile="5m", score=0.97, alternatives=(("0m", 0.02),)), Face(tile="?", score=0.4))


@pytest.fixture
def app() -> Flask:
    return create_app(Board(Snapshot(version=1, game=new_game(HOME), ruleset=HOME)), FakeDesk(), faces=faces)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client)
    return client


def read_photo(client: FlaskClient, data: bytes) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/photo", data=data, headers=token(client), content_type="image/jpeg")
    return answer.status_code, answer.get_json()


def test_a_photo_is_read_with_alternatives(client: FlaskClient) -> None:
    status, answer = read_photo(client, picture())
    assert status == 200
    assert [(tile["to"], tile["face"]) for tile in answer["tiles"]] == [("5m", "5m"), ("?", "unread")]
    assert answer["tiles"][0]["alternatives"][0]["to"] == "0m"


def test_photos_are_for_who_sits_there(app: Flask) -> None:
    assert read_photo(app.test_client(), picture())[0] == 403


def test_a_table_without_models_says_so() -> None:
    client = create_app(Board(Snapshot(version=1, game=new_game(HOME))), FakeDesk()).test_client()
    join(client)
    assert read_photo(client, picture())[0] == 409


def test_a_table_whose_models_are_damaged_says_so() -> None:
    def load() -> Any:
        raise ModelError("expected the weights of the manifest, got others")

    board = Board(Snapshot(version=1, game=new_game(HOME), ruleset=HOME))
    client = create_app(board, FakeDesk(), faces=Photos(load).faces).test_client()
    join(client)
    status, answer = read_photo(client, picture())
    assert (status, answer["said"]) == (409, "This table cannot read photos.")


def test_a_body_larger_than_any_photo_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/photo", data=b"\xff\xd8\xff" + bytes(MOST_BYTES + 2000), headers=token(client))
    assert answer.status_code == 413


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_photo_is_decoded_as_it_is(ending: str) -> None:
    assert decoded_photo(picture(64, 48, ending)).shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"GIF89a", "expected a JPEG or PNG file, got something else"),
        (b"", "expected a JPEG or PNG file, got something else"),
        (b"\0\0\0\x18ftypheic" + bytes(99), "expected a JPEG or PNG file, got a HEIC picture, .*save it as JPEG"),
        (b"\xff\xd8\xff\xe0\x00\x04", "expected a JPEG file with its size, got a broken one"),
        (picture()[:200], "expected a"),
        (picture(1, 1), "expected a photo of a hand, got 1 x 1 pixels"),
        (picture(8000, 20), "expected a photo of a hand, got 8000 x 20 pixels"),
        (picture(1, 8000), "expected a photo of a hand, got 1 x 8000 pixels"),
        (picture(ending=".png")[:60], "expected a whole JPEG or PNG file, got a broken one"),
        (bytes(MOST_BYTES + 1), "bytes at most"),
        (picture()[:-2] + 99 * b"\xff\xda\x00\x02\x00", "expected a photo of 64 scans at most, got 100"),
    ],
)
def test_what_is_no_photo_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(PhotoError, match=message):
        decoded_photo(data)


@pytest.mark.parametrize("ending", [".jpg", ".png"])
@pytest.mark.parametrize(("width", "height", "size"), [(4000, 3000, (1200, 1600)), (1200, 3300, (1600, 582))])
def test_a_large_photo_is_read_no_larger_than_the_page_sends_it(
    ending: str, width: int, height: int, size: tuple[int, int]
) -> None:
    assert decoded_photo(picture(width, height, ending)).shape[:2] == size
    assert f"const WIDEST = {MOST_SIDE_PX};" in (ROOT / "table/dashboard/static/scores/hand.js").read_text("utf-8")


def test_a_small_file_that_would_become_a_huge_picture_is_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = bytearray(picture(ending=".png"))
    bomb[16:24] = (60000).to_bytes(4) + (60000).to_bytes(4)
    monkeypatch.setattr("cv2.imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PhotoError, match="16000000 pixels at most, got 60000 x 60000"):
        decoded_photo(bytes(bomb))


def test_a_size_that_only_a_careless_reader_finds_in_a_file_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a fill byte the length of the segment must not be read one byte too early, which leads into its middle."""
    photo, small = picture(5000, 4000), b"\xff\xc0\x00\x11\x08\x00\x10\x00\x10\x03"
    hidden = bytearray(60_000)
    hidden[0xE1EA + 4 - 7 : 0xE1EA + 4 - 7 + len(small)] = small
    segment = b"\xff\xff\xe1" + (len(hidden) + 2).to_bytes(2) + bytes(hidden)
    found = cv2.imdecode(np.frombuffer(photo[:2] + segment + photo[2:], np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    assert found.shape[0] == 4000
    monkeypatch.setattr("cv2.imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PhotoError, match="16000000 pixels at most, got 5000 x 4000"):
        decoded_photo(photo[:2] + segment + photo[2:])


@pytest.mark.parametrize("between", [b"\xff\x01", b"\xff\xd0", b"\xff\xe0\x00\x01", b"\xff\xd8"])
def test_a_file_that_only_a_lenient_decoder_reads_is_refused(between: bytes) -> None:
    with pytest.raises(PhotoError, match="got a broken one"):
        decoded_photo(picture()[:2] + between + picture()[2:])


def test_fill_bytes_between_segments_are_no_fault() -> None:
    assert decoded_photo(picture()[:2] + b"\xff\xff" + picture()[2:]).shape == (48, 64, 3)


def test_photos_are_decoded_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    photos = Photos(lambda: lambda image: PhotoReading(tiles=(), sticks=(), ms=1.0))
    others_wait: list[bool] = []
    monkeypatch.setattr(
        "table.camera.phone_photos.decoded_photo", lambda data: others_wait.append(photos._lock.locked())
    )
    photos.faces(picture())
    assert others_wait == [True]


def test_two_photos_wait_while_one_is_read_and_the_rest_are_told_so() -> None:
    come, go = threading.Semaphore(0), threading.Event()

    def slowly(data: bytes) -> tuple[Face, ...]:
        come.release()
        assert go.wait(PATIENCE_S)
        return faces(data)

    app = create_app(Board(Snapshot(version=1, game=new_game(HOME), ruleset=HOME)), FakeDesk(), faces=slowly)
    phones = [app.test_client() for _ in range(4)]
    for seat, phone in enumerate(phones):
        join(phone, seat=str(seat))
    with ThreadPoolExecutor(3) as others:
        read_there = [others.submit(read_photo, phone, picture()) for phone in phones[:3]]
        for _ in read_there:
            assert come.acquire(timeout=PATIENCE_S)
        status, answer = read_photo(phones[3], picture())
        assert (status, answer["said"]) == (503, "Other photos are still being read: try again in a moment.")
        go.set()
        assert [each.result(PATIENCE_S)[0] for each in read_there] == [200] * 3
    assert read_photo(phones[3], picture())[0] == 200


def test_models_are_loaded_with_the_first_photo_and_once() -> None:
    loaded: list[str] = []

    def read_image(image: Image) -> PhotoReading:
        return PhotoReading(tiles=(ReadTile(tile="1z", quad=QUAD, score=0.9),), sticks=(), ms=1.0)

    def load() -> Any:
        loaded.append("models")
        return read_image

    photos = Photos(load)
    assert loaded == []
    assert [photos.faces(picture())[0].tile for _ in range(2)] == ["1z", "1z"]
    assert loaded == ["models"]
