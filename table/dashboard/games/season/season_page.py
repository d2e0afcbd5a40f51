"""The season's pages: everybody, one person, and the owner's form for people's names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.games.season.season_archive import SeasonArchive
from table.dashboard.games.season.season_view import person_view, season_view
from table.dashboard.web.access.roles import visitor
from table.dashboard.web.answers import check_owner_form, refusal_sentence, refusal_text
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.downloads import csv_separator, file_response
from table.dashboard.web.security import token
from table.records.season.people import People, person_id
from table.records.season.season_export import season_csv, season_json
from table.runtime.person_name import checked_name, normalised_name
from table.runtime.table_errors import ConfigError, PressError

CHANGES: Final[Mapping[str, Callable[[People, str, str], People]]] = {
    "rename": lambda people, person, name: people.renamed(person, name),
    "guest": lambda people, person, _: people.with_guest(person),
    "name": lambda people, person, _: people.without_guest(person),
    "part": lambda people, person, _: people.parted(person),
}
"""The owner's changes to a person."""


def blueprint(archive: SeasonArchive) -> Blueprint:
    """Returns the routes of the season."""
    pages = Blueprint("season", __name__)

    @pages.get("/season")
    def everybody() -> str:
        return _everybody(archive)

    @pages.get("/season.<style>")
    def download(style: str) -> Response:
        if style not in WRITERS:
            abort(404)
        mimetype, write = WRITERS[style]
        return file_response(write(archive), mimetype, f"tachiai-season.{style}")

    @pages.get("/season/people/<identity>")
    def person(identity: str) -> str:
        season, _ = archive.season()
        found = season.find(identity)
        if found is None:
            abort(404)
        others = [person.name for person in season.people if person is not found]
        view = person_view(found, request_texts())
        return rendered_page(
            "games/season/person.html",
            "season",
            person=view,
            others=others,
            token=token(),
            seen=archive.known_people.mark,
        )

    @pages.get("/season/people")
    def reopen() -> BaseResponse:
        """Redirects to everybody's page, for a browser that reopens the address of a refused form."""
        return redirect(url_for("season.everybody"))

    @pages.post("/season/people")
    def change() -> BaseResponse | tuple[str, int]:
        """Changes the known people (owner only)."""
        check_owner_form()
        return _change_people(archive)

    return pages


def _change_people(archive: SeasonArchive) -> BaseResponse | tuple[str, int]:
    """Carries out the form; returns a redirect to everybody's page, or that page with a refusal or a question."""
    seen_mark, known_people = request.form.get("seen", ""), archive.known_people
    change, person = CHANGES.get(request.form.get("do", "")), request.form.get("person", "")
    name = request.form.get("name", "").strip()
    is_renaming = request.form.get("do") == "rename"
    if change is None or not normalised_name(person) or (is_renaming and not name):
        abort(400)
    if is_renaming and not normalised_name(name):
        return _everybody(archive, request_texts().text("refused.name_unseen")), 409
    if is_renaming and (guest := _guest_to_merge(archive, person, name)) is not None:
        return _everybody(archive, refusal_sentence("name_guest", {"name": guest}, request_texts())), 409
    if is_renaming and (meetings := _meetings(archive, person, name)) and request.form.get("sure") != str(meetings):
        doubt = {"person": person, "name": name, "sure": meetings, "seen": seen_mark or known_people.mark}
        return _everybody(
            archive, request_texts().text("season.met", count=meetings, person=person, name=name), doubt
        ), 409
    try:
        before = known_people.people
        known_people.change(change(before, person, checked_name(name)), before=before, seen_mark=seen_mark)
    except (ConfigError, PressError) as error:
        return _everybody(archive, refusal_text(error, request_texts()) or str(error)), 409
    return redirect(url_for("season.everybody"))


def _guest_to_merge(archive: SeasonArchive, person: str, name: str) -> str | None:
    """Returns the guest whom a new name would make one with a known person; None if there is none."""
    people = archive.known_people.people
    one, other = people.known_as(person), people.known_as(name)
    if one == other or (one in people.guests) == (other in people.guests):
        return None
    if other in people.guests:
        return other
    return None if archive.season()[0].find(person_id(other)) is None else one


def _meetings(archive: SeasonArchive, person: str, name: str) -> int:
    """Returns how many games a person played against the other one with whom a new name would merge them."""
    people = archive.known_people.people
    return archive.season()[0].meetings(people.known_as(person), people.known_as(name))


def _everybody(archive: SeasonArchive, refusal: str = "", doubt: Mapping[str, object] | None = None) -> str:
    """Returns everybody's page, with the reason for a refused change, or with the merger to confirm."""
    season, unread = archive.season()
    people = archive.known_people.people
    return rendered_page(
        "games/season/people.html",
        "season",
        people=season_view(season, request_texts()),
        left_out=season.left_out,
        unread=unread,
        guests=sorted(people.guests) if visitor().is_owner else [],
        aliases=sorted(people.persons.items()) if visitor().is_owner else [],
        token=token(),
        refusal=refusal,
        doubt=doubt,
        seen=archive.known_people.mark,
    )


WRITERS: Final[Mapping[str, tuple[str, Callable[[SeasonArchive], str]]]] = {
    "csv": ("text/csv", lambda archive: season_csv(archive.season()[0], separator=csv_separator())),
    "json": ("application/json", lambda archive: json.dumps(season_json(archive.season()[0]), ensure_ascii=False)),
}
"""The formats of a downloaded season, with their writers."""
