"""`tachiai demo`: the project's own evening, from drawn pixels to the score sheet."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack, suppress
from math import inf
from threading import Event
from time import monotonic_ns, sleep
from typing import Any, Final

from table.appliance import table_server
from table.camera import live_camera
from table.camera.preview import Preview
from table.camera.simulation import evening
from table.camera.simulation.script_recording import Show, settings_of, show
from table.cli.live_commands.phone_invitation import tell_where
from table.cli.number_arguments import PORTS, whole
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.game.game_commands import EndGame
from table.game.input_feed import Sink, feed
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records.score_sheet import score_sheet
from table.rulebook import rules_named
from table.rules.state import GameState
from table.rules.terms.seats import SEATS
from table.runtime.clock import Clock, LogicalClock, SystemClock
from table.runtime.table_errors import ConfigError, PressError
from vision.cameras.synthetic.synthetic_camera import Pace
from vision.geometry.calibration import calibrate
from vision.watching.watcher import Watcher

DEFAULT_PORT: Final = 8000


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "demo",
        help="play the project's own evening before a drawn camera",
        description="Plays a scripted part of an evening. A drawn camera films it, the shipped models read the tiles "
        "from the pictures, and referee, rules and page follow as at a real table; the script itself only presses "
        "what people would press. The command fails if the final score sheet is not the script's. The page keeps "
        "showing the result until Ctrl-C.",
    )
    parser.add_argument("--headless", action="store_true", help="serve no page")
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N|max", help="how many times faster than real time, or max"
    )
    parser.add_argument("--host", default="127.0.0.1", help="the page's address; 0.0.0.0 opens it to phones")
    parser.add_argument("--port", type=whole(0, PORTS), default=DEFAULT_PORT, help=f"port of the page ({DEFAULT_PORT})")
    parser.add_argument("--seed", type=whole(0), default=0, help="varies how neatly the tiles are laid")
    parser.add_argument("--json", action="store_true", help="print the scores as one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the evening; returns 0 only if what was read off the table gives the script's scores."""
    shown = show(evening(), seed=args.seed)
    clock: Clock = LogicalClock() if args.speed is None else SystemClock()
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").play, clock=clock)
        sink: Sink = table
        live = None
        watcher, preview = _watcher(shown), Preview(settings_of(shown).tiles)
        if not args.headless:
            pages = [camera_page(preview)]
            live = stack.enter_context(table_server.serve_table(table, host=args.host, port=args.port, more=pages))
            sink = live.loop
            tell_where("the table is shown at", host=args.host, port=live.port)
        with shown.camera(pace=None if args.speed is None else _pace(args.speed)) as camera:
            feed(camera.frames(), watcher, sink, shown.presses, observers=(preview.observe,))
        code = _report(table.state, shown, as_json=args.json)
        if live is not None:
            _stay_open(live.loop)
    return code


def _stay_open(loop: TableLoop) -> None:
    """Ends the game, so that every page says who came where, and serves the pages until the program is stopped."""
    with suppress(PressError):  # it is over already
        loop.handle(EndGame(by="tachiai demo"))
    print("tachiai: the evening is over; the page stays until you stop this with Ctrl-C", file=sys.stderr)
    wait_until_stopped()


def wait_until_stopped() -> None:
    """Waits for Ctrl-C."""
    Event().wait()


def _watcher(film: Show) -> Watcher:
    """The shipped models over the drawn table."""
    settings = settings_of(film)
    size = (film.appearance.width_px, film.appearance.height_px)
    if settings.table.corners_px is None:
        raise ConfigError("expected the corners of the drawn table, got none")
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    return live_camera.make_watcher(calibration, settings.tiles, reds=settings.red)


def _pace(speed: float) -> Pace:
    begun = monotonic_ns()
    return lambda t_ns: sleep(max(0.0, (begun + t_ns / speed - monotonic_ns()) / 1e9))


def _report(state: GameState, film: Show, *, as_json: bool) -> int:
    print(json.dumps(_scores(state)) if as_json else score_sheet(state), flush=True)
    got = tuple(hand.scores for hand in state.history)
    if got == film.scores:
        return 0
    print(f"tachiai demo: expected the script's scores {list(film.scores)}, got {list(got)}", file=sys.stderr)
    return 1


def _scores(state: GameState) -> dict[str, Any]:
    ranking = state.ranking or sorted(SEATS, key=lambda seat: -state.scores[seat])
    return {"scores": list(state.scores), "ranking": [int(seat) for seat in ranking], "final": list(state.scores)}


def _speed(text: str) -> float | None:
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0 or max, got {text!r}")
    return speed
