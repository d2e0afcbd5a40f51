"""An evening of a whole hall in fast time: tables, one broker, one desk, and both of these killed over and over.

``python3 -m tests.endurance.hall_evening [--tables 100] [--hands 40] [--kills 100]`` plays so many tables at once by
hand, each with its own journal on the disk, while the broker and the desk, each a process of its own, get so many
SIGTERM and as many SIGKILL. It prints how long a confirmation takes to a desk (an onlooker that is never killed, while
nothing is), what the desk's process holds, and whether the desk's scores and its tournament's standings equal what the
journals tell.
"""

from __future__ import annotations

import argparse
import csv
import http.client
import json
import random
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import urlencode

from table.config import MqttConfig
from table.game.journal.history.game_history import GameHistory, game_history, games_of
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.health.health_report import Health, JournalStatus
from table.health.machine import Machine
from table.mqtt.hall_page import Hall
from table.mqtt.publisher import MqttPublisher
from table.rulebook.play_presets import HOME
from table.runtime.clock import SystemClock
from tests.fakes.desks import PIN
from tests.fakes.free_port import free_port
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import ROOT
from tests.table.game.by_hand import draw, tell, win
from tests.table.mqtt.broker import Broker

WINDS: Final = ("East", "South", "West", "North")
MACHINE = Machine(model="Pi", heat_c=None, power=(), disk_free_mb=None, memory_mb=None, is_clock_set=None)
WELL = Health(name="hall", now="", machine=MACHINE, journal=JournalStatus(entries=0, trouble="", waiting=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it."""

    tables: int
    hands: int
    kills: dict[str, int]
    lags_ms: Sequence[float]
    desk_mb: float
    broker_mb: float
    seconds: float
    agree: bool

    def __str__(self) -> str:
        lags = sorted(self.lags_ms)
        late_ms = lags[min(len(lags) - 1, int(len(lags) * 0.99))]
        return (
            f"{self.tables} tables, {self.hands} hands, {self.kills}: confirm to desk {statistics.median(lags):.1f} ms "
            f"(median), {late_ms:.1f} ms (99th percentile) of {len(lags)}; desk {self.desk_mb:.0f} MB, broker "
            f"{self.broker_mb:.0f} MB; {self.seconds:.0f} s; desk and journals {'agree' if self.agree else 'DIFFER'}"
        )


@dataclass
class Onlooker:
    """Learns when each result reached a desk."""

    arrived: dict[str, tuple[tuple[int, ...], float]] = field(default_factory=dict)
    """The scores of each table as they were heard last, and when they came, in monotonic seconds."""
    waiting: dict[str, tuple[tuple[int, ...], float]] = field(default_factory=dict)
    """The scores that are not heard yet, and when they were confirmed."""
    lags_ms: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def confirmed(self, name: str, scores: tuple[int, ...], at: float) -> None:
        with self.lock:
            self.waiting[name] = scores, at
            self._strike(name)

    def notice(self, hall: Hall) -> None:
        """Notes what has arrived."""
        now = monotonic()
        with self.lock:
            for found in hall.tables:
                if self.arrived.get(found.name, ((), 0.0))[0] != found.scores:
                    self.arrived[found.name] = found.scores, now
                    self._strike(found.name)

    def _strike(self, name: str) -> None:
        scores, at = self.waiting.get(name, ((), 0.0))
        arrived_scores, came = self.arrived.get(name, ((), 0.0))
        if name in self.waiting and scores == arrived_scores:
            self.lags_ms.append((came - at) * 1000)
            del self.waiting[name]


class WatchedHall(Hall):
    """A desk that tells an onlooker of each message."""

    onlooker: Onlooker

    def handle_message(self, topic: str, payload: bytes, *, is_kept: bool = False) -> None:
        super().handle_message(topic, payload, is_kept=is_kept)
        self.onlooker.notice(self)


class Desk:
    """The desk's process, with a tournament of one round."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self._words = ["hall", "127.0.0.1", "--broker-port", str(broker_port), "--desk", str(folder / "desk")]
        self._log = folder / "desk.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()
        self._cookie = ""

    def start(self) -> None:
        with self._log.open("wb") as log:
            words = [*self._words, "--port", str(self._port)]  # the same again, since its cookie is the port's own
            self._process = subprocess.Popen([sys.executable, "-m", "table", *words], cwd=ROOT, stderr=log)
        wait_for(self._is_shown)

    def _is_shown(self) -> bool:
        return f":{self._port}" in self._log.read_text()

    def end(self, kill_signal: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(kill_signal)
        self._process.wait(PATIENCE_S)

    def open_tournament(self, tables: Sequence[str]) -> None:
        """Opens it as its owner does, and begins the round; table n's players are `n East` to `n North`."""
        players = "".join(f"1,{at},{','.join(f'{at} {wind}' for wind in WINDS)}\n" for at in range(1, len(tables) + 1))
        self._send("join", pin=PIN, again=PIN)
        seats = f"round,table,east,south,west,north\n{players}"
        self._send("open", rules=HOME.name, minutes="0", players=seats, tables="\n".join(tables))
        self._send("begin", round="1")

    def _send(self, act: str, **fields: str) -> None:
        found = re.search(r'name="token" value="([^"]+)"', self._page("/desk/join"))
        assert found is not None
        self._page(f"/desk/{act}", urlencode({"token": found[1], **fields}))

    def _page(self, address: str, form: str | None = None) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        try:
            headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("GET" if form is None else "POST", address, form, headers)
            answer = connection.getresponse()
            assert answer.status < 400, answer.read().decode()[:2000]
            self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
            return answer.read().decode()
        finally:
            connection.close()

    def scores(self) -> dict[str, tuple[int, ...]]:
        tables = json.loads(self._page("/api/hall"))["tables"]
        return {each["name"]: tuple(each["scores"]) for each in tables if each["is_online"]}

    def totals(self) -> dict[str, int]:
        """The tournament's standings, as its table of figures tells them."""
        lines = csv.DictReader(self._page("/desk/standings.csv").removeprefix("\ufeff").splitlines())
        return {line["player"]: int(line["total"]) for line in lines}

    @property
    def memory_mb(self) -> float:
        assert self._process is not None
        return _memory_mb(self._process.pid)


def _memory_mb(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return 0.0 if found is None else int(found[1]) / 1024


def play(folder: Path, tables: int, hands: int, kills: int, seed: int = 1) -> Outcome:
    """Plays an evening; the broker and the desk each get so many SIGTERM and as many SIGKILL."""
    begin, chance, onlooker = monotonic(), random.Random(seed), Onlooker()
    kinds = [(part, kill_signal) for part in ("broker", "desk") for kill_signal in (signal.SIGTERM, signal.SIGKILL)]
    order = kinds * kills
    chance.shuffle(order)
    with ExitStack() as stack:
        broker = Broker(folder)
        broker.start()
        stack.callback(broker.stop)
        config = MqttConfig(host="127.0.0.1", port=broker.port)
        hall = WatchedHall(config, "onlooker")
        hall.onlooker = onlooker
        stack.enter_context(hall)
        desk = Desk(folder, broker.port)
        desk.start()
        stack.callback(lambda: desk.end(signal.SIGTERM))
        felts = {f"felt-{number:03d}": _table(stack, folder, number) for number in range(tables)}
        desk.open_tournament(list(felts))
        heralds = [
            stack.enter_context(MqttPublisher(config, name, table.board, lambda: WELL)) for name, table in felts.items()
        ]
        for client in (hall._client, *(herald._client for herald in heralds)):
            client.reconnect_delay_set(1, 2)
        wait_for(lambda: hall.is_connected and all(each.is_connected for each in heralds))
        for hand in range(hands):
            _play_round(felts, hand, chance, onlooker)
            wait_for(lambda: not onlooker.waiting)
            for part, kill_signal in order[hand * len(order) // hands : (hand + 1) * len(order) // hands]:
                _end(broker if part == "broker" else desk, kill_signal)
            wait_for(lambda: hall.is_connected and all(each.is_connected for each in heralds))
        agree = _comes_true(desk, [(name, _game_of(folder, number)) for number, name in enumerate(felts)])
        return Outcome(
            tables=tables,
            hands=tables * hands,
            kills={f"{part} {kill_signal.name}": kills for part, kill_signal in kinds},
            lags_ms=onlooker.lags_ms,
            desk_mb=desk.memory_mb,
            broker_mb=0.0 if broker._process is None else _memory_mb(broker._process.pid),
            seconds=monotonic() - begin,
            agree=agree,
        )


def _table(stack: ExitStack, folder: Path, number: int) -> Table:
    journal = stack.enter_context(Journal(folder / f"{number}.journal"))
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())


def _play_round(felts: dict[str, Table], hand: int, chance: random.Random, onlooker: Onlooker) -> None:
    """One hand at every table, as people tell its end."""
    for name, table in felts.items():
        if table.state.is_over:
            continue
        winner, loser = chance.sample(range(4), 2)
        before, at = table.state.scores, monotonic()
        tell(table, draw(winner) if chance.random() < 0.2 else win(winner, loser, chance.randrange(1, 4)))
        if table.state.scores != before:
            onlooker.confirmed(name, table.state.scores, at)


def _end(part: Broker | Desk, kill_signal: signal.Signals) -> None:
    """Ends broker or desk, and starts it anew."""
    if isinstance(part, Desk):
        part.end(kill_signal)
    else:
        part.stop(kill=kill_signal is signal.SIGKILL)
    part.start()


def _game_of(folder: Path, number: int) -> GameHistory:
    """A table's last game, as its journal on the disk tells it."""
    with Journal(folder / f"{number}.journal") as journal:
        return game_history(games_of(journal.entries(0))[-1])


def _comes_true(desk: Desk, games: Sequence[tuple[str, GameHistory]]) -> bool:
    """Whether the desk comes to know every table's scores, and everybody's total."""
    scores = {name: tuple(game.state.scores) for name, game in games}
    totals = {
        f"{at} {wind}": game.standings.points[game.first_dealer.plus(turn)]
        for at, (_, game) in enumerate(games, 1)
        for turn, wind in enumerate(WINDS)
    }
    until = monotonic() + PATIENCE_S
    while monotonic() < until:
        if desk.scores() == scores and desk.totals() == totals:
            return True
        threading.Event().wait(0.2)
    for figure, on_desk, in_journals in (("scores", desk.scores(), scores), ("totals", desk.totals(), totals)):
        print(
            f"{figure} differ:",
            {name: (on_desk.get(name), value) for name, value in in_journals.items() if on_desk.get(name) != value},
        )
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--hands", type=int, default=12, help="at each table")
    parser.add_argument("--kills", type=int, default=100, help="SIGTERM, and as many SIGKILL, of broker and desk alike")
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    with tempfile.TemporaryDirectory() as folder:
        outcome = play(Path(folder), args.tables, args.hands, args.kills)
    print(outcome)
    return 0 if outcome.agree else 1


if __name__ == "__main__":
    sys.exit(main())
