from __future__ import annotations

import logging
import re
import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.cameras.recording_camera import RecordingCamera
from vision.errors import RecordingError
from vision.frames import Camera
from vision.geometry.plane_geometry import Lens, TileSize
from vision.recording.recording import Recording, RecordingWriter, as_jpeg
from vision.recording.recording_settings import Settings, TableSettings, format_settings, parse_settings

WHOLE = """
format = 1
fps = 12.5
[table]
side_mm = 700
corners_px = [[100, 90], [900, 95.5], [980, 900], [20, 890]]
[camera]
matrix = [[800, 0, 500], [0, 800, 480], [0, 0, 1]]
distortion = [0.1, -0.02, 0, 0, 0]
[tiles]
width_mm = 21
height_mm = 28
depth_mm = 16.5
red = { m = 1, p = 2, s = 1 }
[game]
dealer_seat = 2
round = "S3"
honba = 1
deposits = 2
scores = [25000, 24000, 26000, 23000]
ruleset = "wrc-2025"
"""


def picture(level: int, *, width: int = 64, height: int = 48) -> Image:
    return np.full((height, width, 3), level, dtype=np.uint8)


def write_recording(path: Path, *, levels: list[int], fps: float = 10) -> Path:
    with RecordingWriter(path, Settings(fps=fps)) as writer:
        for level in levels:
            writer.add(picture(level))
    return path


@pytest.mark.parametrize("name", ["frames/000000.jpg", "frames.jsonl", "presses.jsonl", "truth.mjson"])
def test_a_full_disk_names_the_file_of_the_recording(tmp_path: Path, name: str) -> None:
    writer = RecordingWriter(tmp_path / "recording", Settings(fps=10))
    (writer.path / name).symlink_to("/dev/full")
    writes = {
        "presses.jsonl": lambda: writer.add_press({"frame": 0}),
        "truth.mjson": lambda: writer.add_truth({"frame": 0}),
    }
    with pytest.raises(OSError, match="No space left") as full_disk:
        writes.get(name, lambda: writer.add(picture(0), t_ns=0))()
    assert full_disk.value.filename == str(writer.path / name)


def test_a_recording_that_is_given_up_takes_the_folders_made_for_it_away_again(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), RecordingWriter(tmp_path / "new" / "recording", Settings(fps=10)):
        raise OSError("full")
    assert list(tmp_path.iterdir()) == []


def test_every_key_of_the_settings_is_read() -> None:
    settings = parse_settings(WHOLE)
    assert settings.fps == 12.5
    assert settings.table.side_mm == 700
    assert settings.table.corners_px == ((100.0, 90.0), (900.0, 95.5), (980.0, 900.0), (20.0, 890.0))
    assert settings.lens is not None
    assert settings.lens.matrix[0, 2] == 500
    assert settings.lens.distortion.tolist() == [0.1, -0.02, 0, 0, 0]
    assert settings.tiles == TileSize(width_mm=21, height_mm=28, depth_mm=16.5)
    assert settings.red == {"m": 1, "p": 2, "s": 1}
    assert settings.game == {
        "dealer_seat": 2,
        "round": "S3",
        "honba": 1,
        "deposits": 2,
        "scores": [25000, 24000, 26000, 23000],
        "ruleset": "wrc-2025",
    }


def test_a_lens_without_distortion_is_one_that_bends_nothing() -> None:
    settings = parse_settings("format = 1\nfps = 5\n[camera]\nmatrix = [[800, 0, 500], [0, 800, 480], [0, 0, 1]]\n")
    assert settings.lens is not None
    assert settings.lens.distortion.tolist() == [0] * 5


def test_settings_survive_their_text() -> None:
    text = format_settings(parse_settings(WHOLE))
    assert format_settings(parse_settings(text)) == text
    assert parse_settings(text).game == parse_settings(WHOLE).game


def test_only_format_and_fps_must_be_given() -> None:
    settings = parse_settings("format = 1\nfps = 10")
    assert settings.table.corners_px is None
    assert settings.lens is None
    assert settings.tiles == TileSize()
    assert settings.red == {"m": 1, "p": 1, "s": 1}
    assert settings.game == {}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "side_mm",
            "side_m",
            "line 5: table.side_m: expected one of side_mm, corners_px, got 'side_m'; did you mean 'side_mm'",
        ),
        ("fps", "pfs", "did you mean 'fps'"),
        ("format = 1", "format = 2", "line 2: format: expected 1, got 2"),
        ("fps = 12.5", "fps = 0", "line 3: fps: expected a number from 0.01 to 1000, got 0"),
        ("fps = 12.5", "fps = 1e-300", "line 3: fps: expected a number from 0.01 to 1000, got 1e-300"),
        ("fps = 12.5", f"fps = 1{'0' * 400}", "line 3: fps: expected a number from 0.01 to 1000, got (a number of 401"),
        ("side_mm = 700", "side_mm = 0.72", "line 5: table.side_mm: expected a number from 300 to 1500, got 0.72"),
        ("side_mm = 700", "side_mm = 72.0", "line 5: table.side_mm: expected a number from 300 to 1500, got 72.0"),
        ("side_mm = 700", "side_mm = 720000.0", "table.side_mm: expected a number from 300 to 1500, got 720000.0"),
        ("width_mm = 21", "width_mm = 1e-300", "tiles.width_mm: expected a number from 10 to 60, got 1e-300"),
        ("width_mm = 21", "width_mm = 2.0", "tiles.width_mm: expected a number from 10 to 60, got 2.0"),
        ("height_mm = 28", "height_mm = 1e9", "tiles.height_mm: expected a number from 12 to 80, got 1000000000.0"),
        ("depth_mm = 16.5", "depth_mm = 0.0165", "tiles.depth_mm: expected a number from 5 to 50, got 0.0165"),
        ("honba = 1", "honba = 100000", "game.honba: expected a whole number from 0 to 10000, got 100000"),
        ("23000]", f"1{'0' * 15}]", "game.scores: expected four whole numbers up to 10,000,000, by seat"),
        ("[20, 890]", "[20]", "line 6: table.corners_px: expected four corners"),
        (", [20, 890]]", "]", "line 6: table.corners_px: expected four corners"),
        (
            "distortion = [0.1, -0.02, 0, 0, 0]",
            "distortion = [0.1]",
            "camera.distortion: expected 4, 5, 8, 12 or 14 numbers up to 1000, got",
        ),
        ("[0, 0, 1]]", "[0, 0]]", "camera.matrix: expected three rows"),
        ("[[800,", "[[1e300,", "camera.matrix: expected three rows of three numbers"),
        ("[[800,", "[[1e-9,", "camera.matrix: expected three rows of three numbers"),
        ("[0.1, -0.02", "[1e18, -0.02", "camera.distortion: expected 4, 5, 8, 12 or 14 numbers up to 1000, got"),
        ("height_mm = 28", "height_mm = 20", "0 < width < height"),
        ("p = 2", "p = 5", "tiles.red.p: expected a whole number from 0 to 4, got 5"),
        ("p = 2", "z = 2", "tiles.red.z: expected one of m, p, s, got 'z'"),
        ('"S3"', '"S5"', "line 17: game.round: expected a wind and a number"),
        ("dealer_seat = 2", "dealer_seat = 4", "dealer_seat: expected a whole number from 0 to 3, got 4"),
        ("23000]", "]", "game.scores: expected four whole numbers"),
        ("23000]", "0.5]", "game.scores: expected four whole numbers"),
        ("fps = 12.5", "fps = ", "expected a TOML file, got: Invalid value (at line 3"),
        ("dealer_seat", "dealer", "did you mean 'dealer_seat'"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(old: str, new: str, problem: str) -> None:
    assert WHOLE.count(old) == 1
    with pytest.raises(RecordingError, match=r"recording\.toml") as refusal:
        parse_settings(WHOLE.replace(old, new))
    assert problem in str(refusal.value)


def test_distortion_without_a_matrix_is_refused() -> None:
    with pytest.raises(RecordingError, match="line 3: camera: expected a matrix where distortion is given, got none"):
        parse_settings("format = 1\nfps = 10\n[camera]\ndistortion = [0, 0, 0, 0]")


def test_a_written_recording_is_read_back(tmp_path: Path) -> None:
    settings = Settings(
        fps=5,
        table=TableSettings(side_mm=650, corners_px=((1, 2), (60, 2), (60, 40), (1, 40))),
        lens=Lens(matrix=np.diag([90.0, 90, 1]), distortion=np.zeros(4)),
        game={"round": "E1", "scores": [25000] * 4},
    )
    with RecordingWriter(tmp_path / "one", settings) as writer:
        for level in (10, 100, 200):
            writer.add(picture(level))
        writer.add_press({"frame": 2, "press": "ron", "seat": 1})
        writer.add_truth({"frame": 1, "type": "dahai", "actor": 0})
    recording = Recording.open(tmp_path / "one")
    assert recording.settings.game == settings.game
    assert recording.settings.table == settings.table
    assert [(file.k, file.t_ns) for file in recording.frames] == [(0, 0), (1, 200_000_000), (2, 400_000_000)]
    assert recording.presses == ({"frame": 2, "press": "ron", "seat": 1},)
    assert recording.read_truth() == ({"frame": 1, "type": "dahai", "actor": 0},)
    frames = list(RecordingCamera(recording).frames())
    assert [round(float(frame.image.mean())) for frame in frames] == [10, 100, 200]


def test_a_recording_without_presses_and_truth_has_none(tmp_path: Path) -> None:
    recording = Recording.open(write_recording(tmp_path / "bare", levels=[1]))
    assert recording.presses == ()
    assert recording.read_truth() is None


def test_the_place_of_a_press_is_its_line_in_the_file(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "pressed", levels=[1])
    (path / "presses.jsonl").write_text('\n{"frame": 0, "press": "draw"}\n\n{"frame": 1, "press": "confirm"}\n')
    assert Recording.open(path).press_places == tuple(f"{path / 'presses.jsonl'} line {n}" for n in (2, 4))


@pytest.mark.parametrize("sign", ["\u2028", "\x85"])
def test_a_sign_in_a_text_ends_no_line(sign: str, tmp_path: Path) -> None:
    path = write_recording(tmp_path / "pressed", levels=[1])
    (path / "presses.jsonl").write_text(f'{{"frame": 0, "reason": "a{sign}b"}}\r\n{{"frame": 1}}\n', encoding="utf-8")
    assert [press.get("reason") for press in Recording.open(path).presses] == [f"a{sign}b", None]


def test_frames_are_at_the_times_that_their_file_says(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "timed", levels=[1, 2, 3])
    (path / "frames.jsonl").write_text('{"k": 0, "t_ns": 50}\n{"k": 1, "t_ns": 70000000}\n')
    recording = Recording.open(path)
    assert [file.t_ns for file in recording.frames] == [50, 70_000_000, 170_000_000]


def test_written_times_are_read_back(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / "live", Settings(fps=10)) as writer:
        for t_ns in (7, 9, 30):
            writer.add(picture(1), t_ns=t_ns)
    assert [file.t_ns for file in Recording.open(tmp_path / "live").frames] == [7, 9, 30]


def test_time_does_not_run_backwards(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "back", levels=[1, 2])
    (path / "frames.jsonl").write_text('{"k": 0, "t_ns": 50}\n{"k": 1, "t_ns": 40}\n')
    with pytest.raises(RecordingError, match=r"than frame 0 at 50 ns, got 40, at .*frames\.jsonl line 2$"):
        Recording.open(path)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (0, 1, 0), (1, 0, 2)], ids=["repeated", "backward", "swapped"])
def test_frames_are_numbered_in_order_in_the_file_of_their_times(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    path = write_recording(tmp_path / "numbers", levels=[1, 2, 3])
    text = "".join(f'{{"k": {k}, "t_ns": {at * 100}}}\n' for at, k in enumerate(numbers))
    (path / "frames.jsonl").write_text(text)
    at = next(at for at in (1, 2) if numbers[at] <= numbers[at - 1])
    expected = f"expected a frame after frame {numbers[at - 1]}, got frame {numbers[at]}, at "
    with pytest.raises(RecordingError, match=rf"{expected}.*frames\.jsonl line {at + 1}$"):
        Recording.open(path)


def test_a_frame_without_a_time_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "untimed", levels=[1, 2])
    (path / "frames.jsonl").write_text('{"k": 0, "t_ns": 50}\n{"k": 1, "t_ns": "soon"}\n')
    with pytest.raises(RecordingError, match=r"'t_ns': a whole number from 0, got .*frames\.jsonl line 2$"):
        Recording.open(path)


def test_a_missing_frame_leaves_a_gap_in_the_numbers(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "gap", levels=[1, 2, 3])
    (path / "frames" / "000001.jpg").unlink()
    assert [(frame.k, frame.t_ns) for frame in RecordingCamera(Recording.open(path)).frames()] == [
        (0, 0),
        (2, 200_000_000),
    ]


@pytest.mark.parametrize("missing", range(1, 12))
def test_a_last_line_that_is_cut_off_is_skipped_also_inside_a_letter(
    tmp_path: Path, missing: int, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_recording(tmp_path / "cut", levels=[1])
    lines = '{"frame": 0, "press": "riichi", "seat": 0}\n{"frame": 0, "reason": "\u6771\u5357\U0001f004"}'
    (path / "presses.jsonl").write_bytes(lines.encode()[:-missing])
    assert [press["press"] for press in Recording.open(path).presses] == ["riichi"]
    assert "expected a whole JSON line" in caplog.text


def test_bytes_that_are_no_text_inside_of_a_line_are_refused(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "bad", levels=[1])
    (path / "presses.jsonl").write_bytes(b'{"frame": 0, "press": "\xe6\x9d"}\n')
    with pytest.raises(RecordingError, match="bytes that are not UTF-8 text"):
        Recording.open(path)


@pytest.mark.parametrize("name", ["presses.jsonl", "frames.jsonl"])
def test_a_line_that_is_no_object_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    path = write_recording(tmp_path / "bad", levels=[1])
    (path / name).write_text("[1]\n")
    with pytest.raises(RecordingError, match=rf"{name} line 1"):
        Recording.open(path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"frame": 1,', "expected one JSON object per line, got '{\"frame\": 1,'"),
        ('{"frame": 1, "press": "pass", "frame": 2}', "expected each key once, got 'frame' again"),
        ('{"frame": NaN, "press": "pass"}', "expected a finite number, got nan"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_with_its_reason(line: str, problem: str, tmp_path: Path) -> None:
    path = write_recording(tmp_path / "bad", levels=[1])
    (path / "presses.jsonl").write_text(f"{line}\n")
    with pytest.raises(RecordingError, match=re.escape(f"{problem}, at {path / 'presses.jsonl'} line 1")):
        Recording.open(path)


def test_the_truth_is_never_an_input_and_refused_only_where_it_is_asked_for(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "bad", levels=[1])
    (path / "truth.mjson").write_bytes(b'{"type":\xff')
    recording = Recording.open(path)
    assert len(recording.frames) == 1
    with pytest.raises(RecordingError, match=r"truth\.mjson"):
        recording.read_truth()


def test_a_press_without_a_frame_is_refused(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "bad", levels=[1])
    with RecordingWriter(tmp_path / "new", Settings(fps=1)) as writer, pytest.raises(RecordingError, match="'frame'"):
        writer.add_press({"press": "ron"})
    (path / "presses.jsonl").write_text('{"press": "ron"}\n')
    with pytest.raises(RecordingError, match="'frame'"):
        Recording.open(path)


def test_a_last_line_cut_short_by_a_power_failure_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_recording(tmp_path / "cut", levels=[1])
    (path / "presses.jsonl").write_text('{"frame": 0, "press": "draw"}\n{"frame": 0, "pre')
    with caplog.at_level(logging.WARNING):
        assert len(Recording.open(path).presses) == 1
    assert "presses.jsonl line 2" in caplog.text


def test_a_folder_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"recording\.toml"):
        Recording.open(tmp_path)
    (tmp_path / "recording.toml").write_text("format = 1\nfps = 1\n")
    with pytest.raises(RecordingError, match="folder of pictures"):
        Recording.open(tmp_path)
    (tmp_path / "frames").mkdir()
    with pytest.raises(RecordingError, match=r"000000\.jpg"):
        Recording.open(tmp_path)


def test_a_recording_is_not_written_over(tmp_path: Path) -> None:
    write_recording(tmp_path / "one", levels=[1])
    with pytest.raises(RecordingError, match="expected a new folder"):
        RecordingWriter(tmp_path / "one", Settings(fps=1))


def test_pictures_that_lie_there_already_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine" / "frames").mkdir(parents=True)
    (tmp_path / "mine" / "frames" / "000000.jpg").write_bytes(b"mine")
    with pytest.raises(RecordingError, match="expected a new folder, got one with pictures in it"):
        RecordingWriter(tmp_path / "mine", Settings(fps=1))
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["frames"]


def test_a_folder_with_other_things_is_no_place_for_a_recording(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RecordingError, match=r"expected a new folder, got one with notes\.txt in it"):
        RecordingWriter(tmp_path, Settings(fps=1))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_recording_that_an_error_ends_takes_away_what_it_wrote_and_nothing_else(tmp_path: Path) -> None:
    def film(path: Path) -> None:
        with RecordingWriter(path, Settings(fps=1)) as writer:
            writer.add_jpeg(b"one", t_ns=0)
            writer.add_press({"frame": 0, "press": "confirm"})
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        film(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / ".hidden").write_text("mine")
    with pytest.raises(OSError, match="No space left"):
        film(tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [".hidden"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(OSError, match="No space left"):
        film(tmp_path / "empty")
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_recording_may_keep_its_pictures_whatever_ends_it(tmp_path: Path) -> None:
    def film(path: Path, pictures: int, error: BaseException) -> None:
        with RecordingWriter(path, Settings(fps=1), keeps_pictures=True) as writer:
            writer.attach("rules.toml", "")
            for _ in range(pictures):
                writer.add(np.zeros((8, 8, 3), np.uint8), t_ns=writer.count * 1000)
            raise error

    for name, error in (
        ("full", OSError(28, "No space left")),
        ("bug", ZeroDivisionError()),
        ("c", KeyboardInterrupt()),
    ):
        with pytest.raises(type(error)):
            film(tmp_path / name, 2, error)
        assert [frame.t_ns for frame in Recording.open(tmp_path / name).frames] == [0, 1000]
        with pytest.raises(type(error)):
            film(tmp_path / "none", 0, error)
        assert not (tmp_path / "none").exists()


def test_what_cannot_be_written_whole_is_no_part_of_the_recording(tmp_path: Path) -> None:
    """The disk is full in the middle of a picture, or of the line with its time."""
    jpeg = as_jpeg(np.zeros((8, 8, 3), np.uint8))
    for name in ("picture", "time"):
        path = tmp_path / name
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        with RecordingWriter(path, Settings(fps=1)) as writer:
            writer.add_jpeg(jpeg, t_ns=0)
            lines = (path / "frames.jsonl").read_text()
            try:
                resource.setrlimit(
                    resource.RLIMIT_FSIZE, (len(jpeg) // 2 if name == "picture" else len(lines) + 5, before[1])
                )
                with pytest.raises(OSError, match="File too large"):
                    writer.add_jpeg(jpeg if name == "picture" else b"x", t_ns=1000)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            assert [each.name for each in (path / "frames").iterdir()] == ["000000.jpg"]
            assert (path / "frames.jsonl").read_text() == lines
            assert writer.add_jpeg(jpeg, t_ns=1000) == 1
        assert len(Recording.open(path).frames) == 2


def test_a_missing_picture_and_a_press_after_the_last_one_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_recording(tmp_path / "gap", levels=[1, 2, 3, 4])
    (path / "presses.jsonl").write_text('{"frame": 3, "press": "draw"}\n')
    Recording.open(path)
    assert caplog.messages == []
    (path / "frames" / "000001.jpg").unlink()
    (path / "presses.jsonl").write_text('{"frame": 3, "press": "draw"}\n{"frame": 9, "press": "confirm"}\n')
    assert [frame.k for frame in Recording.open(path).frames] == [0, 2, 3]
    assert [message.split(", in ")[0].split(", at ")[0] for message in caplog.messages] == [
        "expected every picture up to number 3, got none for 1, the first of them 1",
        "expected a press at frame 3 at most, got 9",
    ]
    assert "presses.jsonl line 2: taken at the end" in caplog.text


def test_missing_pictures_at_the_beginning_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_recording(tmp_path / "gap", levels=[1, 2, 3, 4])
    for k in (0, 2):
        (path / "frames" / f"00000{k}.jpg").unlink()
    assert [frame.k for frame in Recording.open(path).frames] == [1, 3]
    assert caplog.messages[0].startswith("expected every picture up to number 3, got none for 2, the first of them 0,")


def test_two_pictures_of_one_frame_are_both_named(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "twice", levels=[1, 2])
    (path / "frames" / "000001.png").write_bytes(b"another")
    with pytest.raises(RecordingError, match=r"expected one picture of frame 1, got 000001\.jpg and 000001\.png, in "):
        Recording.open(path)


def test_damaged_and_wrong_sized_pictures_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_recording(tmp_path / "hurt", levels=[10, 20, 30, 40, 50, 60])
    whole = (path / "frames" / "000001.jpg").read_bytes()
    (path / "frames" / "000001.jpg").write_bytes(whole[: len(whole) // 2])
    (path / "frames" / "000002.jpg").write_bytes(b"")
    (path / "frames" / "000003.jpg").write_bytes(cv2.imencode(".jpg", picture(9, width=32))[1].tobytes())
    (path / "frames" / "000004.jpg").write_bytes(whole[:-40] + bytes(20) + whole[-20:])
    with caplog.at_level(logging.WARNING):
        assert [frame.k for frame in RecordingCamera(Recording.open(path)).frames()] == [0, 5]
    assert caplog.text.count("skipped") == 4


def test_a_picture_that_cannot_be_read_is_named_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_recording(tmp_path / "odd", levels=[10, 20, 30])
    (path / "frames" / "000001.jpg").unlink()
    (path / "frames" / "000001.jpg").mkdir()
    with caplog.at_level(logging.WARNING):
        assert [frame.k for frame in RecordingCamera(Recording.open(path)).frames()] == [0, 2]
    (message,) = caplog.messages
    assert message == f"expected a readable picture, got Is a directory, at {path / 'frames' / '000001.jpg'}: skipped"


def test_pictures_of_another_size_are_counted_in_one_sentence(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_recording(tmp_path / "half", levels=[10, 20, 30, 40, 50])
    for k in (3, 4):
        (path / "frames" / f"00000{k}.jpg").write_bytes(cv2.imencode(".jpg", picture(9, width=32))[1].tobytes())
    with caplog.at_level(logging.WARNING):
        assert len(list(RecordingCamera(Recording.open(path)).frames())) == 3
    first, total = caplog.messages
    assert "got 32 x " in first
    assert "000003.jpg: skipped" in first
    assert total.startswith("2 of 5 pictures were skipped, being of another size than the first, in ")


def test_a_closed_camera_gives_no_more(tmp_path: Path) -> None:
    recording = Recording.open(write_recording(tmp_path / "one", levels=[1, 2, 3]))
    with RecordingCamera(recording) as camera:
        assert isinstance(camera, Camera)
        stream = camera.frames()
        next(stream)
        camera.close()
        camera.close()
        assert list(stream) == []


def test_in_real_time_a_frame_waits_until_it_is_due(tmp_path: Path) -> None:
    recording = Recording.open(write_recording(tmp_path / "one", levels=[1, 2, 3], fps=10))
    clock, slept = [1_000], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += round(seconds * 1e9)

    camera = RecordingCamera(recording, real_time=True, now_ns=lambda: clock[0], sleep=sleep)
    for _ in camera.frames():
        clock[0] += 30_000_000
    assert slept == [pytest.approx(0.07), pytest.approx(0.07)]
