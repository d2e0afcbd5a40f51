"""TLS without verification: to this machine's own page, or to a broker that is only asked whether it speaks TLS."""

from __future__ import annotations

import ssl
from typing import Final

TLS_ENDED: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""The errors if the other side ended the connection: the second in Python 3.11.2, the first in later versions."""


def any_certificate() -> ssl.SSLContext:
    """Returns a context that accepts any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
