from __future__ import annotations

from pathlib import Path

import pytest

from table.config import ONLY_HERE, Config, load
from table.game.snapshot import Mode
from table.panel.gpio_panel import PinMap
from tests.config_schema import config_keys
from vision.geometry.plane_geometry import TileSize


def write_config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "tachiai.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file_and_an_empty_file_are_the_defaults(tmp_path: Path) -> None:
    assert load(None) == load(write_config(tmp_path, ""))
    assert load(None).config == Config()


def test_what_the_file_says_is_taken(tmp_path: Path) -> None:
    text = '[table]\nmode = "club"\nside_mm = 680\n[camera]\nsource = "picamera"\n[panel]\nkind = "gpio"\ntable = -1\n'
    loaded = load(write_config(tmp_path, text))
    assert loaded.problems == ()
    assert (loaded.config.mode, loaded.config.table.side_mm) == (Mode.CLUB, 680.0)
    assert (loaded.config.camera.source, loaded.config.panel.pins.table) == ("picamera", None)


def test_every_pin_and_measure_of_a_file_reaches_the_parts(tmp_path: Path) -> None:
    text = """[panel]
lights = [[27, 17, 22], [18, 23, 24], [10, 9, 11], [13, 19, 26]]
win = [20, 21, 12, 16]
foul = [5, 6, 7, 8]
table = 2
buzzer = 4
common_anode = true
[tiles]
width_mm = 21
height_mm = 28
depth_mm = 17
"""
    loaded = load(write_config(tmp_path, text))
    assert loaded.problems == ()
    assert loaded.config.panel.pins == PinMap(
        lights=((27, 17, 22), (18, 23, 24), (10, 9, 11), (13, 19, 26)),
        win=(20, 21, 12, 16),
        foul=(5, 6, 7, 8),
        table=2,
        buzzer=4,
        common_anode=True,
    )
    assert loaded.config.tiles.size == TileSize(width_mm=21, height_mm=28, depth_mm=17)
    assert load(write_config(tmp_path, "[panel]\nbuzzer = -1\n")).config.panel.pins.buzzer is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[camera]\n\nfps = 0\n", "line 3: camera.fps: expected a number from 1 to 60, got 0"),
        ("[camera]\nfps = true\n", "line 2: camera.fps: expected a number from 1 to 60, got True"),
        ("[page]\nport = 8000.5\n", "line 2: page.port: expected a whole number from 0 to 65535, got 8000.5"),
        (
            '[camera]\nsource = "picam"\n',
            "line 2: camera.source: expected one of none, picamera, usb, stream, video, recording, drawn, got 'picam'",
        ),
        (
            "[camera]\nk1 = 0.1\n",
            "line 1: camera.focal: expected a focal length above 0 where k1 or k2 is given, got 0.0",
        ),
        ("[table]\nname = 5\n", "line 2: table.name: expected a text in quotes, got 5"),
        ('[table]\nname = "a/b"\n', "line 2: table.name: expected 1 to 40 letters, digits, - and _, got 'a/b'"),
        ("[panel]\ncommon_anode = 1\n", "line 2: panel.common_anode: expected true or false, got 1"),
        ("[panel]\nwin = [1, 2]\n", "line 2: panel.win: expected four GPIO numbers, or an empty list, got [1, 2]"),
        (
            "[panel]\nlights = [[1, 2], [3], [4], [5]]\n",
            "line 2: panel.lights: expected four lists of three GPIO numbers, or an empty list, "
            "got [[1, 2], [3], [4], [5]]",
        ),
        (
            "[panel]\nusb_buttons = [1, 2, 3, 4, 5, 6, 7, 8, 8]\n",
            "line 2: panel.usb_buttons: expected nine different numbers from 1 to 32, or 0 for none, "
            "got [1, 2, 3, 4, 5, 6, 7, 8, 8]",
        ),
        ("[panel]\nbuzzer = 5\n", "line 1: panel: buzzer: expected a pin of its own, got GPIO 5 of win 0"),
        (
            "[panel]\nstrip_per_seat = 30\n",
            "line 1: panel: light 2 red: expected a pin that the strip leaves free (not GPIO 9, 10, 11), got GPIO 10; "
            "with a strip, lights = [] is usual",
        ),
        ("page = 5\n", "line 1: page: expected a table, got 5"),
        ("[mqtt]\npassword = 5\n", "line 2: mqtt.password: expected a text in quotes, got '…'"),
        ('[mqtt]\nuser = "a"\npassword = "b\\n"\n', "line 3: mqtt.password: expected a text in quotes, got '…'"),
        ('[mqtt]\npassword = "b"\n', "line 1: mqtt.user: expected a user where a password is given, got ''"),
        (
            '[mqtt]\nhost = "mqtt://broker"\n',
            "line 2: mqtt.host: expected a name or an address like 192.168.1.5, got 'mqtt://broker'",
        ),
        (
            '[mqtt]\nhost = "mqtt://user:secret@broker"\n',
            "line 2: mqtt.host: expected a name or an address like 192.168.1.5, got 'mqtt://broker'",
        ),
        (
            '[camera]\nsource = "rtsp://admin:secret@192.168.1.7/live"\n',
            "line 2: camera.source: expected one of none, picamera, usb, stream, video, recording, drawn, "
            "got 'rtsp://192.168.1.7/live'",
        ),
        (
            '[camera]\nsource = "video"\nfile = "rtsp://admin:secret@192.168.1.7/live?key=5"\n',
            "line 3: camera.file: expected a file, or an address with the source 'stream', "
            "got 'rtsp://192.168.1.7/live'",
        ),
        (
            '[mqtt]\ntopic = "tables/#"\n',
            "line 2: mqtt.topic: expected a topic like tachiai or house/tables, without + # $, got 'tables/#'",
        ),
        (
            '[mqtt]\ntopic = ""\n',
            "line 2: mqtt.topic: expected a topic like tachiai or house/tables, without + # $, got ''",
        ),
        (
            '[mqtt]\ndiscovery = "home/"\n',
            "line 2: mqtt.discovery: expected a topic like homeassistant, or an empty text, got 'home/'",
        ),
        (
            '[camera]\nsource = "video"\n',
            "line 1: camera.file: expected a file for the source 'video', got ''",
        ),
        (
            '[camera]\nsource = "stream"\naddress = "camera.local"\n',
            "line 3: camera.address: expected an address like rtsp://… or http://… for the source 'stream'",
        ),
        ("[panel]\ntable = 0\n", "line 1: panel: table: expected a GPIO number from 2 to 27, got 0"),
        ("[tiles]\nwidth_mm = 50\n", "line 2: tiles.width_mm: expected a width below height_mm, got 50.0"),
    ],
)
def test_a_mistake_is_told_with_file_line_key_value_and_what_is_allowed(
    tmp_path: Path, text: str, message: str
) -> None:
    path = write_config(tmp_path, text)
    (problem,) = load(path).problems
    assert problem.startswith(f"{path} {message}")


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    loaded = load(write_config(tmp_path, "\ufeff[camera]\nfps = 7\n"))
    assert (loaded.problems, loaded.config.camera.fps) == ((), 7)


def test_an_unknown_key_names_its_neighbour(tmp_path: Path) -> None:
    (problem,) = load(write_config(tmp_path, "[camera]\nfsp = 5\n")).problems
    assert problem.endswith("got 'fsp'; did you mean 'fps'?")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('name = "east"\n', "got 'name'; did you mean 'table.name'?"),
        ("port = 80\n", "got 'port'; did you mean 'page.port' or 'mqtt.port'?"),
        ('[camera]\nmode = "club"\n', "got 'mode'; did you mean 'table.mode'?"),
        ("[page]\ntls = true\n", "got 'tls'; did you mean 'page.tls_cert' or 'page.tls_key'?"),
    ],
)
def test_a_key_of_another_section_names_that_section(tmp_path: Path, text: str, hint: str) -> None:
    (problem,) = load(write_config(tmp_path, text)).problems
    assert problem.endswith(hint)


def test_every_mistake_is_told_at_once_and_the_table_is_kept_by_hand(tmp_path: Path) -> None:
    text = '[table]\nmode = "club"\nname = 3\n[camera]\nsource = "usb"\nfps = 0\n[panel]\nkind = "gpio"\n'
    loaded = load(write_config(tmp_path, text))
    assert len(loaded.problems) == 2
    assert loaded.config.mode is Mode.CLUB
    assert (loaded.config.camera.source, loaded.config.panel.kind) == ("none", "none")


@pytest.mark.parametrize("text", ["[camera\n", "a = 1\na = 2\n"])
def test_what_is_no_toml_is_told_and_the_table_is_kept_by_hand(tmp_path: Path, text: str) -> None:
    loaded = load(write_config(tmp_path, text))
    assert "expected a TOML file, got:" in loaded.problems[0]
    assert "line" in loaded.problems[0]
    assert loaded.config == Config()


def test_an_absent_file_is_told(tmp_path: Path) -> None:
    assert "expected a TOML file" in load(tmp_path / "none.toml").problems[0]


@pytest.mark.parametrize("host", ["", "127.0.0.1 ", "http://0.0.0.0", "[::1]"])
def test_a_page_at_an_address_that_is_none_is_served_only_here(tmp_path: Path, host: str) -> None:
    loaded = load(write_config(tmp_path, f'[page]\nhost = "{host}"\ntls_cert = "a"\ntls_key = "b"\n'))
    assert loaded.problems[0].endswith(
        f"line 2: page.host: expected a name or an address like 0.0.0.0 or 127.0.0.1, got {host!r}"
    )
    assert loaded.problems[1:] == (ONLY_HERE,)
    assert (loaded.config.page.host, loaded.config.page.tls_cert) == ("127.0.0.1", "")


def test_every_key_has_one_name() -> None:
    names = list(config_keys())
    assert len(names) == len(set(names)) > 40


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 5000, "0x" + "f" * 4000, "1e999", "nan"])
@pytest.mark.parametrize("key", ["[camera]\nfps", "[page]\nport", "[table]\nname", "[panel]\nwin", "[table]\nruleset"])
def test_a_number_that_no_value_can_be_leaves_a_table_kept_by_hand(tmp_path: Path, key: str, number: str) -> None:
    loaded = load(write_config(tmp_path, f"{key} = {number}\n"))
    assert loaded.config == Config()
    (problem,) = loaded.problems
    assert ": expected " in problem
    assert len(problem) < 300
