"""Any rule set that the phone lists can be named wherever rules are named, and no other one is ever played instead."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from table.appliance.appliance import run_appliance
from table.cli.main import main
from table.cli.record_commands.replay import replay_recording
from table.config import load
from table.dashboard import create_app
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records.mjai.mjai_reader import read_mjai
from table.records.mjai.mjai_writer import write_mjai
from table.records.replay.recording_replay import ruleset_of
from table.rulebook import SHIPPED, HouseRules, parse_house, rules_named
from table.rulebook.recorded_rules import RULES_FILE, house_of, rules_reference
from table.rulebook.ruleset_registry import default_folder, known_names, store
from table.rules.ruleset import Ruleset
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import ConfigError, RecordError
from tests.fakes.desks import PIN, join, token
from tests.places import RIICHI_TSUMO
from tests.table.camera.clips.recorded_clips import FIRST, clip_keeper, clips
from tests.table.records.real_games import audit_lines
from tests.table.records.selfplay import selfplay_game
from vision.cameras.synthetic.appearance import Appearance
from vision.errors import RecordingError
from vision.felt import Felt
from vision.recording.recording import Recording

FRIDAY = """format = 1
name = "friday"
base = "ema-2025"
short_is_bust = true
[rules]
multiple_ron = "head_bump"
floating_uma = [[12000, -1000, -3000, -8000], [8000, 4000, -4000, -8000], [8000, 3000, 1000, -12000]]
[choices]
"7-04-01" = "EMA 6.4.2"
"7-01" = "f"
[amounts]
"7-01 f" = { each = 3900 }
"EMA chombo" = { after_uma = 30000 }
"""
HAND = ("score", "234m567p345678s99s", "--win", "5s", "--riichi", "--dora", "8s", "--json")


@pytest.fixture
def friday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HouseRules:
    """A set of the house's own, imported where sets are looked for."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    house = parse_house(FRIDAY, "friday.toml", rules_named("ema-2025"))
    store(house, default_folder())
    return house


def configured(folder: Path, table: str) -> Path:
    path = folder / "tachiai.toml"
    path.write_text(f"[table]\n{table}", "utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out, err = capsys.readouterr()
    return err if code else out


@pytest.mark.parametrize("name", SHIPPED)
def test_the_rules_being_played_can_be_written_as_a_set_again(name: str) -> None:
    rules = rules_named(name).ruleset
    assert house_of(rules).ruleset == rules
    assert rules_reference(rules).toml is None
    assert rules_reference(rules).ruleset == name


def test_a_set_of_ones_own_is_carried_whole_and_so_is_one_that_only_has_the_name_of_ours(friday: HouseRules) -> None:
    for rules in (
        friday.ruleset,
        rules_named("home").ruleset.but(length="east"),
        Ruleset(name="home", uma=(0, 0, 0, 0)),
    ):
        found = rules_reference(rules)
        assert found.ruleset == RULES_FILE
        read = parse_house(found.toml or "", RULES_FILE).ruleset
        assert read.but(penalties=rules.penalties) == rules
        assert read.penalties == rules.penalties or not rules.penalties.rules


# The command line


def test_score_and_audit_take_any_set_there_is(
    friday: HouseRules, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(FRIDAY.replace("friday", "own"), "utf-8")
    log = tmp_path / "game.mjson"
    log.write_text("\n".join(json.dumps(line) for line in write_mjai(selfplay_game(1))), encoding="utf-8")
    for name in (*known_names(), str(file)):
        assert json.loads(run(capsys, *HAND, "--ruleset", name))["points"] in (7700, 8000)
        lines = [json.loads(line) for line in run(capsys, "audit", "--json", "--ruleset", name, str(log)).splitlines()]
        assert lines == [
            json.loads(json.dumps(line))
            for line in audit_lines(selfplay_game(1), log=str(log), ruleset=rules_named(name).switches)
        ]
    assert json.loads(run(capsys, *HAND, "--ruleset", "friday"))["points"] == 8000
    assert friday.name in known_names()


@pytest.mark.parametrize(
    "words",
    [
        HAND,
        ("audit", "game.mjson"),
        ("rules", "play"),
        ("rules", "list"),
        ("run", "--port", "0"),
    ],
)
def test_an_unknown_set_is_told_once_with_the_nearest_name(
    friday: HouseRules, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    more = ("--data", str(tmp_path)) if words[0] == "run" else ()
    printed = run(capsys, *words, *more, "--ruleset", "fryday", code=1)
    assert printed.endswith("or a .toml file, got 'fryday'; did you mean 'friday'?\n")
    assert printed.count("expected a rule set of home, parlour") == 1
    assert friday.name in printed


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("ema", "ema-2025"), ("WRC", "wrc-2025"), ("jpml", "jpml-a"), ("Hone", "home"), ("FRYDAY", "FRIDAY")],
)
def test_the_nearest_name_is_suggested(name: str, nearest: str, tmp_path: Path) -> None:
    (tmp_path / "FRIDAY.toml").touch()
    with pytest.raises(ConfigError, match=f"got '{name}'; did you mean '{nearest}'[?]$"):
        rules_named(name, tmp_path)


@pytest.mark.parametrize("name", ["tournament", "euro", "none", "mine", "x", ""])
def test_no_name_far_from_the_one_typed_is_suggested(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"got '{name}'$"):
        rules_named(name, tmp_path)


@pytest.mark.parametrize("name", ["n" * 5000, "n" * 5000 + ".toml", "n\0", "n\0.toml"])
def test_what_no_file_can_be_called_names_no_set(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a rule set"):
        rules_named(name, tmp_path)


def test_a_table_plays_by_the_set_that_its_configuration_names(friday: HouseRules, tmp_path: Path) -> None:
    loaded = load(configured(tmp_path, f'ruleset = "friday"\ndata = "{tmp_path}"\n[page]\nport = 0\n'))
    assert loaded.problems == ()
    with run_appliance(loaded) as appliance:
        assert appliance.table.board.latest.ruleset == friday.ruleset


def test_a_set_that_cannot_be_used_is_a_mistake_of_the_configuration(tmp_path: Path) -> None:
    loaded = load(configured(tmp_path, 'side_mm = 700\nruleset = "ema"\n'))
    assert loaded.problems[0].startswith(f"{tmp_path / 'tachiai.toml'} line 3: table.ruleset: expected a rule set of ")
    assert loaded.problems[0].endswith("got 'ema'; did you mean 'ema-2025'?")
    assert (loaded.config.table.ruleset, loaded.config.table.side_mm) == ("home", 700)


# Recordings


@pytest.mark.parametrize("name", ["parlour", "friday"])
def test_what_record_writes_is_replayed_by_the_same_rules_on_any_machine(
    friday: HouseRules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    expected = rules_named(name).ruleset
    camera = f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\n'
    path = configured(tmp_path, f'ruleset = "{name}"\ndata = "{tmp_path}"\n{camera}')
    assert main(["record", str(tmp_path / "out"), "--seconds", "0.2", "--config", str(path)]) == 0
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another machine"))
    new_folder = Path(shutil.move(tmp_path / "out", tmp_path / "moved"))
    recording = Recording.open(new_folder)
    assert ruleset_of(recording.settings.game, recording.path) == expected
    assert (new_folder / RULES_FILE).is_file() == (name == friday.name)
    if name == friday.name:
        assert replay_recording(recording).state.scores == (30000,) * 4


@pytest.mark.parametrize("name", ["parlour", "ema-2025", "friday"])
def test_a_kept_clip_replays_by_the_rules_that_were_in_force(
    friday: HouseRules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    appearance, expected = Appearance.default(), rules_named(name).ruleset
    picture = np.zeros((appearance.height_px, appearance.width_px, 3), np.uint8)
    folder = clips(tmp_path)
    with clip_keeper(folder, appearance, replace(FIRST, ruleset=expected)) as keeper:
        keeper.see(picture, Felt(), frames=2)
        keeper.moments.flag("owner")
        recording = Recording.open(folder.path / keeper.kept_moment().name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another machine"))
    assert ruleset_of(recording.settings.game, recording.path) == expected
    assert (recording.path / RULES_FILE).is_file() == (name == friday.name)


def test_a_recording_whose_set_is_missing_says_which_and_plays_by_no_other(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"got 'fryday'.*in \[game\] of recording.toml$"):
        ruleset_of({"ruleset": "fryday"}, tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(RecordingError, match=f"{RULES_FILE}: expected a rule set, got: .*No such file"):
        ruleset_of({"ruleset": RULES_FILE}, tmp_path)
    (tmp_path / "home").write_text("a file of that name is no rule set", "utf-8")
    assert ruleset_of({"ruleset": "home"}, tmp_path) == rules_named("home").ruleset


def test_a_recording_may_change_switches_of_any_set(friday: HouseRules) -> None:
    assert ruleset_of({"ruleset": {"preset": "parlour", "ippatsu": False}}) == rules_named("parlour").ruleset.but(
        ippatsu=False
    )
    assert ruleset_of({"ruleset": {"preset": "friday"}}) == friday.ruleset


# Game records


@pytest.mark.parametrize("name", [*SHIPPED, "friday"])
def test_a_game_record_tells_the_switches_of_any_set_to_who_does_not_have_it(
    friday: HouseRules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    expected = rules_named(name).ruleset
    text = "\n".join(json.dumps(line) for line in write_mjai(replace(selfplay_game(1), ruleset=expected)))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another machine"))
    read = read_mjai(text.encode(), "x").ruleset
    assert read.but(penalties=expected.penalties) == expected
    assert (json.loads(text.partition("\n")[0])["ruleset"] == name) == (name != friday.name)


def test_a_game_record_may_name_any_set(friday: HouseRules) -> None:
    lines = [json.dumps(line) for line in write_mjai(selfplay_game(1))][1:]
    for name in known_names():
        head = json.dumps({"type": "start_game", "ruleset": name})
        assert read_mjai("\n".join([head, *lines]).encode(), "x").ruleset == rules_named(name).switches
    head = json.dumps({"type": "start_game", "ruleset": "fryday"})
    with pytest.raises(RecordError, match=r"x, line 1: .*got 'fryday'; did you mean 'friday'"):
        read_mjai("\n".join([head, *lines]).encode(), "x")
    assert friday.name == "friday"


def test_a_game_record_opens_no_file_that_it_names(friday: HouseRules, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(FRIDAY.replace("friday", "own"), "utf-8")
    head = json.dumps({"type": "start_game", "ruleset": str(file)})
    with pytest.raises(RecordError, match=rf"^x, line 1: expected a rule set of home, .*, {friday.name}, got "):
        read_mjai(head.encode(), "x")


@pytest.mark.parametrize("reference", ["own.toml", {"preset": "own.toml"}])
def test_a_recording_opens_a_file_beside_it_and_no_other(tmp_path: Path, reference: object) -> None:
    recording = tmp_path / "recording"
    recording.mkdir()
    file = recording / "own.toml"
    file.write_text(FRIDAY.replace("friday", "own"), "utf-8")
    assert ruleset_of({"ruleset": reference}, recording).name == "own"
    for path in (str(file), "../recording/own.toml"):
        with pytest.raises(RecordingError, match=r"expected the name of a file beside recording.toml, got the path "):
            ruleset_of({"ruleset": path}, recording)
    with pytest.raises(RecordingError, match="expected a rule set of home"):
        ruleset_of({"ruleset": str(file)})


# Phones


def posted(client: FlaskClient, **body: Any) -> tuple[int, Any]:
    answer = client.post("/api/game", json=body, headers=token(client))
    return answer.status_code, answer.get_json()


def test_a_game_is_opened_by_any_set_that_the_phone_lists(tmp_path: Path) -> None:
    house = parse_house(FRIDAY, "friday.toml", rules_named("ema-2025"))
    store(house, tmp_path)
    (tmp_path / "broken.toml").write_text("format = ", "utf-8")
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        with TableLoop(table) as loop:
            client = create_app(table.board, loop, rules=tmp_path).test_client()
            join(client, "owner", pin=PIN)
            page = client.get("/game").text
            for name in known_names(tmp_path):
                assert f'<option value="{name}">' in page
            for name in (*SHIPPED, "friday"):
                assert posted(client, rules=name)[0] == 202
                assert table.board.latest.ruleset == rules_named(name, tmp_path).ruleset
            for wrong in ("fryday", "broken", str(tmp_path / "friday.toml"), 3, ["home"]):
                assert posted(client, rules=wrong)[0] == 400
            assert table.board.latest.ruleset == house.ruleset
