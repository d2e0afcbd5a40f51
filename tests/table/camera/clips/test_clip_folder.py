from __future__ import annotations

import io
import json
import logging
import os
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from table.camera.clips.clip_folder import ClipFolder
from tests.table.camera.clips.recorded_clips import FRAMES, NOON, moment
from vision.recording.recording import Recording


def folder(path: Path, *, days: float = 14, most_bytes: int = 10**9) -> ClipFolder:
    return ClipFolder(path / "clips", days=days, most_bytes=most_bytes)


def test_a_clip_is_a_recording_with_what_was_believed(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    clip = clips.write(moment())
    assert (clip.name, clip.by, clip.seconds, clip.when) == ("20261121-120000", "seat 2", 2.0, NOON)
    recording = Recording.open(clips.path / clip.name)
    assert [frame.t_ns for frame in recording.frames] == [k * 250_000_000 for k in range(9)]
    assert recording.frames[3].path.read_bytes() == FRAMES[3].jpeg
    details = json.loads((clips.path / clip.name / "moment.json").read_text("utf-8"))
    assert (details["by"], details["when"], details["doubts"]) == (
        "seat 2",
        "2026-11-21T12:00:00+00:00",
        [{"lying": 4}],
    )
    assert (clips.path / clip.name / "crops" / "4.jpg").read_bytes() == b"tile"
    assert clips.clips() == (clip,)


def test_two_clips_of_one_second_are_two(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    assert [clips.write(moment()).name for _ in range(3)] == [
        "20261121-120000",
        "20261121-120000-2",
        "20261121-120000-3",
    ]
    assert len(clips.clips()) == 3


def test_old_clips_go_when_another_is_kept_and_by_themselves(tmp_path: Path) -> None:
    for days in (0, 1, 3):
        folder(tmp_path, days=2).write(moment(NOON + timedelta(days=days)))
    clips = folder(tmp_path, days=2)
    assert [clip.when.day for clip in clips.clips()] == [24, 22]
    clips.prune(NOON + timedelta(days=4))
    assert [clip.when.day for clip in clips.clips()] == [24]


def test_a_clock_that_is_set_makes_no_clip_of_this_run_older(tmp_path: Path) -> None:
    seconds = [0.0]
    clips = ClipFolder(tmp_path / "clips", days=14, most_bytes=10**9, seconds=lambda: seconds[0])
    before = clips.write(moment(NOON))
    seconds[0] += 60
    after = clips.write(moment(NOON - timedelta(days=20)))
    clips.prune(NOON + timedelta(days=20))
    assert clips.clips() == (after, before)
    seconds[0] += timedelta(days=15).total_seconds()
    clips.prune(NOON)
    assert clips.clips() == ()


def test_a_clip_of_a_clock_far_behind_ages_from_the_first_start_with_the_right_time(tmp_path: Path) -> None:
    def started(*, is_set: bool | None) -> ClipFolder:
        return ClipFolder(tmp_path / "clips", days=14, most_bytes=10**9, is_clock_set=lambda: is_set)

    behind = NOON - timedelta(days=60)
    kept = started(is_set=False).write(moment(behind))
    started(is_set=False).prune(behind + timedelta(days=20))
    for days in (0, 13):
        started(is_set=True).prune(NOON + timedelta(days=days))
        assert started(is_set=True).clips()[0].name == kept.name
    started(is_set=True).prune(NOON + timedelta(days=15))
    assert started(is_set=True).clips() == ()
    for is_set in (True, None):
        started(is_set=is_set).write(moment(behind))
        started(is_set=True).prune(NOON)
        assert started(is_set=True).clips() == (), "the date of a clock that was set, or of an unknown one, counts"


def test_the_oldest_go_where_all_take_too_much_but_never_the_newest(tmp_path: Path) -> None:
    size = folder(tmp_path / "one").write(moment()).size_bytes
    clips = folder(tmp_path, most_bytes=round(2.5 * size))
    for minutes in range(4):
        clips.write(moment(NOON + timedelta(minutes=minutes)))
    assert [clip.when.minute for clip in clips.clips()] == [3, 2]
    small = folder(tmp_path, most_bytes=10)
    small.prune(NOON)
    assert [clip.when.minute for clip in small.clips()] == [3]


def test_whoever_flags_again_and_again_displaces_only_their_own_clips(tmp_path: Path) -> None:
    size = folder(tmp_path / "one").write(moment()).size_bytes
    clips = folder(tmp_path, most_bytes=round(4.5 * size))
    clips.write(replace(moment(NOON), by="seat 0"))
    clips.write(replace(moment(NOON), by="owner"))
    for minutes in range(1, 20):
        clips.write(moment(NOON + timedelta(minutes=minutes)))
    assert [(clip.by, clip.when.minute) for clip in clips.clips()] == [
        ("seat 2", 19),
        ("seat 2", 18),
        ("owner", 0),
        ("seat 0", 0),
    ]


def test_a_clip_comes_as_one_zip_piece_by_piece(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    clip = clips.write(moment())
    pieces = clips.zipped(clip.name)
    assert pieces is not None
    chunks = list(pieces)
    assert max(map(len, chunks)) < clip.size_bytes
    archive = zipfile.ZipFile(io.BytesIO(b"".join(chunks)))
    assert archive.testzip() is None
    assert archive.read(f"{clip.name}/frames/000002.jpg") == FRAMES[2].jpeg
    assert f"{clip.name}/recording.toml" in archive.namelist()


def test_a_clip_of_a_clock_that_began_in_1970_comes_too(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    clip = clips.write(moment())
    for file in (tmp_path).rglob("*"):
        os.utime(file, (60, 60))
    pieces = clips.zipped(clip.name)
    assert pieces is not None
    assert zipfile.ZipFile(io.BytesIO(b"".join(pieces))).testzip() is None


@pytest.mark.parametrize(
    "name", ["20261121-120001", "..", ".", "", "../clips", "20261121-120000/frames", "moment.json"]
)
def test_names_of_no_clip_lead_nowhere(tmp_path: Path, name: str) -> None:
    clips = folder(tmp_path)
    clips.write(moment())
    assert clips.zipped(name) is None
    assert not clips.remove(name)
    assert len(clips.clips()) == 1


def test_a_clip_can_be_removed(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    clip = clips.write(moment())
    assert clips.remove(clip.name)
    assert clips.clips() == ()
    assert list(clips.path.iterdir()) == []


def test_what_the_disk_refuses_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clips, write = folder(tmp_path), Path.write_bytes
    clips.write(moment())

    def full(path: Path, data: bytes) -> int:
        if path.name == "000004.jpg":
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        clips.write(moment(NOON + timedelta(minutes=1)))
    assert [file.name for file in clips.path.iterdir()] == ["20261121-120000"]


def test_what_a_power_cut_left_of_a_clip_goes_when_another_is_kept(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    before = clips.write(moment())
    (clips.path / ".20261121-130000" / "frames").mkdir(parents=True)
    (clips.path / "20261121-130001-2").mkdir()
    (clips.path / "20261121-130001-2" / "moment.json").touch()
    (clips.path / "mine").mkdir()
    after = clips.write(moment())
    assert {path.name for path in clips.path.iterdir()} == {before.name, after.name, "mine"}


def test_a_clip_whose_time_has_no_zone_is_left_out(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    written = [clips.write(moment()) for _ in range(3)]
    file = clips.path / written[0].name / "moment.json"
    file.write_text(file.read_text("utf-8").replace("+00:00", ""), "utf-8")
    again = folder(tmp_path)
    assert {clip.name for clip in again.clips()} == {clip.name for clip in written[1:]}
    again.prune(NOON)


def test_a_folder_that_cannot_be_made_is_an_error_and_an_absent_one_is_empty(tmp_path: Path) -> None:
    clips = folder(tmp_path)
    assert clips.clips() == ()
    clips.prune(NOON)
    (tmp_path / "clips").write_text("in the way")
    with pytest.raises(OSError, match="clips"):
        clips.write(moment())
    assert clips.clips() == ()


def test_a_clip_without_its_moment_is_left_out_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clips = folder(tmp_path)
    clips.write(moment())
    (clips.path / "20261120-110000").mkdir()
    with caplog.at_level(logging.WARNING):
        assert len(clips.clips()) == 1
    assert "expected a clip, got" in caplog.text
