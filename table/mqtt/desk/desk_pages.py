"""The desk's pages: the owner's desk, printable sheets, CSV files, and the standings for everybody."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.broadcast.overlay_query import OverlayError, read_overlay
from table.dashboard.web.access.pin_choice import PinError
from table.dashboard.web.access.roles import access, enter_as_owner, visitor
from table.dashboard.web.answers import SeenRequests, check_form, check_owner, refusal_text
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.clause_names import article_text
from table.dashboard.web.request_environ import allow_body
from table.dashboard.web.security import token
from table.i18n import Catalogue, catalogue
from table.mqtt.desk import desk_forms, desk_view
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.seen_state import seen_state
from table.mqtt.desk_signal import moment
from table.mqtt.tournament.book_penalties import book_penalties
from table.mqtt.tournament.round_seating import SEARCH_S, most_rounds, repeats
from table.mqtt.tournament.tournament import Tournament
from table.mqtt.tournament.tournament_csv import CsvError, csv_text, decoded_text
from table.mqtt.tournament.tournament_rules import tournament_rules
from table.rulebook.ruleset_registry import known_names
from table.rules.ruleset import Ruleset
from table.runtime.person_name import name_order
from table.runtime.table_errors import PressError
from table.runtime.whole_number import whole_number

MOST_BYTES: Final = 256 * 1024
"""Limit of a form with its file."""
FILES: Final = ("standings", "seating", "results")
LABELS: Final[Mapping[str, str]] = {
    "open minutes": "desk.round_minutes",
    "minutes": "desk.minutes",
    "rounds": "desk.rounds",
    "round": "desk.round",
    "replace points": "desk.worth",
    "points": "desk.points",
    "times": "desk.times",
    "title": "desk.event_title",
    "why": "desk.why",
    "ruling": "desk.ruling",
    **{f"score{place}": f"wind.{wind}" for place, wind in enumerate(desk_view.WINDS)},
}
"""The texts that label the forms' fields of numbers and text, by `ACT FIELD`, or by `FIELD` for all acts."""
TURN_S: Final = 10
"""How long a broadcast shows some lines of the standings before the next ones."""


def blueprint(desk: Desk) -> Blueprint:
    """Returns the pages."""
    pages = Blueprint("desk", __name__)
    _add_desk(pages, desk)
    _add_sheets(pages, desk)
    return pages


def _add_desk(pages: Blueprint, desk: Desk) -> None:
    """Adds the owner's desk, the way in, and what its forms do."""
    seen_requests, act_lock = SeenRequests(), threading.Lock()

    @pages.get("/desk")
    def overview() -> str | BaseResponse:
        return _desk_page(desk) if visitor().is_owner else redirect(url_for("desk.join"))

    @pages.get("/desk/join")
    def join() -> str:
        return _join_page()

    @pages.post("/desk/join")
    def enter() -> BaseResponse | tuple[str, int]:
        check_form()
        try:
            enter_as_owner(request.form, request.remote_addr or "")
        except PinError as error:
            return _join_page(error), 403
        return redirect(url_for("desk.overview"), 303)

    @pages.post("/desk/<act>")
    def act(act: str) -> BaseResponse | tuple[str, int]:
        check_owner()
        allow_body(MOST_BYTES)
        check_form()
        if act not in ACTS:
            abort(404)
        with act_lock:  # no other entry may come between the comparison of a form and its act
            return _perform_act(desk, seen_requests, act)


def _add_sheets(pages: Blueprint, desk: Desk) -> None:
    """Adds what is printed, downloaded and broadcast."""

    @pages.get("/desk/sheet/<kind>")
    def sheet(kind: str) -> str:
        tournament = _requested_tournament(desk)
        if kind not in ("seating", "scores", "standings"):
            abort(404)
        return _render("sheet.html", kind=kind, **_round_fields(tournament, desk))

    @pages.get("/desk/<name>.csv")
    def figures(name: str) -> Response:
        tournament = _requested_tournament(desk)
        if name not in FILES:
            abort(404)
        rows = list(desk_view.csv_rows(name, tournament, _rules_of(tournament)))
        headers = {"Content-Disposition": f"attachment; filename=tachiai-{name}.csv"}
        separator = ";" if "semicolons" in request.args else ","
        return Response(csv_text(rows, separator=separator), mimetype="text/csv", headers=headers)

    @pages.get("/broadcast/standings")
    def broadcast() -> str:
        return _broadcast(desk)


def refusal_page(reason: str) -> str:
    """Returns the page that says why an address shows nothing, with the way back to all tables."""
    return _render("refusal.html", said=reason)


def _perform_act(desk: Desk, seen_requests: SeenRequests, act: str) -> BaseResponse | tuple[str, int]:
    def perform() -> None:
        _check_seen(desk, act)
        ACTS[act](desk, request.form)

    try:
        if request.form.get("mark"):
            seen_requests.act_once(token(), f"{act} {_content()}", perform)
        else:
            perform()
    except CsvError as error:
        return _desk_page(desk, [fault.text(request_texts()) for fault in error.faults]), 409
    except PressError as error:
        odd_sum = error.values.get("got") if error.says == "desk_sum" else None
        return _desk_page(desk, [_refusal_at_field(error, act, request_texts())], odd_sum), 409
    return redirect(_way_back(act), 303)


def _refusal_at_field(error: PressError, act: str, texts: Catalogue) -> str:
    """Returns why a form is refused, after the label of the field that cannot be read, if there is one."""
    refusal, field = refusal_text(error, texts), error.values.get("field")
    label = LABELS.get(f"{act} {field}") or LABELS.get(str(field))
    return texts.labelled(texts.text(label), refusal) if label else refusal


def _way_back(act: str) -> str:
    """Returns the address of the page after an act; without a place in it, browsers stay at the form."""
    if act in ("open", "begin"):
        return url_for("desk.overview", round=request.form.get("round") if act == "begin" else None, _anchor="clock")
    return url_for("desk.overview", round=_shown_round())


def _shown_round() -> str | None:
    """Returns the round that the form's page showed; None for the current one."""
    return request.form.get("shown") or request.form.get("round") or None


def _check_seen(desk: Desk, act: str) -> None:
    """Refuses a form whose page showed another state of what it changes; programs may send one without such a state."""
    seen_before = request.form.get("seen")
    if seen_before is not None and seen_before != _state_now(desk, act, request.form):
        raise PressError("expected what the form changes as its page showed it, got it changed since", says="overtaken")


def _state_now(desk: Desk, act: str, form: Mapping[str, Any]) -> str:
    tournament = desk.tournament
    return seen_state(tournament, None if tournament is None else _rules_of(tournament), act, form)


def _content() -> str:
    """Returns a text that is the same only for a form that is sent twice from one page with the same content.

    The mark alone would not do: somebody may go back to a page and fill in another form.
    """
    file = _file()
    return sha256(repr((sorted(request.form.items(multi=True)), file)).encode()).hexdigest()


def _file() -> bytes:
    """Returns the content of the file that comes with a form; empty without one."""
    file = request.files.get("file")
    if file is None:
        return b""
    file.stream.seek(0)
    return file.stream.read()


def _broadcast(desk: Desk) -> str:
    try:
        overlay = read_overlay("standings", request.args)
    except OverlayError as error:
        abort(Response(f"{error}\n", 400, mimetype="text/plain"))
    event = public_view(desk, overlay.delay_s)
    turn = int(moment(desk.now).timestamp()) // TURN_S
    lines = [] if event is None else desk_view.lines_of_turn(event["standings"]["lines"], turn)
    return _render("event.html", overlay.language, event=event, overlay=overlay, lines=lines)


def public_view(desk: Desk | None, delay_s: int = 0) -> Mapping[str, Any] | None:
    """Returns the standings and clock that everybody may see, as they were `delay_s` seconds ago.

    Returns None if there was no tournament then.
    """
    tournament = None if desk is None else desk.past.state_before(delay_s) if delay_s else desk.tournament
    if desk is None or tournament is None:
        return None
    now = (moment(desk.now) - timedelta(seconds=delay_s)).isoformat()
    standings = _standings(desk, tournament)
    clock = desk_view.clock_view(tournament, now, is_over=standings["is_round_over"])
    return {"standings": standings, "clock": clock}


def _standings(desk: Desk, tournament: Tournament) -> Mapping[str, Any]:
    """Returns the standings, computed once for all visitors until the next act."""
    cached = next((view for shown, view in tuple(desk.shown_standings) if shown is tournament), None)
    if cached is not None:
        return cached
    rules = _rules_of(tournament)
    view = desk_view.standings_view(tournament, rules)
    if rules is not None:
        desk.shown_standings.append((tournament, view))
    return view


def _rules_of(tournament: Tournament) -> Ruleset | None:
    """Returns the rule set of a tournament; None if it cannot be read."""
    house = tournament_rules(tournament.opening)
    return None if house is None else house.ruleset


def _requested_tournament(desk: Desk) -> Tournament:
    """Returns the tournament, or the earlier one whose number is in the address; refuses everybody but the owner."""
    check_owner()
    tournament, earlier = desk.tournament, desk.earlier
    if "tournament" in request.args:
        number = whole_number(request.args["tournament"], 0, len(earlier) - 1)
        tournament = None if number is None else earlier[number]
    if tournament is None:
        abort(404)
    return tournament


def _join_page(error: PinError | None = None) -> str:
    refusal = "" if error is None else refusal_text(error, request_texts())
    return _render("desk_join.html", has_pin=access().vault.has_pin, refusal=refusal, token=token())


def _render(template: str, language: str | None = None, **fields: Any) -> str:
    texts = request_texts() if language is None else catalogue(language)
    words = texts.group("page") | texts.group("desk")
    winds = {letter: texts.text(f"wind.{letter}") for letter in desk_view.WINDS}
    common = {"words": words, "winds": winds, "set_titles": texts.group("ruleset"), "language": texts.language}
    return render_template(template, **(common | fields))


def _desk_page(desk: Desk, refusals: list[str] | None = None, odd_sum: object = None) -> str:
    """Returns the owner's page.

    Args:
        desk: the desk.
        refusals: why the form that was sent is refused.
        odd_sum: the sum of its points, if the owner has to confirm it.
    """
    tournament = desk.tournament
    fields: dict[str, Any] = {
        "token": token(),
        "mark": secrets.token_hex(8),
        "refusals": refusals or [],
        "odd_sum": odd_sum,
        "seen": lambda act, fields: _state_now(desk, act, fields),
        "files": FILES,
        "rule_sets": known_names(),
        "form": request.form,
        "hall": [table.name for table in desk.hall],
        "search": desk.search,
        "damage": _damage_text(desk),
        "unopened": "" if desk.opening_error is None else refusal_text(desk.opening_error, request_texts()),
        "is_connected": desk.is_connected,
        "earlier": desk_view.earlier_view(desk.earlier),
        "has_unwritten": desk.has_unwritten,
        "has_other_desk": desk.other_desk.is_active,
        "doubled": [table.name for table in desk.hall if table.is_doubled],
        "most_seconds": round(SEARCH_S),
    }
    if tournament is not None:
        fields |= _round_fields(tournament, desk) | _owners_fields(tournament, desk, request_texts())
    return _render("desk.html", event=public_view(desk), **fields)


def _damage_text(desk: Desk) -> str:
    """Returns what the desk's file has lost, if it was found damaged at the start; else an empty text."""
    damage = desk.damage
    if damage is None:
        return ""
    text = request_texts().text(f"desk.journal_{damage.kind}", count=len(damage.lines), file=damage.kept_file)
    return text if damage.kept_file else request_texts().text("desk.journal_gone")


def _round_fields(tournament: Tournament, desk: Desk) -> dict[str, Any]:
    """Returns the template's fields for one round: the requested one, else the current one."""
    requested = whole_number(request.args.get("round") or _shown_round() or "", 1, len(tournament.opening.rounds))
    round_ = tournament.round or 0 if requested is None else requested - 1
    rules = _rules_of(tournament)
    tables_by_name = {table.name: table for table in desk.hall} if desk.is_connected else {}
    return {
        "shown": round_ + 1,
        "tables": desk_view.round_view(tournament, round_, rules, tables_by_name),
        "standings": _standings(desk, tournament),
        "tournament": tournament.opening,
    }


def _owners_fields(tournament: Tournament, desk: Desk, texts: Catalogue) -> dict[str, Any]:
    opening = tournament.opening
    next_round = 0 if tournament.round is None else tournament.round + 1
    repeat_count = repeats(opening.rounds)
    house = tournament_rules(opening)
    return {
        "next_round": next_round + 1 if next_round < len(opening.rounds) else None,
        "unfinished": texts.list_text(
            texts.text("desk.table_number", table=number)
            for number in desk_view.tables_without_result(tournament, None if house is None else house.ruleset)
        ),
        "again": texts.text("desk.again", count=repeat_count, bound=most_rounds(len(opening.players)))
        if repeat_count
        else "",
        "missing_rules": opening.rules if house is None else "",
        "stopped": desk_view.stopped_games_view(tournament, None if house is None else house.ruleset),
        "games": desk_view.games_view(tournament),
        "appeals": desk_view.appeals_view(tournament, desk.hall, moment(desk.now).astimezone().date()),
        "penalties": desk_view.penalties_view(tournament, texts),
        "replaced": desk_view.substitutes_view(tournament, texts),
        "players": sorted(enumerate(opening.players), key=lambda player: name_order(player[1])),
        "articles": [
            {
                "key": f"{penalty.article} {penalty.points}",
                "text": texts.with_note(
                    article_text(penalty.article, penalty.title, texts), desk_view.single_points(-penalty.points, texts)
                ),
            }
            for penalty in (() if house is None else book_penalties(house))
        ],
    }


def _open(desk: Desk, form: Mapping[str, str]) -> None:
    content = _file()
    if content.strip() and form.get("players", "").strip():
        raise PressError("expected players in the field or in a file, got both", says="desk_players_twice")
    try:
        text = decoded_text(content) if content.strip() else form.get("players", "")
    except UnicodeDecodeError as error:
        raise PressError("expected a file in UTF-8, got another encoding", says="desk_utf8") from error
    away = {table.name for table in desk.hall if not table.is_online}
    tournament_form = desk_forms.read_tournament(form, text, away)
    if tournament_form.rounds_to_search:
        desk.seat(tournament_form.opening, tournament_form.rounds_to_search)
    else:
        desk.open(tournament_form.opening)


def _result(desk: Desk, form: Mapping[str, str]) -> None:
    tournament = desk.opened_tournament()
    desk.record(desk_forms.read_result(form, tournament, _rules_of(tournament)))


ACTS: Final[Mapping[str, Callable[[Desk, Mapping[str, str]], None]]] = {
    "open": _open,
    "enough": lambda desk, _: desk.end_search(),
    "stop": lambda desk, _: desk.give_up_search(),
    "begin": lambda desk, form: desk.begin_round(desk_forms.whole_field(form, "round", 1, 1000) - 1),
    "time": lambda desk, _: desk.call_time(),
    "clock": lambda desk, form: desk.move_clock(desk_forms.whole_field(form, "minutes", -600, 600)),
    "result": _result,
    "game": lambda desk, form: desk.move_game(desk_forms.read_moved_game(form, desk.opened_tournament())),
    "penalty": lambda desk, form: desk.record(desk_forms.read_penalty(form, desk.opened_tournament().opening)),
    "cancel": lambda desk, form: desk.record(desk_forms.read_cancellation(form)),
    "replace": lambda desk, form: desk.record(desk_forms.read_replacement(form, desk.opened_tournament())),
    "appeal": lambda desk, form: desk.record(desk_forms.read_ruling(form)),
}
"""The owner's acts, by the form's address."""
