"""The lines that `run` and `demo` print when their page is served: its address, and how phones open it."""

from __future__ import annotations

import sys
from typing import Final

from table.appliance.table_server import display_host
from table.dashboard.web.addresses.network_address import EVERYWHERE, phone_address
from table.dashboard.web.addresses.qr_code import qr_terminal

THIS_MACHINE_ONLY: Final = (
    "tachiai: phones cannot open this address; --host 0.0.0.0 opens the page to all phones on this network"
)
NO_NETWORK: Final = "tachiai: this machine is on no network, so phones cannot reach it"


def print_invitation(introduction: str, *, host: str, port: int, scheme: str = "http") -> None:
    """Prints the page's address, the address for phones and, on a terminal, a QR code of the latter.

    Args:
        introduction: the beginning of a sentence that ends with the address.
        host: the address of the server.
        port: the port of the server.
        scheme: `http`, or `https` with TLS.
    """
    print(f"tachiai: {introduction} {scheme}://{display_host(host)}:{port}", file=sys.stderr)
    address = phone_address(host, port, scheme)
    if address is None:
        print(NO_NETWORK if host in EVERYWHERE else THIS_MACHINE_ONLY, file=sys.stderr)
        return
    print(f"tachiai: phones on this network open {address}", file=sys.stderr)
    if sys.stderr.isatty() and _can_show_blocks():
        print(qr_terminal(address), file=sys.stderr)


def _can_show_blocks() -> bool:
    """Returns whether the terminal's encoding has the characters that the QR code is drawn with."""
    return (sys.stderr.encoding or "").lower().replace("-", "") in ("utf8", "utf16")
