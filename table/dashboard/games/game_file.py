"""A game as one shareable file: it opens in any browser without a network, and steps through hands and turns.

Pictures of tiles, style and script are embedded; its content security policy allows nothing else to run or load.
People's texts cannot inject code: the game's data is JSON in which no character can end its element, and the script
inserts it as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from table.dashboard.games.game_view import ranking_view
from table.dashboard.games.hand_replay import steps_view
from table.dashboard.games.tenhou_download import viewer_addresses
from table.dashboard.scores.score_text import sheet_view
from table.dashboard.scores.scorekeeping import ended_early_text
from table.dashboard.web.base_page import tile_svg
from table.dashboard.web.view import View
from table.game.journal.entries import Entry, Names
from table.game.journal.fold import FoldedGame
from table.game.journal.history.game_history import GameHistory, steps_of_hands
from table.game.snapshot import Mode, Snapshot
from table.i18n import Catalogue, isolated, lasting_name
from table.runtime.clock import local_time

PARTS_FOLDER: Final = "templates/games"
"""The folder in the dashboard with the file's page, style and script."""
AFTER_LAST_HAND: Final = timedelta(minutes=15)
"""How long after its last hand a moment still belongs to a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagPicture:
    """A picture from the moment of a flag; standing hands are painted over in it."""

    when: datetime
    jpeg: bytes


def as_html(
    game: GameHistory,
    entries: Sequence[Entry],
    texts: Catalogue,
    *,
    mode: Mode = Mode.HOME,
    pictures: Sequence[FlagPicture] = (),
) -> str:
    """Returns the game as one HTML page.

    Args:
        game: the game, with its players' names as shown.
        entries: its journal, starting with the opening.
        texts: the language of the page.
        mode: the table's mode, which decides how much of a hand is shown.
        pictures: pictures of moments flagged during the game.
    """
    texts = texts.for_pages()
    snapshot = Snapshot(version=0, game=game.state, names=game.names, ruleset=game.ruleset, mode=mode)
    hand_steps = steps_of_hands(entries)
    viewer, addresses = viewer_addresses(game, entries)
    times = {entry.number: _time(entry.envelope.utc) for entry in entries}
    names = [game.names_in(number) for number in range(len(hand_steps))]
    hands: list[View] = [
        {
            "title": _title(line),
            "names": _seat_titles(names[number], texts),
            "steps": list(_steps(steps_view(steps, replace(snapshot, names=names[number]), texts), _title(line)))
            if steps
            else [],
            "viewer": addresses[number],
            "pictures": _pictures(number, hand_steps, times, pictures),
        }
        for number, (line, steps) in enumerate(zip(sheet_view(game.state.history, texts), hand_steps, strict=True))
    ]
    faces = sorted({face for hand in hands for step in hand["steps"] for face in _faces(step)})
    data = {
        "hands": hands,
        "faces": {face: tile_svg(face) for face in faces},
        "words": {face: texts.name("tile", face) for face in faces},
    }
    return _page(data, game, viewer, texts)


def _page(data: View, game: GameHistory, viewer: str | None, texts: Catalogue) -> str:
    style, script = (_part(name) for name in ("game_file.css", "game_file.js"))
    policy = (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    )
    environment = Environment(
        loader=PackageLoader("table.dashboard", PARTS_FOLDER), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("game_file.html").render(
        language=texts.language,
        words=texts.group("page") | texts.group("game_file"),
        policy=policy,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        data=Markup(embedded_json(data)),  # noqa: S704 - contains no character that is special in HTML
        utc=local_time(game.utc),
        ranking=ranking_view(game, texts)["rows"],
        ended_early=ended_early_text(game.end_reason, game.state, texts),
        titles=[hand["title"] for hand in data["hands"]],
        viewer=viewer,
    )


def embedded_json(data: Any) -> str:
    """Returns JSON that a page cannot misinterpret: characters special in HTML and line separators are escaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _part(name: str) -> str:
    return resources.files("table.dashboard").joinpath(PARTS_FOLDER, name).read_text("utf-8").strip()


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _seat_titles(names: Names, texts: Catalogue) -> list[str]:
    """Returns what the seats are called: their players' names, or their numbers."""
    return [lasting_name(isolated(names[seat]), seat, texts) for seat in range(4)]


def _title(line: View) -> str:
    honba = f"-{line['honba']}" if line["honba"] else ""
    return f"{line['round']}{honba} {line['settled']['title'] if line['settled'] else ''}".strip()


def _steps(view: View, title: str) -> Iterator[View]:
    """Yields the data of every step, with tiles as face names; the last one contains how the hand ended."""
    steps, before = view["steps"], None
    for number, step in enumerate(steps, start=1):
        centre, is_last = step["centre"], number == len(steps)
        ending = step["ending"] or (before if is_last else None)
        before = step["ending"]
        yield {
            "centre": [centre["round"], centre["honba"], centre["deposits"]],
            "dora": [tile["face"] for tile in centre["dora"]],
            "seats": [
                {
                    "score": seat["score_text"],
                    "wind": seat["wind"],
                    "river": [_tile_text(tile) for tile in seat["river"]],
                    "melds": [[_tile_text(tile) for tile in meld["tiles"]] for meld in seat["melds"]],
                    "badges": [badge["text"] for badge in seat["badges"]],
                }
                for seat in step["seats"]
            ],
            "news": [item["text"] for item in step["news"][:8]],
            "ending": _ending(ending) or (title if is_last else ""),
            "shown": [] if ending is None else [_open_hand(hand) for hand in (*ending["wins"], *ending["shown"])],
        }


def _ending(ending: View | None) -> str:
    parts = [] if ending is None else [ending["title"], *(win["value"] for win in ending["wins"])]
    return " · ".join(filter(None, parts))


def _open_hand(hand: View) -> View:
    """Returns an open hand: its owner, its faces with the winning one last, and its yaku."""
    return {"name": hand["name"], "tiles": hand["entry"], "yaku": hand["yaku"]}


def _tile_text(tile: View) -> str:
    """Returns a tile as the script reads it, with a hyphen if it lies sideways."""
    return f"{tile['face']}{'-' if tile['sideways'] else ''}"


def _faces(step: View) -> Iterator[str]:
    yield from step["dora"]
    for hand in step["shown"]:
        yield from hand["tiles"]
    for seat in step["seats"]:
        yield seat["wind"]
        for tile_text in (*seat["river"], *(tile for meld in seat["melds"] for tile in meld)):
            yield tile_text.rstrip("-")


def _time(utc: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(utc)
    except ValueError:
        return None
    return found if found.tzinfo else None


def _pictures(
    number: int,
    hand_steps: Sequence[Sequence[FoldedGame]],
    times: dict[int, datetime | None],
    pictures: Sequence[FlagPicture],
) -> list[View]:
    """Returns the pictures of one hand, each with the step from which it is shown."""
    moments = [times.get(step.last) for step in hand_steps[number]]
    start = next(filter(None, moments), None)
    following = [times.get(steps[0].last) for steps in hand_steps[number + 1 :] if steps]
    end = next(filter(None, following), None) or (
        max(filter(None, moments), default=None) and max(filter(None, moments)) + AFTER_LAST_HAND
    )
    if start is None or end is None:
        return []
    return [
        {
            "step": sum(moment is not None and moment <= picture.when for moment in moments) - 1,
            "src": f"data:image/jpeg;base64,{base64.b64encode(picture.jpeg).decode()}",
        }
        for picture in pictures
        if start <= picture.when < end
    ]
