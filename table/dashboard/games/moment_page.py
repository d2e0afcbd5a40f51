"""The memorable moments of an evening on one page, each with a link to its hand."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort

from table.dashboard.games.archive.game_archive import LISTED_GAMES, GameArchive
from table.dashboard.games.archive.past_games import is_same_evening
from table.dashboard.games.watch_rights import check_may_watch
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.view import View
from table.game.journal.history.game_history import GameHistory
from table.game.snapshot import Board
from table.i18n import Catalogue, isolated, lasting_name, signed
from table.i18n.clause_books import clause_words
from table.records.season.moments import GameMoment, MomentKind, moments_of


def blueprint(archive: GameArchive, board: Board) -> Blueprint:
    """Returns the route of the page; moments of a tournament game in progress are shown only to its owner."""
    pages = Blueprint("moments", __name__)

    @pages.get("/moments")
    @pages.get("/game/<int:number>/moments")
    def page(number: int | None = None) -> str:
        found = archive.find(number)
        if found is None:
            abort(404)
        check_may_watch(board.latest, found[0].number)
        games = [*reversed(_earlier_games(archive, found[0])), found[0]]
        moments = moments_view(games, request_texts())
        return rendered_page(
            "games/moments.html", "moment", moments=moments, game=found[0], unread=archive.unread_count()
        )

    return pages


def _earlier_games(archive: GameArchive, last: GameHistory) -> list[GameHistory]:
    """Returns the games of the same evening before this one, newest first."""
    games: list[GameHistory] = []
    start_utc = last.utc
    for summary in archive.past_games(limit=LISTED_GAMES, before=last.number):
        found = archive.find(summary.number) if is_same_evening(summary.utc, start_utc) else None
        if found is None:
            break
        games.append(found[0])
        start_utc = summary.utc
    return games


def moments_view(games: Sequence[GameHistory], texts: Catalogue) -> list[View]:
    """Returns the moments of an evening in order, with only the largest swing of all games."""
    moments = [moment for game in games for moment in moments_of(game)]
    biggest = max(
        (moment for moment in moments if moment.kind is MomentKind.SWING),
        key=lambda moment: moment.points,
        default=None,
    )
    return [
        {"game": moment.game, "hand": moment.hand, "kind": moment.kind.value, "text": _text(moment, texts)}
        for moment in moments
        if moment.kind is not MomentKind.SWING or moment is biggest
    ]


def _text(moment: GameMoment, texts: Catalogue) -> str:
    names = [lasting_name(isolated(name), seat, texts) for seat, name in zip(moment.seats, moment.names, strict=True)]
    key = f"moment.{moment.kind.value}"
    match moment.kind:
        case MomentKind.YAKUMAN:
            yaku = texts.list_text(texts.name("yaku", name) for name in moment.details)
            return texts.text(key, winner=names[0], yaku=yaku or texts.text("moment.a_yakuman"))
        case MomentKind.SWING:
            winners, losers = (texts.list_text(group) for group in (names[: moment.winners], names[moment.winners :]))
            return texts.text(key, winner=winners, loser=losers, points=signed(moment.points, plus=""))
        case MomentKind.THREE_RIICHI:
            return texts.text(key, names=texts.list_text(names))
        case MomentKind.LAST_TURN:
            return texts.text(key, winner=names[0], loser=names[1])
        case MomentKind.FOUL:
            return texts.text(key, name=names[0], clause=clause_words(moment.details[0], texts))
