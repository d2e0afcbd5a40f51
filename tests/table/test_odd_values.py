"""Whatever value a file or a request holds, its reader takes it, or refuses it with its own error in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from table.appliance.setup.owner_choices import FILE as CHOICES
from table.appliance.setup.owner_choices import load as load_choices
from table.appliance.setup.setup_wizard import REHEARSAL_FILE, last_rehearsal
from table.config import Config, read_config
from table.dashboard.web.access.vault import Vault
from table.game.commands.command_reader import JOURNAL_FIELDS, PRESS_FIELDS, read_press
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import read_people
from table.rulebook.ruleset_reader import SWITCHES, read_rules
from table.rules.chips import Chips
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError, PressError
from vision.errors import CalibrationError, ModelError, RecordingError, TileSetError
from vision.felt import FACES
from vision.geometry import calibration_file
from vision.json_text import read_json
from vision.reading.weights import read_manifest
from vision.recording.recording_settings import Settings, parse_settings
from vision.tilesets import tileset

ODD_TOML: Final = (
    *("1" + "0" * 400, "-1" + "0" * 400, "0x" + "f" * 4000, "1" + "0" * 5000),
    *("9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "1e-308", "inf", "-inf", "nan", "-1", "0"),
    *("true", '""', '"\\u0000"', f'"{"x" * 5000}"', f'"each:1{"0" * 400}"', "[]", "{}", "[[[[]]]]", "1979-05-27"),
    *(f"[1{'0' * 400}, 0, 0, -1{'0' * 400}]", "[nan, 0, 0, 0]", "{ a = inf }"),
)
ODD_JSON: Final = (
    *("1" + "0" * 400, "1" + "0" * 5000, "-9223372036854775807", "1e308", "1e-308", "1e999", "NaN", "-Infinity", "-1"),
    *("true", "null", '""', '"\\ud800b"', '"\\u0000"', "[]", "{}", "[[[[]]]]", '{"\\udfff": 1}', "1.5"),
)
LONGEST: Final = 700
"""Letters of a message with what was expected."""
ODD: Final = "\u2603"
"""Stands for an odd value in a text."""


def refusals(read: Callable[[], object], *errors: type[Exception]) -> int:
    """Reads; returns 1 if that was refused with one of these errors in a short sentence, else 0."""
    try:
        read()
    except errors as error:
        message = str(error)
    else:
        return 0
    assert 10 < len(message) < LONGEST, message[:LONGEST]
    assert "Exceeds the limit" not in message
    return 1


def test_no_value_of_a_configuration_keeps_it_from_being_read() -> None:
    refused = 0
    for section in fields(Config):
        for key in (field.name for field in fields(type(getattr(Config(), section.name)))):
            for value in ODD_TOML:
                loaded = read_config(f"[{section.name}]\n{key} = {value}\n", "a.toml")
                assert all(len(problem) < LONGEST for problem in loaded.problems)
                refused += bool(loaded.problems)
    assert refused


def test_no_value_of_a_rule_set_is_more_than_refused() -> None:
    head = 'format = 1\nname = "x"\nbase = "home"\n'
    places = [f"{head}[rules]\n{name} = {ODD}" for name in SWITCHES]
    places += [f"{head}[rules]\nchips = {{ {field.name} = {ODD} }}" for field in fields(Chips)]
    places += [f"{head}[rules]\n{name} = [[{ODD}, 0, 0, 0]]" for name in ("uma", "floating_uma")]
    places += [
        f"{head}{name} = {ODD}" for name in ("switches", "short_is_bust", "fouls_decided_by", "quick", "article")
    ]
    places += [f'{head}[amounts]\n"7-01 f" = {{ each = {ODD} }}', f'{head}[choices]\n"7-01" = {ODD}']
    article = f'{head}[[article]]\nnumber = "X"\ntitle = "x"\nevidence = "read"\neffects = ['
    places += [
        f'{article}{{ when = "discovery", do = "deposit", points = {ODD} }}]',
        f'{article}{{ when = "discovery", do = "pay", to = "others", scheme = {ODD} }}]',
        f'{article}{{ when = "discovery", do = "ban", if = {ODD} }}]',
    ]
    count = sum(
        refusals(lambda text=text, value=value: read_rules(text.replace(ODD, value), "a.toml").ruleset, ConfigError)  # type: ignore[misc]
        for text in places
        for value in ODD_TOML
    )
    assert count > len(places) * len(ODD_TOML) * 0.8


def test_no_value_of_a_recording_is_more_than_refused() -> None:
    head = "format = 1\nfps = 10\n"
    keys = {
        "table": ("side_mm", "corners_px"),
        "camera": ("matrix", "distortion"),
        "tiles": ("width_mm", "height_mm", "depth_mm", "red"),
        "game": ("dealer_seat", "honba", "deposits", "round", "scores", "ruleset"),
    }
    texts = [f"format = 1\nfps = {ODD}\n", f"format = {ODD}\nfps = 10\n"]
    texts += [f"{head}[{table}]\n{key} = {ODD}\n" for table, names in keys.items() for key in names]
    texts += [f"{head}[camera]\nmatrix = [[{ODD}, 0, 5], [0, {ODD}, 5], [0, 0, 1]]\ndistortion = [{ODD}, 0, 0, 0]\n"]
    for text in texts:
        for value in ODD_TOML:
            refusals(lambda text=text, value=value: parse_settings(text.replace(ODD, value)), RecordingError)  # type: ignore[misc]
    assert Settings(fps=1).fps == 1


def odd_texts(content: object) -> Iterator[str]:
    """Yields the JSON text of a document with each of its values replaced by each odd one."""
    for place in _places(content):
        marked = json.dumps(_with(content, place, ODD))
        for value in ODD_JSON:
            yield marked.replace(json.dumps(ODD), value)


def _places(content: object, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, pair in pairs:
        yield from _places(pair, (*at, key))


def _with(content: Any, place: tuple[Any, ...], value: object) -> Any:
    if not place:
        return value
    copy = content.copy()
    copy[place[0]] = _with(content[place[0]], place[1:], value)
    return copy


DOCUMENTS: Final[dict[str, tuple[object, Callable[[Path], object], tuple[type[Exception], ...]]]] = {
    CHOICES: (
        {
            "format": 1,
            "settings": {"table.side_mm": {"chosen": "700", "instead_of": "720.0"}},
            "steps": {"camera": "done"},
        },
        lambda path: load_choices(path).applied_to(Config()),
        (),
    ),
    REHEARSAL_FILE: (
        {"when": "", "steps": 9, "done": 9, "right": 9, "trust": {"tiles": "good", "sticks": None}},
        lambda path: last_rehearsal(path.parent),
        (),
    ),
    PEOPLE: ({"format": 1, "persons": {"Anna": "Ana"}, "guests": ["Ben"]}, read_people, (ConfigError,)),
    "secrets.json": ({"key": "ab", "pin": "00", "salt": "00", "era": "1"}, Vault, (ConfigError,)),
    "calibration.json": (
        {
            "format": 1,
            "corners_px": [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]],
            "size": [10, 10],
            "side_mm": 720.0,
            "when": "",
            "by": "hand",
        },
        calibration_file.load,
        (CalibrationError,),
    ),
    "a.tileset": (
        {
            "format": tileset.FORMAT,
            "version": tileset.VERSION,
            "name": "a",
            "looks": [{"face": FACES[0], "source": "scan", "jpeg": tileset.packed(np.zeros((64, 48, 3), np.uint8))}],
            "readiness": {"right": 9, "total": 9, "confused": [[FACES[0], FACES[1], 0.5]]},
        },
        tileset.load,
        (TileSetError,),
    ),
    "a.json": (
        {"name": "a", "version": "1", "sha256": "00", "input": [3, 64, 48], "classes": ["1m"], "temperature": 1.0},
        read_manifest,
        (ModelError,),
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_value_of_a_document_is_more_than_refused(tmp_path: Path, name: str) -> None:
    content, read, errors = DOCUMENTS[name]
    path = tmp_path / name
    path.write_text(json.dumps(content), encoding="utf-8")
    read(path)
    for text in odd_texts(content):
        path.write_text(text, encoding="utf-8")
        refusals(lambda: read(path), *errors)


def test_no_value_of_a_press_is_more_than_refused() -> None:
    for key in PRESS_FIELDS:
        for press in ("ron", "tsumo", "abort", "foul", "wait", "correct", "cancel"):
            for text in odd_texts({"press": press, "seat": 1, key: [1]}):
                refusals(lambda text=text: _pressed(text), PressError, RulesError, ValueError)  # type: ignore[misc]


def test_no_value_of_a_command_is_more_than_refused() -> None:
    result = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 40, "yaku": [["riichi", 1]], "pao": {}}]}
    for key, read in JOURNAL_FIELDS.items():
        for text in odd_texts(result if key == "result" else [1]):
            refusals(lambda read=read, text=text: read(read_json(text)), PressError, RulesError, ValueError)  # type: ignore[misc]


def _pressed(text: str) -> object:
    data = read_json(text)
    return read_press(data) if isinstance(data, dict) else None
