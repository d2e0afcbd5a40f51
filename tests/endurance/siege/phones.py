"""Phones that post to a real page over real connections, and what they were answered."""

from __future__ import annotations

import http.client
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from random import Random
from typing import Any, Final, get_args
from urllib.parse import urlencode

from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands import game_commands as commands
from table.game.commands.game_commands import Command, FoulVotePress
from tests.endurance.siege.any_command import TableJson, any_form, any_kind, any_post
from tests.fakes.desks import PIN
from tests.fakes.waiting import PATIENCE_S

ROLES: Final = ("seat 0", "seat 1", "seat 2", "seat 3", "owner", "")
"""Who sits at a table and looks on, as the journal knows them; a spectator is nobody to it."""
MAY_WRITE_NOTHING: Final = (*get_args(FoulVotePress), commands.ClaimRon, commands.ClaimTsumo)
"""What is taken and may still write no entry: a voice for a foul, and a win that is claimed already."""
FORESEEN: Final = (commands.DeclareResult, commands.EditResult)
"""What a phone shows the outcome of before it is given."""
UNANSWERED_AGAIN: Final = 0.7
"""How often a phone sends again what was never answered."""
NESTING: Final = ("/api/press", "/api/tell", "/api/preview", "/api/rules", "/api/value")
NO_MARKS: Final[tuple[Any, ...]] = ("short", "x" * 65, 7, {}, False)
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"


class UnansweredError(Exception):
    """Whether it was taken nobody knows."""


Deed = tuple[str, str]
"""A post by who sent it, a `seat` or the `owner`, and its mark: phones change seats with their players."""


@dataclass(slots=True)
class Ledger:
    """What phones were told of their posts."""

    confirmed: set[Deed] = field(default_factory=set)
    """Confirmed, and therefore in the journal."""
    uncertain: set[Deed] = field(default_factory=set)
    """Never answered, or of a kind that may write nothing."""
    forms: Counter[str] = field(default_factory=Counter)
    """How many forms of the game's page each role sent: they have no marks, and each writes one act at most."""
    refused: int = 0
    repeated: int = 0
    rejoined: int = 0
    """How often a phone lost its seat to a player of another game, and joined again."""


@dataclass(slots=True)
class Phone:
    """One browser with its cookie; not for several threads."""

    port: int
    by: str
    chance: Random
    ledger: Ledger
    table_json: TableJson = field(default_factory=dict)
    """What it was shown last."""
    _cookies: dict[str, str] = field(default_factory=dict)
    _token: str = ""
    _line: http.client.HTTPConnection | None = None
    _last: tuple[str, dict[str, Any], type[Command]] | None = None
    _is_unanswered: bool = False

    @property
    def role(self) -> str:
        """What it joined as."""
        return self.by.partition(" ")[0]

    def join(self) -> None:
        """Joins as people do, by the form."""
        self._token = json.loads(self.get("/api/session")[1])["token"]
        if self.by:
            status = self._send_join(self.by.partition(" ")[2] or "0")
            assert status < 400, f"{self.by} could not join: {status}"

    def join_again(self) -> None:
        """Takes a free seat if it lost its own: in the game that is on the table now others play."""
        if self.role == "seat" and json.loads(self.get("/api/session")[1])["role"] == "spectator":
            self.ledger.rejoined += any(self._send_join(str(seat)) < 400 for seat in range(4))

    def _send_join(self, seat: str) -> int:
        return self.post_form("/join", role=self.role, seat=seat, pin=PIN, again=PIN)

    def read_table(self) -> TableJson:
        """Looks at the table as it is now."""
        status, body = self.get("/api/table")
        assert status == 200, f"/api/table: {status}"
        self.table_json = json.loads(body)
        return self.table_json

    def give_any(self) -> int:
        """Gives any command, or sends the last one again as over a bad network; returns the answer's status.

        Raises:
            UnansweredError: the connection ended before the answer came.
        """
        if self._last is not None and self.chance.random() < (UNANSWERED_AGAIN if self._is_unanswered else 0.04):
            self.ledger.repeated += 1
            return self._give(*self._last)
        if self.chance.random() < 0.03:
            return self._send_form()
        if self.chance.random() < 0.005:
            return self._send_nested()
        kind = any_kind(self.table_json, self.chance)
        address, body = any_post(kind, self.table_json, self.chance)
        if kind in FORESEEN and self.chance.random() < 0.3:
            body |= self._foreseen(body, kind)
        mark = f"{self.chance.getrandbits(64):016x}" if self.chance.random() > 0.01 else self.chance.choice(NO_MARKS)
        self._last = address, {**body, "mark": mark}, kind
        return self._give(*self._last)

    def _foreseen(self, body: dict[str, Any], kind: type[Command]) -> dict[str, Any]:
        """Asks what a result would pay, as phones do before they tell it; returns the key to tell it with."""
        request = {**body, "edit": True} if kind is commands.EditResult else body
        status, answer = self.send("POST", "/api/preview", json.dumps(request).encode(), JSON)
        assert status < 500, f"/api/preview {json.dumps(request)} was answered {status}: {answer[:300]!r}"
        return {"seen": json.loads(answer)["key"]} if status == 200 else {}

    def _send_form(self) -> int:
        """Sends a form of the game's page, whose answer is a page: what it did is seen there."""
        self.ledger.forms[self.role] += 1
        status = self.post_form("/game", **any_form(self.table_json, self.chance))
        assert status < 500, f"/game was answered {status}"
        return status

    def _send_nested(self) -> int:
        """Sends what is nested without end."""
        status, _ = self.send("POST", self.chance.choice(NESTING), b'{"press": ' + b"[" * 15_000, JSON)
        assert status < 500, f"what is nested without end was answered {status}"
        return status

    def _give(self, address: str, body: dict[str, Any], kind: type[Command]) -> int:
        deed = self.role, str(body["mark"])
        self._is_unanswered = True
        try:
            status, answer = self.send("POST", address, json.dumps(body).encode(), JSON)
        except UnansweredError:
            self.ledger.uncertain.add(deed)
            raise
        self._is_unanswered = False
        if status == 202:
            (self.ledger.uncertain if issubclass(kind, MAY_WRITE_NOTHING) else self.ledger.confirmed).add(deed)
        elif status == 503:
            self.ledger.uncertain.add(deed)
        else:
            assert 400 <= status < 500, f"{address} {json.dumps(body)} was answered {status}: {answer[:300]!r}"
            self.ledger.refused += 1
            if status == 403:
                self.join_again()
        return status

    def get(self, path: str, language: str = "en") -> tuple[int, bytes]:
        """Fetches a page."""
        return self.send("GET", path, None, "", language)

    def post_form(self, path: str, **form: str) -> int:
        """Sends a form of a page; returns the answer's status."""
        return self.send("POST", path, urlencode({**form, "token": self._token}).encode(), FORM)[0]

    def send(self, method: str, path: str, body: bytes | None, content: str, language: str = "en") -> tuple[int, bytes]:
        """Sends a request over this phone's connection; returns status and body of the answer.

        Raises:
            UnansweredError: there was none.
        """
        headers = {"Accept-Language": language, TOKEN_HEADER: self._token}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if content:
            headers["Content-Type"] = content
        is_kept = self._line is not None
        try:
            answer, found = self._answer(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            if is_kept:  # the page may have hung up a silent line; browsers ask again over a new one
                return self.send(method, path, body, content, language)
            raise UnansweredError(f"{method} {path}: {error!r}") from error
        for each in answer.headers.get_all("Set-Cookie", []):
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(each).items()}
        return answer.status, found

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self._line.request(method, path, body, headers)
        answer = self._line.getresponse()
        return answer, answer.read()

    def go_to(self, port: int) -> None:
        """Finds the table at another port, with the same cookie."""
        self.hang_up()
        self.port = port

    def hang_up(self) -> None:
        """Ends the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None


def join_all(port: int, ledger: Ledger, chance: Random, roles: tuple[str, ...] = ROLES) -> list[Phone]:
    """Phones that have joined, the owner first: the first start asks for the PIN."""
    phones = [Phone(port=port, by=by, chance=Random(chance.getrandbits(64)), ledger=ledger) for by in roles]
    for phone in sorted(phones, key=lambda each: each.by != "owner"):
        phone.join()
    return phones


@contextmanager
def kept_failures(phone: Phone, failed: list[BaseException]) -> Iterator[None]:
    """Keeps what goes wrong in a thread that posts, for the one that started it, and hangs up in the end."""
    try:
        yield
    except BaseException as error:
        failed.append(error)
    finally:
        phone.hang_up()
