"""A hall's broker by TLS, with a user, a password and rights for each table, as the command writes them."""

from __future__ import annotations

import argparse
import hashlib
import shlex
import socket
import stat
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.cli.hall_commands.hall import broker_of
from table.cli.hall_commands.hall_arguments import PASSWORD, register
from table.cli.main import main
from table.config import MqttConfig, load
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.health.health_report import Health, JournalStatus
from table.health.machine import Machine
from table.mqtt import broker_client, broker_files
from table.mqtt.broker_client import AT_LEAST_ONCE, client_of
from table.mqtt.broker_files import BrokerPlan, WrittenLogins, write_broker_files
from table.mqtt.desk_signal import DeskSignal, signal_message
from table.mqtt.hall_page import Hall
from table.mqtt.publisher import MqttPublisher, TournamentPart
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import ConfigError, UsageError
from tests.fakes.certificate import make_certificate
from tests.fakes.free_port import free_port
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.game.by_hand import tell, win
from tests.table.mqtt.broker import Broker
from vision.atomic_files import alone_in, write_whole

MACHINE = Machine(model="Pi", heat_c=None, power=(), disk_free_mb=None, memory_mb=None, is_clock_set=None)
WELL = Health(name="felt", now="", machine=MACHINE, journal=JournalStatus(entries=0, trouble="", waiting=0))


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    register(parser.add_subparsers())
    return parser.parse_args(["hall", *words])


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> BrokerPlan:
    certificate, key = make_certificate(tmp_path_factory.mktemp("tls"))
    tls = {"ca": certificate, "certificate": certificate, "key": key}
    return BrokerPlan(tables=("one", "two"), port=free_port(), **tls)


@pytest.fixture
def folder(tmp_path: Path, plan: BrokerPlan) -> Path:
    write_broker_files(tmp_path, plan)
    return tmp_path


def login(folder: Path, name: str) -> MqttConfig:
    loaded = load(folder / "logins" / f"{name}.toml")
    assert loaded.problems == ()
    assert loaded.warnings == ()
    assert loaded.config.table.name == name
    return loaded.config.mqtt


def desk(folder: Path, plan: BrokerPlan) -> MqttConfig:
    file = str(folder / "logins" / "hall.password")
    words = ("--broker-port", str(plan.port), "--user", "hall", "--password-file", file, "--tls", "--ca", plan.ca)
    return broker_of(parsed("localhost", *words), {})


@pytest.fixture
def broker(folder: Path, plan: BrokerPlan) -> Any:
    settings = folder / "mosquitto.conf"
    with settings.open("a") as file:
        file.write("log_type none\n")
    broker = Broker(folder, settings=settings, port=plan.port)
    broker.start()
    yield broker
    broker.stop()


def test_the_broker_runs_as_the_user_who_may_read_its_passwords(folder: Path) -> None:
    owner = (folder / "passwords").owner()
    assert f"user {owner}" in (folder / "mosquitto.conf").read_text().splitlines()


def test_tables_and_desk_meet_on_a_broker_by_tls_and_none_writes_under_anothers_name(
    broker: Broker, folder: Path, plan: BrokerPlan
) -> None:
    complaints: list[str] = []
    with ExitStack() as stack:
        table = Table(journal=stack.enter_context(Journal(None)), referee=Referee(), ruleset=HOME, clock=LogicalClock())
        hall = stack.enter_context(Hall(desk(folder, plan), complain=complaints.append))
        signals: list[DeskSignal] = []
        part = TournamentPart(receive_signal=signals.append)
        stack.enter_context(MqttPublisher(login(folder, "one"), "one", table.board, lambda: WELL, part))
        tell(table, win(1, 0, 3))
        wait_for(lambda: any(found.scores == table.state.scores for found in hall.tables))
        other = client_of(login(folder, "two"), "thief")
        other.connect("localhost", plan.port)
        other.loop_start()
        stack.callback(other.loop_stop)
        stack.callback(other.disconnect)
        other.publish("tachiai/one/status", "offline", AT_LEAST_ONCE, retain=True).wait_for_publish(20)
        false = signal_message(DeskSignal(at="2026-01-01T00:00:00Z", is_called=True))
        other.publish("tachiai/hall/signal", false, AT_LEAST_ONCE).wait_for_publish(20)
        other.publish("tachiai/two/status", "online", AT_LEAST_ONCE, retain=True).wait_for_publish(20)
        wait_for(lambda: any(found.name == "two" for found in hall.tables))
        assert next(found for found in hall.tables if found.name == "one").is_online
        signal = DeskSignal(at="2026-11-23T12:00:00Z", is_called=True)
        hall.send_to_tables(signal_message(signal))
        wait_for(lambda: signals)
        assert [replace(each, is_kept=False) for each in signals] == [signal]
    assert complaints == []


@pytest.mark.parametrize(("name", "is_refused"), [("one", False), ("table", True)])
def test_a_table_says_that_the_broker_takes_nothing_under_its_name_by_anothers_login(
    broker: Broker, folder: Path, name: str, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_client, "ANSWER_S", PATIENCE_S)  # a late answer would count as no refusal
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with MqttPublisher(login(folder, "one"), name, table.board, lambda: WELL) as publisher:
            wait_for(lambda: publisher.knows_rights)
            assert bool(publisher.refusal) is is_refused
    assert not is_refused or ("'table'" in publisher.refusal and "'one'" in publisher.refusal)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket
@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"password": "wrong"}, "not auth"),
        ({"user": "", "password": ""}, "not auth"),
        ({"ca": ""}, "certificate verify failed"),
        ({"port": 1}, "refused"),
    ],
)
def test_the_hall_says_once_why_its_broker_does_not_take_it(
    broker: Broker, folder: Path, plan: BrokerPlan, fields: dict[str, Any], complaint: str
) -> None:
    complaints: list[str] = []
    config = MqttConfig(**{name: getattr(desk(folder, plan), name) for name in MqttConfig.__slots__} | fields)
    with Hall(config, complain=complaints.append) as hall:
        wait_for(lambda: bool(complaints))
        assert not hall.is_connected
    assert complaint in complaints[0], complaints
    assert complaints[0].startswith("expected the broker at localhost:")
    assert "[" not in complaints[0], "neither an error's number nor a name of OpenSSL's"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket
def test_a_hall_without_tls_at_a_broker_that_speaks_it_says_so_and_what_to_add(
    broker: Broker, folder: Path, plan: BrokerPlan
) -> None:
    complaints: list[str] = []
    with Hall(replace(desk(folder, plan), tls=False, ca=""), complain=complaints.append):
        wait_for(lambda: bool(complaints))
    (complaint,) = complaints
    assert "the broker speaks TLS at this port: add --tls" in complaint


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket
def test_a_hall_with_tls_at_a_broker_that_does_not_speak_it_says_so_and_what_to_leave_out(tmp_path: Path) -> None:
    complaints: list[str] = []
    broker = Broker(tmp_path)
    broker.start()
    try:
        with Hall(MqttConfig(host="localhost", port=broker.port, tls=True), complain=complaints.append):
            wait_for(lambda: bool(complaints))
    finally:
        broker.stop()
    assert "the broker does not speak TLS at this port: name its port for TLS, or leave out --tls" in complaints[0]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket
def test_a_tables_health_says_which_setting_keeps_it_from_its_broker_until_it_is_connected(
    broker: Broker, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    right = login(folder, "one")
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with MqttPublisher(replace(right, tls=False), "one", table.board, lambda: WELL) as publisher:
            wait_for(lambda: bool(publisher.refusal))
            assert "speaks TLS at this port: set tls = true in [mqtt]" in publisher.refusal
            assert publisher.refusal in caplog.messages
        caplog.clear()
        broker.stop()
        with MqttPublisher(right, "one", table.board, lambda: WELL) as publisher:
            wait_for(lambda: "refused" in publisher.refusal)
            broker.start()
            wait_for(lambda: publisher.is_connected and not publisher.refusal)


def test_a_connection_that_the_broker_ends_before_it_answers_is_not_called_lost() -> None:
    complaints: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as other:
        server.settimeout(0.1)

        def end_connections() -> None:
            while not complaints:
                with suppress(TimeoutError):
                    server.accept()[0].close()

        other.submit(end_connections)
        with Hall(MqttConfig(host="127.0.0.1", port=server.getsockname()[1]), complain=complaints.append):
            wait_for(lambda: bool(complaints))
    assert complaints[0].endswith("the connection was closed before any answer: is an MQTT broker there?")


def test_passwords_given_out_are_kept_and_only_a_new_table_gets_one(folder: Path, plan: BrokerPlan) -> None:
    before = {name: login(folder, name).password for name in plan.tables}
    hashed = (folder / "passwords").read_text().splitlines()
    tables = (*plan.tables, "three")
    assert write_broker_files(folder, replace(plan, tables=tables)).written == ("three",)
    assert {name: login(folder, name).password for name in plan.tables} == before
    assert (folder / "passwords").read_text().splitlines()[: len(hashed)] == hashed
    assert write_broker_files(folder, replace(plan, tables=("one",))).written == ()
    assert "two" not in (folder / "acl").read_text()


def test_logins_keep_their_passwords_and_get_the_new_address_of_a_broker_that_moves(
    folder: Path, plan: BrokerPlan, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("one", "two")
    before, hashed = [login(folder, name).password for name in names], (folder / "passwords").read_text()
    words = ["broker", str(folder), *names, "--host", "hub.local", "--port", "1884", "--topic", "west"]
    printed = []
    for _ in range(2):
        assert main(words) == 0
        printed.append([line for line in capsys.readouterr().out.splitlines() if line.endswith(".toml")])
    assert printed == [[f"{folder}/logins/{name}.toml" for name in names], []], "those that the tables need anew"
    for name, password in zip(names, before, strict=True):
        found = login(folder, name)
        assert (found.host, found.port, found.topic, found.tls, found.ca) == ("hub.local", 1884, "west", False, "")
        assert found.password == password
    assert (folder / "passwords").read_text() == hashed


def files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("text", ["correct horse battery\n", "abc", "\ufeffabc\n"])
def test_the_desks_password_stays_as_it_was_written(folder: Path, plan: BrokerPlan, text: str) -> None:
    (folder / "logins" / "hall.password").write_text(text)
    before = files_of(folder)
    assert write_broker_files(folder, plan) == WrittenLogins()
    assert files_of(folder) == before


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"caf\xe9\n", "bytes that are not UTF-8 text"),
        (b"\nabc\n", "2 lines"),
        (b"abc\nabc\n", "2 lines"),
        (b"\xef\xbb\xbf", "none"),
        (b"\xef\xbb\xbf\n", "none"),
    ],
)
def test_a_desks_password_that_cannot_be_read_is_named_and_nothing_is_written(
    folder: Path, plan: BrokerPlan, text: bytes, found: str
) -> None:
    path = folder / "logins" / "hall.password"
    path.write_bytes(text)
    before = files_of(folder)
    refusal = f"expected one line with the broker's password in {path}, got {found}"
    with pytest.raises(ConfigError, match=f"{refusal}; delete"):
        write_broker_files(folder, replace(plan, tables=("three",)))
    with pytest.raises(ConfigError, match=f"{refusal}$"):
        broker_of(parsed("hub", "--user", "hall", "--password-file", str(path)), {})
    assert files_of(folder) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[mqtt]", '[game]\nmode = "club"\n\n[mqtt]'),
        ("[mqtt]", '[panel]\nkind = "keyboard"\n\n[mqtt]'),
        ("[mqtt]", "# the table at the window\n[mqtt]"),
        ("tls = true", "tls = true # always"),
        ("password = ", "password="),
        ('password = "', 'password = ""#'),
        ("[mqtt]", "# Caf\xe9\n[mqtt]"),
    ],
)
def test_a_login_that_somebody_edited_stays_and_the_command_says_that_its_settings_differ(
    folder: Path, plan: BrokerPlan, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "logins" / "one.toml"
    path.write_text(path.read_text().replace(old, new), "latin-1")
    before, hashed = path.read_bytes(), (folder / "passwords").read_text()
    assert main(["broker", str(folder), *plan.tables, "--host", "hub.local"]) == 0
    printed = capsys.readouterr()
    assert path.read_bytes() == before
    assert (folder / "passwords").read_text() == hashed
    assert f"{path} was edited and stays as it is" in printed.err
    assert str(path) not in printed.out
    assert "two.toml" in printed.out
    assert "two.toml" not in printed.err


def test_an_edited_login_with_the_brokers_settings_needs_no_word(folder: Path, plan: BrokerPlan) -> None:
    path = folder / "logins" / "one.toml"
    path.write_text("# by the window\n" + path.read_text())
    assert write_broker_files(folder, plan) == WrittenLogins()


def test_the_ca_that_somebody_wrote_into_a_login_stays_if_the_command_names_none(
    folder: Path, plan: BrokerPlan
) -> None:
    plan = replace(plan, ca="", port=2)
    assert write_broker_files(folder, plan).written == ("one", "two")
    assert login(folder, "one").port == 2
    assert login(folder, "one").ca


def test_a_login_without_its_hash_keeps_its_password(folder: Path, plan: BrokerPlan) -> None:
    before = files_of(folder / "logins")
    (folder / "passwords").unlink()
    assert write_broker_files(folder, plan) == WrittenLogins()
    assert files_of(folder / "logins") == before
    assert fits(folder, "hall", (folder / "logins" / "hall.password").read_text().strip())
    assert all(fits(folder, table, login(folder, table).password) for table in plan.tables)


def fits(folder: Path, user: str, password: str) -> bool:
    """Whether the broker takes a password, by the hash it has."""
    hashes = dict(line.split(":") for line in (folder / "passwords").read_text().splitlines())
    _, _, rounds, salt, hashed = hashes[user].split("$")
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), b64decode(salt), int(rounds))
    return found == b64decode(hashed)


@pytest.mark.parametrize("writes", range(6))
def test_a_power_cut_between_two_writes_loses_no_password(
    folder: Path, plan: BrokerPlan, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "logins" / "one.toml").unlink()
    left = iter(range(writes))

    def write(*args: Any, **kwargs: Any) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        write_whole(*args, **kwargs)

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(broker_files, "write_whole", write)
        write_broker_files(folder, replace(plan, tables=("one", "two", "three")))
    write_broker_files(folder, replace(plan, tables=("one", "two", "three")))
    assert all(fits(folder, table, login(folder, table).password) for table in ("one", "two", "three"))


def test_passwords_of_the_broker_that_cannot_be_read_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "passwords").write_bytes(b"\xff")
    before = files_of(folder)
    assert main(["broker", str(folder), "one"]) == 1
    expected = f"expected the broker's passwords in {folder}/passwords, got: bytes that are not UTF-8 text"
    assert expected in capsys.readouterr().err
    assert files_of(folder) == before


def test_nobody_else_reads_what_is_secret_and_no_password_stands_in_the_brokers_files(folder: Path) -> None:
    secret = [folder / "passwords", folder / "acl", *(folder / "logins").iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret} == {0o600}
    password = login(folder, "one").password
    assert all(password not in path.read_text() for path in folder.iterdir() if path.is_file())


def test_the_password_comes_from_a_file_or_the_environment_never_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from file\n")
    by_name = broker_of(parsed("hub", "--user", "hall", "--password-file", str(file)), {PASSWORD: "from environment"})
    assert (by_name.password, by_name.port) == ("from file", 1883)
    found = broker_of(parsed("hub", "--user", "hall", "--tls"), {PASSWORD: "from environment"})
    assert (found.password, found.port, found.tls) == ("from environment", 8883, True)
    assert broker_of(parsed("hub"), {PASSWORD: "x"}).password == ""
    with pytest.raises(SystemExit):
        parsed("hub", "--user", "hall", "--password", "seen by ps")
    with pytest.raises(UsageError, match="--user"):
        broker_of(parsed("hub", "--password-file", str(file)), {})
    file.write_text("two\nlines\n")
    with pytest.raises(ConfigError, match="one line"):
        broker_of(parsed("hub", "--user", "hall", "--password-file", str(file)), {})


def test_a_ca_certificate_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    def refusal(ca: Path) -> str:
        with pytest.raises(ConfigError) as refused:
            client_of(MqttConfig(host="hub", tls=True, ca=str(ca)), "x")
        return str(refused.value)

    certificate, key = map(Path, make_certificate(tmp_path))
    client_of(MqttConfig(host="hub", tls=True, ca=str(certificate)), "x")
    assert refusal(tmp_path / "none").endswith(f"got {tmp_path / 'none'}: No such file or directory")
    expected = "expected a CA certificate of the broker in PEM, got"
    assert refusal(key) == f"{expected} something else, {key}"
    certificate.write_text(certificate.read_text()[:300])
    assert refusal(certificate) == f"{expected} one that is cut off or damaged, {certificate}"


def test_of_two_commands_at_once_on_one_folder_the_second_says_so_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["broker", str(tmp_path), "one"]) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capsys.readouterr()
    with ThreadPoolExecutor(1) as other, alone_in(tmp_path):
        assert other.submit(main, ["broker", str(tmp_path), "two"]).result() == 1
    expected = f"expected a folder that nothing else writes, got another tachiai broker writing {tmp_path}"
    assert expected in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_refused_command_leaves_a_new_folder_to_the_one_that_writes_it(
    tmp_path: Path, plan: BrokerPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_files, "alone_in", lambda *_, **__: nullcontext(enter_result=False))
    with pytest.raises(ConfigError, match="got another tachiai broker"):
        write_broker_files(tmp_path / "new", plan)
    assert (tmp_path / "new").is_dir()


@pytest.mark.parametrize("is_tls", [False, True])
def test_the_command_tells_how_the_hall_reaches_the_broker(
    tmp_path: Path, plan: BrokerPlan, capsys: pytest.CaptureFixture[str], is_tls: bool
) -> None:
    tls = ["--cert", plan.certificate, "--key", plan.key, "--ca", plan.ca] if is_tls else []
    folder = tmp_path / "the hall"
    assert main(["broker", str(folder), "one", "--port", str(plan.port), *tls]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("tachiai hall "))
    assert "--topic" not in line
    reached = broker_of(parsed(*shlex.split(line)[2:]), {})
    assert reached == replace(login(folder, "one"), user="hall", password=reached.password, discovery=reached.discovery)
    assert reached.password == (folder / "logins" / "hall.password").read_text().strip()
