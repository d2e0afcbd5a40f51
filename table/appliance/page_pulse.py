"""Checks that the page answers a real request, as from a phone, with TLS if phones use it."""

from __future__ import annotations

import http.client
import ssl
from typing import Final

ADDRESS: Final = "/api/session"
"""The path that every page requests first."""
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a page that listens everywhere is reached
_BROKEN: Final = 500


class PagePulse:
    """Checks one page of this machine."""

    def __init__(self, host: str, port: int, *, is_tls: bool) -> None:
        """Takes the address of the page."""
        self._host, self._port = _ANY.get(host, host), port
        self._is_tls = is_tls

    def check(self, timeout_s: float) -> None:
        """Requests the page once, over a new connection.

        A refusal because of too many visitors counts as alive.

        Raises:
            OSError: no answer came in time, or the page answered with a server error.
        """
        connection = self._connection(timeout_s)
        try:
            connection.request("GET", ADDRESS)
            answer = connection.getresponse()
            answer.read()
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError):
            return
        except http.client.HTTPException as error:
            raise OSError(f"expected an answer from the page, got {error!r}") from error
        finally:
            connection.close()
        if answer.status >= _BROKEN:
            raise OSError(f"expected an answer from the page, got error {answer.status}")

    def _connection(self, timeout_s: float) -> http.client.HTTPConnection:
        if not self._is_tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        trusting = ssl._create_unverified_context()  # noqa: S323 - it is this machine's own certificate
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=trusting)
