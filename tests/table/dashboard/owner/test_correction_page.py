"""The owner's list of learnt corrections, over the application as it is served."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flask.testing import FlaskClient

from table.camera.correction_learning import CorrectionLearning, StoredCorrection
from table.dashboard import create_app
from table.dashboard.owner.correction_page import blueprint, correction_view
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue
from table.rules.state import GameState
from table.runtime.table_errors import PressError
from tests.fakes.desks import PIN, FakeDesk, join, token
from vision.tilesets.corrections import Correction, State

CORRECTION = Correction(
    name="tap-1",
    face="9m",
    read="6m",
    when="2026-11-21T20:31:00Z",
    by="seat 2",
    crop=np.full((64, 48, 3), 200, np.uint8),
    state=State.LEARNT,
)


class OneCorrection(CorrectionLearning):
    """One correction; notes what is taken back."""

    def __init__(self) -> None:
        self.forgotten: list[str] = []

    def corrections(self) -> list[StoredCorrection]:
        state = State.FORGOTTEN if self.forgotten else State.LEARNT
        return [StoredCorrection(key="0-tap-1", set="home", correction=replace(CORRECTION, state=state))]

    def toggle(self, key: str) -> None:
        if key != "0-tap-1":
            raise PressError(f"expected a listed correction, got {key!r}")
        self.forgotten.append(key)


@pytest.fixture
def learning() -> OneCorrection:
    return OneCorrection()


@pytest.fixture
def client(learning: OneCorrection) -> FlaskClient:
    app = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk())
    app.register_blueprint(blueprint(learning))
    return app.test_client()


def test_the_owner_sees_each_correction_with_its_picture_and_takes_it_back(
    client: FlaskClient, learning: OneCorrection
) -> None:
    join(client, "owner", pin=PIN)
    page = client.get("/staff").get_data(as_text=True)
    assert "9 man, read as 6 man" in page
    assert "Learnt." in page
    assert "/taps/0-tap-1.jpg" in page
    picture = client.get("/taps/0-tap-1.jpg")
    assert (picture.status_code, picture.mimetype) == (200, "image/jpeg")
    assert picture.headers["Cache-Control"] == "no-store", "after signing out, it is not in the browser's cache"
    assert client.get("/taps/0-tap-9.jpg").status_code == 404
    headers = token(client)
    assert client.post("/api/taps/forget", json={"key": "0-tap-1"}, headers=headers).status_code == 202
    assert learning.forgotten == ["0-tap-1"]
    assert "Learn again" in client.get("/staff").get_data(as_text=True)
    assert client.post("/api/taps/forget", json={"key": "0-tap-9"}, headers=headers).status_code == 409
    assert client.post("/api/taps/forget", json={"key": 3}, headers=headers).status_code == 400


def test_nobody_else_sees_or_changes_what_was_learnt(client: FlaskClient, learning: OneCorrection) -> None:
    join(client)
    assert client.get("/taps/0-tap-1.jpg").status_code == 404
    headers = token(client)
    assert client.post("/api/taps/forget", json={"key": "0-tap-1"}, headers=headers).status_code == 403
    assert learning.forgotten == []


@pytest.mark.parametrize("state", State)
def test_what_came_of_a_correction_is_said_in_words(state: State) -> None:
    view = correction_view(
        StoredCorrection(key="0-tap-1", set="home", correction=replace(CORRECTION, state=state)), catalogue()
    )
    assert view["state"].endswith(".")
    assert view["is_forgotten"] == (state is State.FORGOTTEN)


@pytest.mark.parametrize(
    ("by", "name"), [('name "Cho"', "Cho"), ("seat 1", "Seat 2"), ("owner 1", "Owner"), ("owner", "Owner"), ("", "")]
)
def test_who_corrected_a_tile_is_said_as_everywhere_else(by: str, name: str) -> None:
    stored = StoredCorrection(key="0-tap-1", set="home", correction=replace(CORRECTION, by=by))
    assert correction_view(stored, catalogue())["by"] == name
