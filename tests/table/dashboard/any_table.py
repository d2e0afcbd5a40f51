"""Tables with scripted scenes for tests of anything, and all pages and views that are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from flask.testing import FlaskClient

from table.cli.record_commands.export import as_text
from table.game.journal.entries import Source
from table.game.journal.history.game_history import games_of
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent, Referee
from table.game.table_loop import Table
from table.records.mjai.from_journal.journal_record import record_of
from table.rulebook import rules_named
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import RecordError
from tests.table.rules.situations import START
from vision.felt import FeltReport

SCENES: Final = {
    "by hand": "",
    "dealt": START,
    "riichi": f"{START}; 0 discards 5z sideways; 0 stick; 1 discards 1z; 2 discards 9p",
    "melds": f"{START}; 0 discards 2z; 1 discards 5p; 2 pon 5p from 1 with 55p; 2 discards 1m; 3 discards 7z",
}
VIEWS: Final = (
    *("/", "/wall", "/game", "/game/1", "/fouls", "/rules", "/staff", "/hints", "/join", "/hand/0"),
    *("/api/table", "/api/fouls", "/api/values", "/api/session", "/api/hands/0", "/api/games/1/hands/0"),
    *("/game/1/sheet.csv", "/game/1/sheet.json", "/game/1/sheet.svg", "/game/1/tenhou6.json"),
    *("/game/1/hand/0", "/game/1/hand/0/tenhou6.json"),
    "/api/fouls/foreseen?seat=0&clause=7-05-01",
)


class ScriptedReferee(Referee):
    """Sees one hand, event by event, as a camera would."""

    def __init__(self, scene: str) -> None:
        super().__init__()
        self._events = parse_events(scene)

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        for event in self._events:
            yield FoundEvent(event=event, source=Source.CAMERA, frame=0, confidence=1.0)


def keep(journal: Journal, scene: str = "") -> Table:
    referee = ScriptedReferee(scene)
    return Table(journal=journal, referee=referee, ruleset=rules_named("home").ruleset, clock=LogicalClock())


def visit_pages(clients: list[FlaskClient], views: tuple[str, ...] = VIEWS) -> None:
    """Fetches pages and views as the owner sees them, and the table as a seat and a spectator do, in other words."""
    requests = [(clients[4], place, "en") for place in views]
    requests += [(client, "/api/fouls", "ja") for client in (clients[1], clients[5])]
    for client, place, language in requests:
        answer = client.get(place, headers={"Accept-Language": language})
        assert answer.status_code < 500, (place, answer.get_data(as_text=True))


def check_exports(journal: Journal) -> None:
    """Writes every game of a journal in every format."""
    for game in games_of(journal.entries()):
        for style in ("mjai", "tenhou6", "csv"):
            try:
                as_text(record_of(game), style)
            except RecordError as error:
                if "got none" not in str(error):  # nothing was played
                    raise
