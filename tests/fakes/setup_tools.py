"""The tools of the first start, without an appliance behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from table.appliance.setup.rehearsal import steps
from table.game.snapshot import Mode
from table.panel.panel_trial import Trial


class FakeScan:
    def told(self) -> dict[str, Any]:
        return {
            "looks": 2,
            "faces": 37,
            "misread": [["9s", "7s"]],
            "readiness": 0.97,
            "confused": [["9m", "6m", 0.25]],
            "ready": False,
        }


class FakeGuide:
    def __init__(self) -> None:
        self.said: list[tuple[int, str]] = []
        self.state: dict[str, Any] = {
            "state": "going",
            "step": 1,
            "steps": [
                {
                    "what": step.what.value,
                    "seat": None if step.seat is None else int(step.seat),
                    "tiles": [tile.text for tile in step.tiles],
                    "how": "right" if number == 0 else None,
                    "seen": {"what": "start", "seat": None, "tiles": ["3z"], "surety": 0.98, "seconds": 0.62}
                    if number == 0
                    else None,
                    "again": 0,
                }
                for number, step in enumerate(steps())
            ],
            "doubt": {"what": "discard", "seat": 0, "tiles": ["3m"], "surety": 0.71, "seconds": 1.0},
            "is_taking_back": False,
            "trust": {"discards": "care", "kan": None},
            "advice": ["scan"],
        }

    def told(self) -> dict[str, Any]:
        return self.state

    def say(self, number: int, word: str) -> None:
        self.said.append((number, word))

    def end(self) -> None:
        self.said.append((-1, "end"))


@dataclass
class FakeTools:
    """Keeps what was asked for; refuses with `refusal` where that is set."""

    steps: dict[str, str] = field(default_factory=dict)
    has_camera: bool = True
    scan: FakeScan = field(default_factory=FakeScan)
    trial: Trial | None = field(default_factory=Trial)
    guide: FakeGuide | None = field(default_factory=FakeGuide)
    buttons: tuple[str, ...] = ("win 0", "foul 3", "table")
    rules: tuple[str, ...] = ("home", "ema-2025")
    done: list[object] = field(default_factory=list)
    refusal: Exception | None = None

    def _do(self, *what: object) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.done.append(what)

    def step(self, name: str, how: str) -> None:
        self.steps[name] = how

    def choose_mode(self, mode: Mode) -> None:
        self._do("mode", mode)

    def choose_rules(self, name: str, by: str) -> None:
        self._do("rules", name, by)

    def picture(self) -> bytes | None:
        return b"jpeg" if self.has_camera else None

    def place(self) -> dict[str, Any] | None:
        return None

    def find(self) -> dict[str, Any]:
        self._do("find")
        return {"corners": [[0, 0]] * 4, "by": "picture", "when": ""}

    def put(self, shares: tuple[tuple[float, float], ...]) -> dict[str, Any]:
        self._do("put", shares)
        return {"corners": shares, "by": "hand", "when": ""}

    def begin_scan(self) -> None:
        self._do("begin scan")

    def look(self) -> None:
        self._do("look")

    def rehearse(self) -> None:
        self._do("rehearse")

    def leave(self) -> None:
        self.done.append("left")

    def over(self) -> None:
        self.steps["over"] = "done"
