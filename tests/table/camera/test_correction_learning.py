"""Taps in a settled hand teach the reader: proven before the drawn camera, with a nine that is taken for a six."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table.camera import correction_learning
from table.camera.correction_learning import CorrectionLearning
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation import read_script
from table.camera.simulation.script_recording import prepare_show, settings_of
from table.game.commands.game_commands import CallDraw, CorrectDiscard, NameSeats, Press
from table.game.input_feed import Sink, feed
from table.game.journal.entries import Body, Corrected, Entry, Envelope, SettlementRecorded, Source, Undone
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Board, Snapshot
from table.game.table_loop import Table
from table.rules.events import Discarded
from table.rules.state import GameState
from table.rules.terms.results import ResultKind, Settlement
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.table.camera.simulation.scripts import NINE
from tests.vision.odd_nine import misread_nine, tile_crop
from vision.arrays import Bgra, Image
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import FeltReport
from vision.geometry.calibration import calibrate
from vision.reading.reader import TileReader
from vision.tilesets.corrections import Correction, State, load_corrections, path_of
from vision.tilesets.set_selector import SetSelector, sets_of
from vision.watching.watcher import Watcher

pytestmark = pytest.mark.pictures

TWO_HANDS = f"""{NINE}hand E2 honba 1 sticks 0 dora 6z ura 4p pace 1.2
deal 0 19m19p19s123456z7z
deal 1 34p55p678s222z777z
deal 2 1234p5678s44z555z
deal 3 123m456m789m11p23s
1 3s 3s
2 9m 9m
draw
scores 25000 25000 25000 25000
"""
DRAWN = Settlement(kind=ResultKind.DRAW, deltas=(0, 0, 0, 0))


class LearningCamera:
    """What watches, without a camera's thread."""

    def __init__(self, folder: Path) -> None:
        self.files: tuple[Path, ...] = (folder / "unscanned.tileset",)
        self.current: int | None = 0
        self.reader = SetSelector(TileReader())
        self.pictures: dict[int, Image] = {}
        self.watcher: Watcher | None = None
        self.learnt = 0

    def example(self, number: int) -> Image | None:
        return self.pictures.get(number) if self.watcher is None else self.watcher.examples.of(number)

    def reload(self) -> None:
        self.learnt += 1
        if self.watcher is not None:
            self.reader.learn(sets_of(self.files))


@pytest.fixture
def eye(tmp_path: Path) -> LearningCamera:
    return LearningCamera(tmp_path)


@pytest.fixture(scope="module")
def nine() -> Bgra:
    return misread_nine(TileReader())


class Followed(Sink):
    """A table that learns as soon as a hand is settled."""

    def __init__(self, table: Table, learning: CorrectionLearning) -> None:
        self._table, self._learning = table, learning

    def report(self, report: FeltReport) -> None:
        self._table.report(report)

    def handle(self, command: Press) -> None:
        self._table.handle(command)
        self._learning.learn_finished_hands()


def test_a_face_that_is_misread_in_one_hand_and_corrected_by_a_tap_is_read_right_in_the_next(
    eye: LearningCamera, nine: Bgra
) -> None:
    film = prepare_show(read_script(TWO_HANDS))
    settings = settings_of(film)
    assert settings.table.corners_px is not None
    size = (film.appearance.width_px, film.appearance.height_px)
    calibration = calibrate(settings.table.corners_px, size=size, side_mm=settings.table.side_mm)
    eye.watcher = make_watcher(calibration, settings.tiles, reds=settings.red, reader=eye.reader)
    drawn = next(press.frame for press in film.presses if isinstance(press, CallDraw))
    tap = CorrectDiscard(discard=0, to=Tile("9m"), frame=drawn, by="seat 2")
    with Journal(None) as journal:
        referee = Referee(is_complete=True)  # the hands are short
        table = Table(journal=journal, referee=referee, ruleset=film.ruleset, clock=LogicalClock())
        table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Dana")))
        learning = CorrectionLearning(table.board, journal.entries, eye, example=eye.example, after=0)
        with film.camera(faces=lambda face: nine if face == "9m" else own_faces(face)) as camera:
            feed(camera.frames(), eye.watcher, Followed(table, learning), [tap, *film.presses])
        discards = [entry for entry in journal.entries() if isinstance(entry.body, Discarded)]
        assert [entry.body.tile.text for entry in discards if isinstance(entry.body, Discarded)] == [
            "6m",
            "3z",
            "3s",
            "9m",
        ]
        corrected = [entry for entry in journal.entries() if isinstance(entry.body, Corrected)]
        assert [entry.envelope.source for entry in corrected] == [Source.PRESS]
    (entry,) = learning.corrections()
    found = entry.correction
    assert (found.face, found.read, found.by, found.state) == ("9m", "6m", 'name "Cho"', State.LEARNT)


def journal_of(*bodies: tuple[Body, Envelope]) -> Sequence[Entry]:
    return [Entry(number=number, envelope=envelope, body=body) for number, (body, envelope) in enumerate(bodies, 1)]


def seen_discard(tile: str, tile_id: int, confidence: float = 0.97) -> tuple[Body, Envelope]:
    envelope = Envelope(utc="2026-11-21T20:00:00Z", source=Source.CAMERA, confidence=confidence, evidence=(tile_id,))
    return Discarded(seat=Seat.NEAR, tile=Tile(tile)), envelope


def tapped(entry: int, tile: str, act: int | None = None) -> tuple[Body, Envelope]:
    envelope = Envelope(utc="2026-11-21T20:01:00Z", source=Source.PRESS, by="seat 1", act=act)
    return Corrected(entry=entry, event=Discarded(seat=Seat.NEAR, tile=Tile(tile))), envelope


def undo_entry(act: int) -> tuple[Body, Envelope]:
    return Undone(act=act), Envelope(utc="2026-11-21T20:02:00Z", source=Source.PRESS)


SETTLED: tuple[Body, Envelope] = (
    SettlementRecorded(hand=0, settlement=DRAWN),
    Envelope(utc="2026-11-21T20:02:00Z", source=Source.TABLE),
)


def learning_of(eye: LearningCamera, *bodies: tuple[Body, Envelope], after: int = 0) -> CorrectionLearning:
    entries = journal_of(*bodies)
    board = Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4)))
    return CorrectionLearning(
        board,
        lambda number: [entry for entry in entries if entry.number > number],
        eye,
        example=eye.example,
        after=after,
    )


@pytest.fixture
def camera_with_pictures(eye: LearningCamera, nine: Bgra) -> LearningCamera:
    """An eye that has pictures of the nine, twice, and of a plain six."""
    eye.pictures = {7: tile_crop(nine), 8: np.asarray(tile_crop(nine) * 0.95, np.uint8), 9: tile_crop(own_faces("6m"))}
    return eye


@pytest.mark.parametrize(
    "bodies",
    [
        (seen_discard("6m", 7), tapped(1, "9m")),
        (seen_discard("9m", 7), SETTLED),
        (seen_discard("9m", 7), tapped(1, "9m"), SETTLED),
        (seen_discard("6m", 7), tapped(1, "9m", act=2), undo_entry(2), SETTLED),
        (seen_discard("6m", 1), tapped(1, "9m"), SETTLED),
    ],
    ids=["not settled", "nobody tapped", "only said again", "taken back", "no picture"],
)
def test_nothing_is_learnt_from_what_teaches_nothing(
    camera_with_pictures: LearningCamera, bodies: tuple[tuple[Body, Envelope], ...]
) -> None:
    learning = learning_of(camera_with_pictures, *bodies)
    learning.learn_finished_hands()
    assert learning.corrections() == []
    assert camera_with_pictures.learnt == 0


def test_a_tap_is_learnt_once_listed_and_taken_back_and_brought_again(camera_with_pictures: LearningCamera) -> None:
    learning = learning_of(camera_with_pictures, seen_discard("6m", 7), seen_discard("6m", 9), tapped(1, "9m"), SETTLED)
    learning.learn_finished_hands()
    learning.learn_finished_hands()
    (entry,) = learning.corrections()
    assert (entry.key, entry.set, entry.correction.state, camera_with_pictures.learnt) == (
        "0-tap-1",
        "unscanned",
        State.LEARNT,
        1,
    )
    picture = learning.picture(entry.key)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"
    assert learning.picture("0-tap-9") is None
    states = []
    for _ in range(2):
        learning.toggle(entry.key)
        learning.learn_changed()
        states.append(learning.corrections()[0].correction.state)
    assert states == [State.FORGOTTEN, State.LEARNT]
    assert camera_with_pictures.learnt == 3
    for key in ("0-tap-9", "5-tap-1", "x", f"{'9' * 5000}-tap-1"):
        with pytest.raises(PressError, match="expected a listed correction"):
            learning.toggle(key)


def test_a_wrong_tap_is_listed_and_not_learnt(camera_with_pictures: LearningCamera) -> None:
    learning = learning_of(camera_with_pictures, seen_discard("6m", 9), seen_discard("6m", 9), tapped(1, "1z"), SETTLED)
    learning.learn_finished_hands()
    assert [saved.correction.state for saved in learning.corrections()] == [State.WAITING]
    assert camera_with_pictures.learnt == 0


def test_what_was_told_before_the_camera_began_has_no_picture(camera_with_pictures: LearningCamera) -> None:
    learning = learning_of(camera_with_pictures, seen_discard("6m", 7), tapped(1, "9m"), SETTLED, after=1)
    learning.learn_finished_hands()
    assert learning.corrections() == []


def test_of_two_sets_the_one_on_the_table_learns_and_none_while_that_is_open(
    camera_with_pictures: LearningCamera, tmp_path: Path
) -> None:
    camera_with_pictures.files = (tmp_path / "yellow.tileset", tmp_path / "blue.tileset")
    camera_with_pictures.current = None
    lessons = (seen_discard("6m", 7), tapped(1, "9m"), SETTLED)
    learning_of(camera_with_pictures, *lessons).learn_finished_hands()
    assert [load_corrections(path_of(path)) for path in camera_with_pictures.files] == [(), ()]
    camera_with_pictures.current = 1
    learning_of(camera_with_pictures, *lessons).learn_finished_hands()
    assert [len(load_corrections(path_of(path))) for path in camera_with_pictures.files] == [0, 1]
    assert (
        replace(load_corrections(path_of(camera_with_pictures.files[1]))[0], crop=camera_with_pictures.pictures[7]).name
        == "tap-1"
    )


def test_a_correction_is_taken_back_although_the_scan_of_another_set_cannot_be_read(
    camera_with_pictures: LearningCamera, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_all(_reader: object, _scan: object, corrections: Sequence[Correction], _examples: object) -> object:
        """Learns whatever waits: whether it helps is not asked here, and takes seconds."""
        return tuple(replace(each, state=State.LEARNT) if each.state is State.WAITING else each for each in corrections)

    monkeypatch.setattr(correction_learning, "assess_corrections", take_all)
    damaged = tmp_path / "yellow.tileset"
    camera_with_pictures.files, camera_with_pictures.current = (damaged, tmp_path / "blue.tileset"), 1
    learning = learning_of(camera_with_pictures, seen_discard("6m", 7), tapped(1, "9m"), SETTLED)
    learning.learn_finished_hands()
    damaged.write_text("{", encoding="utf-8")
    learning.toggle(learning.corrections()[0].key)
    learning.learn_changed()
    assert camera_with_pictures.learnt == 2
    camera_with_pictures.current = 0
    learning_of(camera_with_pictures, seen_discard("6m", 7), tapped(1, "9m"), SETTLED).learn_finished_hands()
    assert load_corrections(path_of(damaged)) == (), "nothing tells whether the scan supports it"
