"""Flagging from a phone, and the owner's list of clips, over the application as it is served."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard import create_app
from table.dashboard.owner.clip_pages import blueprint
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Board, Snapshot
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.runtime.table_errors import PressError
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.table.camera.clips.recorded_clips import moment

MOMENT_KEPT = Announcement(id=AnnouncementId.MOMENT_KEPT, args={"at": "21:03", "seconds": 90})
LOGGED = LoggedAnnouncement.of_hand(0, MOMENT_KEPT, "x", evidence=(7,))
FIRST = Snapshot(version=1, game=GameState(scores=(25000,) * 4), announcements=(LOGGED,))


class Flags:
    """Notes who flagged; refuses where a test wants it."""

    def __init__(self) -> None:
        self.by: list[str] = []
        self.refusal: PressError | None = None

    def __call__(self, by: str) -> float:
        if self.refusal is not None:
            raise self.refusal
        self.by.append(by)
        return 90.0


@pytest.fixture
def flags() -> Flags:
    return Flags()


@pytest.fixture
def folder(tmp_path: Path) -> ClipFolder:
    return ClipFolder(tmp_path / "clips", days=14, most_bytes=10**9)


@pytest.fixture
def client(flags: Flags, folder: ClipFolder) -> FlaskClient:
    app = create_app(Board(FIRST), FakeDesk())
    app.register_blueprint(blueprint(flags, folder))
    return app.test_client()


def test_a_seat_flags_a_moment_once_however_often_it_is_sent(client: FlaskClient, flags: Flags) -> None:
    join(client, seat="2")
    body = {"mark": "one-two-three"}
    assert [client.post("/api/flag", json=body, headers=token(client)).status_code for _ in range(2)] == [202, 202]
    assert flags.by == ["seat 2"]
    page = client.get("/").text
    assert "data-flag-moment" in page
    assert "clips.js" in page


def test_who_only_watches_flags_nothing(client: FlaskClient, flags: Flags) -> None:
    assert client.post("/api/flag", json={}, headers=token(client)).status_code == 403
    assert flags.by == []
    assert "data-flag-moment" not in client.get("/").text


def test_where_there_is_nothing_to_keep_the_phone_is_told_why(client: FlaskClient, flags: Flags) -> None:
    flags.refusal = PressError("nothing to keep yet", says="no_moment")
    join(client)
    answer = client.post("/api/flag", json={}, headers=token(client))
    assert (answer.status_code, answer.get_json()) == (
        409,
        {"error": "nothing to keep yet", "said": "Nothing of the last minutes is recorded."},
    )


def test_the_owner_lists_fetches_and_removes_clips(client: FlaskClient, folder: ClipFolder) -> None:
    clip = folder.write(moment(datetime(2026, 11, 21, 21, 3, tzinfo=UTC)))
    join(client, "owner", pin=PIN)
    page = client.get("/staff").text
    assert "2026-11-21 21:03, 2 s, 1 MB" in re.sub("<[^>]*>", "", page)
    assert f"/clips/{clip.name}.zip" in page
    fetched = client.get(f"/clips/{clip.name}.zip")
    assert fetched.mimetype == "application/zip"
    assert f"{clip.name}/recording.toml" in zipfile.ZipFile(io.BytesIO(fetched.data)).namelist()
    removed = client.post("/api/clips/remove", json={"name": clip.name}, headers=token(client))
    assert removed.status_code == 202
    assert folder.clips() == ()
    again = client.post("/api/clips/remove", json={"name": clip.name}, headers=token(client))
    assert (again.status_code, "expected the name of a stored clip" in again.text) == (409, True)
    assert client.get(f"/clips/{clip.name}.zip").status_code == 404


@pytest.mark.parametrize(
    ("by", "player", "name"), [("seat 2", "Cho", "Cho"), ("seat 2", "", "Seat 3"), ("owner", "", "Owner")]
)
def test_who_kept_a_clip_is_said_as_everywhere_else(
    client: FlaskClient, folder: ClipFolder, by: str, player: str, name: str
) -> None:
    folder.write(replace(moment(), by=by, player=player))
    join(client, "owner", pin=PIN)
    assert f"<span>{name}</span>" in client.get("/staff").text


def test_a_clip_is_for_the_owner_alone(client: FlaskClient, folder: ClipFolder) -> None:
    clip = folder.write(moment())
    join(client)
    assert client.get(f"/clips/{clip.name}.zip").status_code == 302
    assert client.post("/api/clips/remove", json={"name": clip.name}, headers=token(client)).status_code == 403
    assert len(folder.clips()) == 1


@pytest.mark.parametrize("name", [None, 7, "..", "../../etc"])
def test_what_is_no_clips_name_removes_nothing(client: FlaskClient, folder: ClipFolder, name: object) -> None:
    folder.write(moment())
    join(client, "owner", pin=PIN)
    answer = client.post("/api/clips/remove", json={"name": name}, headers=token(client))
    assert answer.status_code in (400, 409)
    assert len(folder.clips()) == 1


def test_the_page_says_that_it_is_kept_with_the_picture_and_never_aloud(client: FlaskClient) -> None:
    (line,) = client.get("/api/table").get_json()["news"]
    assert (line["text"], line["aloud"], line["pictures"]) == ("Saved: 21:03, 90 s.", False, [7])


def test_a_table_without_a_camera_offers_nothing_of_it() -> None:
    client = create_app(Board(FIRST), FakeDesk()).test_client()
    join(client, "owner", pin=PIN)
    assert "data-flag-moment" not in client.get("/").text
    assert "clips.js" not in client.get("/staff").text
