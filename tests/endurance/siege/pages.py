"""Every page that a table has, found by its routes: one that is new is read too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from flask import Flask

from table.appliance.appliance import Appliance
from table.dashboard.application import create_app
from table.i18n import languages
from tests.endurance.siege.any_command import TableJson
from tests.endurance.siege.phones import Phone

UNREAD: Final = frozenset({"/api/stream", "/language/<language>"})
"""What never ends, and what changes the reader's language."""
ARGUMENTS: Final[Mapping[str, Sequence[str]]] = {
    "face": ("1m", "0p", "back", "9x"),
    "value": ("1000", "7"),
    "name": ("home", "setup_card", "nothing"),
    "kind": ("svg", "webp", "md"),
    "step": ("pin", "rules", "tiles", "nothing"),
    "style": ("csv", "json", "svg", "xls"),
    "key": ("nothing",),
    "identity": ("ann", "1", "nothing"),
    "language": ("en", "ja", "xx"),
    "manual": ("hosts", "players", "nothing"),
    "part": ("all", "points", "win", "nothing"),
}
"""What an address may say, where that is no number of a game or a hand."""
QUERIES: Final[Mapping[str, Sequence[str]]] = {
    "/broadcast/<part>": ("", "?points=top&ink=ff0&delay=5", "?points=nowhere", "?delay=-1"),
    "/broadcast/state.json": ("", "?delay=900", "?seen=0", "?delay=x"),
    "/api/fouls": ("", "?hand=0", "?hand=99", "?hand=x"),
    "/api/fouls/foreseen": ("?seat=0&clause=7-05-01", "?seat=1&clause=7-05-06&option=b&fact=exposed%3D3&hand=0", ""),
    "/rules": ("", "?set=wrc-2025&against=home", "?set=nothing"),
}
"""What follows an address."""


def page_rules(appliance: Appliance) -> tuple[str, ...]:
    """The addresses that an appliance answers, with their gaps."""
    assert appliance.loop is not None
    app: Flask = create_app(appliance.table.board, appliance.loop)
    for blueprint in appliance.pages():
        app.register_blueprint(blueprint)
    found = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    return tuple(sorted(rule for rule in found - UNREAD if not rule.startswith("/static/")))


def read_every_page(phones: Sequence[Phone], rules: Sequence[str], chance: Random) -> int:
    """Reads every page as each of the phones, in any language; returns how many were read.

    Raises:
        AssertionError: one of them failed.
    """
    read = 0
    for phone in phones:
        table_json = phone.read_table()
        for rule in rules:
            address = re.sub(r"<(?:int:)?(\w+)>", partial(_argument, table_json, chance), rule)
            address += chance.choice(QUERIES.get(rule, ("",)))
            language = chance.choice(languages())
            status, body = phone.get(address, language)
            assert status < 500, f"{phone.by or 'a spectator'} got {status} for {address} in {language}: {body[:300]!r}"
            read += 1
    return read


def _argument(table_json: TableJson, chance: Random, gap: re.Match[str]) -> str:
    name, keeping = gap[1], table_json["keeping"]
    if name == "game" or (name == "number" and "game/" in gap.string[: gap.start()] and "hand" not in gap.string):
        return str(chance.choice((keeping["game"], keeping["game"], 1, 999)))
    if name == "number":
        return str(chance.randrange(keeping["hand"] + 1))
    return chance.choice(ARGUMENTS[name])
