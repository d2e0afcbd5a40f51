"""A hall with a desk, as browsers see it, and what its forms contain."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from table.config import MqttConfig
from table.dashboard.web.access.vault import Vault
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk_signal import read_signal
from table.mqtt.hall_page import Hall, hall_app
from table.mqtt.tournament.tournament import Tournament
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN

NAMES = ("佐藤 葵", "김민준", "王小明", "陳大文", "Ann O’Neil", "鈴木 一郎", "박서연", "李雷")
GAMES = (
    b'{"games": [{"number": 3, "opened": "", "rules": "home", "first_dealer": 0, "hands": 2, "is_over": true,'
    b' "scores": [40000, 30000, 20000, 10000], "points": [50000, 10000, -20000, -40000]}]}'
)
APPEALS = (
    b'{"address": "http://192.168.1.5:8000",'
    b' "appeals": [{"name": "20261123-210305", "at": "21:03", "seconds": 90, "by": "seat 2"}]}'
)
SEATS = [f"{table},{','.join(NAMES[4 * table - 4 : 4 * table])}" for table in (1, 2)]
TWO_ROUNDS = "\n".join(("round,table,east,south,west,north", *map(",".join, product("12", SEATS))))
SCORES = {f"score{wind}": "25000" for wind in range(4)}
OTHER_SCORES = {"score0": "40000", "score1": "30000", "score2": "20000", "score3": "10000"}
OVERTAKEN = "This was changed elsewhere in the meantime"


class Pages:
    """A hall with a desk, its owner and a spectator."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hall = Hall(MqttConfig())
        clock = LogicalClock()
        self.journal = DeskJournal(folder / "desk.jsonl")
        self.passed_s, self.is_connected = 0.0, True
        self.desk = Desk(
            self.journal,
            clock,
            tables=lambda: self.hall.tables,
            send=self.say,
            is_connected=lambda: self.is_connected,
            name="tachiai-desk-here",
            seconds=lambda: self.passed_s,
        )
        self.hall.call_on_news(self.desk.store_report)
        self.hall.call_on_signal(self.desk.other_desk.receive)
        self.sent_texts: list[str] = []
        self.app = hall_app(self.hall, self.desk, Vault(folder / "secrets.json"))
        self.owner, self.spectator = self.app.test_client(), self.app.test_client()
        assert self.send("join", pin=PIN, again="739125") == 403
        assert self.send("join", pin=PIN, again=PIN) == 303

    @property
    def tournament(self) -> Tournament:
        assert self.desk.tournament is not None
        return self.desk.tournament

    def say(self, text: str, *, is_news: bool) -> None:
        if is_news and read_signal(text.encode()).is_called:
            self.sent_texts.append(text)

    def send(self, act: str, client: FlaskClient | None = None, /, **fields: Any) -> int:
        client = client or self.owner
        return client.post(f"/desk/{act}", data={"token": form_token(client), **fields}).status_code

    def open_tournament(self, **fields: Any) -> int:
        players = "\n".join(NAMES)
        form = {"title": "Cup", "rules": "home", "minutes": "75", "rounds": "1", "tables": "east", "players": players}
        return self.send("open", **(form | fields))

    def page(self, address: str = "/desk", client: FlaskClient | None = None) -> str:
        return (client or self.owner).get(address).get_data(as_text=True)


def form_token(client: FlaskClient) -> str:
    """Returns the token in the forms of this browser's pages."""
    found = re.search(r'name="token" value="([^"]+)"', client.get("/desk/join").get_data(as_text=True))
    assert found is not None
    return found[1]


def form_of(page: str, place: str) -> str:
    """The form of a page that is sent to this place of it."""
    (found,) = re.findall(rf'<form [^>]*action="[^"]*#{place}".*?</form>', page, re.DOTALL)
    return str(found)


def seen_value(page: str, place: str) -> str:
    (found,) = re.findall(r'name="seen" value="([^"]+)"', form_of(page, place))
    return str(found)


def refused_page(pages: Pages, act: str, **fields: str) -> str:
    """The page that answers a refused form."""
    answer = pages.owner.post(f"/desk/{act}", data={"token": form_token(pages.owner), **fields})
    assert answer.status_code == 409, answer.text[:200]
    return answer.text
