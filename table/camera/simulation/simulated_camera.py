"""A drawn table that plays scripts in real time: the camera of `tachiai run --simulate`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from time import monotonic, sleep
from typing import Final

from table.camera.simulation import evening, rehearsal_hand
from table.camera.simulation.script_recording import FPS, prepare_show
from vision.cameras.synthetic.animation import Beat, Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Scene, SceneTile
from vision.felt import FACES
from vision.frames import Camera, Frame
from vision.geometry.calibration_file import StoredCalibration

EMPTY: Final = "empty"
EVENING: Final = "evening"
REHEARSAL: Final = "rehearsal"
FACES_LAID: Final = "faces"
FACES_ELSEWHERE: Final = "faces elsewhere"
_ROW: Final = 10


class DrawnTable:
    """One drawn table for all cameras opened over it. Any thread may change what is played."""

    def __init__(self, appearance: Appearance | None = None, *, fps: float = FPS) -> None:
        """Starts with an empty table."""
        self.appearance = appearance or Appearance.default()
        self.fps = fps
        self._films: dict[str, Film] = {}
        self._film_and_start = EMPTY, 0.0

    @property
    def calibration(self) -> StoredCalibration:
        """Where the table lies in the picture."""
        corners = tuple((float(x), float(y)) for x, y in corners_px(self.appearance))
        size = self.appearance.width_px, self.appearance.height_px
        return StoredCalibration(corners_px=corners, size=size, side_mm=self.appearance.felt_mm, when="", by="drawing")

    @property
    def film_name(self) -> str:
        """The name of what is being played."""
        return self._film_and_start[0]

    def play(self, name: str) -> None:
        """Plays a script from its beginning."""
        if name not in self._films:
            self._films[name] = _film(name, self.appearance)
        self._film_and_start = name, monotonic()

    def scene(self) -> Scene:
        """Returns what lies on the table now; after the end of a film, its last picture."""
        name, start = self._film_and_start
        film = self._films.get(name)
        return Scene() if film is None else film.scene_at(min(monotonic() - start, film.duration_s))

    def camera(self) -> DrawnCamera:
        """Opens a camera over the table."""
        return DrawnCamera(self)


class DrawnCamera(Camera):
    """Delivers frames of a drawn table in real time until it is closed."""

    def __init__(self, table: DrawnTable) -> None:
        self._table = table
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yields frames in real time until the camera is closed."""
        renderer = Renderer(self._table.appearance)
        start, k = monotonic(), 0
        while not self._closed.is_set():
            image = renderer.render(self._table.scene(), k=k)
            yield Frame(k=k, t_ns=round((monotonic() - start) * 1e9), image=image)
            k = max(k + 1, int((monotonic() - start) * self._table.fps))
            sleep(max(0.0, start + k / self._table.fps - monotonic()))

    def close(self) -> None:
        """Ends the frames."""
        self._closed.set()


def faces_in_rows(appearance: Appearance, *, away_mm: float) -> Scene:
    """Returns the 37 faces in rows, the first row `away_mm` from the table's middle, clear of the centre unit."""
    tiles = []
    for number, face in enumerate(FACES):
        row, place = divmod(number, _ROW)
        x = (place - (_ROW - 1) / 2) * (appearance.tile_width_mm + 3)
        tiles.append(SceneTile(face=face, x_mm=x, y_mm=away_mm - row * (appearance.tile_height_mm + 5)))
    return Scene(tiles=tuple(tiles))


def _film(name: str, appearance: Appearance) -> Film:
    still = partial(Film, felt_mm=appearance.felt_mm)
    match name:
        case "evening":
            return prepare_show(evening(), appearance=appearance).film
        case "rehearsal":
            return prepare_show((rehearsal_hand(),), appearance=appearance).film
        case "faces":
            return still([Beat(time_s=0.0, scene=faces_in_rows(appearance, away_mm=-90.0))])
        case "faces elsewhere":
            return still([Beat(time_s=0.0, scene=faces_in_rows(appearance, away_mm=200.0))])
        case _:
            return still([Beat(time_s=0.0, scene=Scene())])
