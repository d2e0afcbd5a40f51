"""`tachiai demo`: plays a scripted evening, from drawn pictures to the score sheet."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack, suppress
from threading import Event
from time import monotonic_ns, sleep
from typing import Any

from table.appliance import table_server
from table.camera.preview import Preview
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation import evening
from table.camera.simulation.script_recording import Show, prepare_show, settings_of
from table.cli.live_commands.demo_arguments import DEFAULT_HOST, DEFAULT_PORT
from table.cli.live_commands.phone_invitation import print_invitation
from table.cli.streams.progress import progress_of
from table.cli.termination import wait_for
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.game.commands.game_commands import EndGame
from table.game.input_feed import Sink, feed
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records.score_sheet import score_sheet
from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.seats import SEATS
from table.runtime.clock import Clock, LogicalClock, SystemClock
from table.runtime.table_errors import ConfigError, PressError, UsageError
from vision.cameras.synthetic.synthetic_camera import Pace, frame_count
from vision.geometry.calibration import calibrate
from vision.watching.watcher import Watcher


def run(args: argparse.Namespace) -> int:
    """Plays the evening; returns 0 only if the scores read from the table match the script's.

    Raises:
        UsageError: --headless was given with the host or port of the page.
    """
    if args.headless and (args.host is not None or args.port is not None):
        raise UsageError("expected --headless, or --host and --port of the page, got both")
    host, port = args.host or DEFAULT_HOST, DEFAULT_PORT if args.port is None else args.port
    film = prepare_show(evening(), seed=args.seed)
    clock: Clock = LogicalClock() if args.speed is None else SystemClock()
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        ruleset = rules_named("home").ruleset
        table = Table(journal=journal, referee=Referee(is_complete=True), ruleset=ruleset, clock=clock)
        sink: Sink = table
        live = None
        watcher, preview = _watcher(film), stack.enter_context(Preview(settings_of(film).tiles))
        if not args.headless:
            pages = [camera_page(preview)]
            live = stack.enter_context(table_server.serve_table(table, host=host, port=port, extra_pages=pages))
            sink = live.loop
            print_invitation("the table is shown at", host=host, port=live.port)
        with film.camera(pace=None if args.speed is None else _pace(args.speed)) as camera:
            frames = progress_of(camera.frames(), "frame", frame_count(film.film, film.fps))
            feed(frames, watcher, sink, film.presses, observers=(preview.observe,))
        code = _print_scores(table.state, film, ruleset, as_json=args.json)
        if live is not None:
            _stay_open(live.loop)
    return code


def _stay_open(loop: TableLoop) -> None:
    """Ends the game, so that every page shows the final places, and serves the pages until the program is stopped."""
    with suppress(PressError):  # it has ended already
        loop.handle(EndGame(by="tachiai demo"))
    print("tachiai: the evening is over; the page stays until you stop this with Ctrl-C", file=sys.stderr)
    wait_until_stopped()


def wait_until_stopped() -> None:
    """Waits for Ctrl-C."""
    wait_for(Event())


def _watcher(show: Show) -> Watcher:
    """Returns a watcher of the drawn table with the shipped models."""
    settings = settings_of(show)
    size = (show.appearance.width_px, show.appearance.height_px)
    if settings.table.corners_px is None:
        raise ConfigError("expected the corners of the drawn table, got none")
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    return make_watcher(calibration, settings.tiles, reds=settings.red)


def _pace(speed: float) -> Pace:
    start_ns = monotonic_ns()
    return lambda t_ns: sleep(max(0.0, (start_ns + t_ns / speed - monotonic_ns()) / 1e9))


def _print_scores(state: GameState, show: Show, ruleset: Ruleset, *, as_json: bool) -> int:
    print(json.dumps(_scores(state)) if as_json else score_sheet(state, ruleset), flush=True)
    scores = tuple(hand.scores for hand in state.history)
    if scores == show.scores:
        return 0
    print(f"tachiai demo: expected the script's scores {list(show.scores)}, got {list(scores)}", file=sys.stderr)
    return 1


def _scores(state: GameState) -> dict[str, Any]:
    ranking = state.ranking or sorted(SEATS, key=lambda seat: -state.scores[seat])
    return {"scores": list(state.scores), "ranking": [int(seat) for seat in ranking], "final": list(state.scores)}
