"""Requests to this machine's own page, as from a phone: over a new connection, with TLS if phones use it."""

from __future__ import annotations

import http.client
from typing import Any, Final, NamedTuple

from table.config import PageConfig
from table.runtime.any_certificate import any_certificate
from vision.json_text import read_json

_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a page that listens everywhere is reached


class PageAnswer(NamedTuple):
    """The page's answer."""

    status: int
    body: bytes


def request_own_page(page: PageConfig, path: str, *, timeout_s: float) -> PageAnswer:
    """Requests a path of the page; its certificate is not verified, since it is this machine's own.

    Raises:
        OSError: no answer came in time.
    """
    connection = _connection(page, timeout_s)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return PageAnswer(answer.status, answer.read())
    except OSError:
        raise
    except http.client.HTTPException as error:
        raise OSError(f"expected an answer from the page, got {error!r}") from error
    finally:
        connection.close()


def json_of_own_page(page: PageConfig, path: str, *, timeout_s: float) -> Any:
    """Returns the JSON that a path of the page gives to visitors.

    Raises:
        OSError: no answer came in time, or it is a refusal.
        ValueError: the answer is not JSON.
    """
    status, body = request_own_page(page, path, timeout_s=timeout_s)
    if status != http.client.OK:
        raise OSError(f"expected an answer from the page, got status {status}")
    return read_json(body)


def _connection(page: PageConfig, timeout_s: float) -> http.client.HTTPConnection:
    host = _LOOPBACK.get(page.host, page.host)
    if not page.tls_cert:
        return http.client.HTTPConnection(host, page.port, timeout=timeout_s)
    return http.client.HTTPSConnection(host, page.port, timeout=timeout_s, context=any_certificate())
