"""A game as one file to give away: everything in it, nothing that people wrote can do anything."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard.games.game_file import FlagPicture, as_html, embedded_json
from table.dashboard.owner import clip_pages
from table.game.journal.entries import Entry, GameOpened, PlayersNamed
from table.game.journal.history.game_history import game_history, hand_steps
from table.game.journal.journal import Journal
from table.i18n import catalogue, languages
from table.rules.events import GameEnded
from tests.fakes.desks import PIN, join
from tests.table.game.journal.played_games import whole_game, write_games

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def journal() -> Iterator[Journal]:
    """One whole game, over, and another one just begun."""
    with Journal(None) as journal:
        write_games(journal, 1)
        write_games(journal, 1, session=whole_game()[:1])
        yield journal


def data_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@cache
def shortened() -> tuple[Entry, ...]:
    """The first hands of a game: enough of it for most that is asked here."""
    entries = whole_game()
    return entries[: len(entries) // 4]


def file_of(entries: tuple[Entry, ...], language: str = "en", **fields: Any) -> str:
    return as_html(game_history(entries), entries, catalogue(language), **fields)


def test_the_file_has_every_hand_and_every_step_with_what_was_said() -> None:
    entries = whole_game()
    data = data_in(file_of(entries))
    game = game_history(entries)
    assert len(data["hands"]) == len(game.state.history)
    assert [len(hand["steps"]) for hand in data["hands"]] == [
        len(hand_steps(entries, number)) for number in range(len(game.state.history))
    ]
    assert any(step["news"] for hand in data["hands"] for step in hand["steps"])
    faces = {
        tile.rstrip("-")
        for hand in data["hands"]
        for step in hand["steps"]
        for seat in step["seats"]
        for tile in seat["river"]
    }
    assert faces
    assert faces <= data["faces"].keys()
    assert all(hand["viewer"].startswith("https://tenhou.net/6/#json=") for hand in data["hands"] if hand["viewer"])


@pytest.mark.parametrize("language", languages())
def test_the_file_asks_no_network_and_runs_its_own_script_alone(language: str) -> None:
    page = file_of(shortened(), language)
    assert f'<html lang="{language}">' in page
    assert catalogue(language).text("game_file.keys") in page.replace("&#39;", "'")
    assert not re.search(r'(?:src|href)="(?!data:|https://tenhou\.net/6/)', page)
    assert "url(" not in page
    assert "import" not in re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for element in ("style", "script"):
        inline = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        assert len(inline) == 1
        digest = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy[1].replace("&#39;", "'")


def test_a_name_can_do_nothing_in_the_file() -> None:
    first, *rest = shortened()
    assert isinstance(first.body, GameOpened)
    entries = (replace(first, body=replace(first.body, names=(EVIL, EVIL, "&lt;", "Dan"))), *rest)
    page = file_of(entries)
    assert EVIL not in page
    assert "<img src=x" not in page
    assert data_in(page)["hands"][0]["names"][:3] == [EVIL, EVIL, "&lt;"]
    assert len(re.findall("</script>", page)) == 2


def test_each_hand_names_those_who_played_it() -> None:
    entries = shortened()
    first, last = entries[0], entries[-1]
    assert isinstance(first.body, GameOpened)
    body = PlayersNamed(names=("Eve", "Ben", "Cho", "Dan"), is_substitution=True)
    opening = replace(first, body=replace(first.body, names=("Anna", "Ben", "Cho", "Dan")))
    data = data_in(file_of((opening, *entries[1:], replace(last, number=last.number + 1, body=body))))
    assert {hand["names"][0] for hand in data["hands"]} == {"Anna"}


def test_a_game_ended_early_says_why_in_its_file() -> None:
    entries = shortened()
    end = replace(entries[-1], number=entries[-1].number + 1, body=GameEnded(reason="the <last> train"))
    assert "<p>Ended early: the &lt;last&gt; train</p>" in file_of((*entries, end))
    assert "Ended early" not in file_of(entries)


def test_no_sign_of_a_page_is_left_in_the_data() -> None:
    text = embedded_json(["<!--", "</script>", "&amp;", "\u2028\u2029"])
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == ["<!--", "</script>", "&amp;", "\u2028\u2029"]


def test_a_kept_moment_is_shown_from_its_step_on_in_its_hand_alone() -> None:
    entries = shortened()
    steps = hand_steps(entries, 0)
    times = {entry.number: entry.envelope.utc for entry in entries}
    when = datetime.fromisoformat(times[steps[2].last])
    data = data_in(file_of(entries, pictures=[FlagPicture(when=when, jpeg=b"\xff\xd8picture")]))
    pictures = [(number, picture) for number, hand in enumerate(data["hands"]) for picture in hand["pictures"]]
    assert [number for number, _ in pictures] == [0]
    assert base64.b64decode(pictures[0][1]["src"].removeprefix("data:image/jpeg;base64,")) == b"\xff\xd8picture"
    assert times[steps[pictures[0][1]["step"]].last] <= when.isoformat(timespec="milliseconds")
    elsewhere = FlagPicture(when=datetime(1999, 1, 1, tzinfo=UTC), jpeg=b"x")
    assert not any(hand["pictures"] for hand in data_in(file_of(entries, pictures=[elsewhere]))["hands"])


def test_the_game_page_gives_the_file(app: Flask) -> None:
    client = app.test_client()
    number = int(re.findall(r'href="/game/(\d+)"', client.get("/games").text)[0])
    assert f'href="/game/{number}/game.html"' in client.get(f"/game/{number}").text
    answer = client.get(f"/game/{number}/game.html")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert data_in(answer.text)["hands"]
    assert client.get("/game/999999/game.html").status_code == 404


def test_pictures_of_kept_moments_are_the_owners_alone(app: Flask, journal: Journal, tmp_path: Path) -> None:
    app.register_blueprint(clip_pages.blueprint(lambda by: None, ClipFolder(tmp_path, days=1, most_bytes=1)))
    client = app.test_client()
    number = int(re.findall(r'href="/game/(\d+)"', client.get("/games").text)[0])
    when = datetime.fromisoformat(journal.entries()[5].envelope.utc)
    clip = tmp_path / when.strftime("%Y%m%d-%H%M%S")
    (clip / "frames").mkdir(parents=True)
    (clip / "frames" / "000000.jpg").write_bytes(b"\xff\xd8blind")
    (clip / "moment.json").write_text(
        json.dumps({"when": when.isoformat(), "by": "seat 0", "seconds": 1}), encoding="utf-8"
    )
    assert "data:image/jpeg" not in client.get(f"/game/{number}/game.html").text
    join(client, "owner", pin=PIN)
    assert "data:image/jpeg" in client.get(f"/game/{number}/game.html").text


def test_a_won_hand_lies_open_from_the_claim_to_the_end_with_its_yaku_and_value() -> None:
    entries = whole_game()
    data = data_in(file_of(entries))
    won = next(hand for hand in data["hands"] if any(step["shown"] for step in hand["steps"]))
    last, claimed = won["steps"][-1], won["steps"][-2]
    assert last["shown"] == claimed["shown"]
    assert last["ending"] == claimed["ending"]
    assert last["ending"].endswith("points")
    (open_hand,) = last["shown"]
    melds = [len(meld) for seat in last["seats"] for meld in seat["melds"]]
    assert len(open_hand["tiles"]) in {14, *(14 - 3 * count for count in range(1, len(melds) + 1))}
    assert set(open_hand["tiles"]) <= data["faces"].keys()
    assert open_hand["yaku"]


def test_no_ending_breaks_off_where_a_value_is_still_missing() -> None:
    data = data_in(file_of(whole_game()))
    endings = [step["ending"] for hand in data["hands"] for step in hand["steps"]]
    assert any(" · " in ending for ending in endings)
    assert not any(ending.endswith("· ") for ending in endings)
