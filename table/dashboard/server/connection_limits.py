"""Limits the number of connections, in total, per address and per range of IPv6 addresses.

One computer may have as many IPv6 addresses as it likes within its network, a /64. But all phones at a table may be in
one /64 too, so a range gets more than an address, and never everything.
"""

from __future__ import annotations

import ipaddress
import resource
from collections import Counter
from typing import Final

from table.dashboard.web.addresses.network_address import address_range

MOST_CONNECTIONS: Final = 1000
MOST_PER_ADDRESS: Final = 64
"""A browser opens up to six at once, and a stream; a router or container may hide eight browsers behind one address."""
OTHER_FILES: Final = 96
"""Number of files that camera, journal, panel and log may have open besides the connections."""


def plain_address(address: str) -> str:
    """Returns the IPv4 address received on an IPv6 socket (RFC 4291, 2.5.5.2); any other address unchanged."""
    try:
        mapped = ipaddress.IPv6Address(address).ipv4_mapped
    except ValueError:
        return address
    return address if mapped is None else str(mapped)


def range_limit(limit: int) -> int:
    """Returns how much of `limit` one range of addresses may use: three quarters."""
    return limit - limit // 4


class ConnectionCounts:
    """Counts the open connections. Used by one thread."""

    def __init__(self, limit: int, limit_each: int = MOST_PER_ADDRESS) -> None:
        self._limit = limit
        self._limit_each = limit_each
        self._by_address: Counter[str] = Counter()
        self._by_range: Counter[str] = Counter()
        self._total = 0

    def enter(self, address: str) -> bool:
        """Counts one more connection of an address; returns False if it, its range or all together have too many."""
        range_ = address_range(address)
        is_full = self._total >= self._limit or self._by_range[range_] >= range_limit(self._limit)
        if is_full or self._by_address[address] >= self._limit_each:
            return False
        self._total += 1
        self._by_address[address] += 1
        self._by_range[range_] += 1
        return True

    def leave(self, address: str) -> None:
        """Counts one connection less."""
        self._total -= 1
        for count, name in ((self._by_address, address), (self._by_range, address_range(address))):
            count[name] -= 1
            if not count[name]:
                del count[name]


def most_connections(limit: int = MOST_CONNECTIONS) -> int:
    """Requests enough open files from the system, and returns how many connections they allow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = limit + OTHER_FILES
    if 0 <= soft < needed:
        soft = needed if hard < 0 else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return limit if soft < 0 else min(limit, max(1, soft - OTHER_FILES))
