"""At a tournament players learn nothing at the table that a table without us would not show (WRC 12.3.8, EMA 6.11).

Two tables on which the same lies open must answer alike, whatever else the program knows of them. Every page and answer
is asked, so that a new one is walked by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard import create_app
from table.dashboard.live.event_stream import EventStream
from table.dashboard.live.table_view import table_view
from table.dashboard.live.tournament_law import PUBLIC_ANNOUNCEMENTS
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.dashboard.owner.clip_pages import blueprint as clip_pages
from table.dashboard.owner.health_page import health_page
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.request_environ import STREAM_TAKER
from table.dashboard.wizard.setup_pages import blueprint as wizard_pages
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Board, CameraHealth, DeskClock, Mode, Snapshot
from table.health.log_buffer import LogBuffer
from table.i18n import catalogue
from table.mqtt.mqtt_messages import public_announcements, table_message
from table.mqtt.played_games import snapshot_game
from table.panel.panel_driver import TIME_HZ, PanelDriver
from table.panel.seat_lights import OFF, lights
from table.records.contracts import contract
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events
from table.rules.state import Furiten, HandState, Ippatsu
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope, Suspicion
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import parse_tiles
from table.runtime.table_errors import JournalError
from tests.endurance.hall_evening import WELL
from tests.fakes.desks import PIN, Shelf, join, token
from tests.fakes.fake_panel import FakePanel
from tests.fakes.setup_tools import FakeTools
from vision.felt import Felt

PLAY: Final = (
    "start E1 scores=25000,25000,25000,25000 dora=4p; 0 discards 9p sideways; 0 stick",
    "1 discards 1z; 1 waits 1z58s; 2 pon 1z from 1 with 11z; 2 discards 9p",
    "3 discards 5s sideways; 3 stick; 0 discards 8s; 1 discards 4z",
    "2 closed 7777s; dora 3m; 2 discards 6z",
    "3 discards 1m; draw; 0 tenpai; 1 noten; 2 noten; 3 tenpai; confirm",
)
ARGUMENTS: Final = {"face": "1m", "value": "1000", "part": "all", "name": "home", "style": "csv", "step": "rules"}
WALKED: Final = ("/health", "/api/health", "/begin", "/begin/<step>", "/clips/<name>.zip")
"""Pages of the appliance that are among those that are walked."""
STEERED: Final = ("/language/", "/static/", "/join.svg", "/wifi.svg")
"""Addresses that change the browser, or show no table."""


class Drawn:
    """A camera that sees one tile everywhere."""

    def picture(self) -> bytes:
        return cv2.imencode(".jpg", np.full((96, 96, 3), 90, np.uint8))[1].tobytes()

    def tile_picture(self, number: int) -> bytes:
        return self.picture()


def knowing(moment: int, mode: Mode) -> Snapshot:
    """The table at a moment of a hand, with all that the program knows and suspects of it."""
    game, log = new_game(HOME), list[LoggedAnnouncement]()
    for event in parse_events("; ".join(PLAY[: moment + 1])):
        step = advance(game, event, HOME)
        game = step.state
        log += [log_line(each, len(log)) for each in step.announcements]
    every = [
        Announcement(id=each, seat=Seat.FAR, args={"tiles": ["1m"]})
        for each in AnnouncementId
        if each not in PUBLIC_ANNOUNCEMENTS
    ]
    log += [log_line(each, len(log) + at) for at, each in enumerate(every)]
    suspicion = Suspicion(clause="7-05-09", seat=Seat.RIGHT, evidence=("furiten",))
    hand = game.hand
    assert hand is not None
    windows = (Ippatsu.OPEN, Ippatsu.LAST_CHANCE, Ippatsu.NONE, Ippatsu.CLOSED)
    doubled = tuple(replace(each, is_double=each.is_declared) for each in hand.riichi)
    furiten = (frozenset({Furiten.RIICHI}), frozenset({Furiten.DISCARD}), frozenset[Furiten](), frozenset[Furiten]())
    full_hand = replace(hand, ippatsu=windows, riichi=doubled, declared_furiten=furiten, tiles_left=3)
    return table(replace(game, hand=full_hand if hand.is_live else hand), mode, tuple(log), (suspicion,))


def bare(snapshot: Snapshot) -> Snapshot:
    """The same table as one shows it that knows nothing but what lies there and what was said and decided."""
    hand = snapshot.game.hand
    assert hand is not None
    public = tuple(each for each in snapshot.announcements if each.announcement.id in PUBLIC_ANNOUNCEMENTS)
    return table(replace(snapshot.game, hand=unknowing(hand)), snapshot.mode, public, ())


def unknowing(hand: HandState) -> HandState:
    return replace(
        hand,
        ippatsu=(Ippatsu.NONE,) * 4,
        riichi=tuple(replace(each, is_double=False) for each in hand.riichi),
        declared_waits=(None,) * 4,
        declared_furiten=(frozenset(),) * 4,
        tiles_left=70,
        turn=None if hand.turn is None else hand.turn.plus(1),
    )


def table(
    game: Any, mode: Mode, announcements: tuple[LoggedAnnouncement, ...], suspicions: tuple[Suspicion, ...]
) -> Snapshot:
    names = ("Ann", "Ben", "Cho", "Dan")
    clock = DeskClock(round="5f2c 1", until="2026-11-23T13:15:00+00:00")
    watched: dict[str, Any] = {"felt": Felt(), "camera": CameraHealth.OK, "names": names, "desk": clock}
    return Snapshot(
        version=1,
        game=game,
        mode=mode,
        ruleset=HOME,
        announcements=announcements,
        suspicions=suspicions,
        opened_by=1,
        **watched,
    )


def log_line(announcement: Announcement, at: int) -> LoggedAnnouncement:
    return LoggedAnnouncement(key=f"{announcement.id.value} {at}", announcement=announcement, frame=at, cause=(at,))


@dataclass
class Walk:
    """People at a table, and everything that they can ask it."""

    board: Board
    app: Flask
    people: dict[str, FlaskClient]

    def show(self, snapshot: Snapshot) -> None:
        self.board.publish(replace(snapshot, version=self.board.latest.version + 1))

    def answers(self) -> dict[str, str]:
        """Each answer by who asked for what, without the count of snapshots."""
        rules = [rule for rule in self.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
        found = {}
        for who, client in self.people.items():
            for rule in rules:
                if not rule.rule.startswith(STEERED):
                    found[f"{who} {rule.rule}"] = self.answer(client, rule.rule)
            found[f"{who} foreseen"] = self.answer(client, "/api/fouls/foreseen?seat=1&clause=7-05-08")
        return found

    def answer(self, client: FlaskClient, rule: str) -> str:
        address = re.sub(r"<(?:(\w+):)?(\w+)>", lambda gap: "0" if gap[1] else ARGUMENTS.get(gap[2], "nothing"), rule)
        streams: list[EventStream] = []
        with client.get(address, environ_overrides={STREAM_TAKER: streams.append}) as answer:
            is_zip = answer.mimetype == "application/zip"
            content = unpacked(answer.get_data()) if is_zip else answer.get_data().decode(errors="replace")
            text = f"{answer.status_code} {content}"
        for stream in streams:
            stream.next_event()
            text += stream.next_event()
            stream.close()
        return re.sub(r'"version": ?\d+|id: \d+', "", text)


def unpacked(archive: bytes) -> str:
    """What lies in a zip, without the time at which it was packed."""
    with ZipFile(BytesIO(archive)) as files:
        return "".join(f"{name} {files.read(name).decode(errors='replace')}" for name in files.namelist())


class NoBackups:
    """An appliance without backups, and with no disk to make one."""

    def backup_names(self) -> tuple[str, ...]:
        return ()

    def made_at(self, name: str) -> str:
        raise AssertionError(f"expected no backup, got {name}")

    def create_backup(self) -> None:
        raise JournalError("expected no backup to be made")

    def restore(self, name: str) -> bool:
        return False


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    board, vault, clips = Board(replace(knowing(0, Mode.TOURNAMENT), version=0)), Vault(), tmp_path / "clips"
    app = create_app(board, Shelf(), vault)
    app.register_blueprint(camera_page(Drawn()))
    app.register_blueprint(wizard_pages(board, vault, FakeTools()))
    folder = ClipFolder(clips, days=14, most_bytes=10**9)
    app.register_blueprint(health_page(lambda: WELL, LogBuffer(), NoBackups(), folder))
    app.register_blueprint(clip_pages(lambda _: None, folder))
    people = {name: app.test_client() for name in ("spectator", "seat 1", "owner")}
    join(people["seat 1"], "seat", seat="1")
    people["seat 1"].post("/join/hints", data={"token": next(iter(token(people["seat 1"]).values()))})
    join(people["owner"], "owner", pin=PIN)
    people["owner"].post(
        "/broadcast", data={"token": next(iter(token(people["owner"]).values())), "delay": "0", "waits": "on"}
    )
    return Walk(board, app, people)


@pytest.mark.parametrize("moment", range(len(PLAY)))
def test_no_page_answer_or_stream_tells_players_what_does_not_lie_open(walk: Walk, moment: int) -> None:
    del walk.people["owner"]
    full = knowing(moment, Mode.TOURNAMENT)
    walk.show(full)
    answers = walk.answers()
    walk.show(bare(full))
    assert [request for request, text in walk.answers().items() if text != answers[request]] == []
    assert sum(text.startswith("200") for text in answers.values()) > 40
    assert {f"{who} {page}" for who in walk.people for page in WALKED} <= answers.keys()


def test_a_tournaments_table_is_shown_before_its_first_hand(walk: Walk) -> None:
    walk.show(table(new_game(HOME), Mode.TOURNAMENT, (), ()))
    addresses = ("/", "/api/table", "/fouls", "/api/fouls")
    assert [walk.people["seat 1"].get(address).status_code for address in addresses] == [200] * 4


def test_what_lies_open_is_shown(walk: Walk) -> None:
    shown = dict[Mode, Any]()
    for mode in (Mode.HOME, Mode.TOURNAMENT):
        walk.show(knowing(3, mode))
        shown[mode] = walk.people["seat 1"].get("/api/table").get_json()
    for name in ("river", "melds", "stick", "score", "wind"):
        assert [seat[name] for seat in shown[Mode.TOURNAMENT]["seats"]] == [
            seat[name] for seat in shown[Mode.HOME]["seats"]
        ]
    assert [len(seat["river"]) for seat in shown[Mode.TOURNAMENT]["seats"]] == [2, 1, 2, 1]


def test_the_walk_would_find_what_a_home_table_tells(walk: Walk) -> None:
    full = knowing(2, Mode.HOME)
    walk.show(full)
    answers = walk.answers()
    walk.show(bare(full))
    differ = {request for request, text in walk.answers().items() if text != answers[request]}
    assert {"spectator /api/table", "seat 1 /api/stream", "spectator /api/stream", "seat 1 /api/fouls"} <= differ
    assert not any("/broadcast" in request for request in differ)


@pytest.mark.parametrize("moment", range(len(PLAY)))
def test_no_light_sound_or_message_tells_it_either(moment: int) -> None:
    full = knowing(moment, Mode.TOURNAMENT)
    assert lights(full) == (OFF,) * 4
    assert public_announcements(full.announcements, (), full.mode) == []
    assert table_message(full) == table_message(bare(full))
    assert snapshot_game(full) == snapshot_game(bare(full))
    view = table_view(full, catalogue())
    assert not view["may_speak"]
    assert not any(line["aloud"] for line in view["news"])


def test_the_buzzer_sounds_for_no_moment_of_a_hand_but_for_time_that_the_desk_calls() -> None:
    panel, board, now = FakePanel(), Board(replace(knowing(0, Mode.TOURNAMENT), version=0)), [0]
    driver = PanelDriver(panel, board, lambda _: None, now_ns=lambda: now[0])
    for moment in range(len(PLAY)):
        board.publish(replace(knowing(moment, Mode.TOURNAMENT), version=moment + 1))
        now[0] += 1_000_000_000
        driver.step()
        assert (panel.tones, panel.lit) == ([], ((0, 0, 0),) * 4)
    with_time_called = knowing(3, Mode.TOURNAMENT)
    board.publish(replace(with_time_called, version=90, game=replace(with_time_called.game, ends_after=1)))
    driver.step()
    assert panel.tones == [TIME_HZ]


def test_no_private_announcement_or_verdict_is_ever_listed() -> None:
    log = [log_line(Announcement(id=each, scope=Scope.VERDICT, seat=Seat.NEAR), 1) for each in PUBLIC_ANNOUNCEMENTS]
    view = table_view(replace(knowing(0, Mode.TOURNAMENT), announcements=tuple(log)), catalogue())
    assert view["news"] == []


def post(client: FlaskClient, path: str, **fields: object) -> int:
    return client.post(path, json=fields, headers=token(client)).status_code


def test_no_hand_is_valued_while_it_is_played_but_by_the_owner(walk: Walk) -> None:
    hand = {"seat": 1, "from": 1, "tiles": "234m456p22s678s888s", "dora": "4p"}
    assert parse_tiles(str(hand["tiles"]))
    walk.show(knowing(1, Mode.TOURNAMENT))
    assert post(walk.people["seat 1"], "/api/value", **hand) == 403
    assert post(walk.people["seat 1"], "/api/photo") == 403
    assert post(walk.people["owner"], "/api/value", **hand) == 200
    claimed = replace(knowing(1, Mode.TOURNAMENT))
    game = claimed.game
    for event in parse_events("3 discards 2m; 0 discards 3z; 1 tsumo"):
        game = advance(game, event, HOME).state
    walk.show(replace(claimed, game=game))
    assert post(walk.people["seat 1"], "/api/value", **hand) == 200
    (start,) = parse_events(PLAY[0].partition(";")[0])
    unseen = advance(new_game(HOME), start, HOME).state
    walk.show(replace(claimed, game=unseen, felt=None))
    assert post(walk.people["seat 1"], "/api/value", **hand) == 200, "a table that is kept by hand"
    walk.show(replace(claimed, game=unseen))
    assert post(walk.people["seat 1"], "/api/value", **hand) == 403
    walk.show(knowing(1, Mode.HOME))
    assert post(walk.people["seat 1"], "/api/value", **hand) == 200


@pytest.mark.parametrize(
    ("mode", "who", "is_over", "status"),
    [
        (Mode.TOURNAMENT, "seat 1", False, 403),
        (Mode.TOURNAMENT, "spectator", False, 403),
        (Mode.TOURNAMENT, "owner", False, 200),
        (Mode.TOURNAMENT, "seat 1", True, 200),
        (Mode.CLUB, "seat 1", False, 200),
    ],
)
def test_a_hand_of_a_tournament_is_watched_again_once_the_game_is_over(
    walk: Walk, mode: Mode, who: str, is_over: bool, status: int
) -> None:
    snapshot = knowing(4, mode)
    walk.show(replace(snapshot, game=replace(snapshot.game, ranking=SEATS if is_over else ())))
    hands = ("/hand/0", "/api/hands/0", "/game/1/hand/0", "/api/games/1/hands/0")
    for address in (*hands, "/game/1/tenhou6.json", "/moments", "/game/1/moments"):
        assert walk.people[who].get(address).status_code == status, address


def test_a_browser_reads_on_a_page_why_a_hand_is_not_shown_yet_and_a_program_gets_json(walk: Walk) -> None:
    walk.show(knowing(4, Mode.TOURNAMENT))
    sentence = catalogue().text("refused.after_game")
    for address in ("/hand/0", "/game/1/hand/0", "/game/1/tenhou6.json", "/moments", "/game/1/game.html"):
        answer = walk.people["seat 1"].get(address, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.mimetype) == (403, "text/html"), address
        assert sentence in answer.text, address
    for address in ("/game/1/tenhou6.json", "/api/hands/0"):
        assert walk.people["seat 1"].get(address).get_json()["said"] == sentence, address


def test_the_document_of_the_api_names_what_is_answered_at_a_tournament(walk: Walk) -> None:
    walk.show(knowing(4, Mode.TOURNAMENT))
    for path, methods in contract("openapi.json")["paths"].items():
        if "get" in methods and not path.startswith(("/api/stream", "/api/health", "/device/")):
            address = path.format(number=0, game=1, style="json")
            status = walk.people["seat 1"].get(address).status_code
            assert str(status) in methods["get"]["responses"], address
