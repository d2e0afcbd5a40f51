"""Practice hands before the drawn camera: the script's own, and one in which a person errs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from table.appliance.setup.rehearsal_guide import Guide
from table.camera.report_switch import ReportSwitch
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation import rehearsal_hand
from table.camera.simulation.script_timeline import StagedScript, stage_script
from table.camera.simulation.simulated_camera import DrawnTable
from table.camera.table_place.table_finder import TableFinder
from table.dashboard.wizard.setup_port import GuideState, GuideStatus
from table.rulebook import rules_named
from table.rules.terms.tiles import Tile
from tests.fakes.inbox import Inbox
from vision.arrays import Image
from vision.cameras.synthetic.animation import Beat, Film
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.layout import Layout
from vision.felt import Reading
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.reading.reader import FaceReader
from vision.watching.watcher import Watcher

FPS = 5.0


class MisreadingReader:
    """Reads as its reader, but for one face."""

    def __init__(self, reader: FaceReader, face: str, as_face: str, score: float) -> None:
        self._reader, self._face, self._as, self._score = reader, face, as_face, score

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        found = self._reader.read(image, quads)
        other = Reading(tile=self._as, score=self._score, alternatives=((self._face, 1 - self._score),))
        return [other if each.tile == self._face else each for each in found]


class Practice:
    """A guide over a drawn table; `play` runs frames through it as the camera's thread would."""

    def __init__(self, film: Film, misread: tuple[str, str, float] | None = None) -> None:
        self.inbox, self.rehearsals = Inbox(), list[Any]()
        self.film, drawn = film, DrawnTable()
        self._misread, self._renderer, self._k = misread, Renderer(drawn.appearance), 0
        self.report_switch = ReportSwitch(self.inbox)
        self.table_finder = TableFinder(
            self._make_watcher, lambda kept: None, place=drawn.calibration, side_mm=720.0, utc=lambda: ""
        )
        self.guide = Guide(
            self.table_finder,
            self.report_switch,
            ruleset=rules_named("home").ruleset,
            tile=TileSize(),
            keep=self.rehearsals.append,
        )

    def play(self, until: Callable[[GuideStatus], bool]) -> GuideStatus:
        """Plays until the guide says so; returns how it stands then."""
        for frame in self._frames():
            watcher = self.table_finder.watcher_for(frame)
            report = watcher.watch(frame)
            self.report_switch.observe(frame, report, watcher)
            if report is not None and until(status := self.guide.status()):
                return status
        raise AssertionError(f"waited in vain: {self.guide.status()}")

    def to_the_end(self) -> GuideStatus:
        return self.play(lambda status: status.state is GuideState.OVER)

    def _frames(self) -> Iterator[Frame]:
        while self._k <= self.film.duration_s * FPS:
            image = self._renderer.render(self.film.scene_at(self._k / FPS), k=self._k)
            self._k += 1
            yield Frame(k=self._k - 1, t_ns=round((self._k - 1) / FPS * 1e9), image=image)

    def _make_watcher(self, calibration: Calibration) -> Watcher:
        watcher = make_watcher(calibration, TileSize())
        if self._misread is not None:
            reader = MisreadingReader(watcher._reader, *self._misread)
            watcher = Watcher(locator=watcher._locator, reader=reader, calibration=calibration)
        self.watcher = watcher
        return watcher


def staged_rehearsal() -> StagedScript:
    return stage_script((rehearsal_hand(),), Layout())


def film(beats: tuple[Beat, ...]) -> Film:
    return Film(beats, felt_mm=720.0)


def with_a_slip(number: int, wrong: str, lasts_s: float = 6.0) -> Film:
    """The script's film in which the discard of beat `number` is another tile at first, then taken back."""
    script, layout = staged_rehearsal(), Layout()
    before, right = script.contents[number - 1], script.beats[number]
    seat = next(seat for seat in range(4) if len(script.contents[number].rivers[seat]) > len(before.rivers[seat]))
    with_wrong_tile = replace(before, hands=tuple((*hand, Tile(wrong)) for hand in before.hands))
    slip = with_wrong_tile.with_discard(seat, Tile(wrong), sideways=False)  # type: ignore[arg-type]
    wrong_scene = replace(slip, hands=before.hands).scene(layout)
    beats = (
        *script.beats[:number],
        Beat(time_s=right.time_s, scene=wrong_scene, side=right.side),
        Beat(time_s=right.time_s + lasts_s, scene=before.scene(layout), side=right.side),
        *(replace(beat, time_s=beat.time_s + lasts_s + 3.0) for beat in script.beats[number:]),
    )
    return film(beats)
