"""What every command that writes keeps to: nothing that is read is written over, nothing half written stays."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import ENOSPC
from itertools import chain, takewhile
from pathlib import Path

import cv2
import pytest

from table.cli.main import main
from table.cli.streams.output_files import check_outputs, write_output
from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.records.audit.seen_events import seen_events
from table.records.format_detection import read_game
from table.records.mjai.mjai_writer import write_mjai
from table.rulebook import rules_named
from table.rules.events import ResultDeclared
from table.rules.terms.results import DeclaredResult, ResultKind
from table.rules.terms.seats import Seat
from table.runtime.table_errors import ConfigError, UsageError
from tests.commands.commanded import command, tachiai
from tests.fakes.disks import small_disk
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import RIICHI_TSUMO, ROOT
from tests.table.records.selfplay import selfplay_game
from vision.art.face_sheet import in_rows, picture
from vision.felt import FACES
from vision.recording.recording import Recording


def file_digests(folder: Path) -> dict[str, str]:
    """Every file below a folder with what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal as the appliance keeps it: by a house's own rules."""
    path = tmp_path / "table.journal"
    envelope = Envelope(utc="2026-01-01T20:00:00Z", source=Source.PRESS)
    rules = rules_named("home").ruleset
    with Journal(path) as open_journal:
        open_journal.append(envelope, GameOpened(ruleset=rules))
        for event in chain.from_iterable(seen_events(hand, rules) for hand in selfplay_game(1).hands):
            open_journal.append(envelope, event)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.mjson"
    path.write_text("\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1))), encoding="utf-8")
    return path


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), picture(in_rows(list(FACES), 10)))
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RIICHI_TSUMO, tmp_path / "recording"))


@pytest.fixture
def inputs(log: Path, photo: Path, recording: Path) -> Path:
    """A folder with a game, a photo, a recording, and a configuration whose camera plays it."""
    config = recording.with_name("tachiai.toml")
    config.write_text(f'[camera]\nsource = "recording"\nfile = "{recording}"\n')
    return config.parent


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 16 kilobytes."""
    with small_disk(tmp_path / "disk", size_kb=16) as disk:
        yield disk


@pytest.mark.parametrize("style", ["mjai", "tenhou6", "csv"])
def test_a_journal_kept_by_a_houses_rules_is_exported_and_left_as_it_was(
    journal: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file_digests(journal.parent)
    assert main(["export", str(journal), *([] if style == "mjai" else ["--format", style])]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert file_digests(journal.parent) == before
    if style == "mjai":
        assert len(read_game(out.encode(), "again").hands) == len(selfplay_game(1).hands)


def test_a_journal_that_a_table_plays_on_is_exported_with_what_is_newest(journal: Path) -> None:
    envelope = Envelope(utc="2026-01-01T23:00:00Z", source=Source.PRESS)
    with Journal(journal) as playing:
        playing.append(envelope, GameOpened(ruleset=rules_named("home").ruleset))
        playing.append(envelope, ResultDeclared(result=DeclaredResult(kind=ResultKind.DRAW, tenpai=(Seat.FAR,))))
        done = tachiai("export", journal)
        assert len(read_game(done.stdout.encode(), "again").hands) == 1
    assert main(["export", str(journal.with_name("none"))]) == 1


def test_a_database_that_is_no_journal_is_not_made_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "bookmarks.sqlite"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE a (b)")
    before = file_digests(tmp_path)
    assert main(["export", str(other)]) == 1
    assert "got format 0" in capsys.readouterr().err
    assert file_digests(tmp_path) == before


@pytest.mark.pictures
def test_no_command_writes_over_what_it_reads(
    journal: Path, log: Path, photo: Path, recording: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tmp_path = log.parent
    by_another_name = tmp_path / "linked.jpg"
    by_another_name.symlink_to(photo)
    hard = tmp_path / "hard.mjson"
    hard.hardlink_to(log)
    before = file_digests(tmp_path)
    wrong: tuple[tuple[int, list[str | Path]], ...] = (
        (2, ["export", log, "--out", log]),
        (2, ["export", journal, "--out", tmp_path / "." / journal.name]),
        (1, ["export", log, "--out", hard]),
        (1, ["export", log, "--out", journal]),
        (2, ["read", photo, "--overlay", photo]),
        (1, ["read", photo, "--overlay", by_another_name]),
        (1, ["read", by_another_name, "--overlay", photo]),
        (2, ["scan", photo, "--out", photo]),
        (2, ["replay", recording, "--events", recording / "truth.mjson"]),
        (2, ["replay", recording, "--announcements", recording / "presses.jsonl"]),
        (2, ["replay", recording, "--events", recording / "frames" / "000000.jpg"]),
        (2, ["replay", recording, "--events", tmp_path / "one", "--announcements", tmp_path / "one"]),
        (1, ["record", recording, "--data", tmp_path]),
    )
    for code, words in wrong:
        assert main([str(word) for word in words]) == code
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1), (words, err)
        assert err.startswith(f"tachiai {words[0]}: expected "), err
    assert file_digests(tmp_path) == before


def test_overlays_in_a_folder_cover_no_photo(photo: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "photo-read.jpg"
    shutil.copy(photo, drawn)
    before = file_digests(tmp_path)
    assert main(["read", str(photo), str(drawn), "--overlay", str(tmp_path)]) == 2
    assert file_digests(tmp_path) == before


@pytest.mark.pictures
def test_overlays_of_photos_of_one_name_are_kept_apart_by_their_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "a.jpg"), picture([["1m", "2p", "3s"]]))
    cv2.imwrite(str(tmp_path / "one" / "a.png"), picture([["5m", "6p"]]))
    photos = [tmp_path / "one" / "a.jpg", tmp_path / "two" / "a.jpg", tmp_path / "one" / "a.png"]
    assert main(["read", *map(str, photos), "--overlay", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == ""
    drawn = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in drawn] == ["one-a.jpg-read.jpg", "one-a.png-read.jpg", "two-a-read.jpg"]
    sizes = {path.name: cv2.imread(str(path)).shape for path in drawn}  # type: ignore[union-attr]
    assert sizes["one-a.jpg-read.jpg"] == cv2.imread(str(photos[0])).shape  # type: ignore[union-attr]
    assert sizes["one-a.png-read.jpg"] == cv2.imread(str(photos[2])).shape  # type: ignore[union-attr]


def test_a_recording_is_never_filmed_over_also_not_in_the_last_of_several_places(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "film"
    (out / "01" / "frames").mkdir(parents=True)
    (out / "01" / "frames" / "000000.jpg").write_bytes(b"mine")
    before = file_digests(tmp_path)
    assert main(["film", str(log), str(out), "--hand", "0", "--hand", "1", "--fps", "1"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tachiai film: expected a new folder, got one with pictures in it, at ")
    assert file_digests(tmp_path) == before


@pytest.mark.pictures
@pytest.mark.parametrize(
    "words",
    [
        ["export", "game.mjson", "--out", "disk/out.mjson"],
        ["film", "game.mjson", "disk/film", "--hand", "0", "--fps", "1"],
        ["calibrate", "--sheet", "disk/markers.svg"],
        ["read", "photo.jpg", "--overlay", "disk/out.png"],
        ["scan", "photo.jpg", "--out", "disk/home.tileset"],
        ["record", "disk/out", "--with-hands", "--config", "tachiai.toml"],
        ["replay", "recording", "--events", "disk/events.mjson"],
    ],
    ids=lambda words: words[0],
)
def test_a_full_disk_is_one_sentence_and_leaves_nothing_behind(
    words: list[str], tiny_disk: Path, inputs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tiny_disk / "mine").write_bytes(bytes(16_384 if words[0] == "replay" else 12_000))  # its events are few
    monkeypatch.chdir(inputs)
    assert main(words) == 1
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith(f"tachiai {words[0]}: expected ")
    assert "No space left on device" in err
    assert "disk/" in err  # what could not be written
    assert list(file_digests(tiny_disk)) == ["mine"]


@pytest.mark.pictures
def test_a_full_disk_ends_a_recording_which_stays_one_of_what_was_filmed(
    tmp_path: Path, inputs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(inputs)
    with small_disk(tmp_path / "disk", size_kb=900) as disk:
        assert main(["record", str(disk / "out"), "--with-hands", "--config", "tachiai.toml"]) == 1
        captured = capfd.readouterr()
        count = len(Recording.open(disk / "out").frames)
        assert count > 1
        assert captured.out == f"{count} frames in {disk / 'out'}\n"
        assert captured.err.startswith(
            "tachiai record: expected room on the disk, got none: No space left on device, at "
        )
        assert captured.err.count("\n") == 1
        assert all(cv2.imread(str(frame.path)) is not None for frame in Recording.open(disk / "out").frames)


def test_what_lay_there_stays_where_no_more_can_be_written(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.mjson"
    out.write_text("an earlier export")
    before = file_digests(tmp_path)
    done = tachiai("export", log, "--out", out, at_most=4096)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "expected room on the disk, got none" in done.stderr
    assert done.stderr.endswith(f", at {out}\n")
    assert file_digests(tmp_path) == before


def test_a_table_starts_by_hand_on_a_full_disk_and_says_so(tiny_disk: Path) -> None:
    (tiny_disk / "mine").write_bytes(bytes(16_384))
    words: list[str | Path] = ["run", "--data", tiny_disk, "--port", "0"]
    with running_process(*words) as process:
        assert process.stderr is not None
        answer = [process.stderr.readline()]
        while answer[-1] and "the table is kept at" not in answer[-1]:
            answer.append(process.stderr.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    assert "nothing is recorded until this is fixed" in "".join(answer)
    assert answer[-1].startswith("tachiai: the table is kept at http://localhost:")


def test_a_full_disk_behind_standard_output_is_told(journal: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("export", journal), cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    message = "expected room on the disk, got none: No space left on device, at standard output"
    assert done.stderr == f"tachiai export: {message}\n"


@pytest.mark.parametrize(
    ("error", "place"),
    [
        (OSError(ENOSPC, "full", "out.csv"), "out.csv"),
        (OSError(ENOSPC, "full", "from.db", None, "to.db"), "to.db"),
    ],
    ids=["one name", "a copy"],
)
def test_a_full_disk_names_what_could_not_be_written(
    error: OSError, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], log: Path
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("table.cli.record_commands.export.load_record", fail)
    assert main(["export", str(log)]) == 1
    assert capsys.readouterr().err == f"tachiai export: expected room on the disk, got none: full, at {place}\n"


def test_a_full_device_is_named(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(log), "--out", "/dev/full"]) == 1
    assert capsys.readouterr().err.endswith("No space left on device, at /dev/full\n")


def test_what_the_terminal_has_no_letters_for_is_written_all_the_same(journal: Path) -> None:
    done = tachiai("export", journal, "--format", "tenhou6", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\u98dc" in json.loads(done.stdout)["log"][0][16][2][3]


def test_json_stays_json_in_a_terminal_without_the_letters_of_a_name(log: Path) -> None:
    names = ["\xfc", "\u9ebb", "\U0001f007", "x"]
    done = tachiai("export", log, "--names", ",".join(names), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[0])["names"] == names


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("export LOG --names A,B", "latin-1"),
        ("export LOG --format html --names A,B", "cp1252"),
        ("rules list --json", "euc-jp"),
        ("rules export home", "euc-jp"),
    ],
)
def test_what_programs_read_is_utf_8_whatever_the_terminal_writes(log: Path, words: str, encoding: str) -> None:
    """As JSON, TOML and a page that says `charset=utf-8` must be."""
    names = "\xfcz,\u9ebb,\U0001f007,x"
    given = [word.replace("LOG", str(log)).replace("A,B", names) for word in words.split()]
    plain, other = tachiai(*given, PYTHONIOENCODING="utf-8"), tachiai(*given, PYTHONIOENCODING=encoding)
    assert (other.returncode, other.stderr, other.stdout) == (0, "", plain.stdout)
    assert "names" not in words or "\xfcz" in other.stdout


@pytest.mark.parametrize("words", ["score 234567m234p55s678s --win 2p --riichi", "export LOG", "--help"])
def test_output_that_a_closed_standard_output_cannot_take_is_told(log: Path, words: str) -> None:
    command_line = " ".join(command(*(word.replace("LOG", str(log)) for word in words.split())))
    done = subprocess.run(["sh", "-c", f"{command_line} >&-"], capture_output=True, text=True, check=False, cwd=ROOT)
    program = "tachiai" if "--help" in words else f"tachiai {words.split(maxsplit=1)[0]}"
    told = f"{program}: expected a standard output to write to, got a closed one\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_a_command_that_prints_nothing_needs_no_standard_output(log: Path, tmp_path: Path) -> None:
    words = " ".join(command("export", log, "--out", tmp_path / "out.mjson"))
    done = subprocess.run(["sh", "-c", f"{words} >&-"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.mjson").read_text(encoding="utf-8").startswith('{"type": "start_game"')


@contextmanager
def running_process(*words: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Runs a command that heeds Ctrl-C, also where whoever runs the tests ignores it, and ends with the test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command(*words), cwd=ROOT, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with killed_at_last(process):
        yield process


def test_ctrl_c_is_a_word_and_130_and_leaves_no_half_of_a_recording(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "film"
    with running_process("film", log, out, "--hand", "0") as process:
        wait_for(lambda: list(out.rglob("000002.jpg")))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "tachiai film: stopped\n"
    assert file_digests(out) == {}


def test_a_recording_that_is_stopped_early_is_one_of_what_was_filmed(tmp_path: Path) -> None:
    config, out = tmp_path / "tachiai.toml", tmp_path / "out"
    config.write_text(
        f'[table]\ndata = "{tmp_path}"\n[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\nfps = 5\n'
    )
    words: list[str | Path] = ["record", out, "--with-hands", "--config", config]
    with running_process(*words) as process:
        wait_for((out / "frames" / "000003.jpg").exists)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert process.stderr is not None
        assert process.stderr.read().endswith("tachiai record: stopped\n")
    assert len(Recording.open(out).frames) >= 3


def test_a_table_that_is_interrupted_says_that_nothing_is_lost_and_ends_with_130(tmp_path: Path) -> None:
    words: list[str | Path] = ["run", "--data", tmp_path, "--port", "0"]
    with running_process(*words) as process:
        assert process.stderr is not None
        assert "the table is kept at" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert process.stderr.read().splitlines()[-1] == (
            "tachiai: stopped; everything is in the journal, and the next run continues the game"
        )


def test_a_table_whose_journal_cannot_be_written_does_not_say_that_everything_is_in_it(tmp_path: Path) -> None:
    no_folder = tmp_path / "data"
    no_folder.write_text("")
    words: list[str | Path] = ["run", "--data", no_folder, "--port", "0"]
    with running_process(*words) as process:
        assert process.stderr is not None
        told = [*takewhile(lambda line: "the table is kept at" not in line, process.stderr)]
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        last = process.stderr.read().splitlines()[-1]
    assert "Errno" not in "".join((*told, last))
    assert last.startswith(f"tachiai: stopped; the journal is incomplete: cannot write to the journal {no_folder}")


@pytest.mark.parametrize(
    "words",
    [
        "demo --headless --seed -1",
        "demo --port 70000",
        "demo --speed nan",
        "demo --speed 0",
        "film LOG OUT --seed -1",
        "film LOG OUT --look -1",
        "film LOG OUT --hand -1",
        "film LOG OUT --fps 0",
        "film LOG OUT --fps inf",
        "film LOG OUT --pace nan",
        "record OUT --seconds 0",
        "record OUT --seconds nan",
        "bench --threads 0",
        "bench --rounds 0",
        "run --port -1",
        "hall HOST --port 65536",
        "hall HOST --broker-port 0",
        "hall mqtt://broker",
        "hall HOST --host=",
        "run --host=",
        "run --host=http://here",
        "demo --host=",
        "hall HOST --topic tables/#",
        "hall HOST --password-file nothing",
        "hall HOST --ca nothing",
        "broker OUT hall",
        "broker OUT tables/one",
        "broker OUT one --cert nothing",
        "read PHOTO --corners 0,0,9,0,9,9,0,9 --side-mm 0",
        "read PHOTO --corners 0,0,9,0,9,9,0,nan --side-mm 700",
        "scan PHOTO --corners 0,0,9,0,9,9,0,9 --side-mm inf",
        "calibrate --corners 0,0,9,0,9,9,0,inf",
    ],
)
def test_a_number_out_of_range_is_wrong_use_whatever_lies_on_the_disk(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_wrong_use(words, capsys)


@pytest.mark.parametrize(
    "words",
    [
        "demo --headless --port 9",
        "demo --headless --host 0.0.0.0",
        "run --simulate --camera 0",
        "scan PHOTO --forget tap-1",
        "scan --show SET --name home",
    ],
)
def test_flags_that_exclude_each_other_are_wrong_use_whatever_lies_on_the_disk(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_wrong_use(words, capsys)


def assert_wrong_use(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(words.split())
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    assert "expected" in capsys.readouterr().err.splitlines()[-1]


def test_the_readmes_hand_is_valued(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = [
        line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if " table score " in line
    ]
    words = line.split()[3:]
    done = tachiai(*words, "--language", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert "han" in done.stdout
    without = [words[0], words[1].replace("234p", "34p"), *words[2:], "--language", "en"]
    assert main(without) == 0
    assert capsys.readouterr().out == done.stdout


def test_outputs_go_to_devices_and_through_links_as_they_are(tmp_path: Path) -> None:
    write_output(Path(os.devnull), "gone")
    assert Path(os.devnull).is_char_device()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_output(tmp_path / "link", b"kept")
    assert (tmp_path / "file").read_bytes() == b"kept"
    assert (tmp_path / "link").is_symlink()


def test_a_dash_is_standard_output_and_a_number_is_the_name_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-", "2026"):
        check_outputs([Path(name)], [])
        write_output(Path(name), "Jörg")
        write_output(Path(name), b" Ann\n")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == "Jörg Ann\n".encode()
    assert file_digests(tmp_path) == {"2026": hashlib.sha256(b" Ann\n").hexdigest()}


def test_outputs_that_cannot_be_are_refused_before_any_work(journal: Path, tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "got a folder"),
        (tmp_path / "no" / "out", "expected a folder to write into, got none"),
    ):
        with pytest.raises(ConfigError, match=message):
            check_outputs([path], [])
    with pytest.raises(ConfigError, match="other than a journal, got one"):
        check_outputs([journal], [])
    (tmp_path / "wal").symlink_to(f"{journal}-wal")
    with pytest.raises(ConfigError, match="the same by another name"):
        check_outputs([tmp_path / "wal"], [journal])
    with pytest.raises(UsageError, match="a file of its own for each output"):
        check_outputs([tmp_path / "a", None, tmp_path / "a"], [])
