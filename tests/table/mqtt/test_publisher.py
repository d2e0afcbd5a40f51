from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.camera.capture.camera_thread import CameraStatus
from table.config import MqttConfig
from table.game.announcement_json import camera_announcement
from table.game.commands.game_commands import Reseat
from table.game.journal.fold import LoggedAnnouncement
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import AccessNews, CameraHealth, Mode, Snapshot
from table.game.table_loop import Table
from table.health.health_report import Health, JournalStatus
from table.health.machine import Machine
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.mqtt_messages import discovery_messages, json_text, public_announcements, table_message
from table.mqtt.publisher import MqttPublisher, TournamentPart
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from tests.contracts import assert_keeps
from tests.endurance.power_cuts import RULES, steps, take
from tests.fakes.waiting import wait_for
from tests.table.game.by_hand import tell, win
from tests.table.mqtt.broker import Broker

MACHINE = Machine(model="Pi", heat_c=None, power=(), disk_free_mb=None, memory_mb=None, is_clock_set=None)
WELL = Health(name="felt", now="", machine=MACHINE, journal=JournalStatus(entries=0, trouble="", waiting=0))
CAMERA_LOST = replace(WELL, camera=CameraStatus(state=CameraHealth.LOST))


def table_at(stack: ExitStack) -> Table:
    journal = stack.enter_context(Journal(None))
    return Table(journal=journal, referee=Referee(), ruleset=RULES, clock=LogicalClock())


def public(table: Table) -> int:
    return sum(1 for announced in table.announcements if announced.announcement.scope is Scope.PUBLIC)


def test_twenty_tables_of_a_hall_are_seen_and_catch_up_when_the_broker_was_away(broker: Broker) -> None:
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    first, second = steps()[:25], steps()[25:50]
    with ExitStack() as stack:
        tables = {f"felt-{n:02d}": table_at(stack) for n in range(20)}
        hall = stack.enter_context(Hall(config))
        wait_for(lambda: hall.is_connected)
        heralds = [
            stack.enter_context(MqttPublisher(config, name, table.board, lambda: WELL))
            for name, table in tables.items()
        ]
        wait_for(lambda: all(herald.is_connected for herald in heralds))
        for step in first:
            for table in tables.values():
                take(table, step)
        wait_for(lambda: _agree(hall, tables))
        broker.stop()
        wait_for(lambda: not any(herald.is_connected for herald in heralds))
        for step in second:
            for table in tables.values():
                take(table, step)
        broker.start()
        wait_for(lambda: _agree(hall, tables))
        page = hall_app(hall).test_client().get("/").get_data(as_text=True)
        assert all(name in page for name in tables)
        assert page.count("East 2") == 20
    assert len(hall.tables) == 20


def test_what_cannot_be_computed_keeps_nothing_else_from_the_hall(caplog: pytest.LogCaptureFixture) -> None:
    parts: list[str] = []

    def fails(part: str) -> Any:
        parts.append(part)
        raise ValueError(f"no {part}")

    part = TournamentPart(earlier_games=lambda: fails("games"), appeals=lambda: fails("appeals"))
    with ExitStack() as stack:
        table = table_at(stack)
        config = MqttConfig(host="127.0.0.1", port=1)
        publisher = MqttPublisher(config, "felt", table.board, lambda: fails("health"), part)
        stack.enter_context(publisher)
        wait_for(lambda: parts == ["games", "appeals", "health"])
        take(table, steps()[0])
        wait_for(lambda: publisher._version == table.board.latest.version)
    assert "no games" in caplog.text


class Client:
    """A client that is connected at once, and publishes into a list."""

    def __init__(self, statuses: list[str]) -> None:
        """Publishes there what it is told about the status."""
        self.statuses = statuses

    def __getattr__(self, name: str) -> Any:
        """Accepts any other call."""
        return lambda *_, **__: self

    def publish(self, topic: str, text: str, *_: Any, **__: Any) -> Any:
        """Publishes a message."""
        if topic.endswith("/status"):
            self.statuses.append(text)
        return self


class Asking(Client):
    """One that asks for its rights: does what it has to do once connected."""

    def loop_start(self) -> None:
        """Connects."""
        self.on_connect(self)


def test_a_thread_that_an_ending_table_leaves_behind_says_no_more_that_it_is_online(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    statuses, is_stuck, goes_on = list[str](), threading.Event(), threading.Event()

    def health() -> Health:
        is_stuck.set()
        goes_on.wait(20)
        return WELL

    monkeypatch.setattr("table.mqtt.publisher.client_of", lambda *_, **__: Client(statuses))
    monkeypatch.setattr("table.mqtt.broker_client.client_of", lambda *_, **__: Asking(statuses))
    monkeypatch.setattr("table.mqtt.broker_client.ANSWER_S", 0.01)
    monkeypatch.setattr("table.runtime.threads.PATIENCE_S", 0.01)
    with ExitStack() as stack:
        config = MqttConfig(host="127.0.0.1", port=1)
        publisher = stack.enter_context(MqttPublisher(config, "felt", table_at(stack).board, health))
        assert is_stuck.wait(20)
    assert statuses == ["offline"]
    goes_on.set()
    publisher._thread.join(20)
    publisher._on_connect(Client(statuses))
    assert statuses == ["offline"]


def _agree(hall: Hall, tables: dict[str, Table]) -> bool:
    """Whether the hall knows every table as it stands, and heard each announcement at least once."""
    tables_of_hall = {table.name: table for table in hall.tables}
    return tables_of_hall.keys() == tables.keys() and all(
        tables_of_hall[name].is_online
        and tables_of_hall[name].scores == table.state.scores
        and tables_of_hall[name].deposits == table.state.deposits
        and tables_of_hall[name].announcements >= public(table)
        for name, table in tables.items()
    )


def test_a_table_that_dies_is_offline_and_one_that_ends_says_so(broker: Broker) -> None:
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    with ExitStack() as stack:
        hall = stack.enter_context(Hall(config))
        with MqttPublisher(config, "one", table_at(stack).board, lambda: WELL):
            wait_for(lambda: bool(hall.tables) and hall.tables[0].is_online)
        wait_for(lambda: not hall.tables[0].is_online)
        dying = MqttPublisher(config, "two", table_at(stack).board, lambda: CAMERA_LOST)
        with dying:
            wait_for(lambda: len(hall.tables) == 2 and hall.tables[1].is_online and not hall.tables[1].is_well)
            assert hall.tables[1].troubles == ("camera",)
            wait_for(lambda: dying.knows_rights)  # it says that it is online once more to ask for them
            sock: Any = dying._client.socket()
            dying._client.reconnect_delay_set(20, 20)
            sock.shutdown(2)
            wait_for(lambda: not hall.tables[1].is_online)


def test_a_spare_table_is_online_again_after_the_broken_one_of_its_name_was_declared_offline(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker notices up to a minute and a half later that a table was lost; the spare one is in use by then."""
    monkeypatch.setattr("table.mqtt.publisher.HEALTH_S", 0.1)
    config, statuses = MqttConfig(host="127.0.0.1", port=broker.port), list[bool]()
    hall = Hall(config)
    hall.call_on_news(lambda table: statuses.append(table.is_online))
    with ExitStack() as stack:
        stack.enter_context(hall)
        with MqttPublisher(config, "one", table_at(stack).board, lambda: WELL, place="broken") as broken:
            wait_for(lambda: broken.knows_rights)
            spare = stack.enter_context(
                MqttPublisher(config, "one", table_at(stack).board, lambda: WELL, place="spare")
            )
            wait_for(lambda: spare.knows_rights and bool(statuses) and statuses[-1])
            heard = len(statuses)
        wait_for(lambda: False in statuses[heard:])
        wait_for(lambda: statuses[-1])


def test_the_hall_notices_two_running_tables_of_one_name(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.mqtt.publisher.HEALTH_S", 0.1)
    config, counter = MqttConfig(host="127.0.0.1", port=broker.port), iter(range(1_000_000))
    hall = Hall(config)
    with ExitStack() as stack:
        stack.enter_context(hall)
        for place in ("first", "second"):
            table, health = table_at(stack), lambda: replace(WELL, now=str(next(counter)))
            stack.enter_context(MqttPublisher(config, "one", table.board, health, place=place))
        wait_for(lambda: bool(hall.tables) and hall.tables[0].is_doubled)


def test_a_table_goes_on_with_no_broker_at_all(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    with ExitStack() as stack:
        table = table_at(stack)
        stack.enter_context(MqttPublisher(config, "alone", table.board, lambda: WELL))
        for step in steps()[:45]:
            take(table, step)
        assert len(table.state.history) == 1
        hall = stack.enter_context(Hall(config))
        broker.start()
        stack.callback(broker.stop)
        wait_for(lambda: any(found.scores == table.state.scores for found in hall.tables))


def announcement(scope: str) -> LoggedAnnouncement:
    return LoggedAnnouncement(
        key=scope, announcement=Announcement(id=AnnouncementId.KAN_COUNT, scope=Scope(scope), seat=Seat.NEAR)
    )


def test_only_what_anybody_may_hear_is_sent_and_nothing_in_a_tournament() -> None:
    everything = [announcement(scope) for scope in ("public", "private", "verdict", "staff")]
    assert public_announcements(everything, (), Mode.CLUB) == everything[:1]
    assert public_announcements(everything, (), Mode.TOURNAMENT) == []
    assert public_announcements(everything, everything[:1], Mode.HOME) == []
    request = Announcement(id=AnnouncementId.SEAT_ASKED, seat=Seat.NEAR, args={"asker": "Hana"})
    (public,) = public_announcements([LoggedAnnouncement(key="asked", announcement=request)], (), Mode.HOME)
    assert (public.announcement.seat, public.announcement.args) == (Seat.NEAR, {})
    for first, second, sent in ((2, "Hana", {"first": 2}), ("owner", 0, {"first": "owner", "second": 0})):
        agreed = Announcement(id=AnnouncementId.FOUL_AGREED, args={"first": first, "second": second})
        (public,) = public_announcements([LoggedAnnouncement(key="agreed", announcement=agreed)], (), Mode.HOME)
        assert public.announcement.args == sent, "seats and the owner, and no name"
    again = [*everything, announcement("public")]
    assert public_announcements(again, everything[:1], Mode.HOME) == again[4:]


def test_a_camera_that_is_lost_and_back_between_two_looks_is_told_again_and_again() -> None:
    lost, back = ((CameraHealth.LOST, ""), (CameraHealth.OK, ""))
    flaps = [camera_announcement(health, 0, reason=reason) for health, reason in (lost, back) * 26]
    assert public_announcements(flaps[2:], flaps[:50], Mode.HOME) == flaps[50:]
    assert public_announcements(flaps[:50], flaps[:50], Mode.HOME) == []


def test_nothing_is_sent_again_when_people_who_were_in_the_news_change_seats() -> None:
    with ExitStack() as stack:
        table = table_at(stack)
        table.announce_access(AccessNews(id=AnnouncementId.SEAT_KEPT, seat=Seat.NEAR))
        sent = table.board.latest.announcements
        table.handle(Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT)))
        news = public_announcements(table.board.latest.announcements, sent, Mode.HOME)
    assert [logged.announcement.id for logged in news] == [AnnouncementId.SEATS_SWAPPED]


def test_no_name_of_a_player_is_sent() -> None:
    with ExitStack() as stack:
        table = table_at(stack)
        snapshot: Snapshot = replace(table.board.latest, names=("Aoi", "Ben", "Cho", "Dan"))
        assert "Aoi" not in json.dumps(table_message(snapshot))
        assert_keeps("mqtt_table", table_message(snapshot))


def test_a_table_kept_by_hand_sends_the_round_that_is_played_next_once_a_hand_is_settled() -> None:
    with ExitStack() as stack:
        table = table_at(stack)
        assert table_message(table.board.latest)["round"] == "E1"
        for hand in range(2):
            tell(table, win(1, 2, 1, 30))
            message = table_message(table.board.latest)
            assert (message["round"], message["honba"], message["dealer"]) == ("E2", hand, 1)


@pytest.mark.parametrize("health", [WELL, CAMERA_LOST], ids=["well", "lost"])
def test_the_health_that_is_sent_keeps_its_contract(health: Health) -> None:
    assert_keeps("health", json.loads(json_text(health.as_json())))


def test_home_assistant_finds_every_entity_with_its_availability() -> None:
    found = dict(discovery_messages("felt", "tachiai/felt", "homeassistant"))
    assert len(found) == 6
    assert len({message["unique_id"] for message in found.values()}) == 6
    for topic, message in found.items():
        assert topic.startswith("homeassistant/")
        assert topic.endswith("/config")
        assert message["availability_topic"] == "tachiai/felt/status"
        assert_keeps("mqtt_discovery", message)
        assert message["device"]["identifiers"] == ["tachiai_felt"]
    assert found["homeassistant/sensor/tachiai_felt/score_2/config"]["value_template"] == "{{ value_json.scores[2] }}"


@pytest.mark.parametrize("payload", [b"no json", b"{}", b'{"round": 5}', b"[1]"])
def test_a_message_that_cannot_be_read_is_left(payload: bytes) -> None:
    hall = Hall(MqttConfig())
    hall.handle_message("tachiai/felt/table", payload)
    hall.handle_message("tachiai/felt/something/else", payload)
    assert hall.tables == ()
