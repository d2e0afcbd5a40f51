"""`-` is standard input wherever a command reads a file, and standard output where it writes one."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import math
import os
import re
import shutil
import sys
import tarfile
import threading
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.cli.arguments.appliance_options import load_config
from table.cli.hall_commands.hall import broker_of
from table.cli.main import build_parser, main
from table.cli.streams import input_files
from table.cli.streams.input_files import as_file, recording_folder
from table.cli.streams.output_files import check_outputs, write_output
from table.game.journal.entries import Envelope, Source
from table.game.journal.journal import Journal
from table.records.format_detection import MOST_BYTES
from table.records.mjai.mjai_writer import write_mjai
from table.rules.events import TilePassed
from table.runtime.table_errors import ConfigError, JournalError, RecordError
from tests.places import RIICHI_TSUMO
from tests.table.records.selfplay import selfplay_game
from vision.art.face_sheet import in_rows, picture
from vision.atomic_files import LARGEST_TEXT
from vision.felt import FACES
from vision.geometry.markers import Paper, sheet_pdf
from vision.photo.files.photo_file import decode_photo
from vision.recording.recording_files import SETTINGS
from vision.tilesets import tileset

NO_DIFFERENCE = "home and house decide everything the same way\n"


class Terminal:
    """What lies on standard input, and what came out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def run(self, *words: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
        """The exit code, standard output and standard error."""
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main([str(word) for word in words])
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


def tar_of(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(folder, folder.name)
    return packed.getvalue()


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_is_an_empty_one(
    closed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python leaves out a stream that was closed (`2>&-`), and would print errors among the output, which is missed."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr(sys, closed, None)
    try:
        assert [main(["rules", "play"]), main(["score", "nothing"])] == [int(closed == "stdout"), 2]
        assert "nothing" not in capsys.readouterr().out
    finally:
        getattr(sys, closed).close()


def test_a_rule_set_is_imported_shown_compared_and_written(terminal: Terminal, tmp_path: Path) -> None:
    code, text, _ = terminal.run("rules", "export", "home", "-")
    assert (code, "-" in os.listdir(tmp_path)) == (0, False)
    house = text.replace('name = "home"', 'name = "house"', 1).encode()
    code, out, _ = terminal.run("rules", "import", "-", "--folder", tmp_path / "sets", stdin=house)
    assert (code, out.partition(":")[0]) == (0, "house")
    assert terminal.run("rules", "diff", "home", "-", stdin=house)[:2] == (0, NO_DIFFERENCE)
    assert terminal.run("rules", "show", "-", stdin=house)[1].startswith("house:\n")
    assert terminal.run("rules", "list", "--ruleset", "-", stdin=house)[1].startswith("house:\n")
    assert terminal.run("rules", "export", "-", stdin=house)[1].splitlines()[1:] == house.decode().splitlines()[1:]


def test_text_with_a_byte_order_mark_is_read_as_from_a_file(terminal: Terminal, tmp_path: Path) -> None:
    marked = "\ufeff0 discards 1m; 1 discards 2p\n".encode()
    (tmp_path / "hand.txt").write_bytes(marked)
    code, out, _ = terminal.run("rules", "play", "--json", "hand.txt")
    assert code == 0
    assert terminal.run("rules", "play", "--json", "-", stdin=marked)[:2] == (0, out)
    assert terminal.run("score", "-", "--riichi", stdin="\ufeff345m678p123789s11z\n".encode())[0] == 0


def test_rules_and_events_do_not_both_come_by_standard_input(terminal: Terminal) -> None:
    code, _, err = terminal.run("rules", "play", "--ruleset", "-")
    assert (code, "expected" in err) == (2, True)


def test_a_rule_set_by_the_name_of_standard_input_is_not_stored(terminal: Terminal, tmp_path: Path) -> None:
    content = b'format = 1\nname = "-"\nbase = "home"\n'
    code, _, err = terminal.run("rules", "import", "-", "--folder", tmp_path / "sets", stdin=content)
    assert (code, "got '-', which means standard input" in err) == (1, True)
    assert not (tmp_path / "sets").exists()


def test_records_on_standard_input_have_one_name_in_messages(terminal: Terminal) -> None:
    for content in (b'{"type": "start_game"}\n{"type": "dance"}\n', b"no record"):
        code, _, err = terminal.run("audit", "-", stdin=content)
        assert (code, err.startswith("tachiai audit: standard input")) == (1, True), err


def test_a_rule_set_on_standard_input_that_is_none_is_told(terminal: Terminal) -> None:
    for content in (b"\xff", b"name = 3", b""):
        code, _, err = terminal.run("rules", "import", "-", stdin=content)
        assert (code, err.startswith("tachiai rules: standard input")) == (1, True), err


def test_a_backup_is_restored(terminal: Terminal, tmp_path: Path) -> None:
    with Journal(tmp_path / "copy.db") as journal:
        for _ in range(3):
            journal.append(Envelope(utc="2026-01-01T20:00:00Z", source=Source.TABLE), TilePassed())
    copy = (tmp_path / "copy.db").read_bytes()
    assert terminal.run("restore", "-", "--data", tmp_path / "data", stdin=copy)[:2] == (0, "restored 3 entries\n")
    code, _, err = terminal.run("restore", "-", "--data", tmp_path / "data", stdin=b"no journal")
    assert (code, err.count("\n"), "standard input" in err, "tachiai-" in err) == (1, 1, True, False), err


def test_players_are_seated(terminal: Terminal) -> None:
    names = "\n".join(f"player {number}" for number in range(16)).encode()
    code, out, _ = terminal.run("seating", "-", "--rounds", "5", stdin=names)
    assert (code, len(out.splitlines())) == (0, 21)
    code, _, err = terminal.run("seating", "-", "--rounds", "5", stdin=b"\xff")
    assert (code, "standard input" in err) == (1, True)


@pytest.mark.pictures
def test_too_few_players_are_one_sentence_like_any_other(terminal: Terminal) -> None:
    code, out, err = terminal.run("seating", "-", "--rounds", "1", stdin="一\n二\n三\n".encode())
    assert (code, out) == (1, "")
    assert err.startswith("tachiai seating: four players per table: ")


def test_a_set_is_learnt_from_a_photo_and_written(terminal: Terminal, tmp_path: Path) -> None:
    photo = cv2.imencode(".png", picture(in_rows(list(FACES))))[1].tobytes()
    code, out, err = terminal.run("scan", "-", "--out", "-", stdin=photo)
    assert code == 1
    assert err.startswith("standard-input: 37 faces")
    assert "expected a second photo" in err
    (tmp_path / "learnt").write_text(out)
    assert len(tileset.load(tmp_path / "learnt").faces) == 37
    assert not (tmp_path / "-").exists()


@pytest.mark.pictures
def test_a_packed_recording_is_replayed_and_its_events_written(terminal: Terminal, tmp_path: Path) -> None:
    few = tmp_path / "few"
    shutil.copytree(RIICHI_TSUMO, few)
    for later in sorted((few / "frames").iterdir())[5:]:
        later.unlink()
    code, out, _ = terminal.run("replay", "-", "--events", "-", stdin=tar_of(few))
    assert code == 0
    assert json.loads(out.splitlines()[0])["type"] == "start_game"
    assert not (tmp_path / "-").exists()


def test_a_recording_is_unpacked_for_as_long_as_it_is_read(tmp_path: Path) -> None:
    shutil.copytree(RIICHI_TSUMO, tmp_path / "evening")
    zipped = Path(shutil.make_archive(str(tmp_path / "moment"), "zip", tmp_path, "evening"))
    with recording_folder(zipped) as folder:
        assert (folder / SETTINGS).read_text() == (RIICHI_TSUMO / SETTINGS).read_text()
    assert not folder.exists()
    with recording_folder(tmp_path / "evening") as folder:
        assert folder == tmp_path / "evening"


def test_a_recording_comes_by_a_pipe_as_well(tmp_path: Path) -> None:
    recording = tmp_path / "film"
    recording.mkdir()
    (recording / SETTINGS).touch()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(tar_of(recording),), daemon=True).start()
    with recording_folder(pipe) as folder:
        assert (folder / SETTINGS).is_file()


@pytest.mark.parametrize(("name", "found"), [("/dev/zero", "a device"), ("/missing", "none")])
def test_a_device_is_no_packed_recording_since_it_might_never_end(name: str, found: str) -> None:
    with pytest.raises(RecordError, match=f"^{name}: expected a recording's folder, .*, got {found}$"):  # noqa: SIM117
        with recording_folder(Path(name)):
            pass


def test_what_packs_no_recording_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no recording")
    broken = tmp_path / "broken.tgz"
    broken.write_bytes(tar_of(RIICHI_TSUMO / "truth.mjson")[:60])
    with pytest.raises(RecordError, match=r"got another file, or a damaged one$"):  # noqa: SIM117
        with recording_folder(broken):
            pass
    with pytest.raises(RecordError, match="expected a recording's folder, or one packed as tar or zip"):  # noqa: SIM117
        with recording_folder(tmp_path / "text"):
            pass
    other = tmp_path / "other.tar"
    other.write_bytes(tar_of(tmp_path / "text"))
    with pytest.raises(RecordError, match="expected one recording in it, got 0"):  # noqa: SIM117
        with recording_folder(other):
            pass


def zip_of(path: Path, name: str, *, at: int = 0, mark: int = 0) -> Path:
    """A zip file with one empty file, and a byte of its two headers changed."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, "")
    content = bytearray(path.read_bytes())
    if mark:
        content[at] = content[content.index(b"PK\x01\x02") + at + 2] = mark
    path.write_bytes(content)
    return path


def damaged_xz(path: Path) -> Path:
    content = bytearray(lzma.compress(tar_of(RIICHI_TSUMO / "truth.mjson") + bytes(range(256)) * 100))
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    return path


def test_what_is_packed_but_cannot_be_unpacked_is_told(tmp_path: Path) -> None:
    expected_errors = {
        zip_of(tmp_path / "encrypted", "a", at=6, mark=1): "cannot be unpacked: .*encrypted",
        zip_of(tmp_path / "otherwise", "a", at=8, mark=99): "cannot be unpacked: .*compression",
        zip_of(tmp_path / "long", "b" * 300): "cannot be unpacked: File name too long",
        damaged_xz(tmp_path / "damaged"): "or a damaged one",
    }
    for path, message in expected_errors.items():
        with pytest.raises(RecordError, match=message), recording_folder(path):
            pass


@pytest.mark.parametrize("kind", ["zip", "gztar", "xztar"])
def test_what_would_become_far_larger_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(input_files, "ALWAYS_ALLOWED_BYTES", 1000)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "zeros").write_bytes(bytes(1_000_000))
    packed = Path(shutil.make_archive(str(tmp_path / "out"), kind, tmp_path / "in"))
    with pytest.raises(RecordError, match="it would become more than 20 times as large"), recording_folder(packed):
        pass


def header_of(size: int, kind: bytes, *, name: str = "p") -> bytes:
    header = tarfile.TarInfo(name)
    header.size, header.type = size, kind
    return header.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.REGTYPE])
@pytest.mark.parametrize("size", [2**86, 2**62, -5])
def test_a_header_with_a_size_that_no_file_has_is_one_refusal(tmp_path: Path, kind: bytes, size: int) -> None:
    header = bytearray(header_of(0, kind))
    header[124:136] = (size % 2**95 | 2**95 if size >= 0 else 2**96 + size).to_bytes(12, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    packed = tmp_path / "evening.tar"
    packed.write_bytes(bytes(header) + bytes(1024))
    with pytest.raises(RecordError) as raised, recording_folder(packed):
        pass
    assert "one packed as tar or zip, got" in str(raised.value)
    assert "None" not in str(raised.value)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_counts_like_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: bytes) -> None:
    monkeypatch.setattr(input_files, "ALWAYS_ALLOWED_BYTES", 1000)
    packed, size = tmp_path / "evening.tar.gz", 50_000_000
    with gzip.open(packed, "wb", compresslevel=1) as file:
        file.write(header_of(size, kind) + bytes(size) + header_of(0, tarfile.REGTYPE) + bytes(1024))
    tracemalloc.start()
    try:
        with (
            pytest.raises(RecordError, match="it would become more than 20 times as large"),
            recording_folder(packed),
        ):
            pass
        assert tracemalloc.get_traced_memory()[1] < size // 2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["zip", "gztar"])
def test_only_so_many_files_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(input_files, "MAX_MEMBERS", 20)
    (tmp_path / "in").mkdir()
    for number in range(30):
        (tmp_path / "in" / f"{number}").touch()
    packed = Path(shutil.make_archive(str(tmp_path / "out"), kind, tmp_path / "in"))
    with pytest.raises(RecordError, match="cannot be unpacked: it has more than 20 files and folders"):  # noqa: SIM117
        with recording_folder(packed):
            pass


@pytest.mark.parametrize("limit", ["MAX_MEMBERS", "ALWAYS_ALLOWED_BYTES"])
def test_a_zip_file_with_too_much_in_it_is_refused_before_any_of_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(input_files, limit, 20)
    with zipfile.ZipFile(tmp_path / "evening.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(30):
            archive.writestr(f"{number}", bytes(10_000))
    unpacked: list[object] = []
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda _, member, *__: unpacked.append(member))
    with pytest.raises(RecordError, match="cannot be unpacked"), recording_folder(tmp_path / "evening.zip"):
        pass
    assert unpacked == []


def test_hard_links_in_a_row_are_all_the_file_that_the_first_names(tmp_path: Path) -> None:
    packed = tmp_path / "evening.tar"
    with tarfile.open(packed, "w") as archive:
        first = tarfile.TarInfo("recording.toml")
        first.size = 4
        archive.addfile(first, io.BytesIO(b"here"))
        for number in range(2000):
            link = tarfile.TarInfo(f"{number}")
            link.type, link.linkname = tarfile.LNKTYPE, f"{number - 1}" if number else "./recording.toml"
            archive.addfile(link)
    with recording_folder(packed) as folder:
        assert (folder / "1999").read_bytes() == b"here"


def test_a_name_that_would_colour_the_terminal_is_written_without_that(tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as archive:
        archive.addfile(tarfile.TarInfo("/../\x1b[31mX/../.."))
    with pytest.raises(RecordError, match=r"got /\.\./�\[31mX/"), recording_folder(evil):
        pass


@pytest.mark.parametrize("name", ["../outside", "a/../../outside", "..", ".", "a/.."])
def test_nothing_packed_is_written_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    message = rf"evil\.tar: expected a recording's folder, .*only names inside of its folder, got {re.escape(name)}"
    with pytest.raises(RecordError, match=message), recording_folder(evil):
        pass


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_only_files_and_folders_are_unpacked(tmp_path: Path, kind: bytes) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as archive:
        packed = tarfile.TarInfo("recording.toml")
        packed.type, packed.linkname = kind, "/etc/passwd"
        archive.addfile(packed)
    with pytest.raises(RecordError, match="only files and folders in it, got recording"), recording_folder(evil):
        pass


def test_a_hard_link_is_unpacked_as_the_file_it_names(tmp_path: Path) -> None:
    """`tar` packs the second of two equal files as a link to the first."""
    packed = tmp_path / "night.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        first = tarfile.TarInfo("night/recording.toml")
        first.size = 4
        archive.addfile(first, io.BytesIO(b"here"))
        link = tarfile.TarInfo("night/frames/1.png")
        link.type, link.linkname = tarfile.LNKTYPE, "night/recording.toml"
        archive.addfile(link)
    with recording_folder(packed) as folder:
        assert (folder / "frames" / "1.png").read_bytes() == b"here"
    with tarfile.open(packed, "w:gz") as archive:
        archive.addfile(link)
    with pytest.raises(RecordError, match="or a damaged one"), recording_folder(packed):
        pass


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_a_game_goes_out_by_standard_output(terminal: Terminal, tmp_path: Path, out: str) -> None:
    log = "\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1))).encode()
    code, out, _ = terminal.run("export", "-", "--format", "csv", "--out", out, stdin=log)
    assert (code, out.startswith("hand,"), (tmp_path / "-").exists()) == (0, True, False)


def test_an_open_file_is_continued_and_never_replaced(tmp_path: Path) -> None:
    out = tmp_path / "app.txt"
    out.write_text("kept\n")
    with out.open("a") as file:
        descriptor = Path(f"/dev/fd/{file.fileno()}")
        check_outputs([descriptor], [])
        write_output(descriptor, "one\n")
        write_output(descriptor, b"two\n")
    assert out.read_text() == "kept\none\ntwo\n"
    with pytest.raises(ConfigError, match="expected an open file to write, got: Bad file descriptor"):
        check_outputs([descriptor], [])


def test_a_pipe_that_the_shell_made_is_written_to() -> None:
    end, start = os.pipe()
    link = Path(f"/proc/self/fd/{start}")
    check_outputs([link], [])
    write_output(link, "one\n")
    os.close(start)
    with os.fdopen(end) as pipe:
        assert pipe.read() == "one\n"


def test_a_configuration_is_read(terminal: Terminal, tmp_path: Path) -> None:
    content = f"[table]\nside_mm = 650.0\ndata = {str(tmp_path)!r}\n".encode()
    code, out, _ = terminal.run("calibrate", "--mounting", "--json", "--config", "-", stdin=content)
    assert (code, json.loads(out)["side_mm"]) == (0, 650.0)
    for wrong in (b"[tabel]\n", b"\xff", b"[table"):
        code, _, err = terminal.run("calibrate", "--mounting", "--config", "-", stdin=wrong)
        assert (code, err.startswith("tachiai calibrate: standard input")) == (1, True), err


def test_a_configuration_is_read_once_for_a_table_that_begins_again() -> None:
    words = ["run", "--config", "-"]
    args = build_parser(words).parse_args(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"[table]\nname = 'north'\n")))
        assert [load_config(args).config.table.name for _ in range(2)] == ["north", "north"]


@pytest.mark.parametrize("words", ["score 123m456p789s1122z --win 1z --ruleset -", "audit game.mjson --ruleset -"])
def test_a_rule_set_is_read_by_every_command_that_takes_one(terminal: Terminal, tmp_path: Path, words: str) -> None:
    house = terminal.run("rules", "export", "home", "-")[1].replace('name = "home"', 'name = "house"', 1)
    (tmp_path / "game.mjson").write_text("\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1))))
    code, out, err = terminal.run(*words.split(), stdin=house.encode())
    assert (code, out != "") == (0, True), err
    code, _, err = terminal.run(*words.split(), stdin=b"name = 3")
    assert (code, "standard input" in err, err.count("\n")) == (1, True, 1), err


def test_a_set_of_tiles_is_read_and_shown(terminal: Terminal, tmp_path: Path) -> None:
    face = tileset.FaceExample(face="1m", source="scan", crop=np.zeros((64, 48, 3), np.uint8))
    content = tileset.as_text(tileset.TileSet(name="home", examples=(face,))).encode()
    assert terminal.run("scan", "--show", "-", stdin=content)[1].startswith("home: 1 face, ")
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), np.zeros((60, 60, 3), np.uint8))
    assert terminal.run("read", photo, "--tileset", "-", stdin=content)[0] == 0
    for words in (
        ["scan", "--show", "-"],
        ["read", photo, "--tileset", "-"],
        ["replay", "--tileset", "-", RIICHI_TSUMO],
    ):
        code, _, err = terminal.run(*words, stdin=b"{}")
        assert (code, err.count("\n"), "standard input" in err, "/tachiai-" in err) == (1, 1, True, False), err


def test_the_markers_are_written(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["calibrate", "--sheet", "-"]) == 0
    assert capsysbinary.readouterr().out == sheet_pdf(Paper.A4)
    assert not (tmp_path / "-").exists()


def test_a_drawing_is_written_and_what_was_read_is_told_beside_it(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    photo = cv2.imencode(".png", np.full((60, 60, 3), 90, np.uint8))[1].tobytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(photo)))
    assert main(["read", "-", "--overlay", "-"]) == 0
    captured = capsysbinary.readouterr()
    assert decode_photo(captured.out, "drawn").image.shape == (60, 60, 3)
    assert captured.err.startswith(b"-: 0 tiles")
    assert not (tmp_path / "-").exists()


def test_one_drawing_alone_goes_out_by_standard_output(terminal: Terminal) -> None:
    for twice in ("b.jpg", "a.jpg"):
        code, out, err = terminal.run("read", "a.jpg", twice, "--overlay", "-")
        assert (code, out) == (2, "")
        assert err == "tachiai read: expected one picture with --overlay -, got 2\n"


def test_a_peer_is_read(terminal: Terminal) -> None:
    code, _, err = terminal.run("bench", "--peer", "-", "--rounds", "1", stdin=b"no model")
    assert (code, err.count("\n"), "at standard input\n" in err) == (1, 1, True), err


def test_a_password_is_read() -> None:
    words = ["hall", "broker.local", "--user", "desk", "--password-file", "-"]
    args = build_parser(words).parse_args(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"opened\n")))
        assert broker_of(args, {}).password == "opened"  # noqa: S105


@pytest.mark.parametrize(
    "words",
    [
        "read - --tileset -",
        "read - -",
        "read a.jpg --tileset - --tileset -",
        "scan - -",
        "replay - --tileset -",
        "audit - -",
        "audit - --ruleset -",
        "score - --ruleset -",
        "rules diff - -",
        "rules play - --ruleset -",
        "restore - --config -",
    ],
)
def test_standard_input_is_read_once(terminal: Terminal, words: str) -> None:
    code, out, err = terminal.run(*words.split())
    assert (code, out, "expected" in err, "Traceback" in err) == (2, "", True, False), err


@pytest.mark.parametrize(
    "words",
    [
        "record -",
        "film game.mjson -",
        "backup --to -",
        "check --data -",
        "broker - one",
        "hall broker.local --desk -",
        "rules list --folder -",
        "season -",
        "run --tls-cert - --tls-key key.pem",
        "run --ruleset -",
        "hall broker.local --tls --ca -",
        "broker hall one --cert - --key key.pem",
    ],
)
def test_what_must_lie_on_the_disk_is_told_by_its_flag(terminal: Terminal, words: str, tmp_path: Path) -> None:
    code, out, err = terminal.run(*words.split())
    assert (code, out) == (2, "")
    assert "got -, which is " in err.splitlines()[-1], err
    assert not (tmp_path / "-").exists()


def test_a_set_on_standard_input_forgets_nothing(terminal: Terminal) -> None:
    code, _, err = terminal.run("scan", "--show", "-", "--forget", "tap-1")
    assert (code, err) == (2, "tachiai scan: expected a file with --forget, got -, which is standard input\n")


def test_what_is_wrong_with_standard_input_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x")))
    with pytest.raises(JournalError, match=r"^bad: standard input$"), as_file(Path("-")) as path:
        raise JournalError(f"bad: {path}")


@pytest.mark.parametrize("start", [b"<", b"{"])
@pytest.mark.parametrize("words", [("audit", "-"), ("export", "-"), ("film", "-", "out")])
def test_standard_input_without_an_end_is_no_game(terminal: Terminal, words: tuple[str, ...], start: bytes) -> None:
    code, out, err = terminal.run(*words, stdin=start + b" " * (2 * MOST_BYTES))
    assert (code, out) == (1, "")
    assert re.fullmatch(rf"tachiai {words[0]}: standard input: expected a game of at most \d+ bytes.*\n", err)


class Zeros(io.RawIOBase):
    """A stream without an end, as of `/dev/zero`; whoever reads more than `most` bytes has no limit."""

    def __init__(self, start: bytes = b"", most: float = math.inf) -> None:
        super().__init__()
        self._start, self._left = start, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._left -= len(buffer)
        assert self._left > 0, "more than a limit was read"
        buffer[:] = self._start[: len(buffer)].ljust(len(buffer), b"\0")
        self._start = self._start[len(buffer) :]
        return len(buffer)


@pytest.mark.parametrize(
    "words",
    [
        "score -",
        "rules show -",
        "rules play -",
        "check --config -",
        "seating - --rounds 4",
        "hall host --user me --password-file -",
        "read -",
        "scan - --out x.tileset",
    ],
)
def test_standard_input_without_an_end_is_refused_when_it_is_too_long(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Zeros())))
    assert main(words.split()) == 1
    err = capsys.readouterr().err
    assert re.search(r"expected .*at most \d+ bytes, got more", err), err
    assert "standard input" in err


@pytest.mark.parametrize(
    "words", ["replay -", "restore - --data table", "export - --list", "audit -", "read photo.png --tileset -"]
)
def test_a_copy_of_standard_input_without_an_end_stops_at_a_limit(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    most = 3 * input_files.BLOCK_BYTES
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(input_files, "MOST_COPIED_BYTES", most)
    start = b"SQLite format 3\0" if words.startswith("audit") else b""
    stream = Zeros(start, most + 20 * LARGEST_TEXT)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(stream)))
    assert main(words.split()) == 1
    err = capsys.readouterr().err
    assert re.search(
        r"standard input: expected at most \d+ bytes, got more; save it as a file and name that\n$", err
    ), err
