"""Sessions that do not depend on the server's clock, which is often wrong when a table's computer starts.

A signed cookie is valid whenever it was signed: a seat ends when it is taken over, and an owner's session when the PIN
changes. The browser keeps the cookie for a month after the last visit, by its own clock. Browsers send a computer's
cookies to all of its ports, and two tables may run on one computer, so each port's cookie has its own name.
"""

from __future__ import annotations

from datetime import datetime

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature


class ClocklessSessions(SecureCookieSessionInterface):
    """Flask's own sessions, without its checks of time, and with a cookie for each port."""

    def get_cookie_name(self, app: Flask) -> str:
        """Returns the cookie's name, which ends with the port if the address of the present request has one."""
        port = request.host.rpartition(":")[2]
        name = super().get_cookie_name(app)
        return f"{name}-{port}" if port.isdecimal() else name

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Reads the cookie, ignoring when it was signed; earlier versions named it without a port."""
        serializer = self.get_signing_serializer(app)
        cookie = request.cookies.get(self.get_cookie_name(app)) or request.cookies.get(super().get_cookie_name(app))
        if serializer is None:
            return None
        try:
            return self.session_class(serializer.loads(cookie) if cookie else None)
        except BadSignature:
            return self.session_class()

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """Returns no date: it would depend on this computer's clock, which may be years behind the browser's."""
        return None

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Returns whether an answer sends the cookie: if the session changed, or to renew it if a page is opened.

        Requests in the background do not renew it: a late answer would restore the cookie from before a change.
        """
        is_page = "text/html" in request.headers.get("Accept", "")
        return session.modified or (is_page and super().should_set_cookie(app, session))

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Sends the cookie with its lifetime in seconds instead of a date."""
        super().save_session(app, session, response)
        name = f"{self.get_cookie_name(app)}="
        cookies = response.headers.getlist("Set-Cookie")
        if session.permanent:
            lifetime = f"; Max-Age={int(app.permanent_session_lifetime.total_seconds())}"
            cookies = [f"{cookie}{lifetime}" if cookie.startswith(name) else cookie for cookie in cookies]
            response.headers.setlist("Set-Cookie", cookies)
