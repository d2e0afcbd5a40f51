"""A desk that keeps what it is handed, and browsers that have joined."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask.testing import FlaskClient

from table.dashboard.web.security import TOKEN_HEADER
from table.game.game_commands import Act
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.game.presses import Press
from table.rules.ruleset import Ruleset
from table.rules.state import GameState


@dataclass
class FakeDesk:
    """Keeps what was done; refuses with `refusal` where that is set."""

    presses: list[Press] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    refusal: Exception | None = None

    def press(self, press: Press) -> None:
        self._refuse()
        self.presses.append(press)

    def act(self, act: Act) -> None:
        self._refuse()
        self.acts.append(act)

    def entries(self, after: int) -> tuple[Entry, ...]:
        opening = Entry(number=1, envelope=Envelope(wall="", source=Source.TABLE), body=GameOpened(ruleset=Ruleset()))
        return (opening,) if after == 0 else ()

    def preview(self, act: Act) -> GameState:
        self._refuse()
        raise AssertionError(f"no preview was expected, got {act!r}")

    def _refuse(self) -> None:
        if self.refusal is not None:
            raise self.refusal


def token(client: FlaskClient) -> dict[str, str]:
    """The header that every post needs."""
    return {TOKEN_HEADER: client.get("/api/session").get_json()["token"]}


def join(client: FlaskClient, role: str = "seat", **fields: str) -> int:
    """Joins as people do, by the form; returns the answer's status."""
    form = {"role": role, "seat": "0", "token": token(client)[TOKEN_HEADER], **fields}
    return client.post("/join", data=form).status_code
