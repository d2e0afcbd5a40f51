"""Checks that the page answers a real request, as from a phone, with TLS if phones use it."""

from __future__ import annotations

from typing import Final

from table.config import PageConfig
from table.health.own_page import request_own_page
from table.runtime.any_certificate import TLS_ENDED

ADDRESS: Final = "/api/session"
"""The path that every page requests first."""
_SERVER_ERROR: Final = 500
_SENT_AWAY: Final = (ConnectionResetError, BrokenPipeError, *TLS_ENDED)
"""The errors of a connection that the page has closed, which shows that it is alive."""


def check_page(page: PageConfig, timeout_s: float) -> None:
    """Requests the page once, over a new connection.

    A refusal because of too many visitors counts as alive.

    Raises:
        OSError: no answer came in time, or the page answered with a server error.
    """
    try:
        status = request_own_page(page, ADDRESS, timeout_s=timeout_s).status
    except _SENT_AWAY:
        return
    if status >= _SERVER_ERROR:
        raise OSError(f"expected an answer from the page, got error {status}")
