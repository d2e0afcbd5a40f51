"""A desk that keeps what it is handed, and browsers that have joined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import Command, JournalCommand
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.game.journal.fold import FoldedGame
from table.game.journal.journal_reader import GameStart
from table.game.snapshot import AccessNews, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset

PIN = "739152"
"""A PIN that an owner may choose, wherever a test needs one."""


@dataclass
class FakeDesk:
    """Keeps what was done; refuses with `refusal` where that is set."""

    commands: list[Command] = field(default_factory=list)
    refusal: Exception | None = None
    news: list[AccessNews] = field(default_factory=list)

    def handle(self, command: Command) -> None:
        self._refuse()
        self.commands.append(command)

    def games(self, after: int) -> tuple[GameStart, ...]:
        return tuple(
            GameStart(number=entry.number) for entry in self.entries(after) if isinstance(entry.body, GameOpened)
        )

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        opening = Entry(number=1, envelope=Envelope(utc="", source=Source.TABLE), body=GameOpened(ruleset=Ruleset()))
        return (opening,) if after == 0 else ()

    def tell(self, news: AccessNews) -> None:
        self.news.append(news)

    def preview(self, command: JournalCommand) -> tuple[Snapshot, FoldedGame]:
        self._refuse()
        raise AssertionError(f"no preview was expected, got {command!r}")

    def _refuse(self) -> None:
        if self.refusal is not None:
            raise self.refusal


def token(client: FlaskClient) -> dict[str, str]:
    """The header that every post needs."""
    return {TOKEN_HEADER: client.get("/api/session").get_json()["token"]}


def do(client: FlaskClient, deed: str, **body: Any) -> tuple[int, dict[str, Any]]:
    """Posts something that people do; returns the status and what was answered."""
    answer = client.post(f"/api/{deed}", json=body, headers=token(client))
    return answer.status_code, answer.get_json()


def join(client: FlaskClient, role: str = "seat", **fields: str) -> int:
    """Joins as people do, by the form, with any PIN typed twice; returns the answer's status."""
    form = {"role": role, "seat": "0", "token": token(client)[TOKEN_HEADER], **fields}
    form |= {"again": form["pin"]} if "pin" in form else {}
    return client.post("/join", data=form).status_code


def streamed(client: FlaskClient) -> dict[str, Any]:
    """The first table that a browser's stream tells."""
    for chunk in client.get("/api/stream").response:
        for line in (chunk if isinstance(chunk, str) else bytes(chunk).decode()).splitlines():
            if line.startswith("data: "):
                table: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return table
    raise AssertionError("the stream told nothing")


def joined_phones(app: Flask, names: Sequence[str]) -> list[FlaskClient]:
    """Returns a phone at each seat, joined under these names."""
    phones = [app.test_client() for _ in names]
    for seat, (phone, name) in enumerate(zip(phones, names, strict=True)):
        assert join(phone, seat=str(seat), name=name) == 302
    return phones


HAND = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5m; 1 discards 5p sideways; 1 stick; 2 discards 5s"
TWO_HANDS = f"{HAND}; draw; 1 tenpai; confirm; confirm; start E2 dealer=1 scores=24000,27000,24000,24000 deposits=1"


def journal(*more: Body) -> list[Entry]:
    bodies: list[Body] = [GameOpened(ruleset=HOME), *parse_events(TWO_HANDS), *more]
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.CAMERA)
    return [Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, 1)]


@dataclass
class Shelf(FakeDesk):
    """A desk with a journal."""

    journal: list[Entry] = field(default_factory=journal)

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.journal if after < entry.number <= (upto or len(self.journal)))
