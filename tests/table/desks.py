"""A desk that keeps what it is handed, and browsers that have joined."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask.testing import FlaskClient

from table.dashboard.web.security import TOKEN_HEADER
from table.game.game_commands import Command, JournalCommand
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.rules.ruleset import Ruleset
from table.rules.state import GameState


@dataclass
class FakeDesk:
    """Keeps what was done; refuses with `refusal` where that is set."""

    commands: list[Command] = field(default_factory=list)
    refusal: Exception | None = None

    def handle(self, command: Command) -> None:
        self._refuse()
        self.commands.append(command)

    def entries(self, after: int) -> tuple[Entry, ...]:
        opening = Entry(number=1, envelope=Envelope(wall="", source=Source.TABLE), body=GameOpened(ruleset=Ruleset()))
        return (opening,) if after == 0 else ()

    def preview(self, command: JournalCommand) -> GameState:
        self._refuse()
        raise AssertionError(f"no preview was expected, got {command!r}")

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
