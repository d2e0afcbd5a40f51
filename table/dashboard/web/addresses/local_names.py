"""The host names under which the pages are served: those that certainly refer to this machine.

A foreign website could make its own name point to this machine and then read our pages as its own (DNS rebinding). That
is impossible with an address, with this machine's name, or with a name in a domain that exists only locally.
"""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path
from typing import Final

LOOPBACK: Final = "localhost"
LOCAL_ENDINGS: Final = (".local", ".lan", ".home.arpa", ".internal", ".fritz.box")
"""Domains that exist only in home networks: multicast DNS, routers' own, RFC 8375, and the one reserved by ICANN."""
RESOLVER: Final = Path("/etc/resolv.conf")
"""The file with the domain of the machine's network."""


def is_local_name(host: str) -> bool:
    """Returns whether a Host header names this machine.

    It does by an address, by `localhost`, by the machine's own name with or without the network's domain, or by a name
    under one of `LOCAL_ENDINGS`; not by one that no address can have (`xn--.local`).
    """
    name = _without_port(host).lower().removesuffix(".")
    if _is_address(name) or name == LOOPBACK or name in own_names():
        return True
    return name.endswith(LOCAL_ENDINGS) and _is_readable(name)


def own_names() -> frozenset[str]:
    """Returns this machine's own names, with and without the network's domain; they may change at any time."""
    name = socket.gethostname().lower()
    return frozenset({name, *(f"{name.partition('.')[0]}.{domain}" for domain in network_domains())})


def network_domains() -> tuple[str, ...]:
    """Returns the domains that the resolver searches, as configured by the network."""
    try:
        lines = RESOLVER.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    words = [line.split() for line in lines]
    names = [domain for first, *rest in filter(None, words) if first in ("search", "domain") for domain in rest]
    return tuple(domain for name in names if (domain := name.lower().strip(".")))


def _without_port(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_readable(name: str) -> bool:
    """Returns whether a host name can be read by the rules of international names (IDNA)."""
    try:
        name.encode("ascii").decode("idna")
    except UnicodeError:
        return False
    return True


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
