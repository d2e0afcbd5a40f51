"""Finds the address for phones: this machine's own on the local network."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from contextlib import suppress
from typing import Final

FAR_AWAY: Final = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): asked only which of our own a packet there would leave by. None is sent."""
SIOCGIFADDR: Final = 0x8915
"""Linux's question for an interface's address (netdevice(7))."""
ADDRESS: Final = slice(20, 24)
"""Where the answer has it."""


def phone_address(host: str, port: int, scheme: str = "http") -> str | None:
    """Returns the address for phones of a page served at `host`; None where no phone can reach it.

    That is a page for this machine alone, or one for every network on a machine that is in none.
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
    """Returns this machine's address in its network, without sending anything; None where it is in none.

    A machine that is its own access point has no way out: there the first address that it has counts.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR_AWAY)
            found = [str(probe.getsockname()[0])]
        except OSError:
            found = _interface_addresses(probe)
    return next((each for each in found if not ipaddress.ip_address(each).is_loopback), None)


def _interface_addresses(probe: socket.socket) -> list[str]:
    """The address of each network interface; none where the system does not answer Linux's question for it."""
    found = []
    for _, name in socket.if_nameindex():
        with suppress(OSError):
            answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()))
            found.append(socket.inet_ntoa(answer[ADDRESS]))
    return found
