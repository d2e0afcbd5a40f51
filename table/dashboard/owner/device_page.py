"""The owner's page of the device: camera, lamps, table size, focus; restart, reboot, switch off; the whole log.

Choices are stored beside the journal and override the configuration file, which is never changed; they take effect
when the program restarts, which is one tap away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.web.answers import refusal_text
from table.dashboard.web.base_page import rendered
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.roles import Role, visitor
from table.dashboard.web.security import is_token, token
from table.runtime.table_errors import TachiaiError

FIELDS: Final = {
    "mains": "camera.mains_hz",
    "camera": "camera.device",
    "focus": "camera.focus",
    "side": "table.side_mm",
}
"""The form's names of the settings."""
LATER: Final = ("again", "reboot", "poweroff")


class Device(Protocol):
    """The appliance as this page sees it."""

    def device_settings(self) -> Mapping[str, str]:
        """The current values, by the setting's name."""

    def choose_device_settings(self, chosen: Mapping[str, str]) -> None:
        """Stores choices; raises `ConfigError` if one is not allowed or cannot be stored."""

    def sharpness(self) -> int | None:
        """Returns the sharpness of the camera's latest picture, higher is sharper; None without a picture."""

    def begin_again(self) -> None:
        """Restarts the program."""

    def ask_machine(self, verb: str) -> None:
        """Reboots the machine or switches it off; raises `PressError` if it refuses."""

    def log_of_all_boots(self) -> str:
        """Returns all log lines that the system kept."""


def blueprint(device: Device) -> Blueprint:
    """Returns the page, the meter of sharpness and the download of the log."""
    pages = Blueprint("device", __name__)

    @pages.app_context_processor
    def link() -> dict[str, str]:
        """Returns this page's link on the owner's page."""
        return {"device_title": request_texts().text("device.device_title")}

    @pages.get("/device")
    def page() -> str | BaseResponse:
        return _page(device) if _is_owner() else redirect(url_for("entrance.choose"))

    @pages.post("/device")
    def take() -> str | BaseResponse | tuple[str, int]:
        if not (_is_owner() and is_token(request.form.get("token", ""))):
            abort(403)
        what = request.form.get("do", "")
        try:
            if what == "keep":
                device.choose_device_settings({name: request.form.get(key, "") for key, name in FIELDS.items()})
            elif what == "again":
                device.begin_again()
            elif request.form.get("sure") == "yes":
                device.ask_machine(what)
            else:
                abort(400)
        except TachiaiError as error:
            return _page(device, refusal=refusal_text(error, request_texts(), "device_unset")), 409
        return _page(device, done=what), 202 if what in LATER else 200

    @pages.get("/device/sharpness")
    def sharpness() -> dict[str, Any]:
        if not _is_owner():
            abort(403)
        return {"sharpness": device.sharpness()}

    @pages.get("/device/log.txt")
    def log() -> Response:
        if not _is_owner():
            abort(403)
        headers = {"Content-Disposition": "attachment; filename=tachiai-log.txt"}
        return Response(device.log_of_all_boots(), mimetype="text/plain", headers=headers)

    return pages


def _is_owner() -> bool:
    return visitor().role is Role.OWNER


def _page(device: Device, *, refusal: str = "", done: str = "") -> str:
    texts = request_texts()
    now = device.device_settings()
    return rendered(
        "device.html",
        "device",
        now={key: f"{float(now[name]):g}" for key, name in FIELDS.items()},
        sharpness=device.sharpness(),
        refusal=refusal,
        done=texts.text(f"device.done_{done}") if done else "",
        is_leaving=done in LATER,
        token=token(),
    )
