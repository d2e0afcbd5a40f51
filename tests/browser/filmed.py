"""``python -m tests.browser.filmed FOLDER PORT SECOND``: the demo's evening before the drawn camera, bit by bit.

The journal lies in FOLDER, as with `tachiai run`. Each line of standard input names a second of the film: it runs on,
as fast as it is drawn and read, until all that lay at rest then has been judged, and the second reached is said.
Nobody presses anything, that is for the phones. A process started again at SECOND sees the table as it lies then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from table.appliance import table_server
from table.camera.preview import Preview
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation import evening
from table.camera.simulation.script_recording import Show, prepare_show, settings_of
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.runtime.clock import SystemClock
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.watching.watcher import Watcher

FPS: Final = 2.5
"""Half as many frames as the demo shows: all that happens is seen in them, in half the time."""
RULES = rules_named("home").ruleset.but(length="east", agari_yame="never")


def main(folder: Path, port: int, first: float) -> None:
    """Serves the table and plays as far as it is told to, until standard input ends."""
    film = prepare_show(evening(), fps=FPS)
    watcher = watcher_of(film)
    with ExitStack() as stack:
        preview = stack.enter_context(Preview(settings_of(film).tiles))
        journal = stack.enter_context(Journal(folder / "table.journal"))
        table = Table(journal=journal, referee=Referee(), ruleset=RULES, clock=SystemClock())
        pages = [camera_page(preview)]
        secrets = folder / "secrets"
        live = stack.enter_context(
            table_server.serve_table(table, host="127.0.0.1", port=port, secrets=secrets, extra_pages=pages)
        )
        print(live.port, flush=True)
        frames = frames_from(film, round(first * FPS))
        for line in sys.stdin:
            reached = first
            while watcher.last_judged_frame < float(line) * FPS and (frame := next(frames, None)) is not None:
                reached = frame.k / FPS
                report = watcher.watch(frame)
                preview.observe(frame, report, watcher)
                if report is not None:
                    live.loop.report(report)
            print(reached, flush=True)


def frames_from(film: Show, first: int) -> Iterator[Frame]:
    """Draws the film from a frame on."""
    renderer = Renderer(film.appearance)
    for k in range(first, frame_count(film.film, film.fps)):
        image = renderer.render(film.film.scene_at(k / film.fps), k=k)
        yield Frame(k=k, t_ns=round(k * 1e9 / film.fps), image=image)


def watcher_of(film: Show) -> Watcher:
    """The shipped models over the drawn table."""
    settings = settings_of(film)
    assert settings.table.corners_px is not None
    size = (film.appearance.width_px, film.appearance.height_px)
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    return make_watcher(calibration, settings.tiles)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
