"""The camera's own view: what was understood is drawn over it, and places of standing hands are never in it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from table.camera.preview import Preview
from table.dashboard import create_app
from table.dashboard.owner.camera_page import blueprint
from table.game.snapshot import Board, Snapshot
from table.rules.state import GameState
from tests.fakes.desks import FakeDesk, join
from tests.fakes.watchers import FakeWatcher, lying_tile
from vision.arrays import Image
from vision.felt import Felt, FeltReport, LyingStick, LyingTile, TileLaid, TileReread, TileTaken, Zone
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize
from vision.photo import overlay

SIDE_MM = 700.0
CORNERS = ((100.0, 100.0), (800.0, 100.0), (800.0, 800.0), (100.0, 800.0))
"""A table seen from straight above, a pixel a millimetre."""
CALIBRATION = calibrate(CORNERS, size=(900, 900), side_mm=SIDE_MM)
GREEN = (60, 120, 30)


def lying_tile_at(x_mm: float, y_mm: float, zone: Zone = Zone.RIVER) -> LyingTile:
    return lying_tile(1, "5z", x_mm=x_mm, y_mm=y_mm, zone=zone)


def watcher_of(felt: Felt) -> FakeWatcher:
    return FakeWatcher(felt, CALIBRATION)


def show_frames(preview: Preview, watcher: FakeWatcher, *frames: Frame) -> None:
    """Lets frames be looked at before the preview gets them."""
    for each in frames:
        preview.observe(each, watcher.watch(each), watcher)


def frame() -> Frame:
    """A green table with white standing hands along all four edges."""
    image = np.full((900, 900, 3), GREEN, np.uint8)
    for edge in (slice(100, 140), slice(760, 800)):
        image[edge, 200:700] = 255
        image[200:700, edge] = 255
    return Frame(k=3, t_ns=0, image=image)


def preview_image(felt: Felt) -> Image:
    with Preview(TileSize()) as preview:
        show_frames(preview, watcher_of(felt), frame())
        data = preview.picture()
    assert data is not None
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def whiteness(picture: Image) -> int:
    return int((picture.min(axis=2) > 180).sum())


def test_a_view_is_drawn_once_however_many_phones_look(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Image] = []

    def draw(image: Image, *_: object) -> Image:
        drawn.append(image)
        return image

    monkeypatch.setattr(overlay, "draw", draw)
    with Preview(TileSize()) as preview:
        show_frames(preview, watcher_of(Felt()), frame())
        assert len({preview.picture() for _ in range(12)}) == 1
        assert len(drawn) == 1
        show_frames(preview, watcher_of(Felt(tiles=(lying_tile_at(0.0, 100.0),))), replace(frame(), k=4))
        preview.picture()
    assert len(drawn) == 2


def test_whoever_looks_every_view_is_drawn_in_the_same_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV holds 6 MB of fonts for each thread that writes into a picture, and sixteen threads answer phones."""
    drew: set[threading.Thread] = set()

    def draw(image: Image, *_: object) -> Image:
        drew.add(threading.current_thread())
        return image

    monkeypatch.setattr(overlay, "draw", draw)
    with Preview(TileSize()) as preview:
        for k in range(4):
            show_frames(preview, watcher_of(Felt()), replace(frame(), k=k))
            with ThreadPoolExecutor(max_workers=1) as phone:
                assert phone.submit(preview.picture).result()
    (thread,) = drew
    assert not thread.is_alive()
    show_frames(preview, watcher_of(Felt()), frame())
    assert preview.picture() is None, "a phone that still asks while the table stops"


def test_places_of_standing_hands_are_painted_out() -> None:
    assert whiteness(frame().image) > 70000
    assert whiteness(preview_image(Felt())) == 0


def test_the_middle_of_the_table_is_shown_as_it_is() -> None:
    picture = preview_image(Felt())
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    assert np.abs(middle.astype(int) - GREEN).max() < 12


def test_what_was_understood_is_drawn_where_it_lies() -> None:
    bare, marked = preview_image(Felt()), preview_image(Felt(tiles=(lying_tile_at(0.0, 100.0),)))
    rows, columns = np.nonzero(np.abs(marked.astype(int) - bare).max(axis=2) > 60)
    middle = marked.shape[0] / 2
    scale = marked.shape[0] / SIDE_MM
    assert abs(np.median(columns) - middle) < 10 * scale
    assert abs(np.median(rows) - (middle - 100 * scale)) < 20 * scale


def test_sticks_are_drawn_too() -> None:
    stick = LyingStick(id=2, value=1000, score=0.9, x_mm=0.0, y_mm=-60.0, angle_deg=0.0, side=0)
    assert (preview_image(Felt(sticks=(stick,))) != preview_image(Felt())).any()


def test_a_tile_laid_open_by_the_rail_is_shown_and_nothing_beside_it() -> None:
    picture = preview_image(Felt(tiles=(lying_tile_at(0.0, 330.0, Zone.HAND),)))
    assert 0 < whiteness(picture) < 3 * 21 * 28 * (picture.shape[0] / SIDE_MM) ** 2


def test_before_the_first_frame_there_is_nothing_to_see() -> None:
    assert Preview(TileSize()).picture() is None


def test_after_the_camera_is_closed_there_is_nothing_to_see() -> None:
    with Preview(TileSize()) as preview:
        show_frames(preview, watcher_of(Felt()), frame())
        assert preview.picture()
    assert preview.picture() is None


def test_a_lying_tile_is_drawn_the_way_it_lies() -> None:
    """At angle 0 the glyph's top points up: the frame around it is higher than wide."""
    bare, marked = preview_image(Felt()), preview_image(Felt(tiles=(lying_tile_at(0.0, 100.0),)))
    changed = np.abs(marked.astype(int) - bare).max(axis=2) > 60
    rows, columns = (np.nonzero(changed.any(axis=axis))[0] for axis in (1, 0))
    scale = marked.shape[0] / SIDE_MM
    assert np.ptp(columns) < 24 * scale < np.ptp(rows) + 3 * scale


def two_coloured(angle: float) -> Frame:
    """A tile at (50, 0) whose upper half is red, however it lies."""
    seen_frame = frame()
    up = np.array([-np.sin(np.radians(angle)), -np.cos(np.radians(angle))])
    rows, columns = np.mgrid[0:900, 0:900]
    along = (columns - 500) * up[0] + (rows - 450) * up[1]
    across = (columns - 500) * -up[1] + (rows - 450) * up[0]
    on_tile = (np.abs(along) < 13) & (np.abs(across) < 10)
    seen_frame.image[on_tile] = 255
    seen_frame.image[on_tile & (along > 0)] = (0, 0, 255)
    return seen_frame


def is_red_above_white(data: bytes | None) -> bool:
    assert data is not None
    crop = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), int)
    assert crop.shape == (128, 96, 3)
    return bool(crop[40, 48, 2] - crop[40, 48, 0] > 100 and crop[88, 48].min() > 180)


@pytest.mark.parametrize("angle", [90.0, 0.0, 180.0, 270.0])
def test_a_tile_s_own_picture_is_upright(angle: float) -> None:
    tile = replace(lying_tile_at(50.0, 0.0), angle_deg=angle)
    preview = Preview(TileSize(depth_mm=0.1))
    show_frames(preview, watcher_of(Felt(tiles=(tile,))), two_coloured(angle))
    assert is_red_above_white(preview.tile_picture(1))
    assert preview.tile_picture(2) is None


class ScriptedWatcher(FakeWatcher):
    """Reports what a test says, report by report."""

    def __init__(self, *reports: FeltReport | None) -> None:
        super().__init__(calibration=CALIBRATION)
        self.reports = list(reports)

    def watch(self, frame: Frame) -> FeltReport | None:
        return self.reports.pop(0)


def report(change: TileLaid | TileReread | TileTaken) -> FeltReport:
    return FeltReport(frame=0, t_ns=0, changes=(change,), felt=Felt())


def test_a_picture_is_that_of_the_moment_of_belief_and_outlives_the_tile() -> None:
    tile = lying_tile_at(50.0, 0.0)
    preview, watcher = (
        Preview(TileSize(depth_mm=0.1)),
        ScriptedWatcher(report(TileLaid(tile=tile)), None, report(TileTaken(tile=tile))),
    )
    show_frames(preview, watcher, two_coloured(0.0), frame(), frame())
    assert is_red_above_white(preview.tile_picture(1))


def test_a_tile_read_anew_has_a_new_picture() -> None:
    tile = lying_tile_at(50.0, 0.0)
    preview, watcher = (
        Preview(TileSize(depth_mm=0.1)),
        ScriptedWatcher(report(TileLaid(tile=tile)), report(TileReread(before=tile, tile=tile))),
    )
    show_frames(preview, watcher, frame())
    assert not is_red_above_white(preview.tile_picture(1))
    show_frames(preview, watcher, two_coloured(0.0))
    assert is_red_above_white(preview.tile_picture(1))


def test_a_picture_by_the_rail_shows_nothing_beside_the_tile() -> None:
    seen_frame = frame()
    seen_frame.image[760:800, 200:700] = (0, 0, 255)
    preview = Preview(TileSize(depth_mm=0.1))
    show_frames(preview, watcher_of(Felt(tiles=(lying_tile_at(0.0, -330.0, Zone.HAND),))), seen_frame)
    data = preview.tile_picture(1)
    assert data is not None
    crop = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), int)
    assert crop[64, 48, 2] > 200
    assert crop[:8].max() < 60
    assert crop[:, :6].max() < 60


def test_after_a_push_the_hands_are_looked_for_where_they_are_now() -> None:
    """The camera saw the table 40 pixels further right: the hand on the left would show behind the old blinds."""
    watcher = watcher_of(Felt())
    pushed = np.roll(frame().image, 150, axis=1)
    with Preview(TileSize()) as preview:
        show_frames(preview, watcher, frame())
        watcher.calibration = calibrate([(x + 150, y) for x, y in CORNERS], size=(900, 900), side_mm=SIDE_MM)
        show_frames(preview, watcher, Frame(k=4, t_ns=1, image=pushed))
        data = preview.picture()
    assert data is not None
    assert whiteness(np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)) == 0


@dataclass
class Sight:
    """Pictures as a test gives them."""

    jpeg: bytes | None

    def picture(self) -> bytes | None:
        return self.jpeg

    def tile_picture(self, number: int) -> bytes | None:
        return self.jpeg if number == 5 else None


@pytest.mark.parametrize(("picture", "status"), [(None, 404), (b"\xff\xd8\xff", 200)])
def test_the_page_shows_the_picture_once_there_is_one(picture: bytes | None, status: int) -> None:
    app = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk())
    app_without_camera = app.test_client()
    join(app_without_camera)
    assert "/camera" not in app_without_camera.get("/").text
    app = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk())
    app.register_blueprint(blueprint(Sight(picture)))
    client = app.test_client()
    join(client)
    assert client.get("/camera").status_code == 200
    assert client.get("/camera.jpg").status_code == client.get("/camera/5.jpg").status_code == status
    assert client.get("/camera/6.jpg").status_code == 404
    assert 'href="/camera"' in client.get("/").text
