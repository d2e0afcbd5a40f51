"""What server and pages tell each other through the environment of a request, beside what WSGI has for it.

Under another server, as in tests, none of it is there: bodies have come when a page is asked, and a stream is an
iterator.
"""

from __future__ import annotations

from typing import Final

from flask import Response, abort, request

BODY_TO_COME: Final = "tachiai.body_to_come"
"""True while the server has not taken the body: it does once the page answers 100, and then asks again."""
STREAM_TAKER: Final = "tachiai.stream_taker"
"""Takes a stream of events that no thread shall wait for."""


def allow_body(most: int) -> None:
    """Lets the body of this request have up to `most` bytes, and ends the request by 100 where it has yet to be taken.

    Pages call it after they know that they want the body, and before they read it.
    """
    request.max_content_length = most
    if request.environ.get(BODY_TO_COME):
        abort(413 if (request.content_length or 0) > most else Response(status=100))
