"""An evening of faults at random: camera, pins, disk, clock and plug, an hour of table time in five minutes.

``python3 -m tests.pi.inside.fault_evening [SECONDS] [SEED]`` plays it over the real picamera2 and gpiozero and prints
what came of it. What must hold all the while, or the run ends with the fault's name and the seed: the page answers, the
watchdog is petted, what was confirmed is in the journal for good, and health says what is wrong in a host's words, and
nothing once it is mended. It needs libcamera's own types, and the right to mount: root in a Debian of `tests.pi`.
"""

from __future__ import annotations

import html
import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from table.game.journal.entries import Entry
from table.i18n import catalogue
from table.panel.gpio_panel import PinMap
from tests.endurance.power_cuts import check
from tests.fakes.disks import Card, fill, make_room, small_card, take_no_writes
from tests.fakes.free_port import free_port
from tests.fakes.waiting import wait_for
from tests.pi.inside.faulty_table import FAULTS, PACE, WATCHDOG_S
from tests.pi.inside.watched_table import keep_place
from tests.places import ROOT
from vision.atomic_files import write_whole

PATIENCE_S: Final = 60.0
"""How long an answer, or a change in the health, is waited for: long, for a machine that does much else."""
CAMERA: Final[dict[str, set[str]]] = {
    "pull_cable": {"no_frames", "hangs", "busy"},
    "damage_frames": {"no_frames", "hangs", "busy"},
    "shrink_frames": {"size"},
    "freeze_picture": {"no_frames", "hangs", "busy"},
    "hang_stopping": {"no_frames", "hangs", "busy"},
    "hang_letting_go": {"no_frames", "hangs", "busy"},
    "fail_starting": {"no_frames", "broken", "hangs", "busy"},
    "vanish": {"no_frames", "cable", "hangs", "busy"},
}
"""What a host is told of a camera's fault; for the others nothing needs to be wrong."""
STALL_S: Final = 4.0
"""How long a card stalls at most, less than a watchdog waits."""
OTHERS: Final = (
    "fill_disk",
    "card_fails",
    "card_stalls",
    "pins_fail",
    "set_clock_back",
    "cut_power",
    "cut_power_on_a_bad_disk",
)


@dataclass(slots=True)
class Figures:
    """What came of it."""

    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    camera_reasons: Counter[str] = field(default_factory=Counter)
    """What the health said of the camera."""
    confirmed: int = 0
    refused: int = 0
    pages: int = 0
    longest_s: float = 0.0
    """The slowest answer."""
    petted_s: float = 0.0
    """The longest that the watchdog was not petted while the table ran."""
    entries: int = 0
    memory_mb: float = 0.0

    def __str__(self) -> str:
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        camera_reasons = ", ".join(f"{name} {count}" for name, count in sorted(self.camera_reasons.items()))
        return (
            f"rounds {self.rounds}\nfaults: {faults}\ntold of the camera: {camera_reasons}\n"
            f"acts taken {self.confirmed}, refused {self.refused}, entries at the end {self.entries}\n"
            f"pages {self.pages}, slowest {self.longest_s:.1f} s\n"
            f"watchdog petted at least every {self.petted_s:.1f} s of {WATCHDOG_S:g}\n"
            f"memory at most {self.memory_mb:.0f} MB"
        )


class Evening:
    """The table and what is done to it."""

    def __init__(self, folder: Path, card: Card, seed: int) -> None:
        self.folder, self.card, self.disk = folder, card, card.folder
        self.chance, self.figures = random.Random(seed), Figures()
        self.entries: list[Entry] = []
        self.acknowledged = 0
        self.busy: tuple[int, ...] = ()
        self._coming: list[str] = []
        """The faults of this lap that did not come yet."""
        self.port = free_port()
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notify.bind(str(folder / "notify"))
        self._petted: float | None = None
        self._program: subprocess.Popen[str] | None = None
        self._trouble: list[str] = []
        self._is_over = threading.Event()
        keep_place(self.disk)
        for work in (self._watch, self._read_pages):
            threading.Thread(target=work, daemon=True).start()

    def start(self) -> None:
        """Plugs it in."""
        command = [sys.executable, "-W", "ignore", "-m", "tests.pi.inside.faulty_table"]
        command += [str(self.disk), str(self.port), str(self.folder / "notify"), ",".join(map(str, self.busy))]
        with (self.folder / "log.txt").open("a") as log:
            self._program = subprocess.Popen(
                command,
                cwd=self.folder,
                env={
                    "PYTHONPATH": ":".join((str(ROOT), *sys.path)),
                    "LG_WD": str(self.folder),
                    "PATH": "/usr/bin:/bin",
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._expect("ready")
        self._petted = time.monotonic()

    def cut_power(self) -> None:
        """Pulls the plug, and looks at the journal as it is left."""
        assert self._program is not None
        self._petted = None
        self._program.send_signal(signal.SIGKILL)
        self._program.wait()
        for end in (self._program.stdin, self._program.stdout):
            assert end is not None
            end.close()
        self._program = None

    def check_journal(self) -> None:
        """Nothing that was confirmed is lost or altered."""
        self.entries = check(self.disk / "table.journal", self.entries, self.acknowledged)
        self.figures.entries = len(self.entries)

    def send_order(self, order: str) -> None:
        """Breaks or mends something of the camera or the clock."""
        assert self._program is not None
        assert self._program.stdin is not None
        self._program.stdin.write(f"{order}\n")
        self._program.stdin.flush()
        self._expect(order.partition(" ")[0])

    def _expect(self, line: str) -> None:
        out: IO[str] | None = None if self._program is None else self._program.stdout
        assert out is not None
        answer = out.readline().strip()
        assert answer == line, f"expected {line!r} of the table, got {answer!r}: {self.log}"

    @property
    def log(self) -> str:
        """The end of what the table logged."""
        return (self.folder / "log.txt").read_text("utf-8")[-3000:]

    def request(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> tuple[int, str]:
        """One request, over a connection of its own."""
        begin_s = time.monotonic()
        phone = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"X-Tachiai-Token": token, "Content-Type": "application/json", "Cookie": self._cookie}
        phone.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        answer = phone.getresponse()
        text = answer.read().decode()
        phone.close()
        self._cookie = (answer.headers.get("Set-Cookie") or self._cookie).partition(";")[0]
        self.figures.longest_s = max(self.figures.longest_s, time.monotonic() - begin_s)
        return answer.status, text

    _cookie = ""

    def health(self) -> dict[str, Any]:
        """What other programs are told."""
        found: dict[str, Any] = json.loads(self.request("/api/health")[1])
        self.figures.memory_mb = max(self.figures.memory_mb, found["machine"]["memory_mb"] or 0.0)
        return found

    def act(self) -> bool:
        """A draw with four in tenpai: one more honba. Taken and kept, or refused in a sentence and nothing changed."""
        before = self._table()
        token = json.loads(self.request("/api/session")[1])["token"]
        keeping = before["keeping"]
        result = {"kind": "draw", "tenpai": [0, 1, 2, 3]}
        body = {"hand": keeping["hand"], "game": keeping["game"], "result": result}
        status, text = self.request("/api/tell", body, token)
        after = self._table()
        if status == 202:
            assert after["keeping"]["hand"] == keeping["hand"] + 1
            self.acknowledged = self.health()["journal"]["entries"]
            self.figures.confirmed += 1
            return True
        assert status == 409, text
        assert json.loads(text)["said"]
        assert after["keeping"]["hand"] == keeping["hand"]
        self.figures.refused += 1
        return False

    def sit(self) -> None:
        """Takes a seat, once after each start that knows no cookie."""
        token = json.loads(self.request("/api/session")[1])["token"]
        phone = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self._cookie}
        phone.request("POST", "/join", f"role=seat&seat=0&token={token}", headers)
        answer = phone.getresponse()
        answer.read()
        phone.close()
        self._cookie = (answer.headers.get("Set-Cookie") or self._cookie).partition(";")[0]

    def _table(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.request("/api/table")[1])
        return found

    def camera_trouble(self) -> str:
        """What a host is told of the camera; empty while it watches."""
        camera = self.health()["camera"]
        return "" if camera["state"] == "ok" else str(camera["tells"])

    def wait_until_all_is_well(self) -> None:
        """The camera watches, the journal takes what is done, and nothing is said of either."""
        until, health = time.monotonic() + PATIENCE_S, self.health()
        while {"camera", "journal"} & set(health["troubles"]) or health["camera"]["state"] != "ok":
            assert time.monotonic() < until, f"{health['troubles']}: {health['camera']}, {health['journal']}"
            time.sleep(0.1)
            health = self.health()

    def wait_until_told(self, expected: set[str]) -> None:
        """Waits until programs are told one of these of the camera, and a host in a sentence."""
        until, texts = time.monotonic() + PATIENCE_S, catalogue("en")
        while True:
            reason, page = self.camera_trouble(), html.unescape(self.request("/health")[1])
            values = self.health()["camera"]["told"]
            is_same = self.camera_trouble() == reason
            if reason in expected and is_same and texts.text(f"health.why_{reason}", **values) in page:
                self.figures.camera_reasons[reason] += 1
                return
            assert time.monotonic() < until, f"expected one of {expected}, got {self.health()['camera']}"
            time.sleep(0.1)

    def break_camera(self, name: str) -> None:
        """One fault of the camera, told where it is one, and mended."""
        self.send_order(name)
        expected = CAMERA.get(name)
        if expected is not None:
            self.wait_until_told(expected)
        assert self.act()
        self.send_order("mend")

    def fill_disk(self) -> None:
        """A disk that takes nothing more: acts are taken and kept, or refused."""
        with bad_disk(self.disk, "fill_disk"):
            if not self.act():
                assert "journal" in self.health()["troubles"]
        wait_for(self.act, PATIENCE_S)

    def fail_card(self) -> None:
        """The card takes no writes from the middle of a hand on: acts are refused, and a start mends it."""
        self.card.fail()
        assert not self.act()
        assert not self.act()
        assert "journal" in self.health()["troubles"]
        assert catalogue("en").text("health.trouble_journal") in html.unescape(self.request("/health")[1])
        self.cut_power()
        self.card.put_back()
        self.check_journal()
        self.start()
        self.sit()
        wait_for(self.act, PATIENCE_S)

    def stall_card(self) -> None:
        """Whoever writes to the card waits for seconds, and the page does not."""
        with self.card.stalled():
            act = threading.Thread(target=self.act)
            act.start()
            until = time.monotonic() + self.chance.uniform(0.5, STALL_S)
            while time.monotonic() < until:
                assert max(self.request("/health")[0], self.request("/")[0]) < 400
        act.join()

    def fail_pins(self) -> None:
        """Pins that worked cannot be read or set any more: their parts are left out, and said, until a start."""
        self.send_order("pins_fail")
        wait_for(lambda: bool(self.health()["panel"]["left_out"]), PATIENCE_S)
        assert "panel" in self.health()["troubles"]
        assert self.act()
        self._cut(on_bad_disk=False)

    def play_round(self) -> None:
        """One fault or two at once, chosen by chance: each kind once before any comes again."""
        if not self._coming:
            self._coming = [*FAULTS, *OTHERS]
            self.chance.shuffle(self._coming)
        name = self._coming.pop()
        self.figures.rounds += 1
        self.figures.faults[name] += 1
        if name in FAULTS:
            self.break_camera(name)
        elif name == "set_clock_back":
            self.send_order(f"clock {-self.chance.randrange(3_000_000)}")
            assert self.act()
        elif name == "card_fails":
            self.fail_card()
        elif name == "card_stalls":
            self.stall_card()
        elif name == "pins_fail":
            self.fail_pins()
        elif name.startswith("cut_power"):
            self._cut(on_bad_disk=name != "cut_power")
        else:
            other = self.chance.choice(sorted(FAULTS))
            self.figures.faults[other] += 1
            self.send_order(other)
            self.fill_disk()
            self.send_order("mend")
        self.wait_until_all_is_well()
        assert self._trouble == [], self._trouble

    def _cut(self, *, on_bad_disk: bool) -> None:
        """The plug is pulled, and perhaps some pins are busy or the disk is bad when it is put in again."""
        self.cut_power()
        self.check_journal()
        pins = sorted(pin for _, pin in PinMap().parts())
        self.busy = tuple(self.chance.sample(pins, self.chance.randrange(3)))
        if on_bad_disk:
            with bad_disk(self.disk, self.chance.choice(("fill_disk", "take_no_writes"))):
                self.start()
                self.sit()
                self._table()
                assert self.request("/")[0] < 400
        else:
            self.start()
        self.sit()
        wait_for(self.act, PATIENCE_S)
        left_out = self.health()["panel"]["left_out"]
        assert bool(left_out) is bool(self.busy)
        if self.busy:
            self.figures.faults["busy_pins"] += 1
            assert any(f"{pin}" in each for pin in self.busy for each in left_out)

    def _watch(self) -> None:
        """Listens where systemd listens."""
        while not self._is_over.is_set():
            message = self._notify.recv(4096)
            if b"WATCHDOG=1" in message and self._petted is not None:
                now = time.monotonic()
                self.figures.petted_s = max(self.figures.petted_s, now - self._petted)
                if now - self._petted > WATCHDOG_S:
                    self._trouble.append(f"the watchdog was not petted for {now - self._petted:.1f} s")
                self._petted = now

    def _read_pages(self) -> None:
        """Looks at the page all the while, as a phone in another hand does."""
        while not self._is_over.wait(0.2):
            if self._petted is None:
                continue
            begin_s = time.monotonic()
            try:
                phone = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
                phone.request("GET", self.chance_page())
                answer = phone.getresponse()
                answer.read()
                phone.close()
            except OSError as error:
                if self._petted is not None:
                    self._trouble.append(f"the page does not answer: {error}")
                continue
            self.figures.pages += 1
            self.figures.longest_s = max(self.figures.longest_s, time.monotonic() - begin_s)
            if answer.status >= 500:
                self._trouble.append(f"the page answers {answer.status}")

    def chance_page(self) -> str:
        """A page that anybody may see."""
        return ("/", "/health", "/api/table", "/game")[self.figures.pages % 4]

    def close(self) -> None:
        """Ends the evening, and looks at the journal for the last time."""
        self._is_over.set()
        if self._program is not None:
            self.cut_power()
        self.check_journal()


@contextmanager
def bad_disk(disk: Path, how: str) -> Iterator[None]:
    """A disk that is full for a while, or, where no program has a file open on it, read-only."""
    if how == "fill_disk":
        fill(disk)
    else:
        take_no_writes(disk)
    try:
        yield
    finally:
        if how == "fill_disk":
            make_room(disk)
        else:
            take_no_writes(disk, again=True)


def play(seconds: float, seed: int) -> Figures:
    """Plays an evening for so long, and at least until every kind of fault came once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with small_card(folder / "disk") as card:
            write_whole(folder / "log.txt", "")
            evening = Evening(folder, card, seed)
            try:
                evening.start()
                evening.sit()
                evening.wait_until_all_is_well()
                until = time.monotonic() + seconds
                while time.monotonic() < until or len(evening.figures.faults) < len((*FAULTS, *OTHERS)):
                    evening.play_round()
            except BaseException:
                print(evening.log, file=sys.stderr)
                print(f"{evening.figures}\nseed {seed}", file=sys.stderr)
                raise
            finally:
                evening.close()
    return evening.figures


def main(arguments: Sequence[str]) -> int:
    """Reads the command line."""
    seconds = float(arguments[0]) if arguments else 300.0
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    print(f"{seconds * PACE / 60:.0f} minutes of table time in {seconds / 60:.1f}, seed {seed}")
    print(play(seconds, seed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
