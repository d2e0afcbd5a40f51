"""The set-up on the phone: four steps and those of a camera, each of which can be skipped and done later.

Until a PIN is chosen, anybody may use it; from then on only the owner. The appliance does the work (`SetupPort`); this
module only asks and shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, redirect, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.live.table_view import seats_view
from table.dashboard.web.access.pin_choice import pin_typed_twice
from table.dashboard.web.access.roles import access, become_owner, visitor
from table.dashboard.web.access.seat_names import name_seats, refused_seats, with_next_names, with_present_names
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.answers import (
    Answer,
    body_kind,
    check_form,
    check_token,
    json_body,
    refusal_answer,
    refusal_text,
)
from table.dashboard.web.base_page import invitation_address, rendered_page
from table.dashboard.web.browser_language import choose_language, request_texts
from table.dashboard.web.security import has_token, token
from table.dashboard.wizard.setup_port import Corners, Guide, SetupPort, Trial
from table.dashboard.wizard.setup_view import (
    STEPS,
    applicable_steps,
    rehearsal_view,
    scan_view,
    steps_view,
    unmarked_view,
)
from table.game.snapshot import Board, Mode, Snapshot
from table.i18n import catalogue, languages
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import PressError, TachiaiError
from vision.errors import CalibrationError, CameraError, TileSetError, VisionError
from vision.felt import FACES

COLOURS: Final = ("red", "green", "blue")
POLLED_STEPS: Final = ("place", "tiles", "panel", "rehearsal")
"""Steps whose pages poll for updates."""
OVER: Final = "over"
LAST_STEP: Final = "invite"
HOST: Final = "host"
"""The session's key of a phone that took a step of the set-up."""
PICTURE_REFUSALS: Final = {CalibrationError: "no_table", TileSetError: "scan_order", CameraError: "no_camera"}
"""Text keys for a picture that does not show what a step needs, by error."""
PLACE_REFUSALS: Final = {"border": "table_border", "even": "picture_even", "dark": "picture_dark"}
"""Text keys for a picture in which the table cannot be found, by the error's reason."""
Form = Mapping[str, str]
Data = Mapping[str, Any]


@dataclass(slots=True)
class _Wizard:
    """The table to set up, and the appliance that does it."""

    board: Board
    vault: Vault
    tools: SetupPort
    felt_user: str = ""
    """The token of the phone that last began to use the felt or the panel; empty once it left them."""

    @property
    def may_use(self) -> bool:
        """Whether the visitor may use the set-up."""
        return not self.vault.has_pin or visitor().is_owner

    def page(self, step: str, *, refusal: str = "", refused: Sequence[Seat] = ()) -> str:
        """Returns the page of a step; `refused` are the seats whose names were refused."""
        return rendered_page("wizard/wizard.html", "wizard", refusal=refusal, refused=refused, **self.content(step))

    def content(self, step: str) -> dict[str, Any]:
        """Returns the content of a step's page."""
        return _content(step, self.tools, self.board.latest, has_pin=self.vault.has_pin)

    def leave(self, step: str) -> None:
        """Returns felt and panel to the table after a step, unless another phone uses them for another step."""
        if step in POLLED_STEPS or self.felt_user in ("", token()):
            self.tools.leave()
            self.felt_user = ""


def blueprint(board: Board, vault: Vault, tools: SetupPort) -> Blueprint:
    """Returns the pages; `tools` is the appliance's side of them."""
    pages = Blueprint("wizard", __name__)
    wizard = _Wizard(board, vault, tools)

    @pages.before_app_request
    def lead() -> BaseResponse | None:
        """Redirects the first phone here, until a PIN is chosen or the set-up is over."""
        is_first = request.endpoint == "table_page.index" and not vault.has_pin
        return redirect(_next_address(tools)) if is_first and not _is_over(tools) else None

    @pages.app_context_processor
    def panel() -> dict[str, bool]:
        """Returns whether the table has buttons of its own, for every page."""
        return {"has_panel": tools.trial is not None}

    _show_steps(pages, wizard)
    _do_steps(pages, wizard)
    return pages


def _show_steps(pages: Blueprint, wizard: _Wizard) -> None:
    """Adds the pages."""

    @pages.get("/begin")
    def overview() -> str | BaseResponse:
        return wizard.page("overview") if wizard.may_use else redirect(url_for("join.choose"))

    @pages.get("/begin/<step>")
    def show(step: str) -> str | BaseResponse:
        _check_step(step)
        return wizard.page(step) if wizard.may_use else redirect(url_for("join.choose"))

    @pages.get("/begin/<step>/now")
    def now(step: str) -> str:
        if step not in POLLED_STEPS:
            abort(404)
        if not wizard.may_use:
            abort(403)
        return rendered_page(f"wizard/now/{step}.html", "wizard", **wizard.content(step))

    @pages.get("/begin/picture.jpg")
    def picture() -> Response:
        jpeg = wizard.tools.picture() if wizard.may_use else None
        if jpeg is None:
            abort(404)
        return Response(jpeg, mimetype="image/jpeg")


def _do_steps(pages: Blueprint, wizard: _Wizard) -> None:
    """Adds the routes for the pages' forms and scripts."""

    @pages.post("/begin/<step>")
    def take(step: str) -> str | BaseResponse | tuple[str, int]:
        if not wizard.may_use:
            abort(403)
        check_form()
        return _handle_form(step, request.form, wizard)

    @pages.post("/api/begin/<step>")
    def act(step: str) -> Answer:
        if not wizard.may_use:
            return refusal_answer("expected the owner of the table for this", 403, says="owner")
        check_token(is_sent=has_token())
        data = json_body()
        if not isinstance(data, dict):
            return refusal_answer(f"expected a JSON object, got {body_kind()}", 400, says="unreadable")
        try:
            answer = _act(step, data.get("do"), wizard.tools, data)
            if data.get("do") == "begin":
                wizard.felt_user = token()
            return jsonify(answer), 200
        except (TachiaiError, VisionError) as error:
            return refusal_answer(_error_for_players(error), 409, says=_picture_refusal(error))
        except (LookupError, TypeError, ValueError):
            got = f"{data.get('do')!r} with {', '.join(sorted(data.keys() - {'do'})) or 'nothing else'}"
            return refusal_answer(f"expected something that the step {step!r} does, got {got}", 400, says="unreadable")


def _error_for_players(error: Exception) -> Exception:
    """Returns the error; if single tiles of a scan are wrong, one that names them to players."""
    if not isinstance(error, TileSetError) or not (error.missing or error.misplaced):
        return error
    says, tiles = ("scan_missing", error.missing) if error.missing else ("scan_misplaced", error.misplaced)
    return PressError(str(error), says=says, tiles=tiles)


def _picture_refusal(error: Exception) -> str:
    """Returns the error's text key if the picture does not show what the step needs, or the disk took no result."""
    if isinstance(error, VisionError) and isinstance(error.__cause__, OSError):
        return "device_unwritten"
    place_refusal = PLACE_REFUSALS.get(error.says) if isinstance(error, VisionError) else None
    return place_refusal or next((says for kind, says in PICTURE_REFUSALS.items() if isinstance(error, kind)), "")


def _is_over(tools: SetupPort) -> bool:
    """Returns whether the set-up was left for the table, or only invites other phones than this one to the table."""
    is_left = all(step in tools.steps for step in applicable_steps(tools) if step != LAST_STEP)
    return OVER in tools.steps or (is_left and HOST not in session)


def _next_address(tools: SetupPort, after: str | None = None) -> str:
    """Returns the address of the step after `after`, or of the first open one; from a side page, of the last step."""
    steps = applicable_steps(tools)
    if after is None:
        step = next((name for name in steps if name not in tools.steps), steps[-1])
    else:
        step = steps[min(steps.index(after) + 1, len(steps) - 1)] if after in steps else steps[-1]
    return url_for("wizard.show", step=step)


def _check_step(step: str) -> None:
    if step not in STEPS:
        abort(404)


def _handle_form(step: str, form: Form, wizard: _Wizard) -> str | BaseResponse | tuple[str, int]:
    """Handles a step's form, and redirects to the next step."""
    tools = wizard.tools
    if step == OVER:
        tools.step(LAST_STEP, "done")
        tools.finish()
        return redirect(url_for("table_page.index"))
    _check_step(step)
    session[HOST] = True
    if form.get("do") == "skip":
        tools.step(step, "skipped")
    else:
        try:
            _carry_out(step, form, wizard)
        except (TachiaiError, ValueError) as error:
            reason = refusal_text(error, request_texts())
            return wizard.page(step, refusal=reason, refused=refused_seats(error, form)), 409
        tools.step(step, "done")
    wizard.leave(step)
    return redirect(_next_address(tools, step))


def _carry_out(step: str, form: Form, wizard: _Wizard) -> None:
    """Carries out a step's form; a step without a form needs nothing.

    Raises:
        TachiaiError: it is not possible now.
        ValueError: the form's value is not one of those offered.
    """
    match step:
        case "language":
            choose_language(form.get("language", ""))
        case "pin" if not wizard.vault.has_pin:
            become_owner(pin_typed_twice(form))
        case "mode":
            wizard.tools.choose_mode(Mode(form.get("mode", "")))
        case "rules":
            with access().naming_lock:
                players = with_next_names(wizard.board.latest).names
                wizard.tools.choose_rules(form.get("rules", ""), visitor().by, players)
        case "names":
            names = with_present_names(form, with_next_names(wizard.board.latest).names)
            name_seats(wizard.board, {seat: names[f"name{seat}"] for seat in SEATS})


def _act(step: str, do: object, tools: SetupPort, data: Data) -> object:
    """Carries out the request of a page's script; returns the answer.

    Raises:
        TachiaiError, VisionError: it is not possible now, or the picture does not show it.
        LookupError, TypeError, ValueError: this step has no such request.
    """
    match step, do:
        case "place", "find":
            return asdict(tools.find())
        case "place", "put":
            return asdict(tools.store_corners(_corners(data["corners"])))
        case "tiles", "begin":
            tools.begin_scan()
        case "tiles", "look":
            tools.scan_next_face()
        case "rehearsal", "begin":
            tools.rehearse()
        case "panel", _ if tools.trial is not None:
            tools.check_no_hand()
            _try(tools.trial, do, data)
        case "rehearsal", _ if tools.guide is not None:
            _say(tools.guide, do, data)
        case _:
            raise ValueError(step)
    return {}


def _try(trial: Trial, do: object, data: Data) -> None:
    if do == "begin":
        trial.begin()
    elif data["colour"] in COLOURS:
        trial.light(Seat(data["seat"]), str(data["colour"]))


def _say(guide: Guide, do: object, data: Data) -> None:
    if do == "end":
        guide.end()
    else:
        guide.say(int(data["step"]), str(data["word"]))


def _corners(data: Any) -> Corners:
    corners = tuple((float(x), float(y)) for x, y in data)
    if len(corners) != 4 or not all(-1 < value < 2 for corner in corners for value in corner):
        raise ValueError(f"expected four corners as shares of the picture, got {data!r}")
    return corners


def _content(step: str, tools: SetupPort, snapshot: Snapshot, *, has_pin: bool) -> dict[str, Any]:
    texts, place = request_texts(), tools.place() if step == "place" else None
    return {
        "step": step,
        "steps": steps_view(tools, texts),
        "seats": seats_view(with_next_names(snapshot), texts),
        "languages": {language: catalogue(language).text("page.language") for language in languages()},
        "token": token(),
        "join": invitation_address(),
        "has_pin": has_pin,
        "modes": {mode.value: texts.text(f"mode.{mode.value}") for mode in Mode},
        "mode": snapshot.mode.value,
        "rules": tools.rules,
        "ruleset": snapshot.ruleset.name,
        "has_camera": tools.has_camera,
        "unseen": "" if tools.has_pictures else texts.text("refused.no_camera"),
        "place": place,
        "unmarked": unmarked_view(place, texts),
        "sight": "" if place is None or place.fault is None else texts.text(f"sight.{place.fault}"),
        "scan": scan_view(tools.scan.status(), texts) if step == "tiles" else None,
        "order": FACES,
        "colours": COLOURS,
        "trial": tools.trial,
        "buttons": tools.buttons,
        "rehearsal": rehearsal_view(tools.guide.status(), texts) if step == "rehearsal" and tools.guide else None,
    }
