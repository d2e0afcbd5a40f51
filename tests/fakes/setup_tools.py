"""The tools of the first start, without an appliance behind them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from table.appliance.setup.rehearsal import steps
from table.dashboard.wizard.setup_port import (
    Corners,
    GuideState,
    GuideStatus,
    GuideStep,
    ScanStatus,
    SeenEvent,
    TablePlace,
)
from table.game.journal.entries import NOBODY, Names
from table.game.snapshot import Mode
from table.panel.panel_trial import PanelTrial
from table.rules.terms.seats import Seat
from vision.tilesets.tileset import Readiness


class FakeScan:
    def status(self) -> ScanStatus:
        readiness = Readiness(right=97, total=100, confused=(("9m", "6m", 0.25),))
        return ScanStatus(scans=2, faces=37, misread=(("9s", "7s"),), readiness=readiness)


class FakeGuide:
    def __init__(self) -> None:
        self.answers: list[tuple[int, str]] = []
        to_lay = [
            GuideStep(kind=step.kind, seat=step.seat, tiles=tuple(tile.text for tile in step.tiles)) for step in steps()
        ]
        started = SeenEvent(kind="start", seat=None, tiles=("3z",), surety=0.98, seconds=0.62)
        self.state = GuideStatus(
            state=GuideState.GOING,
            done=1,
            steps=(replace(to_lay[0], result="right", seen=started), *to_lay[1:]),
            doubt=SeenEvent(kind="discard", seat=Seat.NEAR, tiles=("3m",), surety=0.71, seconds=1.0),
            trust={"discards": "care", "kan": None},
            advice=("scan",),
        )

    def status(self) -> GuideStatus:
        return self.state

    def say(self, number: int, word: str) -> None:
        self.answers.append((number, word))

    def end(self) -> None:
        self.answers.append((-1, "end"))


@dataclass
class FakeTools:
    """Keeps what was asked for; refuses with `refusal` where that is set."""

    steps: dict[str, str] = field(default_factory=dict)
    has_camera: bool = True
    has_pictures: bool = True
    scan: FakeScan = field(default_factory=FakeScan)
    trial: PanelTrial | None = field(default_factory=PanelTrial)
    guide: FakeGuide | None = field(default_factory=FakeGuide)
    buttons: tuple[str, ...] = ("win 0", "foul 3", "table")
    rules: tuple[str, ...] = ("home", "ema-2025")
    done: list[object] = field(default_factory=list)
    names: Names = NOBODY
    """With whom a game was opened by other rules."""
    refusal: Exception | None = None
    found: TablePlace | None = None
    """Where the table is."""

    def _do(self, *deed: object) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.done.append(deed)

    def step(self, name: str, how: str) -> None:
        self.steps[name] = how

    def check_no_hand(self) -> None:
        if self.refusal is not None:
            raise self.refusal

    def choose_mode(self, mode: Mode) -> None:
        self._do("mode", mode)

    def choose_rules(self, name: str, by: str, names: Names) -> None:
        self._do("rules", name, by)
        self.names = names

    def picture(self) -> bytes | None:
        return b"jpeg" if self.has_camera else None

    def place(self) -> TablePlace | None:
        return self.found

    def find(self) -> TablePlace:
        self._do("find")
        return TablePlace(corners=((0.0, 0.0),) * 4, by="picture", when="")

    def store_corners(self, shares: Corners) -> TablePlace:
        self._do("put", shares)
        rounded = tuple((round(x, 5), round(y, 5)) for x, y in shares)
        self.found = TablePlace(corners=rounded, by="hand", when="")
        return self.found

    def begin_scan(self) -> None:
        self._do("begin scan")

    def scan_next_face(self) -> None:
        self._do("look")

    def rehearse(self) -> None:
        self._do("rehearse")

    def leave(self) -> None:
        self.done.append("left")

    def finish(self) -> None:
        self.steps["over"] = "done"
