from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table import library
from table.appliance.table_server import phone_photos
from table.cli.main import main
from table.cli.picture_commands import read as read_command
from tests.contracts import assert_keeps
from vision.arrays import Floats
from vision.art import draw_face
from vision.art.face_sheet import picture
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.layout import Discard, Layout
from vision.cameras.synthetic.scene import Scene
from vision.confidence import MARK_BELOW
from vision.photo import overlay
from vision.photo.files import photo_file

FACES = ("1m", "5p", "9s", "3z")


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Four drawn tiles on a green cloth."""
    picture = np.full((400, 640, 3), (60, 110, 40), np.uint8)
    for index, face in enumerate(FACES):
        tile = draw_face(face, 90, 120)
        left = 60 + index * 140
        cv2.rectangle(picture, (left, 140), (left + 89, 259), (225, 240, 245), cv2.FILLED)
        cover = tile[:, :, 3:].astype(np.float32) / 255
        place = picture[140:260, left : left + 90]
        place[:] = (place * (1 - cover) + tile[:, :, :3] * cover).astype(np.uint8)
    path = tmp_path / "tiles.png"
    cv2.imwrite(str(path), picture)
    return path


def test_json_keeps_the_contract_and_names_the_tiles(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(photo)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    read = json.loads(line)
    assert_keeps("read", read)
    assert read["image"] == str(photo)
    assert [tile["tile"] for tile in read["tiles"]] == list(FACES)


@pytest.fixture
def table_photo(tmp_path: Path) -> Path:
    """Four rivers on a table."""
    appearance = Appearance(width_px=900, height_px=900, camera_y_mm=-450, covered_mm=1000)
    layout = Layout(appearance=appearance, untidiness=0.0)
    rivers = ("1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s", "5p 8m 1s 4z 6p")
    tiles = [
        tile
        for side, faces in enumerate(rivers)
        for tile in layout.river(side, [Discard(face=face) for face in faces.split()])
    ]
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), Renderer(appearance).render(Scene(tiles=tuple(tiles))))
    return path


def test_the_library_and_a_phones_photo_find_the_table_as_the_command_does(
    table_photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", str(table_photo)]) == 0
    answer = json.loads(capsys.readouterr().out)
    read = library.read_photo(table_photo)
    assert read.table is not None
    assert read.table.by == answer["table"]["by"] == "felt"
    names = [tile["tile"] for tile in answer["tiles"]]
    assert [tile.tile for tile in read.tiles] == names
    assert [face.tile for face in phone_photos().faces(table_photo.read_bytes())] == names


def test_drawings_of_several_pictures_need_a_folder(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jpg"
    out.write_text("mine")
    assert main(["read", str(photo), str(photo), "--overlay", str(out)]) == 1
    expected = f"expected a folder for the drawings of several pictures, got a file: {out}"
    assert capsys.readouterr() == ("", f"tachiai read: {expected}\n")
    assert out.read_text() == "mine"
    link = tmp_path / "link"
    link.symlink_to("nowhere")
    assert main(["read", str(photo), str(photo), "--overlay", str(link)]) == 1
    assert capsys.readouterr().err.endswith(f"got a link that leads nowhere: {link}\n")
    other = tmp_path / "other.png"
    assert main(["read", str(photo), str(photo), "--overlay", str(other)]) == 1
    expected = f"expected a folder for the drawings of several pictures, got a picture's name: {other}"
    assert capsys.readouterr() == ("", f"tachiai read: {expected}\n")
    assert not other.exists()


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("out", "expected a picture file to write such as out.jpg, got"),
        ("out.txt", "expected a picture file to write such as out.jpg, got"),
        (".jpg", "expected a picture file to write such as out.jpg, got"),
        ("out.pgm", "expected a picture file in colour to write such as out.jpg, got one in grey:"),
        ("out.PBM", "expected a picture file in colour to write such as out.jpg, got one in grey:"),
    ],
)
def test_a_drawing_whose_name_is_no_colour_picture_s_is_refused_before_any_photo_is_read(
    photo: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name: str, got: str
) -> None:
    monkeypatch.setattr(read_command, "given_photo", lambda name: pytest.fail("a photo was read"))
    out = photo.with_name(name)
    assert main(["read", str(photo), "--overlay", str(out)]) == 1
    assert capfd.readouterr() == ("", f"tachiai read: {got} {out}\n")
    assert not out.exists()


def test_a_drawing_s_name_need_not_be_utf_8(photo: Path) -> None:
    out = photo.with_name(os.fsdecode(b"drawn\xff.png"))
    assert main(["read", str(photo), "--overlay", str(out)]) == 0
    assert out.is_file()


def test_the_drawing_of_one_picture_is_written_into_a_folder_that_is_there(photo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "drawn.jpg"
    folder.mkdir()
    assert main(["read", str(photo), "--overlay", str(folder)]) == 0
    assert [path.name for path in folder.iterdir()] == [f"{photo.stem}-read.jpg"]


def test_drawings_of_several_pictures_may_be_in_a_folder_that_is_named_like_a_suffix(
    photo: Path, tmp_path: Path
) -> None:
    assert main(["read", str(photo), str(photo), "--overlay", str(tmp_path / ".png")]) == 0
    assert [path.name for path in (tmp_path / ".png").iterdir()] == [f"{photo.stem}-read.jpg"]


def test_the_overlay_shows_what_was_understood(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jpg"
    assert main(["read", str(photo), "--overlay", str(out)]) == 0
    drawn = cv2.imread(str(out))
    assert drawn is not None
    assert drawn.shape == (400, 640, 3)
    changed = np.abs(drawn.astype(int) - cv2.imread(str(photo)).astype(int)).max(axis=2) > 60  # type: ignore[union-attr]
    assert changed.mean() > 0.005


def test_a_file_that_is_no_picture_costs_only_itself(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    poem = tmp_path / "poem.jpg"
    poem.write_text("old pond, a frog jumps in")
    assert main(["read", "--json", str(poem), str(photo)]) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert "expected a JPEG, PNG or other picture" in captured.err
    assert str(poem) in captured.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--corners", "1,2,3", "--side-mm", "600"], "--corners: expected eight numbers"),
        (["--corners", "0,0,9,0,9,9,0,nine", "--side-mm", "600"], "--corners: expected eight numbers"),
        (["--corners", "0,0,1,1,2,2,3,3"], "expected the corners far left, far right, near right, near left"),
        (["--corners", "9,0,0,0,0,9,9,9"], "expected the corners far left, far right, near right, near left"),
        (["--corners", "0,0,9,9,9,0,0,9"], "expected the corners far left, far right, near right, near left"),
    ],
    ids=["three", "no number", "a line", "mirrored", "crossed"],
)
@pytest.mark.parametrize("command", [["read", "none.jpg"], ["scan", "none.jpg"], ["calibrate", "--config", "none"]])
def test_corners_that_no_table_has_are_wrong_use_whatever_lies_on_the_disk(
    command: list[str], options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = options[:2] if command[0] == "calibrate" else options
    with pytest.raises(SystemExit) as stopped:
        main([*command, *flags])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_a_corner_left_of_the_picture_needs_no_equals_sign(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(photo), "--corners", "-9,-9,640,0,640,400,-9.5,400", "--side-mm", "600"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", [["read", "none.jpg"], ["scan", "none.jpg", "--out", "none/home.tileset"]])
def test_corners_without_the_side_between_them_are_wrong_use(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--corners", "0,0,9,0,9,9,0,9"]) == 2
    assert "expected --corners and --side-mm together" in capsys.readouterr().err


def test_a_fifth_copy_of_a_face_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "five.png"
    cv2.imwrite(str(path), picture([["1p"] * 5, ["7z"] * 2]))
    assert main(["read", str(path)]) == 0
    answer = capsys.readouterr().out
    assert "surplus: tile 1, 1p: more copies than one set has" in answer
    assert "1:1p? 2:1p? 3:1p? 4:1p? 5:1p? 7z 7z" in answer
    assert "7z:" not in answer


def test_what_is_remarked_about_a_tile_is_found_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "five.png", tmp_path / "out.png"
    cv2.imwrite(str(path), picture([["1p"] * 5, ["7z"] * 2]))
    labels: list[str] = []
    monkeypatch.setattr(overlay, "_label", lambda *place: labels.append(place[2]))
    assert main(["read", "--json", str(path), "--overlay", str(out)]) == 0
    read = json.loads(capsys.readouterr().out)
    assert_keeps("read", read)
    assert [tile["number"] for tile in read["tiles"]] == list(range(1, len(read["tiles"]) + 1))
    assert [remark["number"] for remark in read["remarks"]] == [1, 2, 3, 4, 5]
    for remark in read["remarks"]:
        (tile,) = [tile for tile in read["tiles"] if tile["number"] == remark["number"]]
        assert (tile["tile"], tile["score"], remark["outcome"]) == (remark["tile"], remark["chance"], "surplus")
        assert tile["score"] < MARK_BELOW
        assert f"{remark['number']}: {tile['tile']} {100 * tile['score']:.0f}" in labels


def test_a_picture_may_come_by_standard_input(
    photo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(photo.read_bytes())))
    assert main(["read", "--json", "-"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["image"], [tile["tile"] for tile in read["tiles"]]) == ("-", list(FACES))


def test_every_message_names_its_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flat, table = tmp_path / "flat.png", tmp_path / "table.png"
    cv2.imwrite(str(flat), np.zeros((3, 400, 3), np.uint8))
    cv2.imwrite(str(table), np.zeros((90, 90, 3), np.uint8))
    corners = ["--corners", "9,9,10,9,10,10,9,10", "--side-mm", "600"]
    assert main(["read", str(flat), str(table), *corners]) == 1
    about_flat, about_table = capsys.readouterr().err.splitlines()
    assert about_flat.endswith(f"got 400 x 3, at {flat}")
    assert about_table.endswith(f", at {table}")


def test_a_picture_that_is_shrunk_is_told_in_its_own_pixels(
    table_photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*more: str) -> Any:
        assert main(["read", "--json", *more]) == 0
        return json.loads(capsys.readouterr().out)

    large, out = tmp_path / "large.png", tmp_path / "out.png"
    picture = cv2.imread(str(table_photo))
    assert picture is not None
    cv2.imwrite(str(large), picture.repeat(2, axis=0).repeat(2, axis=1))
    whole_reading = read(str(table_photo))
    monkeypatch.setattr(photo_file, "MOST_PIXELS", 900 * 900)
    monkeypatch.setattr(photo_file, "ENOUGH_PIXELS", 900 * 900)
    found = read(str(large), "--overlay", str(out))
    corners, side = np.array(found["table"]["corners"]), str(found["table"]["side_mm"])
    large_reading = read(str(large), "--corners", _corners_text(corners), "--side-mm", side)
    whole_with_corners = read(
        str(table_photo), "--corners", _corners_text((corners + 0.5) / 2 - 0.5), "--side-mm", side
    )
    assert cv2.imread(str(out)).shape == (900, 900, 3)  # type: ignore[union-attr]
    for shrunk, whole in ((found, whole_reading), (large_reading, whole_with_corners)):
        assert len(shrunk["tiles"]) > 15
        assert [tile["tile"] for tile in shrunk["tiles"]] == [tile["tile"] for tile in whole["tiles"]]
        for tile, other in zip(shrunk["tiles"], whole["tiles"], strict=True):
            assert np.abs(np.array(tile["quad"]) - (np.array(other["quad"]) * 2 + 0.5)).max() < 3


def test_fives_in_a_grey_picture_are_told_as_doubts_with_both_readings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), cv2.cvtColor(picture([["4p", "5p", "6p", "7p", "0p", "8p"]]), cv2.COLOR_BGR2GRAY))
    assert main(["read", "--json", str(path)]) == 0
    read = json.loads(capsys.readouterr().out)
    assert_keeps("read", read)
    doubts = [tile for tile in read["tiles"] if tile["score"] < MARK_BELOW]
    assert len(read["tiles"]) == 6
    assert [tile["number"] for tile in doubts] == [2, 5]
    for tile in doubts:
        assert {tile["tile"], tile["alternatives"][0][0]} == {"5p", "0p"}


@pytest.mark.parametrize(("length", "is_told"), [(16000, True), (1600, False)])
def test_a_panorama_of_which_too_little_is_read_is_to_be_cut_up(
    length: int, is_told: bool, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "panorama.png"
    tiles = cv2.imread(str(photo))
    assert tiles is not None
    picture = np.full((400, length, 3), (60, 110, 40), np.uint8)
    picture[100:300, -320:] = tiles[::2, ::2]
    cv2.imwrite(str(path), picture)
    assert main(["read", "--json", str(path)]) == 0
    advice = f"a picture of {length} x 400 pixels shows too little when read whole: cut it into parts, and read these"
    assert capsys.readouterr().err == (f"tachiai read: {advice}, at {path}\n" if is_told else "")


def _corners_text(corners: Floats) -> str:
    return ",".join(str(number) for number in corners.ravel())
