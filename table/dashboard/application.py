"""Assembles the dashboard: one Flask application for one table."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from flask import Flask

from table.dashboard import manual_pages
from table.dashboard.broadcast import broadcast_page
from table.dashboard.broadcast.past_snapshots import PastSnapshots
from table.dashboard.foul_pages import foul_page, rule_page
from table.dashboard.games import game_file_page, game_page, hand_replay, moment_page, tenhou_download
from table.dashboard.games.archive import game_archive
from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.games.season import season_archive, season_page
from table.dashboard.games.season.season_archive import SeasonArchive
from table.dashboard.live import api, commands_api, event_stream, hand_photo_api, hand_value_api, join, table_page
from table.dashboard.live.hand_photo_api import Faces
from table.dashboard.live.view_cache import ViewCache
from table.dashboard.owner import staff_page
from table.dashboard.web import base_page, ruleset_choice, security
from table.dashboard.web.access import roles, seat_swaps
from table.dashboard.web.access.clockless_sessions import ClocklessSessions
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.answers import SeenRequests, answer_errors
from table.dashboard.web.request_environ import SMALL_BODY
from table.dashboard.web.static_files import serve_static_files, versioned_path
from table.dashboard.web.table_port import TablePort
from table.game.journal.history.summary_file import SummaryFile
from table.game.snapshot import Board


def create_app(
    board: Board,
    port: TablePort,
    vault: Vault | None = None,
    rules: Path | None = None,
    faces: Faces | None = None,
    *,
    summaries: Path | None = None,
) -> Flask:
    """Builds the application.

    Args:
        board: the source of snapshots.
        port: receives people's commands.
        vault: the table's secrets; without one they end with the program.
        faces: reads photos of hands; without it they are refused.
        summaries: the file that caches earlier games; without one they are read again.
        rules: the folder of rule sets; by default in the user's configuration folder.
    """
    vault = vault or Vault()
    app = _bare_application(vault)
    known_people = KnownPeople(None if summaries is None else summaries.parent)
    roles.keep_access(app, vault, port, known_people.person)
    ruleset_choice.keep_rules_folder(app, rules)
    access = app.extensions[roles.ACCESS]
    seat_swaps.follow_swaps(board, access.holders, known_people.person, access.next_names)
    security.protect(app)
    answer_errors(app, base_page.refusal_page)
    base_page.art_version()  # draws every tile once, before the first phone requests them
    app.register_blueprint(base_page.blueprint())
    app.register_blueprint(manual_pages.blueprint())
    seen_requests = SeenRequests()
    _add_live_pages(app, board, port, seen_requests, faces)
    _add_game_pages(app, board, port, known_people, summaries)
    app.register_blueprint(foul_page.blueprint(board))
    app.register_blueprint(rule_page.blueprint(board, port, seen_requests, rules))
    app.register_blueprint(broadcast_page.blueprint(PastSnapshots(board)))
    return app


def _bare_application(vault: Vault) -> Flask:
    """Returns an application without pages, with its limits and the sessions of browsers."""
    app = Flask(__name__, static_url_path=versioned_path())
    serve_static_files(app)
    app.config.update(
        SECRET_KEY=vault.key,
        SESSION_COOKIE_NAME="tachiai",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=31),
        MAX_CONTENT_LENGTH=SMALL_BODY,
    )
    app.session_interface = ClocklessSessions()
    return app


def _add_live_pages(
    app: Flask, board: Board, port: TablePort, seen_requests: SeenRequests, faces: Faces | None
) -> None:
    """Adds the table as played: joining, its state and stream, people's commands, values of hands, the staff's page."""
    rendering, streams = ViewCache(), event_stream.Streams()
    board.call_on_change(streams.wake)
    app.extensions[event_stream.EXTENSION] = streams
    app.register_blueprint(table_page.blueprint())
    app.register_blueprint(join.blueprint(board))
    app.register_blueprint(api.blueprint(board, rendering))
    app.register_blueprint(commands_api.blueprint(board, port, seen_requests))
    app.register_blueprint(hand_value_api.blueprint(board))
    app.register_blueprint(hand_photo_api.blueprint(board, faces))
    app.register_blueprint(event_stream.blueprint(board, streams, rendering))
    app.register_blueprint(staff_page.blueprint(board, streams))


def _add_game_pages(
    app: Flask, board: Board, port: TablePort, known_people: KnownPeople, summaries: Path | None
) -> None:
    """Adds the game on the table and earlier ones, their files, moments and hands, and the season."""
    archive = GameArchive(port, SummaryFile(summaries), known_people)
    app.extensions[game_archive.EXTENSION] = archive
    figures_path = None if summaries is None else summaries.with_suffix(season_archive.SUFFIX)
    season = SeasonArchive(board, port, known_people, figures_path, games=archive)
    app.extensions[season_archive.EXTENSION] = season
    app.register_blueprint(game_page.blueprint(board, port, archive))
    app.register_blueprint(season_page.blueprint(season))
    app.register_blueprint(moment_page.blueprint(archive, board))
    app.register_blueprint(game_file_page.blueprint(archive, board))
    app.register_blueprint(hand_replay.blueprint(archive, board))
    app.register_blueprint(tenhou_download.blueprint(archive, board))
