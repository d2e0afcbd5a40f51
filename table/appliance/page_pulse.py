"""Feels whether the page answers: by a real request to it, over TLS where phones use that, as a phone would make it."""

from __future__ import annotations

import http.client
import ssl
from typing import Final

ADDRESS: Final = "/api/session"
"""What every page asks for first."""
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a page that listens everywhere is reached
_BROKEN: Final = 500


class PagePulse:
    """One page of this machine."""

    def __init__(self, host: str, port: int, *, is_tls: bool) -> None:
        """Takes where the page is served."""
        self._host, self._port = _ANY.get(host, host), port
        self._is_tls = is_tls

    def check(self, timeout_s: float) -> None:
        """Asks the page once, over a connection of its own.

        A page that sends us away has too many visitors, and lives.

        Raises:
            OSError: nothing came in this time, or what came was an error of the page's own.
        """
        connection = self._connection(timeout_s)
        try:
            connection.request("GET", ADDRESS)
            answer = connection.getresponse()
            answer.read()
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError):
            return
        except http.client.HTTPException as error:
            raise OSError(f"expected an answer of the page, got {error!r}") from error
        finally:
            connection.close()
        if answer.status >= _BROKEN:
            raise OSError(f"expected an answer of the page, got error {answer.status}")

    def _connection(self, timeout_s: float) -> http.client.HTTPConnection:
        if not self._is_tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        trusting = ssl._create_unverified_context()  # noqa: S323 - it is this machine's own certificate
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=trusting)
