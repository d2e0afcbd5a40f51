"""A flagged moment through the keeper's own threads: what is kept, what is never kept, and what is said of it."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.camera.clips import clip_recorder
from table.camera.clips.clip_folder import ClipFolder
from table.camera.clips.clip_recorder import PAUSE_S
from table.game.journal.fold import LoggedAnnouncement
from table.game.snapshot import Doubt, SavedClip
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope
from table.rules.terms.seats import Seat
from table.runtime import threads
from table.runtime.table_errors import PressError
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.camera.clips.recorded_clips import FIRST, STEP_NS, clip_keeper, clips
from tests.table.rules.situations import play
from tests.vision.privacy.hidden_hands import BEHIND, tiles_by_rails, with_noise_on_hands
from tests.vision.scenes_to_see import busy_table
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Pose, Scene
from vision.felt import Felt
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate
from vision.recording.recording import Recording


def kept_with(folder: ClipFolder, appearance: Appearance, scene: Scene, seed: int) -> list[bytes]:
    """The stored frames of a moment in which the standing hands' pixels are one or another noise."""
    hands = tuple(tile for tile in scene.tiles if tile.pose is Pose.STANDING)
    picture = with_noise_on_hands(Renderer(appearance).render(scene), hands, appearance, seed)
    with clip_keeper(folder, appearance) as keeper:
        keeper.see(picture, Felt(tiles=tuple(tiles_by_rails(scene))), frames=3)
        keeper.moments.flag("seat 0")
        name = keeper.kept_moment().name
    return [frame.path.read_bytes() for frame in Recording.open(folder.path / name).frames]


@pytest.mark.pictures
@pytest.mark.parametrize("appearance", [Appearance.default(), BEHIND, Appearance.random(3)])
def test_standing_faces_cannot_be_told_from_a_clip(tmp_path: Path, appearance: Appearance) -> None:
    """Law 14: whatever stood in the hands, the files are the same, byte for byte."""
    scene = busy_table(appearance)
    one, other = (kept_with(clips(tmp_path / str(seed)), appearance, scene, seed) for seed in (1, 2))
    assert len(one) == 3
    assert one == other


def logged_announcement(saying: str, scope: str, tile: int) -> LoggedAnnouncement:
    announcement = Announcement(id=AnnouncementId(saying), scope=Scope(scope), seat=Seat.NEAR)
    return LoggedAnnouncement(key=saying, announcement=announcement, cause=(2,), frame=3, evidence=(tile,))


def test_a_clip_shows_the_rivers_and_says_what_was_believed_and_doubted(tmp_path: Path) -> None:
    appearance, folder = Appearance.default(), clips(tmp_path)
    scene, felt = busy_table(appearance), Felt(tiles=tuple(tiles_by_rails(busy_table(appearance))))
    public, private = (
        logged_announcement("riichi_declared", "public", 300),
        logged_announcement("furiten", "private", 301),
    )
    doubt = Doubt(seat=Seat.NEAR, discard=4, tile="5p", alternatives=(("6p", 0.2),), tile_id=400)
    snapshot = replace(FIRST, felt=felt, announcements=(public, private), doubts=(doubt,))
    picture = Renderer(appearance).render(scene)
    with clip_keeper(folder, appearance, snapshot) as keeper:
        keeper.see(picture, felt, frames=9)
        assert keeper.moments.flag("owner") == 2.0
        assert keeper.kept_moment() == SavedClip(name="20261121-120000", time="12:00", seconds=2)
    recording = Recording.open(folder.path / "20261121-120000")
    stored_frame = np.asarray(cv2.imread(str(recording.frames[0].path)), np.uint8)
    middle = np.s_[700:900, 700:900]
    assert np.abs(stored_frame[middle].astype(int) - picture[middle]).mean() < 8
    assert np.allclose(recording.settings.table.corners_px or (), corners_px(appearance), atol=0.5)
    details = json.loads((recording.path / "moment.json").read_text("utf-8"))
    assert [detail["id"] for detail in details["felt"]] == [tile.id for tile in felt.tiles]
    assert details["doubts"][0]["alternatives"] == [["6p", 0.2]]
    assert [detail["id"] for detail in details["said"]] == ["riichi_declared"]
    crops = {int(path.stem) for path in (recording.path / "crops").iterdir()}
    assert crops >= {300, 400, *(tile.id for tile in felt.tiles)}


@pytest.mark.parametrize("end", ["", "; told draw tenpai=1", "; told draw; end-game"])
def test_a_clip_names_the_hand_that_still_lies_on_the_table_once_it_is_settled(tmp_path: Path, end: str) -> None:
    appearance, folder = Appearance.default(), clips(tmp_path)
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    game = play(f"0 discards 1z{end}").state
    with clip_keeper(folder, appearance, replace(FIRST, game=game)) as keeper:
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("owner")
        kept = keeper.kept_moment()
    assert Recording.open(folder.path / kept.name).settings.game["round"] == "E1"


def test_frames_from_before_a_push_was_noticed_are_let_go(tmp_path: Path) -> None:
    appearance = Appearance.default()
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    with clip_keeper(clips(tmp_path), appearance) as keeper:
        keeper.see(picture, Felt(), frames=20)
        moved_calibration = calibrate(
            corners_px(appearance) + 30, size=(appearance.width_px, appearance.height_px), side_mm=appearance.felt_mm
        )
        keeper.watcher.calibration = moved_calibration
        keeper.see(picture, Felt())
        buffered = keeper.buffer.frames
    assert [frame.t_ns // STEP_NS for frame in buffered] == [*range(8), 20]
    assert buffered[-1].calibration is moved_calibration


def test_a_frame_that_is_just_being_taken_in_when_a_push_is_noticed_is_let_go_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appearance = Appearance.default()
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    is_taken_in, is_noticed = threading.Event(), threading.Event()
    with clip_keeper(clips(tmp_path), appearance) as keeper:
        keeper.see(picture, Felt(), frames=3)
        add = keeper.buffer.add

        def add_late(image: Image, *, t_ns: int, calibration: Calibration) -> None:
            is_taken_in.set()
            is_noticed.wait(PATIENCE_S)
            add(image, t_ns=t_ns, calibration=calibration)

        monkeypatch.setattr(keeper.buffer, "add", add_late)
        keeper.moments.observe(Frame(k=3, t_ns=3 * STEP_NS, image=picture), None, keeper.watcher)
        assert is_taken_in.wait(PATIENCE_S)
        keeper.watcher.is_in_place = False
        keeper.moments.observe(Frame(k=4, t_ns=4 * STEP_NS, image=picture), None, keeper.watcher)
        is_noticed.set()
    assert keeper.buffer.frames == ()


def test_before_anything_was_seen_there_is_nothing_to_keep(tmp_path: Path) -> None:
    with (
        clip_keeper(clips(tmp_path), Appearance.default()) as keeper,
        pytest.raises(PressError, match="expected pictures of the last minutes, got none"),
    ):
        keeper.moments.flag("seat 1")


def test_a_clip_while_the_camera_is_lost_holds_nothing_older_than_the_last_minutes(tmp_path: Path) -> None:
    """The buffer holds a minute."""
    appearance, folder = Appearance.default(), clips(tmp_path)
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    with clip_keeper(folder, appearance) as keeper:
        keeper.see(picture, Felt(), frames=9)
        keeper.passes(59)
        assert keeper.moments.flag("seat 1") == 1.0
        keeper.passes(3)
        with pytest.raises(PressError, match="expected pictures of the last minutes, got none"):
            keeper.moments.flag("seat 2")


def test_a_clip_of_a_displaced_table_holds_nothing_older_than_the_last_minutes(tmp_path: Path) -> None:
    appearance = Appearance.default()
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    with clip_keeper(clips(tmp_path), appearance) as keeper:
        keeper.see(picture, Felt(), frames=20)
        keeper.watcher.is_in_place = False
        for seconds, is_kept in ((50, True), (90, False)):
            keeper.moments.observe(Frame(k=99, t_ns=seconds * 10**9, image=picture), None, keeper.watcher)
            assert bool(keeper.buffer.frames_at(seconds * 10**9)) == is_kept
        with pytest.raises(PressError, match="expected pictures of the last minutes, got none"):
            keeper.moments.flag("seat 1")


def test_whoever_flags_again_and_again_displaces_no_clips_of_others(tmp_path: Path) -> None:
    appearance, folder = Appearance.default(), clips(tmp_path)
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    with clip_keeper(folder, appearance) as keeper:
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("seat 1")
        keeper.passes(PAUSE_S - 1)
        with pytest.raises(PressError, match="expected 10 s between two clips"):
            keeper.moments.flag("seat 1")
        keeper.moments.flag("seat 2")
        keeper.passes(1)
        keeper.moments.flag("seat 1")
    assert sorted(clip.by for clip in folder.clips()) == ["seat 1", "seat 1", "seat 2"]


def test_a_disk_that_takes_nothing_is_said_and_the_keeping_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    appearance, folder = Appearance.default(), clips(tmp_path)
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    (tmp_path / "clips").write_text("in the way")
    with caplog.at_level(logging.ERROR), clip_keeper(folder, appearance) as keeper:
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("seat 1")
        assert not keeper.kept_moment().is_saved
        assert caplog.text.count("expected to write the clip") == 1
        (tmp_path / "clips").unlink()
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("seat 1")
        assert keeper.kept_moment().is_saved
    assert len(folder.clips()) == 1


def test_a_disk_and_a_ring_that_hang_are_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for module, name in ((threads, "PATIENCE_S"), (clip_recorder, "PATIENCE_S"), (clip_recorder, "WRITING_S")):
        monkeypatch.setattr(module, name, 0.05)
    let_go, hung = threading.Event(), set[str]()

    def hang(*_: object, **__: object) -> None:
        hung.add(threading.current_thread().name)
        let_go.wait(PATIENCE_S)

    appearance, folder = Appearance.default(), clips(tmp_path)
    monkeypatch.setattr(ClipFolder, "prune", hang)
    with clip_keeper(folder, appearance) as keeper:
        image = Renderer(appearance).render(Scene())
        keeper.see(image, Felt())
        wait_for(lambda: "clips" in hung)
        monkeypatch.setattr(keeper.buffer, "add", hang)
        for number in range(1, 3):
            keeper.moments.observe(Frame(k=number, t_ns=number * STEP_NS, image=image), None, keeper.watcher)
            wait_for(lambda: "ring" in hung)
    let_go.set()
    stuck = "expected the thread {} to end within 0.05 s, got none: it is left behind"
    assert caplog.messages == [stuck.format("ring"), stuck.format("clips")]
