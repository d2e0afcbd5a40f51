"""The appliance's health for browsers: a page, JSON, and a download for troubleshooting; and the backups.

Everybody may read the health. Only the owner gets the backups, the clips in the download, and the network addresses
and folders in sentences and the log.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from secrets import token_hex
from threading import Lock
from typing import Any, Final, Protocol
from zlib import crc32

from flask import Blueprint, Response, abort, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard.owner.health_view import copies_view, health_view
from table.dashboard.web.access.roles import visitor
from table.dashboard.web.answers import check_owner_form, refusal_text
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import token
from table.health.health_report import Health, support_bundle
from table.health.log_buffer import LogBuffer, public_text
from table.runtime.table_errors import JournalError, NewerJournalError
from table.runtime.zip_files import add_text

LOG_LINES: Final = 50
"""Number of log lines in the JSON and on the page; the download contains all that are kept."""
MOST_CLIPS: Final = 64_000_000
"""Limit of clip bytes in the download, newest first, to spare a Pi's memory."""


class Backups(Protocol):
    """The backups of a table's journal."""

    def backup_names(self) -> Sequence[str]:
        """The names of the backups, the one with the most entries first."""

    def made_at(self, name: str) -> str:
        """When a backup was made, ISO 8601; empty if unknown."""

    def create_backup(self) -> None:
        """Makes a backup; raises `JournalError` if that fails."""

    def restore(self, name: str) -> bool:
        """Ends the table, restores a backup and restarts; False if there is no such backup."""


def health_page(read_health: Callable[[], Health], log: LogBuffer, backups: Backups, clips: ClipFolder) -> Blueprint:
    """Returns the routes ``/health``, ``/api/health`` and ``/health.zip``.

    Args:
        read_health: returns the current health.
        log: its last log lines; no player's name is in them.
        backups: the journal's backups.
        clips: the kept clips.
    """
    pages, seen_backups = Blueprint("health", __name__), _SeenBackups(backups)

    def readable_health() -> Health:
        """Returns the health as the visitor may read it: only the owner sees network addresses and folders."""
        return read_health() if visitor().is_owner else public_health(read_health())

    @pages.app_context_processor
    def links() -> dict[str, Any]:
        """Returns the links to these pages on the owner's page."""
        texts = request_texts()
        return {"appliance": {"health": texts.text("health.title"), "setup": texts.text("health.setup")}}

    @pages.get("/api/health")
    def health() -> Response:
        return jsonify({**readable_health().as_json(), "log": _readable(log)[-LOG_LINES:]})

    @pages.get("/health")
    def page() -> str:
        return _page(readable_health(), log, backups, seen_backups.mark)

    @pages.post("/health")
    def take() -> BaseResponse | tuple[str, int]:
        check_owner_form()
        return restore() if request.form.get("do") == "restore" else back_up()

    def restore() -> tuple[str, int]:
        name = request.form.get("name", "")
        if request.form.get("sure") != "yes" or name not in backups.backup_names():
            abort(400)
        if not seen_backups.claim(request.form.get("seen", "")):
            refusal = request_texts().text("refused.done_since")
            return _page(read_health(), log, backups, seen_backups.mark, refusal=refusal), 409
        if not backups.restore(name):
            abort(400)
        return _page(read_health(), log, backups, seen_backups.mark, is_restoring=True), 202

    def back_up() -> BaseResponse | tuple[str, int]:
        try:
            backups.create_backup()
        except JournalError as error:
            reason = "newer" if isinstance(error, NewerJournalError) else "backup_unwritten"
            refusal = refusal_text(error, request_texts(), reason)
            return _page(read_health(), log, backups, seen_backups.mark, refusal=refusal), 409
        return redirect(url_for("health.page", made=""))

    @pages.get("/health.zip")
    def download() -> Response:
        bundle = support_bundle(readable_health(), _readable(log))
        content = with_clips(bundle, clips) if visitor().is_owner else bundle
        headers = {"Content-Disposition": "attachment; filename=tachiai-health.zip"}
        return Response(content, mimetype="application/zip", headers=headers)

    return pages


def with_clips(bundle: bytes, clips: ClipFolder) -> bytes:
    """Returns the download with the newest clips added, each a ZIP of its own; the others are only listed."""
    file, left, omitted = io.BytesIO(bundle), MOST_CLIPS, []
    with zipfile.ZipFile(file, "a") as archive:
        for clip in clips.clips():
            left -= clip.size_bytes
            pieces = clips.zipped(clip.name) if left >= 0 else None
            if pieces is None:
                omitted.append(clip.name)
            else:
                add_text(archive, f"clips/{clip.name}.zip", b"".join(pieces))
        if omitted:
            add_text(archive, "clips/left-out.txt", "\n".join(omitted) + "\n")
    return file.getvalue()


def public_health(health: Health) -> Health:
    """Returns the health for others than the owner: without network addresses and folders in its sentences."""
    journal = health.journal
    models, faults = (
        {name: public_text(text) for name, text in texts.items()} for texts in (health.models, health.model_faults)
    )
    return replace(
        health,
        camera=None if health.camera is None else replace(health.camera, why=public_text(health.camera.why)),
        journal=replace(journal, trouble=public_text(journal.trouble), notes=tuple(map(public_text, journal.notes))),
        problems=tuple(map(public_text, health.problems)),
        models=models,
        model_faults=faults,
        panel=replace(health.panel, left_out=tuple(map(public_text, health.panel.left_out))),
    )


def _readable(log: LogBuffer) -> tuple[str, ...]:
    """Returns the log as the visitor may read it: only the owner sees network addresses and folders."""
    return log.lines if visitor().is_owner else tuple(map(public_text, log.lines))


class _SeenBackups:
    """Lets a backup be restored only from a page that shows the present backups, and only once."""

    def __init__(self, backups: Backups) -> None:
        self._backups = backups
        self._run, self._lock = token_hex(4), Lock()

    @property
    def mark(self) -> str:
        """A mark of the present backups, which changes if one is made, and once one is to be restored."""
        return f"{self._run}-{crc32(repr(list(self._backups.backup_names())).encode()):08x}"

    def claim(self, seen_mark: str) -> bool:
        """Returns whether a page with this mark is up to date, and outdates all such pages; an empty mark always is."""
        with self._lock:
            is_present = seen_mark in ("", self.mark)
            if is_present:
                self._run = token_hex(4)
            return is_present


def _page(
    health: Health, log: LogBuffer, backups: Backups, seen_mark: str, *, refusal: str = "", is_restoring: bool = False
) -> str:
    texts = request_texts()
    titles = {"title": texts.text("page.title"), "page_title": texts.text("health.title")}
    return rendered_page(
        "owner/health.html",
        words=texts.group("page") | texts.group("health") | titles,
        health=health_view(health, texts),
        log=_readable(log)[-LOG_LINES:],
        copies=copies_view({name: backups.made_at(name) for name in backups.backup_names()}, texts),
        is_owner=visitor().is_owner,
        was_made="made" in request.args,
        refusal=refusal,
        is_restoring=is_restoring,
        seen=seen_mark,
        token=token(),
    )
