"""The keys by which server and pages communicate through a request's environment, besides those of WSGI.

Under another server, as in tests, none of them is set: bodies have been received before a page is called, and a stream
is an iterator.
"""

from __future__ import annotations

from typing import Final

from flask import Response, abort, request

SMALL_BODY: Final = 16 * 1024
"""Bytes of a body that is received without asking the page first; a press with a hand is far smaller."""
BODY_TO_COME: Final = "tachiai.body_to_come"
"""True while the server has not received the body. If the page answers 100, the server does so and calls it again."""
BODY_REFUSED: Final = "tachiai.body_refused"
"""The status of the answer and what was expected, if the server refused the body: the page only says so."""
STREAM_TAKER: Final = "tachiai.stream_taker"
"""Takes a stream of events that is to be sent without occupying a thread."""


def allow_body(limit: int) -> None:
    """Allows a body of up to `limit` bytes instead of `SMALL_BODY`; aborts with 100 if it has not been received yet.

    Pages call it once they know that they need the body, and before they read it.
    """
    request.max_content_length = limit
    if request.environ.get(BODY_TO_COME):
        abort(413 if (request.content_length or 0) > limit else Response(status=100))
