"""Puts the table together: the one place that names concrete classes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from table.dashboard.application import create_app
from table.dashboard.server import serve
from table.loop import Table, TableLoop
from vision.calibration import Calibration
from vision.geometry import TileSize
from vision.locate import Locator
from vision.pipeline import Watcher
from vision.read import TileReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A table whose loop runs and whose page is served."""

    loop: TableLoop
    port: int


@contextmanager
def live(table: Table, *, host: str, port: int) -> Iterator[Live]:
    """Runs a table's loop and dashboard while the context is open; `port` 0 lets the system choose one.

    Raises:
        OSError: the address cannot be used.
    """
    with TableLoop(table) as loop:
        app = create_app(table.board, loop.press)
        try:
            with serve(app, host, port) as real_port:
                yield Live(loop=loop, port=real_port)
        finally:
            table.board.close()


def watcher(calibration: Calibration, tile: TileSize) -> Watcher:
    """Returns eyes with the shipped models.

    Raises:
        ModelError: a model is not the one that its manifest describes.
    """
    return Watcher(locator=Locator(), reader=TileReader(), calibration=calibration, tile=tile)
