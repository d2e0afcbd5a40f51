"""The owner's page of the device: camera, lamps, table size, focus; update, restart, power off; the whole log.

Choices are stored beside the journal and override the configuration file, which is never changed; they take effect
when the program restarts, which is one tap away. The focus changes at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.web.access.roles import visitor
from table.dashboard.web.answers import check_owner, check_owner_form, refusal_text
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import token
from table.i18n import Catalogue
from table.runtime.table_errors import TachiaiError
from vision.addresses import without_secrets

FIELDS: Final = {
    "mains": "camera.mains_hz",
    "focus": "camera.focus",
    "side": "table.side_mm",
}
"""The form's names of the number settings."""
CAMERA: Final = ("camera.source", "camera.device", "camera.address")
"""The settings that select the camera: a single choice in the form."""
AS_IT_IS: Final = "as-it-is"
NO_CAMERA: Final = "none:0"
INTERRUPTING_ACTIONS: Final = ("again", "reboot", "poweroff")


class ListedCamera(Protocol):
    """A camera that can be chosen: `vision.cameras.attached.found_cameras.FoundCamera`."""

    @property
    def source(self) -> str:
        """Its kind, as the configuration names it."""

    @property
    def number(self) -> int:
        """Its number among cameras of that kind."""

    @property
    def name(self) -> str:
        """Its name as shown."""

    @property
    def address(self) -> str:
        """Its permanent path; empty if there is none."""


class UpdateReport(Protocol):
    """The state of the last update: `table.appliance.machine.machine_control.UpdateStatus`."""

    @property
    def state(self) -> str:
        """`none`, `running`, `done`, `failed` or `cut`."""

    @property
    def step(self) -> str:
        """The last step that began."""

    @property
    def when(self) -> str:
        """When that step began."""


class Device(Protocol):
    """The appliance as this page sees it: `table.appliance.machine.device_control.DeviceControl`."""

    def settings(self) -> Mapping[str, str]:
        """The current values, by the setting's name."""

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Stores choices; raises `ConfigError` if one is not allowed or cannot be stored."""

    def cameras(self) -> Sequence[ListedCamera] | None:
        """The cameras found on this machine; None if a driver does not answer."""

    def sharpness(self) -> int | None:
        """Returns the sharpness of the camera's latest picture, higher is sharper; None without a picture."""

    @property
    def has_autofocus(self) -> bool:
        """Whether the camera can focus by itself."""

    def focus_once(self) -> None:
        """Focuses once and stores the result; raises `PressError` or `ConfigError` if that is not possible."""

    def request_restart(self) -> None:
        """Restarts the program."""

    def ask_machine(self, verb: str) -> None:
        """Restarts the machine or switches it off; raises `PressError` if it refuses."""

    @property
    def can_update(self) -> bool:
        """Whether the source of updates is known."""

    def update(self) -> None:
        """Starts an update; raises `PressError` if a game is being played or the machine refuses."""

    def update_status(self) -> UpdateReport:
        """Returns the state of the last update."""

    def log_of_all_boots(self) -> str:
        """Returns all log lines that the system kept."""


def blueprint(device: Device) -> Blueprint:
    """Returns the routes of the page, the sharpness, the update's state, and the download of the log."""
    pages = Blueprint("device", __name__)

    @pages.app_context_processor
    def link() -> dict[str, str]:
        """Returns this page's link on the owner's page."""
        return {"device_title": request_texts().text("device.device_title")}

    @pages.get("/device")
    def page() -> str | BaseResponse:
        return _page(device) if visitor().is_owner else redirect(url_for("join.choose"))

    @pages.post("/device")
    def take() -> str | BaseResponse | tuple[str, int]:
        check_owner_form()
        action = request.form.get("do", "")
        try:
            _carry_out(device, action, request.form)
        except TachiaiError as error:
            return _page(device, refusal=refusal_text(error, request_texts(), "device_unset")), 409
        return _page(device, done=action), 202 if action in (*INTERRUPTING_ACTIONS, "update") else 200

    @pages.get("/device/sharpness")
    def sharpness() -> dict[str, Any]:
        check_owner()
        return {"sharpness": device.sharpness()}

    @pages.get("/device/update")
    def update() -> dict[str, str]:
        check_owner()
        report = device.update_status()
        return {"state": report.state, "step": report.step}

    @pages.get("/device/log.txt")
    def log() -> Response:
        check_owner()
        headers = {"Content-Disposition": "attachment; filename=tachiai-log.txt"}
        return Response(device.log_of_all_boots(), mimetype="text/plain", headers=headers)

    return pages


def _carry_out(device: Device, action: str, form: MultiDict[str, str]) -> None:
    """Carries out a form's request; an update, a reboot and switching off require a confirmation."""
    is_sure = form.get("sure") == "yes"
    match action:
        case "keep":
            device.choose(_form_settings(form))
        case "focus":
            device.focus_once()
        case "again":
            device.request_restart()
        case "update" if is_sure:
            device.update()
        case _ if is_sure:
            device.ask_machine(action)
        case _:
            abort(400)


def _form_settings(form: MultiDict[str, str]) -> dict[str, str]:
    """Returns the settings that a form changes: others may have been changed since its page was opened."""
    settings = {name: form.get(key, "") for key, name in FIELDS.items() if form.get(key) != form.get(f"was_{key}")}
    camera = form.get("camera", "")
    if camera not in (AS_IT_IS, form.get("was_camera")):
        source, _, location = camera.partition(":")
        address = location if location.startswith("/") else ""
        settings |= dict(zip(CAMERA, (source, "0" if address else location, address), strict=True))
    return settings


def _cameras(device: Device, settings: Mapping[str, str], texts: Catalogue) -> Iterator[tuple[str, str]]:
    """Yields the cameras to choose from, the present one first: the form's value, and the name."""
    source, number, address = (settings[name] for name in CAMERA)
    cameras = device.cameras() or ()
    found = {_form_value(camera): texts.with_note(camera.name, str(camera.number)) for camera in cameras}
    found[NO_CAMERA] = texts.text("device.no_camera")
    by_number = {f"{camera.source}:{camera.number}": _form_value(camera) for camera in cameras}
    chosen = NO_CAMERA if source == "none" else f"{source}:{address or number}"
    chosen = by_number.get(chosen, chosen)
    if chosen not in found:
        yield AS_IT_IS, texts.text("device.camera_kept", name=without_secrets(address) or f"{source} {number}")
    else:
        yield chosen, found.pop(chosen)
    yield from found.items()


def _form_value(camera: ListedCamera) -> str:
    """Returns a camera's value in the form: its permanent path if it has one, so that it is found after each start."""
    return f"{camera.source}:{camera.address or camera.number}"


def _page(device: Device, *, refusal: str = "", done: str = "") -> str:
    texts, settings, report = request_texts(), device.settings(), device.update_status()
    step = texts.text(f"device.step_{report.step}")
    update_text = (
        "" if report.state == "none" else texts.text(f"device.update_{report.state}", step=step, when=report.when)
    )
    return rendered_page(
        "owner/device.html",
        "device",
        now={key: f"{float(settings[name]):g}" for key, name in FIELDS.items()},
        cameras=list(_cameras(device, settings, texts)),
        sharpness=device.sharpness(),
        has_autofocus=device.has_autofocus,
        can_update=device.can_update,
        update_text=update_text,
        update_state=report.state,
        is_updating=done == "update",
        refusal=refusal,
        done=texts.text(f"device.done_{done}") if done else "",
        is_restarting=done in ("again", "reboot"),
        token=token(),
    )
