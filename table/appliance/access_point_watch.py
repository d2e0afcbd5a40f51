"""Opens the Pi's own access point when no known network answers: `python -m table.appliance.access_point_watch`.

Runs as root beside the table and controls NetworkManager with `nmcli`. An autoconnect profile of low priority would
come up before known Wi-Fi networks are scanned, and stay up. The profile used here therefore never connects
automatically, and it is kept in memory only: nothing is left in the files of NetworkManager or, on Trixie, of netplan.

    no network for `PATIENCE_S`           → the access point opens
    open for `RETRY_S`, and nobody joined → it closes, so that known networks are searched for again
"""

from __future__ import annotations

import argparse
import logging
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from table.runtime.access_point import (
    OPEN_FILE,
    AccessPoint,
    address_after_joining,
    chosen_access_point,
    write_private,
)
from table.runtime.system_command import run_command
from table.runtime.table_errors import ConfigError
from vision.errors import reason_and_place

PROFILE: Final = "tachiai-access-point"
CONFIG: Final = Path("/etc/tachiai/tachiai.toml")
STEP_S: Final = 10.0
PATIENCE_S: Final = 60.0
"""How long to wait for a known network."""
RETRY_S: Final = 600.0
"""How long the access point stays open if nobody joins."""
COMMAND_S: Final = 60.0
_log = logging.getLogger(__name__)


class NetworkError(ConfigError):
    """NetworkManager refused a request or did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One network device, as reported by `nmcli`."""

    name: str
    kind: str
    state: str
    connection: str

    @property
    def is_connected(self) -> bool:
        """Whether the device is on a network; a loopback device is not."""
        return self.state.partition(" ")[0] == "connected" and self.kind in ("wifi", "ethernet")


def run_network_command(words: Sequence[str]) -> str:
    """Runs a command and returns what it prints.

    Raises:
        NetworkError: the command is missing, takes too long, or fails.
    """
    try:
        return run_command(words, timeout_s=COMMAND_S)
    except OSError as error:
        raise NetworkError(f"expected {words[0]} {words[1]} to succeed, got: {reason_and_place(error)}") from error


def devices(run: Callable[[Sequence[str]], str]) -> list[Device]:
    """Returns the network devices."""
    lines = run(["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"]).splitlines()
    split = ([part.replace(r"\:", ":") for part in re.split(r"(?<!\\):", line)] for line in lines)
    return [Device(name=name, kind=kind, state=state, connection=connection) for name, kind, state, connection in split]


class AccessPointWatch:
    """Controls one radio. The caller of `step` supplies the time."""

    def __init__(
        self,
        access_point: AccessPoint,
        *,
        country: str,
        run: Callable[[Sequence[str]], str] = run_network_command,
        open_file: Path = OPEN_FILE,
    ) -> None:
        """Takes the access point and how to run commands.

        Args:
            access_point: name and password.
            country: two capital letters; empty for the system's setting.
            run: runs a command; raises `NetworkError`.
            open_file: written while the access point is open.
        """
        self._access_point, self._country, self._run, self._open_file = access_point, country, run, open_file
        self._offline_since: float | None = None
        self._opened_at = 0.0

    def step(self, now: float) -> None:
        """Checks the network, and opens or closes the access point; `now` is in monotonic seconds.

        Raises:
            NetworkError: NetworkManager refuses a request or does not answer.
        """
        found = devices(self._run)
        wifi = next((device for device in found if device.kind == "wifi"), None)
        if wifi is not None and wifi.connection == PROFILE:
            self._write_open_file()
            if now - self._opened_at >= RETRY_S and not self._has_joined(wifi):
                self._close()
                _log.warning("nobody joined the access point: searching for known networks again")
                self._offline_since = now
            return
        self._open_file.unlink(missing_ok=True)
        if wifi is None or any(device.is_connected for device in found):
            self._offline_since = None
            return
        self._offline_since = now if self._offline_since is None else self._offline_since
        if now - self._offline_since >= PATIENCE_S:
            self._open(wifi)
            self._opened_at, self._offline_since = now, None

    def close(self) -> None:
        """Closes the access point if it is open."""
        with suppress(NetworkError):
            if any(device.connection == PROFILE for device in devices(self._run)):
                self._close()
        self._open_file.unlink(missing_ok=True)

    def _open(self, wifi: Device) -> None:
        self._choose_country()
        with suppress(NetworkError):
            self._run(["nmcli", "connection", "delete", "id", PROFILE])  # left in memory by an earlier start
        self._run(["nmcli", "connection", "add", "save", "no", *profile(self._access_point, wifi.name)])
        self._run(["nmcli", "connection", "up", "id", PROFILE, "ifname", wifi.name])
        self._write_open_file()
        _log.warning("no known network answers: phones join %s", self._access_point.name)

    def _choose_country(self) -> None:
        """Sets the Wi-Fi country, without which a Pi does not transmit.

        Raises:
            NetworkError: none is known.
        """
        if self._country:
            self._run(["iw", "reg", "set", self._country])
        elif not re.search(r"^country (?!00|99)[A-Z]{2}:", self._run(["iw", "reg", "get"]), re.MULTILINE):
            raise NetworkError("expected the country that the Pi is in, got none: install.sh --country DE")
        self._run(["nmcli", "radio", "wifi", "on"])

    def _close(self) -> None:
        self._run(["nmcli", "--wait", "0", "connection", "down", "id", PROFILE])
        self._open_file.unlink(missing_ok=True)

    def _has_joined(self, wifi: Device) -> bool:
        try:
            return "Station " in self._run(["iw", "dev", wifi.name, "station", "dump"])
        except NetworkError:
            return True

    def _write_open_file(self) -> None:
        if not self._open_file.exists():
            self._open_file.parent.mkdir(parents=True, exist_ok=True)
            write_private(self._open_file, self._access_point, mode=0o640)


def profile(access_point: AccessPoint, device: str) -> list[str]:
    """Returns the profile as arguments of `nmcli connection add`."""
    return [
        *("type", "wifi", "con-name", PROFILE, "ifname", device, "autoconnect", "no", "ssid", access_point.name),
        *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg"),
        *("ipv4.method", "shared", "ipv6.method", "disabled"),
        *("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp"),
        *("wifi-sec.group", "ccmp", "wifi-sec.psk", access_point.password),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Watches until stopped by systemd or Ctrl-C, or prints the access point's name, password and address."""
    parser = argparse.ArgumentParser(
        prog="access_point_watch", description="Opens an access point while no known network is found."
    )
    parser.add_argument("--folder", type=Path, default=Path("/var/lib/tachiai"), help="the table's folder")
    parser.add_argument("--config", type=Path, default=CONFIG, help="the table's configuration, for the page's address")
    parser.add_argument("--country", default="", help="two capital letters (default: the system's setting)")
    parser.add_argument("--print", action="store_true", help="only print the access point's name, password and address")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    try:
        access_point = chosen_access_point(args.folder)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    if args.print:
        print(f"Wi-Fi {access_point.name}, password {access_point.password}, then {_page_address(args.config)}")
        return 0
    watch = AccessPointWatch(access_point, country=args.country)
    with suppress(KeyboardInterrupt):
        _run_watch(watch)
    watch.close()
    return 0


def _page_address(config: Path) -> str:
    """Returns the page's address for phones that have joined."""
    from table.config import load  # noqa: PLC0415 - the watch, which always runs, needs none of its 40 MB

    page = load(config).config.page
    return address_after_joining(port=page.port, is_tls=bool(page.tls_cert))


def _run_watch(watch: AccessPointWatch) -> None:
    """Watches until a signal ends it.

    The signal also sets a flag, since Python ignores an exception that is raised while it finalises an object.

    Raises:
        KeyboardInterrupt: a signal came.
    """
    is_stopped = False

    def stop(*_: object) -> NoReturn:
        nonlocal is_stopped
        is_stopped = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop)
    last_error = ""
    while not is_stopped:
        try:
            watch.step(time.monotonic())
            last_error = ""
        except NetworkError as error:
            if str(error) != last_error:
                _log.error("%s", error)
            last_error = str(error)
        time.sleep(STEP_S)


if __name__ == "__main__":
    sys.exit(main())
