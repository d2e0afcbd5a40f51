"""QR codes for joining by phone: of the address at which the big screen reached the page, or for the terminal."""

from __future__ import annotations

import ipaddress
from io import BytesIO, StringIO
from urllib.parse import urlsplit

import segno


def join_address(host_url: str) -> str | None:
    """Returns the address for phones; None if it refers to this machine alone, or names no machine."""
    name = urlsplit(host_url).hostname or ""
    try:
        is_alone = ipaddress.ip_address(name).is_loopback
    except ValueError:
        is_alone = name in ("", "localhost") or name.endswith(".localhost")
    return None if is_alone else host_url.rstrip("/")


def qr_svg(address: str) -> str:
    """Draws an address as a QR code, with the quiet zone that readers need."""
    out = BytesIO()
    segno.make(address, micro=False).save(out, kind="svg", dark="#22261f", light="#ffffff", border=3, omitsize=True)
    return out.getvalue().decode()


def qr_terminal(address: str) -> str:
    """Draws an address as a QR code for a terminal, two modules per character; the light modules are printed."""
    out = StringIO()
    segno.make(address, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
