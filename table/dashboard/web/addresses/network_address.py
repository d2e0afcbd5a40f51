"""Addresses on the local network: this machine's own, which phones open, and the range that a phone's belongs to."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from contextlib import suppress
from typing import Final

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - phones come over the network
"""The addresses of a page that is served to all networks."""
FAR_AWAY: Final = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737), only used to find from which of our own addresses a packet would be sent."""
SIOCGIFADDR: Final = 0x8915
"""Linux's request for an interface's address (netdevice(7))."""
ADDRESS: Final = slice(20, 24)
"""The position of the address in the answer."""


def address_range(address: str) -> str:
    """Returns the /64 network of an IPv6 address, since one computer may use all of it; any other address unchanged."""
    try:
        return f"{ipaddress.IPv6Address(int(ipaddress.IPv6Address(address)) >> 64 << 64)}/64"
    except ValueError:
        return address


def phone_address(host: str, port: int, scheme: str = "http") -> str | None:
    """Returns the address for phones of a page served at `host`; None if no phone can reach it.

    That is the case for a page served only to this machine, or to all networks on a machine without a network.
    """
    try:
        served = ipaddress.ip_address(host)
    except ValueError:
        return None if host == "localhost" else f"{scheme}://{host}:{port}"
    if served.is_loopback:
        return None
    reached = own_address() if served.is_unspecified else host
    if reached is None:
        return None
    return f"{scheme}://[{reached}]:{port}" if ":" in reached else f"{scheme}://{reached}:{port}"


def own_address() -> str | None:
    """Returns this machine's address in its network, without sending anything; None without a network.

    A machine that is its own access point has no route to the internet; the first of its addresses is returned.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR_AWAY)
            found = [str(probe.getsockname()[0])]
        except OSError:
            found = _interface_addresses(probe)
    return next((address for address in found if not ipaddress.ip_address(address).is_loopback), None)


def _interface_addresses(probe: socket.socket) -> list[str]:
    """Returns the address of each network interface; none if the system does not support Linux's request for it."""
    found = []
    for _, name in socket.if_nameindex():
        with suppress(OSError):
            answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()))
            found.append(socket.inet_ntoa(answer[ADDRESS]))
    return found
