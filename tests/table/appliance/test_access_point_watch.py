"""The access point over the real `nmcli`, whose NetworkManager is played by python-dbusmock. No radio was ever on."""

from __future__ import annotations

import configparser
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from table.appliance.access_point_watch import (
    PATIENCE_S,
    PROFILE,
    RETRY_S,
    AccessPointWatch,
    NetworkError,
    devices,
    main,
    profile,
    run_network_command,
)
from table.runtime.access_point import FILE, AccessPoint, chosen_access_point, open_access_point
from table.runtime.table_errors import ConfigError
from tests.fakes import waiting
from tests.fakes.debian_packages import NETPLAN, extract_packages, library_path, netplan
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import wait_for
from tests.places import ROOT

OURS = AccessPoint(name="Tachiai 12ab", password="abcd-efgh-2345")  # noqa: S106 - of no network
PACKAGES = ("network-manager", "libnm0", "python3-dbusmock", "python3-dbus", *NETPLAN)
PYTHON = "/usr/bin/python3"
"""The distribution's: its own dbus and gi are compiled for it."""
BUS = """<busconfig><type>system</type><listen>unix:path={path}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""
DISCONNECTED, ACTIVATED = 30, 100


class PlayedNetwork:
    """A bus with python-dbusmock's NetworkManager, the real `nmcli` on it, and an `iw` that is none."""

    def __init__(self, debian: Path, folder: Path) -> None:
        self.environment = {
            **os.environ,
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder / 'bus'}",
            "LD_LIBRARY_PATH": library_path(debian, "libnm"),
            "PYTHONPATH": str(debian / "usr/lib/python3/dist-packages"),
            "LC_ALL": "C.UTF-8",
        }
        self.nmcli, self.log = str(debian / "usr/bin/nmcli"), folder / "log"
        self.iw: dict[str, str] = {"get": "global\ncountry DE: DFS-ETSI\n", "dump": ""}
        self.ran: list[Sequence[str]] = []
        self._bus = folder / "bus"
        (folder / "bus.conf").write_text(BUS.format(path=self._bus))
        with (folder / "bus.log").open("w") as log:
            self._daemon = subprocess.Popen(
                ["dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork"], stderr=log
            )
        wait_for(lambda: self._bus.exists() or self._daemon.poll() is not None)
        assert self._bus.exists(), (folder / "bus.log").read_text()
        self._process = self._play()

    def _play(self) -> subprocess.Popen[bytes]:
        words = [PYTHON, "-m", "dbusmock", "--system", "--template", "networkmanager"]
        with self.log.open("w") as log:
            process = subprocess.Popen(words, env=self.environment, stdout=log, stderr=log)
        wait_for(lambda: "NetworkManager.Settings" in self.log.read_text() or process.poll() is not None)
        if process.poll() is not None:
            self._daemon.terminate()
            self._daemon.wait(waiting.PATIENCE_S)
            pytest.skip(f"NO PLAYED NETWORKMANAGER: {self.log.read_text()[-300:]}")
        return process

    def call(self, method: str, *words: str) -> None:
        send = ["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.NetworkManager"]
        place = ["/org/freedesktop/NetworkManager", f"org.freedesktop.DBus.Mock.{method}"]
        environment = {name: value for name, value in self.environment.items() if name != "LD_LIBRARY_PATH"}
        subprocess.run([*send, *place, *words], env=environment, check=True, capture_output=True)

    def run(self, words: Sequence[str]) -> str:
        self.ran.append(words)
        if words[0] == "iw":
            return self.iw.get(words[-1], "")
        done = subprocess.run(
            [self.nmcli, *words[1:]], env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NetworkError(done.stderr)
        return done.stdout

    def close(self) -> None:
        for process in (self._process, self._daemon):
            process.terminate()
            process.wait(waiting.PATIENCE_S)


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `nmcli`, netplan and the played NetworkManager consist of."""
    return extract_packages(tmp_path_factory.mktemp("debian"), PACKAGES)


@pytest.fixture
def network(debian: Path, tmp_path: Path) -> Iterator[PlayedNetwork]:
    network = PlayedNetwork(debian, tmp_path)
    try:
        network.call("AddWiFiDevice", "string:wifi", "string:wlan0", f"int32:{DISCONNECTED}")
        yield network
    finally:
        network.close()


def watching(network: PlayedNetwork, folder: Path, country: str = "") -> AccessPointWatch:
    return AccessPointWatch(OURS, country=country, run=network.run, open_file=folder / "run" / "open.json")


def wifi_of(network: PlayedNetwork) -> tuple[str, str]:
    (found,) = devices(network.run)
    return found.state, found.connection


def test_where_no_network_answers_for_a_minute_the_access_point_opens(network: PlayedNetwork, tmp_path: Path) -> None:
    watch = watching(network, tmp_path, country="DE")
    watch.step(0.0)
    watch.step(PATIENCE_S - 1)
    assert wifi_of(network) == ("disconnected", "")
    assert open_access_point(tmp_path / "run/open.json") is None
    watch.step(PATIENCE_S)
    assert wifi_of(network) == ("connected", PROFILE)
    assert open_access_point(tmp_path / "run/open.json") == OURS
    assert (tmp_path / "run/open.json").stat().st_mode & 0o777 == 0o640
    assert ["iw", "reg", "set", "DE"] in network.ran
    assert ["nmcli", "radio", "wifi", "on"] in network.ran
    output = network.log.read_text()
    assert "AddConnectionUnsaved" in output
    assert " AddConnection " not in output
    for part in ('"mode": "ap"', '"method": "shared"', '"key-mgmt": "wpa-psk"', '"autoconnect": False'):
        assert part in output


def test_where_a_known_network_answers_nothing_is_opened(network: PlayedNetwork, tmp_path: Path) -> None:
    network.call("AddEthernetDevice", "string:cable", "string:eth0", f"int32:{ACTIVATED}")
    watch = watching(network, tmp_path)
    for now in (0.0, PATIENCE_S, 3 * PATIENCE_S):
        watch.step(now)
    assert not any("add" in words for words in network.ran)


def test_an_access_point_that_nobody_joins_closes_and_known_networks_have_their_minute(
    network: PlayedNetwork, tmp_path: Path
) -> None:
    watch = watching(network, tmp_path)
    watch.step(0.0)
    watch.step(PATIENCE_S)
    watch.step(PATIENCE_S + RETRY_S - 1)
    assert wifi_of(network) == ("connected", PROFILE)
    network.iw["dump"] = "Station 00:11:22:33:44:55 (on wlan0)\n"
    watch.step(PATIENCE_S + RETRY_S)
    assert wifi_of(network) == ("connected", PROFILE)
    network.iw["dump"] = ""
    watch.step(PATIENCE_S + RETRY_S)
    assert wifi_of(network) == ("disconnected", "")
    assert not (tmp_path / "run/open.json").exists()
    watch.step(2 * PATIENCE_S + RETRY_S - 1)
    assert wifi_of(network) == ("disconnected", "")
    watch.step(2 * PATIENCE_S + RETRY_S)
    assert wifi_of(network) == ("connected", PROFILE)


class PlainRadio:
    """A radio of plain words: on a known network, on none, or open to phones, of whom `iw` may say nothing."""

    def __init__(self) -> None:
        self.connection, self.does_iw_answer = "", True

    def run(self, words: Sequence[str]) -> str:
        if words[-1] == "device":
            state = "connected" if self.connection else "disconnected"
            return f"lo:loopback:connected (externally):lo\nwlan0:wifi:{state}:{self.connection}\n"
        if words[1:3] == ["connection", "up"]:
            self.connection = PROFILE
        if "down" in words:
            self.connection = ""
        if words[-1] == "dump" and not self.does_iw_answer:
            raise NetworkError("expected iw dev to succeed, got: no such file")
        return ""


def test_a_known_network_that_answers_meanwhile_has_its_whole_minute_again(tmp_path: Path) -> None:
    radio = PlainRadio()
    watch = AccessPointWatch(OURS, country="DE", run=radio.run, open_file=tmp_path / "open.json")
    watch.step(0.0)
    radio.connection = "Home"
    watch.step(PATIENCE_S / 2)
    radio.connection = ""
    watch.step(PATIENCE_S)
    watch.step(2 * PATIENCE_S - 1)
    assert radio.connection == ""
    watch.step(2 * PATIENCE_S)
    assert radio.connection == PROFILE


def test_an_access_point_of_which_nobody_knows_whether_phones_joined_stays_open(tmp_path: Path) -> None:
    radio = PlainRadio()
    watch = AccessPointWatch(OURS, country="DE", run=radio.run, open_file=tmp_path / "open.json")
    watch.step(0.0)
    watch.step(PATIENCE_S)
    radio.does_iw_answer = False
    watch.step(PATIENCE_S + RETRY_S)
    assert radio.connection == PROFILE
    radio.does_iw_answer = True
    watch.step(PATIENCE_S + RETRY_S)
    assert radio.connection == ""


def test_without_a_country_no_radio_is_used(network: PlayedNetwork, tmp_path: Path) -> None:
    network.iw["get"] = "global\ncountry 00: DFS-UNSET\n"
    watch = watching(network, tmp_path)
    watch.step(0.0)
    with pytest.raises(NetworkError, match=r"the country that the Pi is in, got none: install\.sh --country DE"):
        watch.step(PATIENCE_S)
    assert not any("add" in words for words in network.ran)


def test_the_profile_is_what_netplan_would_write_of_an_access_point(debian: Path, tmp_path: Path) -> None:
    text = f"""network:
  version: 2
  wifis:
    wlan0:
      access-points:
        "{OURS.name}": {{mode: ap, band: 2.4GHz, password: "{OURS.password}"}}
"""
    assert netplan(debian, text, tmp_path).returncode == 0
    (path,) = (tmp_path / "run/NetworkManager/system-connections").glob("netplan-wlan0*")
    theirs = configparser.ConfigParser(interpolation=None)
    theirs.read(path)
    words = profile(OURS, "wlan0")
    ours = dict(zip(words[::2], words[1::2], strict=True))
    assert theirs["wifi"]["mode"] == ours["802-11-wireless.mode"] == "ap"
    assert theirs["wifi"]["ssid"] == ours["ssid"]
    assert theirs["wifi"]["band"] == ours["802-11-wireless.band"] == "bg"
    assert theirs["ipv4"]["method"] == ours["ipv4.method"] == "shared"
    assert theirs["connection"]["interface-name"] == ours["ifname"]
    security = dict(theirs["wifi-security"])
    assert {name: ours[f"wifi-sec.{name}"].replace(";", "") for name in security} == {
        name: value.strip(";") for name, value in security.items()
    }


def test_name_and_password_are_made_once_kept_private_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "tachiai.toml"
    config.write_text("[page]\nport = 80\n")
    assert main(["--folder", str(tmp_path), "--config", str(config), "--print"]) == 0
    access_point = chosen_access_point(tmp_path)
    assert (
        capsys.readouterr().out
        == f"Wi-Fi {access_point.name}, password {access_point.password}, then http://10.42.0.1\n"
    )
    assert (tmp_path / "access-point.json").stat().st_mode & 0o777 == 0o600
    assert re.fullmatch(r"[a-km-z2-9]{12}", access_point.password)
    assert chosen_access_point(tmp_path) == access_point
    (tmp_path / "access-point.json").write_text('{"name": "x"}')
    assert main(["--folder", str(tmp_path), "--print"]) == 1
    assert "expected name and password of an access point" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("port = 8000", "http://10.42.0.1:8000"),
        ('port = 443\ntls_cert = "a.crt"\ntls_key = "a.key"', "https://10.42.0.1"),
        ('port = 80\ntls_cert = "a.crt"\ntls_key = "a.key"', "https://10.42.0.1:80"),
    ],
)
def test_the_printed_address_is_the_page_s_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], page: str, address: str
) -> None:
    config = tmp_path / "tachiai.toml"
    config.write_text(f"[page]\n{page}\n")
    assert main(["--folder", str(tmp_path), "--config", str(config), "--print"]) == 0
    assert capsys.readouterr().out.endswith(f", then {address}\n")


def test_an_empty_file_that_a_power_cut_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    access_point = chosen_access_point(tmp_path)
    assert chosen_access_point(tmp_path) == access_point


def test_name_and_password_are_on_the_disk_before_they_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = list[int]()
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    chosen_access_point(tmp_path)
    assert synced == [(tmp_path / FILE).stat().st_size]


def test_the_watch_which_always_runs_loads_no_part_of_the_table_but_its_own(tmp_path: Path) -> None:
    program = """
import sys
from table.appliance import access_point_watch
access_point_watch.AccessPointWatch.close = lambda _: None
access_point_watch._run_watch = lambda _: print(sorted(sys.modules))
access_point_watch.main(["--folder", sys.argv[1]])
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", program, str(tmp_path)]
    loaded = subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout
    assert "table.runtime.access_point" in loaded
    for part in ("numpy", "table.config", "table.rules"):
        assert f"'{part}'" not in loaded


PROGRAM = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background
from table.runtime import access_point
access_point.OPEN_FILE = Path(sys.argv[1]) / "open.json"
from table.appliance.access_point_watch import main
sys.exit(main(["--folder", sys.argv[1]]))
"""
PLAYED_NMCLI = """#!/bin/sh
# A radio whose access point is open from the start, until it is told to close it.
case "$*" in
    *"connection down"*) touch "$0.closed" ;;
    *device*) [ -e "$0.closed" ] || echo "wlan0:wifi:connected:tachiai-access-point" ;;
esac
"""


@pytest.mark.parametrize("stopped_by", [signal.SIGTERM, signal.SIGINT], ids=["systemd", "Ctrl-C"])
def test_a_watch_that_is_stopped_closes_the_access_point(tmp_path: Path, stopped_by: signal.Signals) -> None:
    """Else it stays open, and no page tells its name and password any more."""
    nmcli, closed_mark = tmp_path / "nmcli", tmp_path / "nmcli.closed"
    nmcli.write_text(PLAYED_NMCLI)
    nmcli.chmod(0o755)
    open_file = tmp_path / "open.json"
    words = ["-c", PROGRAM, str(tmp_path)]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    program = subprocess.Popen([sys.executable, *words], env=environment, stderr=subprocess.PIPE, text=True)
    with killed_at_last(program) as process:
        wait_for(open_file.exists)
        process.send_signal(stopped_by)
        _, output = process.communicate(timeout=60)
    assert (process.returncode, closed_mark.exists(), open_file.exists()) == (0, True, False), output


INTERRUPTED_UNHEARD = """
import os, signal, sys
from pathlib import Path
from table.runtime import access_point
access_point.OPEN_FILE = Path(sys.argv[1]) / "open.json"
from table.appliance import access_point_watch
access_point_watch.STEP_S = 0.01

class Object:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

def step(watch, _):
    watch._write_open_file()
    objects.clear()

objects = [Object()]
access_point_watch.AccessPointWatch.step = step
sys.exit(access_point_watch.main(["--folder", sys.argv[1]]))
"""
"""Is terminated once its access point is open, while Python lets go of an object and ignores what is raised."""


def test_a_watch_ends_though_python_ignores_the_interrupt(tmp_path: Path) -> None:
    words, environment = ["-c", INTERRUPTED_UNHEARD, str(tmp_path)], {**os.environ, "PYTHONPATH": str(ROOT)}
    program = subprocess.Popen([sys.executable, *words], env=environment, stderr=subprocess.PIPE, text=True)
    with killed_at_last(program) as process:
        _, output = process.communicate(timeout=waiting.PATIENCE_S)
    assert (process.returncode, (tmp_path / "open.json").exists()) == (0, False), output
    assert "Exception ignored" in output


def test_no_link_is_followed_to_another_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text('{"name": "x", "password": "12345678"}')
    (tmp_path / FILE).symlink_to("other")
    with pytest.raises(ConfigError, match="expected name and password of an access point"):
        chosen_access_point(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT TRIED: only root makes files for others")
def test_a_file_that_root_makes_belongs_to_the_table_like_its_folder(tmp_path: Path) -> None:
    """systemd-tmpfiles refuses a file of root in a folder of the table's user: the next update would end there."""
    (tmp_path / "table").mkdir()
    os.chown(tmp_path / "table", 4242, 4243)
    chosen_access_point(tmp_path / "table")
    access_point = (tmp_path / "table" / "access-point.json").stat()
    assert (access_point.st_uid, access_point.st_gid, access_point.st_mode & 0o777) == (4242, 4243, 0o600)


def test_a_code_that_phones_join_by_keeps_signs_apart() -> None:
    odd = AccessPoint(name='a;b"c', password="x:y,z\\1234")  # noqa: S106 - of no network
    assert odd.wifi_code == 'WIFI:T:WPA;S:a\\;b\\"c;P:x\\:y\\,z\\\\1234;;'


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(NetworkError, match="expected nmcli-that-is-none device to succeed, got"):
        run_network_command(["nmcli-that-is-none", "device"])
