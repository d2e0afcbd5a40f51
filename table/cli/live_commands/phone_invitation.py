"""What `run` and `demo` print when their page is served: where it is, and how phones get there."""

from __future__ import annotations

import sys
from typing import Final

from table.appliance.table_server import display_host
from table.dashboard.web.network_address import phone_address
from table.dashboard.web.qr_code import qr_terminal

ALONE: Final = "tachiai: phones cannot open that; --host 0.0.0.0 shows it to all phones in this network"
NOWHERE: Final = "tachiai: this machine is in no network, so no phone finds it"
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - only told apart


def tell_where(what: str, *, host: str, port: int, scheme: str = "http") -> None:
    """Prints the page's address, the one for phones, and on a terminal that one's QR code.

    Args:
        what: what is served, as a sentence that the address ends.
        host: the address that it is served at.
        port: its port.
        scheme: `http`, or `https` where it is served by TLS.
    """
    print(f"tachiai: {what} {scheme}://{display_host(host)}:{port}", file=sys.stderr)
    address = phone_address(host, port, scheme)
    if address is None:
        print(NOWHERE if host in EVERYWHERE else ALONE, file=sys.stderr)
        return
    print(f"tachiai: phones in this network open {address}", file=sys.stderr)
    if sys.stderr.isatty() and _can_show_blocks():
        print(qr_terminal(address), file=sys.stderr)


def _can_show_blocks() -> bool:
    """Whether the terminal has the letters that the code is drawn with."""
    return (sys.stderr.encoding or "").lower().replace("-", "") in ("utf8", "utf16")
