"""The pages of the season: figures with what they mean, pictures, and who is whom."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.games.season import season_archive
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import EndGame, NameSeats
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Mode
from table.game.table_loop import Table, TableLoop
from table.i18n import catalogue, languages
from table.records.season.definitions import DEFINITIONS
from table.records.season.people import FILE, person_id
from table.records.season.season_folder import read_season
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.contracts import assert_keeps
from tests.fakes.desks import PIN, join, token
from tests.fakes.waiting import wait_for
from tests.table.game.by_hand import draw, tell
from tests.table.game.journal.played_games import PLAYERS, declared_game, whole_game, write_games

AOI = person_id("Aoi")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that a camera saw and one that people kept, over; a fourth is just opened, and is no game yet."""
    found = tmp_path_factory.mktemp("season")
    with Journal(found / "table.journal") as journal:
        write_games(journal, 2, session=whole_game())
        write_games(journal, 1, session=declared_game())
        write_games(journal, 1, session=declared_game()[:1])
    return found


@pytest.fixture
def app(folder: Path, tmp_path: Path) -> Iterator[Flask]:
    (tmp_path / "table.journal").write_bytes((folder / "table.journal").read_bytes())
    with Journal(tmp_path / "table.journal") as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with TableLoop(table) as loop:
            yield create_app(table.board, loop, summaries=tmp_path / "table.games")


def say(client: FlaskClient, do: str, person: str, name: str = "", **more: str) -> int:
    form = {"token": token(client)[TOKEN_HEADER], "do": do, "person": person, "name": name, **more}
    return client.post("/season/people", data=form).status_code


def test_everybody_has_a_page_of_figures(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/season").text
    assert all(f'href="/season/people/{person_id(name)}"' in page for name in PLAYERS)
    assert client.get(f"/season/people/{AOI}").status_code == 200
    assert client.get("/season/people/none").status_code == 404
    assert 'href="/season"' in client.get("/games").text


@pytest.mark.parametrize("language", languages())
def test_the_figures_to_take_along_are_not_called_a_score_sheet(app: Flask, language: str) -> None:
    page = app.test_client().get("/season", headers={"Accept-Language": language}).text
    assert catalogue(language).text("page.take_along") not in page
    assert catalogue(language).text("season.take_along") in page


def test_the_page_says_what_the_command_says(app: Flask, tmp_path: Path) -> None:
    found = read_season(tmp_path)
    data = app.test_client().get("/season.json").get_json()
    assert found.faults == []
    assert_keeps("season", data)
    assert data["games"] == found.season.games == 3
    assert [each["name"] for each in data["people"]] == [each.name for each in found.season.people]
    assert [each["total"] for each in data["people"]] == [each.result for each in found.season.people]
    rows = csv.DictReader(io.StringIO(app.test_client().get("/season.csv").text))
    assert {row["person"] for row in rows} == set(PLAYERS)
    assert app.test_client().get("/season.csv?save").data.startswith(b"\xef\xbb\xbf")


def test_a_season_for_spreadsheets_with_decimal_commas_has_semicolons(app: Flask) -> None:
    client = app.test_client()
    commas, other = (
        list(csv.DictReader(io.StringIO(client.get(f"/season.csv{query}").text), delimiter=sign))
        for query, sign in (("", ","), ("?semicolons", ";"))
    )
    in_points = ("value", "low", "high")
    assert [
        {key: row[key].replace(",", ".") if key in in_points else row[key] for key in row} for row in other
    ] == commas
    assert any("," in row["value"] for row in other)
    assert "/season.csv?save=&amp;semicolons=" in client.get("/season").text


def test_what_is_not_known_of_a_person_is_a_dash_that_is_read_aloud() -> None:
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        table.handle(NameSeats(names=PLAYERS))
        tell(table, draw(0))
        table.handle(NameSeats(names=("Eve", *PLAYERS[1:]), substitute=True))
        table.handle(EndGame())
        with TableLoop(table) as loop:
            page = create_app(table.board, loop).test_client().get("/season").text
    (left,) = re.findall(rf">{PLAYERS[0]}</a></th>(.*?)</tr>", page)
    assert left.startswith("<td>0</td>")
    assert left.count('<td><span role="img" aria-label="not known">–</span></td>') == 2
    assert "<td>0.0%</td>" in left


def test_points_are_grouped_on_a_persons_page_as_everywhere(app: Flask) -> None:
    page = re.sub(r"<svg.*?</svg>", "", app.test_client().get(f"/season/people/{AOI}").text, flags=re.DOTALL)
    numbers = re.findall(r">([−+]?[\d,.]+)(?: – [^<]*)?<", page)
    assert [each for each in numbers if re.search(r"\d{4}", each)] == []
    assert any(re.fullmatch(r"[−+]?\d+,\d{3}", each) for each in numbers)


@pytest.mark.parametrize(("mode", "games"), [(Mode.HOME, 4), (Mode.TOURNAMENT, 3)])
def test_at_a_tournament_a_game_counts_once_it_is_over(folder: Path, tmp_path: Path, mode: Mode, games: int) -> None:
    (tmp_path / "table.journal").write_bytes((folder / "table.journal").read_bytes())
    with Journal(tmp_path / "table.journal") as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock(), mode=mode)
        tell(table, draw(0))
        with TableLoop(table) as loop:
            data = create_app(table.board, loop).test_client().get("/season.json").get_json()
    assert data["games"] == games


def test_a_hand_that_nobody_saw_is_not_known_and_never_zero(app: Flask) -> None:
    people = app.test_client().get("/season.json").get_json()["people"]
    assert all(each["calls"]["unknown"] > 0 for each in people)
    assert all(each["calls"]["of"] + each["calls"]["unknown"] == each["hands"] for each in people)
    assert catalogue("en").text("season.unknown", count=people[0]["calls"]["unknown"]) in (
        app.test_client().get(f"/season/people/{people[0]['id']}").text
    )


@pytest.mark.parametrize("language", languages())
def test_every_figure_says_what_it_means_one_tap_away(app: Flask, language: str) -> None:
    client, texts = app.test_client(), catalogue(language)
    page = client.get(f"/season/people/{AOI}", headers={"Accept-Language": language}).text
    others = ("/season", f"/season/people/{person_id('Chie')}")  # who won a hand has a best one
    whole = page + "".join(client.get(path, headers={"Accept-Language": language}).text for path in others)
    for name in DEFINITIONS:
        assert texts.text(f"season.about.{name}") in whole.replace("&#39;", "'")
    assert page.count("<details") >= len(DEFINITIONS) - 2  # Aoi won nothing; what an interval is, everybody's page says


def test_the_picture_of_places_says_how_sure_each_share_is(app: Flask) -> None:
    client = app.test_client()
    places = next(each["places"] for each in client.get("/season.json").get_json()["people"] if each["name"] == "Aoi")
    page = client.get(f"/season/people/{AOI}").text
    assert len(places) == 4
    for place in places:
        low, high = (f"{100 * end:.1f}" for end in place["interval"])
        assert f"{place['hits']} ({100 * place['rate']:.1f}%, {low}–{high}%)" in page


def test_a_definition_is_cited_or_marked_ours(app: Flask) -> None:
    page = app.test_client().get(f"/season/people/{AOI}").text
    figures = re.findall(r'<details class="figure">.*?</details>', page, re.DOTALL)
    ours = catalogue("en").text("season.ours")
    assert len(figures) >= 19
    assert all("https://" in figure or ours in figure for figure in figures)


def test_every_picture_is_well_formed_and_has_its_text(app: Flask) -> None:
    page = app.test_client().get(f"/season/people/{AOI}").text
    pictures = re.findall(r'<svg class="season-picture".*?</svg>', page, re.DOTALL)
    assert len(pictures) == 4
    for picture in pictures:
        drawing = ElementTree.fromstring(picture)  # noqa: S314 - our own page
        assert drawing.attrib["role"] == "img"
        assert drawing.attrib["aria-label"]
        assert "style" not in drawing.attrib


def test_two_names_become_one_person_everywhere_and_the_journal_stays(owner: FlaskClient, tmp_path: Path) -> None:
    before = owner.get("/season.json").get_json()
    assert say(owner, "rename", "Aoi", "Ben", sure="3") == 302
    people = {each["name"]: each for each in owner.get("/season.json").get_json()["people"]}
    assert sorted(people) == ["Ben", "Chie", "Dan"]
    hands = {each["name"]: each["hands"] for each in before["people"]}
    assert people["Ben"]["hands"] == hands["Aoi"] + hands["Ben"]
    assert "Aoi" not in owner.get("/games").text
    assert say(owner, "part", "Aoi") == 302
    assert owner.get("/season.json").get_json() == before
    assert (tmp_path / FILE).is_file()


@pytest.mark.parametrize("language", languages())
def test_two_who_played_each_other_become_one_person_only_when_the_owner_says_so_twice(
    owner: FlaskClient, language: str
) -> None:
    assert say(owner, "rename", "Dan", "Daniel") == 302, "nobody else is called so"
    form = {"token": token(owner)[TOKEN_HEADER], "do": "rename", "person": "Daniel", "name": "Chie"}
    answer = owner.post("/season/people", data=form, headers={"Accept-Language": language})
    assert answer.status_code == 409
    assert catalogue(language).text("season.met", person="Daniel", name="Chie", count=3) in answer.text
    assert catalogue(language).text("season.merge_anyway") in answer.text
    assert say(owner, "rename", "Chie", "Dan") == 409, "also by a former name"
    question = answer.text.partition('class="stack"')[2].partition("</form>")[0]
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', question))
    assert {again[name] for name in ("do", "person", "name")} == {"rename", "Daniel", "Chie"}
    assert say(owner, "rename", "Daniel", "Chie", sure="2") == 409, "they played once more since"
    assert say(owner, "rename", "Daniel", "Chie", sure=again["sure"]) == 302
    assert [each["name"] for each in owner.get("/season.json").get_json()["people"]].count("Chie") == 1


def test_what_an_owner_saw_of_the_people_is_changed_once(owner: FlaskClient) -> None:
    page = owner.get(f"/season/people/{person_id('Dan')}").text
    (seen_key,) = set(re.findall(r'name="seen" value="(\w+)"', page))
    assert say(owner, "rename", "Dan", "Daniel", seen=seen_key) == 302
    form = {"token": token(owner)[TOKEN_HEADER], "do": "guest", "person": "Dan", "seen": seen_key}
    late = owner.post("/season/people", data=form)
    assert late.status_code == 409
    assert "Something else was done since: look again." in late.text
    assert "Daniel" in owner.get("/season").text
    answer = owner.post("/season/people", data={**form, "seen": "", "do": "rename", "person": "Aoi", "name": "Ben"})
    question = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.text.partition('class="stack"')[2])
    )
    assert say(owner, "guest", "Chie") == 302
    assert say(owner, "rename", "Aoi", "Ben", sure=question["sure"], seen=question["seen"]) == 409


def test_a_guest_is_called_so_in_every_game_that_is_over(owner: FlaskClient) -> None:
    assert say(owner, "guest", "Ben") == 302
    number = int(re.findall(r'href="/game/(\d+)"', owner.get("/games").text)[-1])
    visitor = owner.application.test_client()
    paths = ("/season", "/season.csv", "/season.json", "/games", f"/game/{number}")
    files = (f"/game/{number}/sheet.csv", f"/game/{number}/sheet.svg", f"/game/{number}/sheet.json")
    records = (f"/game/{number}/tenhou6.json", f"/api/games/{number}/hands/0")
    for path in (*paths, *files, *records, f"/game/{number}/moments", f"/game/{number}/game.html"):
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert "Ben" not in answer.text, path
    for language in languages():
        page = visitor.get(f"/game/{number}", headers={"Accept-Language": language}).text
        assert catalogue(language).text("season.guest") in page
    assert visitor.get(f"/season/people/{person_id('Ben')}").status_code == 404
    assert "Ben" in owner.get("/season").text  # the owner can name the guest again
    assert say(owner, "name", "Ben") == 302
    assert "Ben" in visitor.get("/games").text


@pytest.mark.parametrize(("person", "name"), [("Ben", "Chie"), ("Chie", "Ben")])
def test_a_guest_and_a_known_person_are_not_merged_unnoticed(owner: FlaskClient, person: str, name: str) -> None:
    assert say(owner, "guest", "Ben") == 302
    form = {"token": token(owner)[TOKEN_HEADER], "do": "rename", "person": person, "name": name}
    answer = owner.post("/season/people", data=form)
    assert (answer.status_code, catalogue().text("refused.name_guest", name="Ben") in answer.text) == (409, True)
    assert {each["name"] for each in owner.get("/season.json").get_json()["people"]} == {*PLAYERS} - {"Ben"}
    assert say(owner, "rename", "Ben", "Benjamin") == 302
    assert owner.get("/season").text.count("Benjamin") > 0


def test_only_the_owner_says_who_is_whom(app: Flask) -> None:
    client = app.test_client()
    join(client, "seat", seat="0")
    assert say(client, "rename", "Aoi", "Ben") == 403
    assert '/season/people"' not in client.get(f"/season/people/{AOI}").text


@pytest.mark.parametrize(
    ("do", "person", "name"),
    [
        ("sing", "Aoi", "Ben"),
        ("rename", "Aoi", " "),
        ("rename", "", "Ben"),
        ("rename", "\u200b", "Ben"),
    ],
)
def test_what_says_nothing_of_a_person_is_refused(owner: FlaskClient, do: str, person: str, name: str) -> None:
    assert say(owner, do, person, name) == 400


def test_nobody_is_renamed_to_a_name_that_is_too_long(owner: FlaskClient) -> None:
    assert say(owner, "rename", "Aoi", "x" * 25) == 409
    assert say(owner, "rename", "Aoi", "👨‍👩‍👧‍👦" * 24) == 302


@pytest.mark.parametrize("name", ["\u200b\u200d", "\u202e\u2066", "\u3164"])
def test_nobody_is_renamed_to_a_name_that_cannot_be_seen(owner: FlaskClient, name: str) -> None:
    before = owner.get("/season.json").get_json()
    assert say(owner, "rename", "Aoi", name) == 409
    assert owner.get("/season.json").get_json() == before


def test_a_name_is_shown_as_it_was_written_and_does_nothing(owner: FlaskClient) -> None:
    assert say(owner, "rename", "Aoi", "<img src=x onerror=1>") == 302
    evil = person_id("<img src=x onerror=1>")
    for path in ("/season", f"/season/people/{evil}", "/games"):
        assert "<img src=x" not in owner.get(path).text


def test_a_file_of_people_that_cannot_be_read_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("something else", encoding="utf-8")
    (tmp_path / "table.journal").write_bytes((folder / "table.journal").read_bytes())
    with Journal(tmp_path / "table.journal") as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with TableLoop(table) as loop:
            client = create_app(table.board, loop, summaries=tmp_path / "table.games").test_client()
            join(client, "owner", pin=PIN)
            assert say(client, "guest", "Ben") == 409
    assert (tmp_path / FILE).read_text(encoding="utf-8") == "something else"


def test_many_games_are_counted_in_the_background_and_remembered(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(season_archive, "FEW_GAMES", 1)
    client = app.test_client()
    assert client.get("/season").status_code == 200
    wait_for(lambda: client.get("/season.json").get_json()["games"] == 3)
    wait_for((tmp_path / "table.season").is_file)


@pytest.mark.parametrize("path", ["/season", f"/season/people/{AOI}", "/games", "/game/1"])
def test_pages_of_the_season_and_of_games_lead_to_the_manual(app: Flask, path: str) -> None:
    assert 'href="/help/hosts#a-season"' in app.test_client().get(path).text


def test_a_name_is_split_off_or_shown_again_only_after_a_second_tap(owner: FlaskClient) -> None:
    say(owner, "rename", "Aoi", "Aoi B.")
    say(owner, "guest", "Chie")
    page = owner.get("/season").text
    assert "with the games played under it" in re.search(r"<details>.*Take apart.*</details>", page)[0]  # type: ignore[index]
    assert "in every finished game again" in re.search(r"<details>.*Show the name.*</details>", page)[0]  # type: ignore[index]
