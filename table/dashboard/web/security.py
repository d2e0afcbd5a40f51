"""Protects the pages on a shared network.

Commands need a token that only this origin's own pages can read (against forged requests), browsers may load and run
only our own files, and only host names that mean this machine are answered (against foreign names pointed at it).
"""

from __future__ import annotations

import secrets
from typing import Final

from flask import Flask, Response, abort, request, session

from table.dashboard.web.addresses.local_names import is_local_name
from table.dashboard.web.browser_language import request_texts
from table.runtime.access_point import address_after_joining, open_access_point

TOKEN_HEADER: Final = "X-Tachiai-Token"  # noqa: S105 - a header's name, no secret
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), payment=()",
}


def protect(app: Flask) -> None:
    """Adds the checks and headers to every request."""
    app.before_request(_refuse_foreign_names)
    app.after_request(_add_headers)


def token() -> str:
    """Returns this browser's token, creating one at its first visit; it is valid for a month after the last visit."""
    stored = session.get("token")
    if isinstance(stored, str):
        return stored
    new_token = secrets.token_urlsafe(24)
    session["token"] = new_token
    session.permanent = True
    return new_token


def has_token() -> bool:
    """Returns whether the request carries its own browser's token."""
    return is_token(request.headers.get(TOKEN_HEADER, ""))


def keeps_cookies() -> bool:
    """Returns whether the browser sent the cookie that every page gives it."""
    return isinstance(session.get("token"), str)


def is_token(text: str) -> bool:
    """Returns whether this is the token of the request's own browser."""
    stored = session.get("token")
    return isinstance(stored, str) and secrets.compare_digest(stored.encode(), text.encode())


def _refuse_foreign_names() -> None:
    """Answers a request for a foreign name with one sentence, without anything about the table.

    A phone that joins our own access point requests names chosen by its maker to test for the internet; the answer
    shows the table's address.
    """
    if is_local_name(request.host):
        return
    if request.method in ("GET", "HEAD") and open_access_point() is not None:
        port, is_tls = int(request.environ["SERVER_PORT"]), request.scheme == "https"
        address = address_after_joining(port=port, is_tls=is_tls)
        abort(Response(_captive_page(address), 200, mimetype="text/html"))
    abort(Response(request_texts().text("page.other_name"), 421, mimetype="text/plain"))


def _captive_page(address: str) -> str:
    texts = request_texts()
    return (
        f'<!doctype html><html lang="{texts.language}"><head><meta charset="utf-8"><title>Tachiai</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
        f"<body><p>{texts.text('page.captive')} <b>{address}</b></p></body></html>"
    )


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
