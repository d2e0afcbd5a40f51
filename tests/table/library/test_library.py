from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, Self, get_args, get_type_hints

import cv2
import numpy as np
import pytest

from table import library
from table.library import games, hands, photos, tables
from table.records.audit.game_audit import AuditedHand, audit_game
from table.records.format_detection import load_game
from table.records.mjai.mjai_writer import write_mjai
from table.rulebook import write_house
from table.rulebook.ruleset_reader import preset_rules
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import TachiaiError
from tests.places import ROOT
from tests.table.camera.simulation.felts import changes
from tests.table.game.referee.felt_by_hand import WHOLE, FeltByHand
from tests.table.records.selfplay import selfplay_game
from vision.arrays import Image
from vision.art import draw_face
from vision.cameras.recording_camera import RecordingCamera
from vision.errors import VisionError
from vision.felt import Felt, FeltReport, Reading, Zone
from vision.frames import Frame
from vision.photo.tables.table_photo import TableView
from vision.reading.set_consistency import Remark
from vision.recording.recording import Recording

FOLDER = ROOT / "table" / "library"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
MAKERS = (ROOT / "table" / "manual" / "makers.md").read_text(encoding="utf-8")
RECORDINGS = ROOT / "tests" / "recordings"
PROMISED = [
    "Camera",
    "Corners",
    "Frame",
    "FrameSource",
    "Game",
    "HandValue",
    "Outcome",
    "Payments",
    "PhotoReading",
    "Question",
    "ReadStick",
    "ReadTile",
    "Remark",
    "RulesError",
    "Said",
    "TableInPhoto",
    "TachiaiError",
    "VisionError",
    "follow_mjai",
    "languages",
    "open_camera",
    "read_photo",
    "score",
    "watch",
]
"""Names may be added here; one that is taken away or renamed breaks what people have written."""
FACES_IN_PHOTO = ("1m", "2m", "3m", "5p", "6p", "7p", "1z", "1z")
FEW_FRAMES = 12
CORNERS = ((120.0, 40.0), (520.0, 40.0), (520.0, 440.0), (120.0, 440.0))


class NoCamera:
    """Gives no picture."""

    def frames(self) -> Iterator[Frame]:
        yield from ()

    def close(self) -> None:
        pass


class OnePicture:
    """Gives one picture."""

    def __init__(self, picture: Image) -> None:
        self._picture = picture

    def frames(self) -> Iterator[Frame]:
        yield Frame(k=0, t_ns=0, image=self._picture)

    def close(self) -> None:
        pass


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name."""
    picture = np.full((300, 1100, 3), (60, 110, 40), np.uint8)
    for index, face in enumerate(FACES_IN_PHOTO):
        _lay(picture, face, 60 + index * 125)
    cv2.imwrite(str(tmp_path / "photo.jpg"), picture)
    (tmp_path / "game.mjson").write_bytes((RECORDINGS / "called_riichi" / "truth.mjson").read_bytes())
    _cut_short(RECORDINGS / "riichi_tsumo", tmp_path / "tests" / "recordings" / "riichi_tsumo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _lay(picture: Image, face: str, left: int) -> None:
    tile = draw_face(face, 90, 120)
    cv2.rectangle(picture, (left, 90), (left + 89, 209), (225, 240, 245), cv2.FILLED)
    cover = tile[:, :, 3:].astype(np.float32) / 255
    place = picture[90:210, left : left + 90]
    place[:] = (place * (1 - cover) + tile[:, :, :3] * cover).astype(np.uint8)


def _cut_short(recording: Path, to: Path) -> None:
    """Its first frames alone, as another recording."""
    (to / "frames").mkdir(parents=True)
    (to / "recording.toml").symlink_to(recording / "recording.toml")
    for frame in sorted((recording / "frames").iterdir())[:FEW_FRAMES]:
        (to / "frames" / frame.name).symlink_to(frame)


@pytest.fixture
def tachiai(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The file that the wheel maps to the name `tachiai`, imported by it."""
    spec = importlib.util.spec_from_file_location("tachiai", FOLDER / "tachiai.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "tachiai", module)
    return module


def test_the_promised_names_are_there() -> None:
    assert sorted(library.__all__) == sorted(PROMISED)
    assert all(hasattr(library, name) for name in PROMISED)


def test_what_a_promised_class_holds_is_of_promised_types() -> None:
    promised = [getattr(library, name) for name in PROMISED]
    hints = [get_type_hints(each) for each in promised if is_dataclass(each)]
    held = {part for each in hints for name, hint in each.items() if name[0] != "_" for part in (hint, *get_args(hint))}
    ours = {each for each in held if getattr(each, "__module__", "").startswith(("table.", "vision."))}
    assert Remark in ours
    assert ours - set(promised) == {TableView}, "of which only the corners and the side are promised"


def test_the_readme_says_what_each_promised_name_is() -> None:
    rows = re.findall(r"^\| (`.*?) \| .+ \|$", README.partition("## The names")[2], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(PROMISED)


def test_the_file_named_tachiai_re_exports_the_library_and_defines_nothing(tachiai: ModuleType) -> None:
    assert {name: getattr(tachiai, name) for name in tachiai.__all__} == {
        name: getattr(library, name) for name in PROMISED
    }
    statements = ast.parse((FOLDER / "tachiai.py").read_text(encoding="utf-8")).body
    assert all(isinstance(statement, ast.ImportFrom | ast.Expr) for statement in statements)


def test_the_wheel_maps_it_to_the_name_tachiai_and_marks_everything_as_typed() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    mapped = wheel["wheel"]["force-include"]
    assert mapped["table/library/tachiai.py"] == "tachiai/__init__.py"
    assert mapped["table/library/py.typed"] == "tachiai/py.typed"
    assert all((ROOT / package / "py.typed").is_file() for package in wheel["wheel"]["packages"])


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README + MAKERS, re.DOTALL))
def test_every_example_in_the_readme_and_in_the_makers_manual_runs(
    example: str, desk: Path, tachiai: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(example, "example", "exec"), {"__name__": "example"})  # noqa: S102 - our own README
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("module", [games, hands, photos, tables], ids=lambda module: module.__name__)
def test_every_example_in_a_docstring_gives_what_it_says(module: ModuleType, desk: Path) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


def test_a_photograph_is_also_read_from_an_array(desk: Path) -> None:
    picture = cv2.imread("photo.jpg")
    assert picture is not None
    assert [tile.tile for tile in library.read_photo(picture.astype(np.uint8)).tiles] == list(FACES_IN_PHOTO)


def test_a_stream_of_mjai_is_announced_as_an_audit_of_its_file_announces_it() -> None:
    for name in ("called_riichi", "pon_and_kans", "open_hands"):
        path = RECORDINGS / name / "truth.mjson"
        lines = [*path.read_text(encoding="utf-8").splitlines(), '{"type":"end_game"}']
        record = load_game(path)
        audited = audit_game(record, log=name)
        hands = [each for each in islice(audited, len(record.hands)) if isinstance(each, AuditedHand)]
        expected = [logged.announcement for hand in hands for logged in hand.play.announcements]
        followed = [(said.id, said.seat, said.args, said.scope, said.rule) for said in library.follow_mjai(lines)]
        assert followed == [(each.id.value, each.seat, each.args, each.scope.value, each.rule) for each in expected]


def test_a_stream_is_followed_as_it_comes() -> None:
    lines = (RECORDINGS / "called_riichi" / "truth.mjson").read_text(encoding="utf-8").splitlines()
    read: list[str] = []

    def stream() -> Iterator[str]:
        for line in lines:
            read.append(line)
            yield line

    first_riichi = next(said for said in library.follow_mjai(stream()) if said.id == "riichi_declared")
    assert first_riichi.seat == json.loads(read[-1])["actor"]
    assert len(read) < len(lines)


def test_an_irregular_act_is_a_question_about_a_seat() -> None:
    game = library.Game("home")
    game.follow("0 discards 5m; 2 discards 6m")
    (question,) = game.suspicions
    assert (question.clause, question.seat, question.scope) == ("7-05-09", 2, "verdict")
    assert question.evidence == ("a discard while South's discard was expected",)


def test_a_game_is_shown_with_its_rules_its_players_and_their_points() -> None:
    game = library.Game("wrc-2025", names=("Aki", "Ben", "Chie", "Dan"))
    game.follow("0 discards 5m sideways; 0 stick")
    assert (
        repr(game) == "<Game by 'wrc-2025', names ('Aki', 'Ben', 'Chie', 'Dan'), scores (29000, 30000, 30000, 30000)>"
    )


def test_an_announcement_is_told_in_every_language() -> None:
    (announcement, *_) = library.Game("home").follow("0 discards 5m sideways")
    assert len({announcement.text(language) for language in library.languages()}) == len(library.languages()) == 5
    assert (announcement.id, announcement.seat, announcement.scope) == ("riichi_declared", 0, "public")


def test_what_cannot_have_happened_is_refused_and_changes_nothing() -> None:
    game = library.Game("home")
    with pytest.raises(RulesError, match="5p"):
        game.follow("0 discards 5m; 1 discards 5p; 2 chi 5p with 4p6p from 1; 3 discards; nonsense 5p")
    before = game.scores
    with pytest.raises(RulesError):
        game.follow("nonsense")
    assert game.scores == before
    assert not game.is_over


def test_what_was_announced_before_a_refused_event_is_not_lost() -> None:
    game = library.Game("home")
    with pytest.raises(RulesError, match="got '77'"):
        game.follow("1 discards 1m sideways; 1 stick; 2 discards 2m; 3 discards 77")
    assert game.scores == (25000, 24000, 25000, 25000)
    ids = [said.id for said in game.follow("3 discards 3m sideways")]
    assert ids.index("riichi_accepted") < ids.index("ippatsu_open") < len(ids) - 1
    assert [(each, ids.count(each)) for each in ("riichi_accepted", "riichi_declared")] == [
        ("riichi_accepted", 1),
        ("riichi_declared", 2),
    ]
    assert game.follow("") == ()


def test_what_a_refused_line_announced_before_is_not_lost() -> None:
    lines = (RECORDINGS / "called_riichi" / "truth.mjson").read_text(encoding="utf-8").splitlines()
    riichi_line = next(at for at, line in enumerate(lines) if '"reach"' in line) + 1
    tile = json.loads(lines[riichi_line])
    win = {"type": "hora", "actor": 1, "target": tile["actor"], "pai": tile["pai"], "hora_tehais": ["1m"] * 13}
    stream = library.follow_mjai([*lines[: riichi_line + 1], win, {"type": "end_kyoku"}])
    assert [each.id for each in islice(stream, 4)][-1] == "riichi_void"
    with pytest.raises(TachiaiError, match="5 on the table"):
        next(stream)


def test_a_hand_is_read_as_people_write_it() -> None:
    value = library.score("m234567 p234 s55 s6 s7 s8", win="2p", riichi=True)
    assert value == library.score("234567m34p55s678s2p", riichi=True)
    assert library.score("EEE123456m11p", melds="(FFFF)", seat_wind="east", tsumo=True).han is not None


@pytest.mark.parametrize(
    "facts", [{"ippatsu": True}, {"robbing_kan": True, "tsumo": True}, {"ura": "1m"}, {"dora": "2222s2s"}]
)
def test_facts_that_cannot_be_together_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match="expected a possible win, got"):
        library.score("234567m234p55s678s", win="2p", **facts)


@pytest.mark.parametrize("tiles", [{"dora": "?"}, {"riichi": True, "ura": "1m?"}, {"win": "?"}, {"melds": "55?z"}])
def test_a_tile_that_nobody_knows_is_refused(tiles: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=r"expected .*, got .*\?"):
        library.score("234567m234p55s678s", **{"win": "2p", **tiles})


def test_what_is_wrong_is_one_of_the_three_errors(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="no yaku"):
        library.score("123m456p789s46m33z", win="5m")
    with pytest.raises(TachiaiError):
        library.score("234567m234p55s678s", win="2p", ruleset="nowhere")
    with pytest.raises(VisionError):
        library.read_photo(tmp_path / "absent.jpg")
    with pytest.raises(VisionError, match=r"null (byte|character)"):
        library.read_photo("\0")
    with pytest.raises(VisionError, match=r"null (byte|character)"):
        library.read_photo(np.full((480, 640, 3), 90, np.uint8), tilesets=["\0"])
    with pytest.raises(TachiaiError, match="line 1"):
        list(library.follow_mjai(["nonsense"]))


@pytest.mark.parametrize(
    ("photo", "found"),
    [
        pytest.param(np.zeros((300, 400), np.uint8), r"uint8 \(300, 400\)", id="grey"),
        pytest.param(np.zeros((300, 400, 4), np.uint8), r"uint8 \(300, 400, 4\)", id="RGBA"),
        pytest.param(np.zeros((300, 400, 3)), r"float64 \(300, 400, 3\)", id="float"),
        pytest.param(np.zeros((0, 400, 3), np.uint8), "400 x 0", id="empty"),
        pytest.param(None, "NoneType", id="what cv2.imread returns for a missing file"),
    ],
)
def test_a_picture_of_another_kind_is_refused_by_its_kind(photo: Any, found: str) -> None:
    with pytest.raises(VisionError, match=f"expected a (BGR )?picture of .*, got {found}"):
        library.read_photo(photo)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"tile_mm": (0, 0, 0)}, "expected a tile's 0 < width < height and a depth above 0 in mm, got 0 x 0 x 0"),
        ({"tile_mm": (20, 26.5, float("nan"))}, "a depth above 0 in mm, got 20 x 26.5 x nan"),
        ({"tile_mm": (20, 26.5)}, "width, height and depth in mm, got 2 numbers"),
        ({"side_mm": float("nan")}, "side in mm, from 200 to 2000, got nan"),
        ({"corners_px": ((1, 2, 3),)}, "four corners"),
        ({"corners_px": "abcd"}, "four corners"),
        ({"tile_mm": None}, "width, height and depth in mm, got None"),
        ({"tile_mm": ("20", "26.5", "16")}, r"width, height and depth in mm, got \('20', '26.5', '16'\)"),
        ({"side_mm": "720"}, "side in mm, from 200 to 2000, got '720'"),
        ({"side_mm": None}, "side in mm, from 200 to 2000, got None"),
        ({"corners_px": 5}, "expected the four corners of the play surface in pixels, got 5"),
        ({"tilesets": None}, "expected a list with the file of each set, got None"),
        ({"tilesets": [5]}, r"expected a list with the file of each set, got \[5\]"),
        ({"tilesets": "home.tileset"}, "expected a list with the file of each set, got one name: 'home.tileset'"),
    ],
)
def test_facts_of_no_table_are_refused(facts: dict[str, Any], message: str) -> None:
    picture = np.full((480, 640, 3), 90, np.uint8)
    with pytest.raises(VisionError, match=message):
        list(library.watch(OnePicture(picture), **{"corners_px": CORNERS, **facts}))
    if "tile_mm" not in facts:
        with pytest.raises(VisionError, match=message):
            library.read_photo(picture, **facts)


class _Fewer:
    """A camera that inherits nothing: the first frames of a recording."""

    def __init__(self) -> None:
        self._camera = RecordingCamera(Recording.open(RECORDINGS / "riichi_tsumo"))
        self.is_closed = False

    def frames(self) -> Iterator[Frame]:
        yield from islice(self._camera.frames(), FEW_FRAMES)

    def close(self) -> None:
        self.is_closed = True


def test_any_object_that_gives_frames_is_a_camera_and_is_closed_at_the_end() -> None:
    camera = _Fewer()
    assert [said.id for said in library.watch(camera)][:1] == ["hand_started"]
    assert camera.is_closed


@pytest.mark.parametrize("image", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)], ids=["grey", "floats"])
def test_a_frame_that_is_no_picture_in_colour_is_refused_by_an_error_of_the_library(image: Image) -> None:
    with pytest.raises(library.VisionError, match="expected a BGR picture of uint8"):
        library.Frame(k=0, t_ns=0, image=image)


class ReportedFelt(FeltByHand):
    """A felt that is laid by hand, as the reports of a watcher: one to each picture of a camera."""

    def __init__(self) -> None:
        self.reports: list[FeltReport] = []
        super().__init__()

    def observe(self, felt: Felt, *, seconds: float = 1.0) -> Self:
        self.reports.append(
            FeltReport(frame=len(self.reports), t_ns=len(self.reports), changes=changes(self.felt, felt), felt=felt)
        )
        self.felt = felt
        return self

    def read_again(self, old: str, new: str, nth: int) -> None:
        """Reads the n-th tile that was read as `old` as `new`."""
        at = [place for place, tile in enumerate(self.felt.tiles) if tile.reading.tile == old][nth]
        tiles = list(self.felt.tiles)
        tiles[at] = replace(tiles[at], reading=Reading(tile=new, score=0.97))
        self.observe(replace(self.felt, tiles=tuple(tiles)))

    def frames(self) -> Iterator[Frame]:
        for k in range(len(self.reports)):
            yield Frame(k=k, t_ns=k, image=np.full((480, 640, 3), 90, np.uint8))

    def close(self) -> None:
        pass

    def watch(self, frame: Frame) -> FeltReport:
        return self.reports[frame.k]


def test_what_no_longer_holds_is_said_to_be_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    felt = ReportedFelt()
    felt.discard((0, "2z"), (1, "2z"), (2, "2z"), (3, "r2z")).stick(3)
    felt.read_again("2z", "4z", -1)
    monkeypatch.setattr(tables, "make_watcher", lambda *_, **__: felt)
    winds = [said for said in library.watch(felt, corners_px=CORNERS) if said.id == "four_winds_abort"]
    assert [each.status for each in winds] == ["new", "withdrawn"]
    assert winds[0].key == winds[1].key
    assert [each.text() for each in winds] == [
        "Four equal winds: abortive draw.",
        "Withdrawn: Four equal winds: abortive draw.",
    ]


def test_a_hand_settled_by_the_next_deal_is_told_by_its_own_winds(monkeypatch: pytest.MonkeyPatch) -> None:
    felt = ReportedFelt()
    felt.discard((0, "9p"), (1, "8p"), (2, "9p"), (3, "8p"), (0, "3z")).lay(1, Zone.HAND, *WHOLE)
    felt.observe(Felt(tiles=tuple(felt.row(0, Zone.WALL, ["2z"]))))
    monkeypatch.setattr(tables, "make_watcher", lambda *_, **__: felt)
    assert [said.text() for said in library.watch(felt, corners_px=CORNERS)][-2:] == [
        "Tsumo settled: South +5,200, East −2,600, West −1,300, North −1,300.",
        "East 2 begins. Dealer: East.",
    ]


def test_a_game_names_the_seats_of_each_hand_by_its_own_winds() -> None:
    game = library.Game("home")
    game.follow("0 discards 9p; 1 discards 8p; 2 discards 9p; 3 discards 8p; 0 discards 3z; 1 tsumo")
    game.follow("1 shows 123456789m11p23s with 4s")
    started = game.follow("start E2 scores=22400,30200,23700,23700 dora=2z")
    assert (started[0].text(), started[0].dealer) == (
        "Tsumo settled: South +5,200, East −2,600, West −1,300, North −1,300.",
        0,
    )
    assert (started[-1].text(), started[-1].dealer) == ("East 2 begins. Dealer: East.", 1)


def test_every_announcement_has_a_key_of_its_own_and_is_new_where_nothing_is_corrected() -> None:
    game = library.Game("home")
    announcements = [
        *game.follow("0 discards 1m sideways; 0 stick"),
        *game.follow("1 discards 2m sideways; 1 stick; 2 discards 1p"),
    ]
    lines = (RECORDINGS / "called_riichi" / "truth.mjson").read_text(encoding="utf-8").splitlines()
    for each in (announcements, list(library.follow_mjai(lines))):
        assert {one.status for one in each} == {"new"}
        assert len({one.key for one in each}) == len(each) > 4


@pytest.mark.parametrize("side_mm", [-1.0, 0.0, float("nan"), 1e9])
def test_no_table_is_as_small_or_large(side_mm: float) -> None:
    with pytest.raises(library.VisionError, match="expected the play surface's side in mm"):
        next(library.watch(NoCamera(), corners_px=CORNERS, side_mm=side_mm))
    with pytest.raises(library.VisionError, match="expected the play surface's side in mm"):
        library.read_photo(np.zeros((4, 4, 3), np.uint8), corners_px=CORNERS, side_mm=side_mm)


def test_facts_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(library.RulesError, match="got riichi and double riichi"):
        library.score("234567m234p55s678s", win="2p", riichi=True, double_riichi=True)


def test_an_error_of_the_library_names_no_flag() -> None:
    for hand, win in (("234567m34p55s678s", ""), ("1234m", ""), ("1234m", "1m")):
        with pytest.raises(library.RulesError) as raised:
            library.score(hand, win=win)
        assert "--" not in str(raised.value)


def test_a_game_counts_fouls_by_the_penalties_of_its_rules() -> None:
    game = library.Game("home")
    announcements = game.follow(
        "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 9s; 1 foul 7-06-02 option=a; confirm"
    )
    assert game.scores == (29000, 17000, 27000, 27000)
    assert "foul_logged" in [announcement.id for announcement in announcements]


def test_a_logged_foul_says_what_follows_from_it() -> None:
    game = library.Game("home", names=("Aki", "Ben", "", ""))
    events = "0 discards 9s; 1 foul 7-04-01; 1 foul 7-05-11; draw; confirm; 1 foul 7-05-11"
    texts = [said.text() for said in game.follow(events) if said.id == "foul_logged"]
    dead = "A foul was entered for Ben. Ben has a dead hand: no win this hand. Play goes on."
    assert texts[:2] == [dead, "A foul was entered for Ben. Ben puts 1,000 in the pot. Play goes on."]
    assert "Ben puts 1,000 in the pot. The settled result stands" in texts[2]


def test_an_announcement_can_be_kept_in_a_set() -> None:
    said = library.Game("home").follow("0 discards 5m sideways; 0 stick; 1 discards 2p")
    again = library.Game("home").follow("0 discards 5m sideways; 0 stick; 1 discards 2p")
    assert {*said, *again} == set(said)
    assert len(set(said)) == len(said) > 1


def test_a_game_has_four_names() -> None:
    with pytest.raises(library.RulesError, match="expected the names of four players, got 2"):
        library.Game(names=("Aki", "Ben"))


def test_a_stream_may_come_as_text_bytes_or_objects() -> None:
    lines = [json.dumps(line) for line in write_mjai(selfplay_game(1))]
    expected = [said.id for said in library.follow_mjai(lines)]
    assert expected
    assert [said.id for said in library.follow_mjai(line.encode() for line in lines)] == expected
    assert [said.id for said in library.follow_mjai(map(json.loads, lines))] == expected


@pytest.mark.parametrize(
    "whole", ['{"type": "start_game"}', b"{}", {"type": "start_game"}, Path("game.mjson"), None, 3], ids=type
)
def test_a_stream_that_is_not_lines_is_refused_by_its_kind(whole: Any) -> None:
    with pytest.raises(
        library.TachiaiError, match=f"expected the lines of an mjai stream.*, got {type(whole).__name__}"
    ):
        list(library.follow_mjai(whole))


@pytest.mark.parametrize("name", ["hand", "win", "melds", "dora", "ura", "seat_wind", "round_wind"])
@pytest.mark.parametrize("value", [None, ["1m", "2m"], 1])
def test_tiles_and_winds_that_are_no_text_are_refused_by_their_kind(name: str, value: Any) -> None:
    facts: dict[str, Any] = {"hand": "234567m234p55s678s", "win": "2p", name: value}
    with pytest.raises(library.RulesError, match=f"expected {name} as text, got {type(value).__name__}"):
        library.score(facts.pop("hand"), **facts)


@pytest.mark.parametrize("events", [None, ["0 discards 1m"]])
def test_events_and_names_of_another_kind_are_refused_by_their_kind(events: Any) -> None:
    with pytest.raises(library.RulesError, match=f"expected events as text, got {type(events).__name__}"):
        library.Game().follow(events)
    no_names: Any = None
    with pytest.raises(library.RulesError, match="expected the names of four players, got NoneType"):
        library.Game(names=no_names)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ({"type": "dahai", "actor": np.int64(0)}, "values of JSON, got another: Object of type int64"),
        ({"type": "dahai", 1j: 0}, "values of JSON, got another: keys must be"),
        (3, "an mjai action as text or object, got int"),
        (None, "an mjai action as text or object, got NoneType"),
    ],
    ids=repr,
)
def test_a_line_of_an_mjai_stream_that_is_no_json_is_refused_by_its_number(line: Any, found: str) -> None:
    with pytest.raises(library.TachiaiError, match=f"mjai, line 2: expected {found}"):
        list(library.follow_mjai(['{"type": "start_game"}', line]))


class _Gives:
    """A camera that gives this in place of frames."""

    def __init__(self, frames: Any) -> None:
        self._frames = frames

    def frames(self) -> Any:
        return self._frames

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("camera", "message"),
    [
        (None, r"expected a camera with frames\(\) and close\(\), got NoneType"),
        ("0", r"expected a camera with frames\(\) and close\(\), got str: '0'"),
        (_Gives(None), "expected frames from the camera, got NoneType"),
        (_Gives([np.zeros((480, 640, 3), np.uint8)]), "expected a Frame from the camera, got ndarray"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_camera_is_refused_by_its_kind(camera: Any, message: str) -> None:
    with pytest.raises(library.VisionError, match=message):
        list(library.watch(camera))


def test_the_file_of_a_rule_set_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(write_house(preset_rules("tenhou")), encoding="utf-8")
    lines = [json.dumps(line) for line in write_mjai(selfplay_game(1))]
    assert library.score("234567m234p55s678s", win="2p", ruleset=path).points == 2000
    assert repr(library.Game(path)).startswith(f"<Game by '{path}'")
    assert next(library.follow_mjai(lines, ruleset=path)).id == "hand_started"
    with pytest.raises(library.TachiaiError, match="expected a rule set"):
        next(library.watch(NoCamera(), ruleset=tmp_path / "other.toml"))
