"""A record names its rules, so that it is read back, audited and counted by them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from table.cli.record_commands.export import as_text
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.records.format_detection import read_game
from table.records.formats.game_record import Drawn
from table.records.formats.header_rules import rules_fields, rules_in
from table.records.mjai.from_journal.journal_record import record_of
from table.records.mjai.mjai_writer import write_mjai
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rules.chips import Chips
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import RecordError
from tests.table.records.real_games import audit_lines
from tests.table.records.selfplay import selfplay_game

HOME = preset_rules("home").switches
CHANGED = [
    HOME.but(length="east", uma=(30000, 10000, -10000, -30000), red_pin=2),
    HOME.but(chips=Chips(ippatsu=1)),
    preset_rules("wrc-2025").switches.but(name="our club"),
]


def text_of(ruleset: Ruleset, style: str) -> str:
    record = replace(selfplay_game(1), ruleset=ruleset)
    if style == "mjai":
        return "\n".join(json.dumps(line) for line in write_mjai(record))
    return json.dumps(write_tenhou6(record))


@pytest.mark.parametrize(
    "ruleset", [*(preset_rules(name).switches for name in SHIPPED), *CHANGED], ids=lambda each: each.name
)
@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_every_rule_set_reads_back_from_an_export(ruleset: Ruleset, style: str) -> None:
    assert rules_in(json.loads(json.dumps(rules_fields(ruleset)))) == ruleset
    assert read_game(text_of(ruleset, style).encode(), "again").ruleset == ruleset


def test_the_viewer_shows_the_rules_as_it_did_and_finds_the_fields_that_it_knows() -> None:
    rule = write_tenhou6(replace(selfplay_game(1), ruleset=preset_rules("wrc-2025").switches))["rule"]
    assert rule == {"disp": "南喰", "aka51": 0, "aka52": 0, "aka53": 0, "ruleset": "wrc-2025"}


def test_the_rules_of_a_text_that_breaks_off_are_those_of_its_header() -> None:
    text = text_of(preset_rules("wrc-2025").switches, "tenhou6")
    cut = read_game(text[: len(text) // 2].encode(), "cut")
    assert cut.cut_short is not None
    assert 0 < len(cut.hands) < len(selfplay_game(1).hands)
    assert cut.ruleset == preset_rules("wrc-2025").switches


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"ruleset": "of another planet"}, "expected a rule set of "),
        ({"ruleset": 5}, "expected ruleset as a text, got 5"),
        ({"ruleset": "home", "ruleset_changes": {"red_mann": 1}}, "expected a switch of the rules, got 'red_mann'"),
        ({"ruleset": "home", "ruleset_changes": 3}, "expected ruleset_changes as an object, got 3"),
        ({"ruleset": "home", "ruleset_changes": {"uma": "high"}}, "expected "),
    ],
)
def test_rules_that_do_not_exist_are_refused_by_name(fields: dict[str, Any], message: str) -> None:
    game = write_tenhou6(selfplay_game(1))
    with pytest.raises(RecordError, match=f"^bent: .*{message}"):
        read_game(json.dumps({**game, "rule": {**game["rule"], **fields}}).encode(), "bent")


@pytest.mark.parametrize("style", ["mjai", "tenhou6"])
def test_a_game_by_amounts_that_no_rule_set_may_have_today_is_still_read(style: str) -> None:
    old_rules = replace(HOME, uma=(15050, 5000, -5000, -15050))
    again = read_game(text_of(old_rules, style).encode(), "again")
    assert len(again.hands) == len(selfplay_game(1).hands)
    assert again.ruleset.red_man == HOME.red_man


KAN = "start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 5z; 1 kan 5z from 0 with 555z"
NOTEN = "draw; 0 noten; 1 noten; 2 noten; 3 noten; confirm; confirm"


@pytest.mark.parametrize(
    ("rules", "acts"),
    [
        ("wrc-2025", "dora 2m; 1 discards 9p; 2 discards 9m"),
        ("wrc-2025", "dora 2m; 1 closed 6666s; dora 3m; 1 discards 9p"),
        ("wrc-2025", "dora 2m; 1 tsumo han=3 fu=40; confirm"),
        ("tenhou", "dora 2m; 1 discards 9p; 2 discards 9m"),
        ("tenhou", "1 closed 6666s; dora 2m; dora 3m; 1 discards 9p; 2 discards 9m"),
        ("home", "1 discards 9p; dora 2m; 2 discards 9m"),
        ("home", "1 closed 6666s; dora 2m; dora 3m; 1 discards 9p; 2 discards 9m"),
        ("home", "1 discards 9p; dora 2m; 2 pon 9p from 1 with 99p; 2 discards 9m"),
        ("home", "1 discards 9p; dora 2m"),
    ],
)
def test_the_indicators_of_kans_read_back_where_the_rules_turn_them(rules: str, acts: str) -> None:
    end = "" if "tsumo" in acts else f"; {NOTEN}"
    bodies: list[Body] = [
        GameOpened(ruleset=preset_rules(rules).ruleset),
        *parse_events(f"{KAN}; {acts}{end}; end-game"),
    ]
    envelope = Envelope(utc="2026-11-20T20:00:00.000+00:00", source=Source.CAMERA)
    record = record_of([Entry(number=number, envelope=envelope, body=body) for number, body in enumerate(bodies, 1)])
    again = read_game(as_text(record, "tenhou6").encode(), "again")
    expected, found = (
        [(type(move), getattr(move, "seat", None)) for move in each.hands[0].moves if not isinstance(move, Drawn)]
        for each in (record, again)
    )
    assert found == expected
    hand, _ = audit_lines(again, log="again")
    assert hand["suspicions"] == []
