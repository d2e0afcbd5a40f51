"""The page for choosing rules: every clause, download and upload of files, and custom sets.

A file with any mistake is refused as a whole, with what was expected. A stored set applies to future games: the game in
progress keeps its rules.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from flask import Blueprint, Response, abort, jsonify, make_response, request

from table.dashboard.foul_pages.play_switches import THE_PAGE, changed_play
from table.dashboard.foul_pages.rule_view import rules_view
from table.dashboard.web.access.command_rights import least_role
from table.dashboard.web.access.roles import Role, access, visitor
from table.dashboard.web.access.seat_names import check_names, with_next_names
from table.dashboard.web.answers import (
    Answer,
    SeenRequests,
    act_and_answer,
    body_of,
    check_right,
    refusal_answer,
    refusal_text,
)
from table.dashboard.web.base_page import refusal_page, rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.request_environ import allow_body
from table.dashboard.web.table_port import TablePort
from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import OpenGame
from table.game.snapshot import Board
from table.i18n.clause_books import book_of
from table.rulebook import HouseRules, rules_named, write_house
from table.rulebook.house_rules import SETTINGS
from table.rulebook.recorded_rules import house_of
from table.rulebook.rules_file import refusal
from table.rulebook.ruleset_reader import checked_name, read_rules
from table.rulebook.ruleset_registry import default_folder, known_names, store
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import ConfigError, PressError

MOST_BYTES: Final = 256 * 1024
"""Limit of an uploaded file: an exported set with all its comments is far smaller."""
UPLOAD: Final = "the uploaded file"
LINE: Final = re.compile(r"\bline (\d{1,6})\b")
"""The line number in an error."""
SUGGESTION: Final = re.compile(r"did you mean '([^']+)'")
LONGEST_LINE: Final = 80
"""Limit of letters of a quoted line."""

_log = logging.getLogger(__name__)


def blueprint(board: Board, port: TablePort, seen_requests: SeenRequests, folder: Path | None) -> Blueprint:
    """Returns the routes of rule sets; imported ones are in `folder`, by default in the user's own."""
    routes = Blueprint("rules", __name__)
    rules_folder = folder or default_folder()

    @routes.get("/rules")
    def page() -> str:
        return _page(board, rules_folder)

    @routes.get("/rules/<name>.toml")
    def download(name: str) -> Response:
        if name not in known_names(rules_folder):
            abort(404)
        text = write_house(_stored_rules(name, rules_folder), book_of(request_texts()).language)
        headers = {"Content-Disposition": f"attachment; {_file_name(name)}"}
        return Response(text, mimetype="application/toml", headers=headers)

    _add_changes(routes, board, port, seen_requests, rules_folder)
    return routes


def _add_changes(
    routes: Blueprint, board: Board, port: TablePort, seen_requests: SeenRequests, rules_folder: Path
) -> None:
    """Adds the requests that store a set, and that begin a game with one."""

    @routes.post("/api/rules")
    def keep() -> Answer:
        """Stores a set: `{"toml": text}` of a file, `{"name", "base", "play", "choices", "amounts"}` from the page."""
        check_right(Role.OWNER)
        allow_body(MOST_BYTES)
        body = body_of(Role.OWNER)
        try:
            house = (
                _uploaded_rules(body.fields["toml"])
                if "toml" in body.fields
                else _custom_rules(body.fields, rules_folder)
            )
        except ConfigError as error:
            return refusal_answer(_error_at_line(error, body.fields.get("toml")), 400)
        try:
            store(house, rules_folder)
        except ConfigError as error:
            status = 409 if isinstance(error.__cause__, OSError) else 400  # the disk's fault, or the request's
            return refusal_answer(error, status, says="rules_file")
        return jsonify(name=house.name, said=request_texts().text("rules.saved", name=house.name)), 201

    @routes.post("/api/rules/play")
    def play() -> Answer:
        body = body_of(least_role(OpenGame))
        name = body.fields.get("name")
        if name not in known_names(rules_folder):
            return refusal_answer(f"expected a stored rule set, got {name!r}", 400, says="rules_gone")
        try:
            ruleset = rules_named(str(name), rules_folder).ruleset
        except ConfigError as error:
            return refusal_answer(str(error), 409, says="rules_file")  # it was read, so nothing is unsaved
        dealer = {"first_dealer": body.fields.get("first_dealer", int(board.latest.game.first_dealer))}
        by, mark = body.visitor.by, body.mark or ""
        try:
            command = read_command(OpenGame, dealer, names=("",) * 4, ruleset=ruleset, by=by, mark=mark)
        except PressError as error:
            return refusal_answer(error, 400)

        def begin() -> None:
            with access().naming_lock:
                names = with_next_names(board.latest).names
                check_names(names)
                port.handle(replace(command, names=names))

        return act_and_answer(seen_requests, body.mark, begin, OpenGame.word)


def _page(board: Board, rules_folder: Path) -> str:
    """Returns the page of the requested set, or of the one being played."""
    texts, names = request_texts(), known_names(rules_folder)
    playing = board.latest.ruleset.name
    set_name, against = request.args.get("set", ""), request.args.get("against", "")
    if (set_name and set_name not in names) or (against and against not in names):
        abort(404)
    house = _stored_rules(set_name, rules_folder) if set_name else _rules_in_force(board.latest.ruleset, rules_folder)
    return rendered_page(
        "foul_pages/rules.html",
        "fouls",
        "rules",
        book=book_of(texts),
        names=names,
        playing=playing,
        against=against,
        is_owner=visitor().is_owner,
        rules=rules_view(house, _stored_rules(against, rules_folder) if against else None, texts),
    )


def _file_name(name: str) -> str:
    """Returns the parameter of a header that names a set's file, which may have letters of any script (RFC 6266)."""
    return f'filename="{name}.toml"' if name.isascii() else f"filename*=UTF-8''{quote(name, safe='')}.toml"


def _stored_rules(name: str, rules_folder: Path) -> HouseRules:
    """Returns a stored set; aborts the request with a sentence if its file can no longer be used."""
    try:
        return rules_named(name, rules_folder)
    except ConfigError as error:
        _log.warning("%s", error)
        page = refusal_page(refusal_text(None, request_texts(), "rules_file"))
        abort(make_response(page, 409))


def _rules_in_force(ruleset: Ruleset, rules_folder: Path) -> HouseRules:
    """Returns the set being played: as stored, with its sources, or as it is played if its file cannot be used."""
    names = known_names(rules_folder)
    if ruleset.name not in names:
        return rules_named(names[0])
    try:
        return rules_named(ruleset.name, rules_folder)
    except ConfigError as error:
        _log.warning("%s", error)
        return house_of(ruleset)


def _uploaded_rules(text: object) -> HouseRules:
    if not isinstance(text, str):
        raise refusal(UPLOAD, "toml", "the text of a file", type(text).__name__)
    return read_rules(text, UPLOAD)


def _error_at_line(error: ConfigError, text: object) -> PressError:
    """Returns why rules cannot be used, with the line of the file concerned if the error names one."""
    lines = text.splitlines() if isinstance(text, str) else []
    number, suggestion = _line_of(str(error), lines), SUGGESTION.search(str(error))
    if not 1 <= number <= len(lines):
        return PressError(str(error), says="rules_file")
    line = lines[number - 1].strip()[:LONGEST_LINE]
    if suggestion is None:
        return PressError(str(error), says="rules_line", line=number, text=line)
    return PressError(str(error), says="rules_line_near", line=number, text=line, near=suggestion[1])


def _line_of(error: str, lines: Sequence[str]) -> int:
    """Returns the number of the line that an error names, or of the one that sets the key it names; 0 for none."""
    if (found := LINE.search(error)) is not None:
        return int(found[1])
    if "(at end of document)" in error:
        return len(lines)
    key = error.removeprefix(f"{UPLOAD}: ").partition(":")[0]
    return next((number for number, line in enumerate(lines, 1) if line.split("=")[0].strip() == key), 0)


def _custom_rules(fields: Mapping[str, Any], rules_folder: Path) -> HouseRules:
    """Returns a custom set: another set with some rules of play, choices and amounts changed."""
    if (base_name := fields.get("base")) not in known_names(rules_folder):
        raise refusal(THE_PAGE, "base", "a stored rule set", base_name)
    base, name = rules_named(str(base_name), rules_folder), checked_name(THE_PAGE, fields.get("name"))
    choices, amounts = _table(fields, "choices"), _table(fields, "amounts")
    play = changed_play(base.switches.but(name=name), _table(fields, "play"))
    return replace(
        base,
        name=name,
        switches=play,
        choices={**base.choices, **choices},
        amounts={**base.amounts, **{key: {**base.amounts.get(key, {}), **_table(amounts, key)} for key in amounts}},
        sources={number: source for number, source in base.sources.items() if number not in choices},
        switch_sources={
            key: source
            for key, source in base.switch_sources.items()
            if getattr(play, key) == getattr(base.switches, key)
        },
        **_settings(fields),
    )


def _settings(fields: Mapping[str, Any]) -> dict[str, Any]:
    settings = _table(fields, "settings")
    for key in settings:
        if key not in SETTINGS:
            raise refusal(THE_PAGE, "settings", "one of these", key, SETTINGS)
    return {
        key: next((setting for setting in SETTINGS[key] if str(setting) == value), value)
        for key, value in settings.items()
    }


def _table(fields: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = fields.get(key) or {}
    if not isinstance(found, dict):
        raise refusal(THE_PAGE, key, "an object", found)
    return found
