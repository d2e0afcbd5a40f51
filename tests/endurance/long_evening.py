"""An evening of eight hours in fast time: sixty hands on a whole appliance, with all that happens around them.

``python3 -m tests.endurance.long_evening [HANDS]`` plays the demo's four hands over and over, seen
by a perfect eye, while phones come and go, the camera is lost twice and the broker is lost twice (where Mosquitto is
installed). In the end the scores must be right after every hand, memory flat, and no thread left over.
"""

from __future__ import annotations

import gc
import http.client
import json
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from table.appliance.appliance import Appliance, run_appliance
from table.camera.simulation import evening
from table.config import Config, LoadedConfig, MqttConfig, PageConfig, TableConfig
from table.game.commands.game_commands import OpenGame
from table.game.snapshot import CameraHealth
from table.health.machine import read_machine
from table.mqtt.hall_page import Hall
from table.runtime.table_errors import PressError
from tests.endurance.power_cuts import steps
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import mosquitto
from tests.table.mqtt.broker import Broker
from vision.felt import FeltReport

HANDS = 60
WARM_GAMES = 3
"""Memory is measured from here on: what is made once has been made."""
MOST_MB = 24.0
"""How much more may be held at the end."""
PHONES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    hands: int
    phones: int
    grown_mb: float
    threads: int
    """Threads that are left over."""
    has_broker: bool
    seconds: float


def play(folder: Path, hands: int) -> Outcome:
    """Plays so many hands, four a game."""
    begin, before, games = monotonic(), set(threading.enumerate()), hands // len(evening())
    phones, warm_mb, last_mb = 0, 0.0, 0.0
    with ExitStack() as stack:
        broker = _broker(folder)
        if broker is not None:
            stack.callback(broker.stop)
        appliance = stack.enter_context(run_appliance(_config(folder, broker)))
        hall = None if broker is None else stack.enter_context(Hall(MqttConfig(host="127.0.0.1", port=broker.port)))
        for game in range(games):
            is_odd = game in (games // 3, 2 * games // 3)
            phones += _play_game(appliance, loses_camera=is_odd, broker=broker if is_odd else None)
            gc.collect()
            last_mb = read_machine(folder).memory_mb or 0.0
            warm_mb = last_mb if game + 1 == min(WARM_GAMES, games) else warm_mb
        if hall is not None:
            scores = appliance.table.state.scores
            wait_for(lambda: [table.scores for table in hall.tables] == [scores])
        assert appliance.health().troubles == []
    left_threads = set(threading.enumerate()) - before
    for each in left_threads:
        each.join(PATIENCE_S)  # one that a slow machine ends late is not left over
    return Outcome(
        hands=games * len(evening()),
        phones=phones,
        grown_mb=last_mb - warm_mb,
        threads=sum(each.is_alive() for each in left_threads),
        has_broker=broker is not None,
        seconds=monotonic() - begin,
    )


def check(outcome: Outcome) -> None:
    """Checks that nothing piles up."""
    assert outcome.grown_mb < MOST_MB, f"{outcome.grown_mb:.1f} MB more are held"
    assert outcome.threads == 0, f"{outcome.threads} threads are left over"


def _play_game(appliance: Appliance, *, loses_camera: bool, broker: Broker | None) -> int:
    """Plays one game of the demo's hands; returns how many phones looked on."""
    loop = appliance.loop
    assert loop is not None
    loop.handle(OpenGame(by="owner"))
    phones: list[http.client.HTTPConnection] = []
    came = 0
    for number, step in enumerate(steps()):
        if number % 25 == 0:
            phones.append(_phone(appliance.port))
            came += 1
        if len(phones) > PHONES:
            phones.pop(0).close()
        if loses_camera and number in (40, 80):
            loop.send(CameraHealth.LOST if number == 40 else CameraHealth.OK).result(PATIENCE_S)
        if broker is not None and number == 60:
            broker.stop()
        if broker is not None and number == 100:
            broker.start()
        with suppress(PressError):
            loop.report(step) if isinstance(step, FeltReport) else loop.handle(step)
    for phone in phones:
        phone.close()
    state = appliance.table.state
    assert [hand.scores for hand in state.history] == [hand.scores for hand in evening()]
    return came


def _phone(port: int) -> http.client.HTTPConnection:
    """A phone that opens the page's stream, and reads what it shows first."""
    phone = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    phone.request("GET", "/api/table")
    assert len(json.load(phone.getresponse())["seats"]) == 4
    phone.request("GET", "/api/stream")
    assert phone.getresponse().readline()
    return phone


def _config(folder: Path, broker: Broker | None) -> LoadedConfig:
    mqtt = MqttConfig() if broker is None else MqttConfig(host="127.0.0.1", port=broker.port)
    table = TableConfig(data=str(folder / "data"))
    return LoadedConfig(config=Config(table=table, page=PageConfig(host="127.0.0.1", port=0), mqtt=mqtt))


def _broker(folder: Path) -> Broker | None:
    if mosquitto() is None:
        return None
    broker = Broker(folder)
    broker.start()
    return broker


def main(arguments: Sequence[str]) -> int:
    """Plays the evening and prints what came of it."""
    hands = int(arguments[0]) if arguments else HANDS
    with tempfile.TemporaryDirectory() as folder:
        outcome = play(Path(folder), hands)
    check(outcome)
    broker = "lost twice" if outcome.has_broker else "NOT TESTED: no mosquitto is installed"
    print(
        f"{outcome.hands} hands in {outcome.seconds:.0f} s, {outcome.phones} phones, camera lost twice, "
        f"broker {broker}: scores right, {outcome.grown_mb:+.1f} MB, {outcome.threads} threads left"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
