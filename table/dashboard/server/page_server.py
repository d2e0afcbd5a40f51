"""Serves the pages from threads of this process, which also owns the camera.

One thread accepts connections, performs TLS handshakes, and reads and writes for all of them without blocking; workers
answer complete requests. A silent, slow or lost client therefore blocks nothing but its own connection.
"""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import ssl
import threading
from asyncio import sslproto
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from flask import Flask
from uvicorn.config import Config
from uvicorn.server import ServerState

from table.dashboard.live.event_stream import EXTENSION, Streams
from table.dashboard.server.connection import IDLE_S, MOST_HEADERS, Connection
from table.dashboard.server.connection_limits import ConnectionCounts, most_connections, plain_address
from table.dashboard.server.flask_bridge import FlaskBridge
from table.dashboard.server.lanes import Lanes
from table.dashboard.web.addresses.network_address import EVERYWHERE
from table.runtime.table_errors import ConfigError
from vision.errors import reason

TlsFiles = tuple[str, str]
"""A certificate and its key."""
THREADS: Final = 16
PATIENCE_S: Final = 5.0
"""How long closing waits for requests that are still being answered."""
HANDSHAKE_S: Final = 10.0
"""Time limit for a client's TLS handshake, and for its end."""
UNANSWERED_MS: Final = 30_000
"""Time after which a connection is closed if the client does not accept what was sent."""
TLS_BUFFER: Final = 32 * 1024
"""Bytes that asyncio buffers for a TLS connection: its default of 256 KiB is too much for many, and a record has at
most 16 KiB.
"""
_CERTIFICATE: Final = re.compile(rb"-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----")
"""The marks of a certificate in PEM that OpenSSL reads: the usual, an old one, that of `openssl x509 -trustout`."""
_KEY: Final = re.compile(rb"PRIVATE KEY-----")
"""The mark of a key in PEM, of whatever kind."""
ANOTHER_KEY: Final = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")
"""OpenSSL's reasons for a key that is not the certificate's: another one, or one of another kind."""
BACKLOG: Final = 256
"""Number of clients that may wait to be accepted."""
ACCEPTED_AT_ONCE: Final = 16
"""Number of clients accepted in a row before others are served again."""
ACCEPT_AGAIN_S: Final = 0.2
"""Pause of accepting when the system has no resources for another connection."""


@contextmanager
def serve(
    app: Flask, host: str = "127.0.0.1", port: int = 8000, *, threads: int = THREADS, tls: TlsFiles | None = None
) -> Iterator[int]:
    """Serves the application while the context is open; yields the port, which `port=0` lets the system choose.

    Raises:
        OSError: the address cannot be used.
        ConfigError: the certificate or its key cannot be used.
    """
    context = None if tls is None else tls_context(tls)
    app.config["SESSION_COOKIE_SECURE"] = context is not None
    with _listening_socket(host, port) as listener:
        listener.setblocking(False)
        real_port: int = listener.getsockname()[1]
        streams: Streams = app.extensions[EXTENSION]
        server = PageServer(app, listener, threads, context)
        with streams.call_on_change(server.wake_streams), server:
            try:
                yield real_port
            finally:
                streams.close()


class PageServer:
    """Accepts clients and answers them. A context manager."""

    def __init__(self, app: Flask, listener: socket.socket, threads: int, context: ssl.SSLContext | None) -> None:
        self._listener = listener
        self._tls = context
        self._lanes = Lanes(threads)
        self._bridge = FlaskBridge(app, self._lanes)
        self._config = _config(self._bridge)
        self._state = ServerState()
        self._client_tasks: dict[asyncio.Task[None], socket.socket] = {}
        self._connections = ConnectionCounts(most_connections())
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="dashboard", daemon=True)

    def wake_streams(self) -> None:
        """Makes all streams check for due events. Thread-safe."""
        with suppress(RuntimeError):  # the loop has ended, and nobody is listening any more
            self._loop.call_soon_threadsafe(self._bridge.wake_streams)

    def __enter__(self) -> PageServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(2 * PATIENCE_S)
        self._lanes.close(PATIENCE_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._accept_clients()
        await self._ending.wait()
        self._loop.remove_reader(self._listener)
        await self._finish()

    def _accept_clients(self) -> None:
        if not self._ending.is_set():
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        """Accepts the next clients, or refuses them; a few at a time, between requests of others."""
        try:
            for _ in range(ACCEPTED_AT_ONCE):
                self._let_in(*self._listener.accept())
        except (BlockingIOError, ConnectionAbortedError):
            return  # nobody else is waiting, or the next one has left
        except OSError:  # no resources
            self._loop.remove_reader(self._listener)
            self._loop.call_later(ACCEPT_AGAIN_S, self._accept_clients)

    def _let_in(self, client: socket.socket, peer: tuple[Any, ...]) -> None:
        address = plain_address(peer[0])
        client.setblocking(False)
        if not self._connections.enter(address):
            client.close()
            return
        task = self._loop.create_task(self._welcome(client, address))
        self._client_tasks[task] = client
        task.add_done_callback(self._client_tasks.pop)

    async def _welcome(self, client: socket.socket, address: str) -> None:
        """Performs the handshake, and returns when the connection is closed."""
        tls: dict[str, Any] = {}
        if self._tls is not None:
            tls = {"ssl": self._tls, "ssl_handshake_timeout": HANDSHAKE_S, "ssl_shutdown_timeout": HANDSHAKE_S}
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # send the body without waiting for an ACK
            _, connection = await self._loop.connect_accepted_socket(self._connection, client, **tls)
            await connection.closed
        except OSError:
            client.close()  # the handshake failed
        finally:
            self._connections.leave(address)

    def _connection(self) -> Connection:
        return Connection(self._config, self._state)

    async def _finish(self) -> None:
        """Lets current answers finish, for a limited time, and then closes all connections."""
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(self._state.tasks, timeout=PATIENCE_S)
        for connection in list(self._state.connections):
            if isinstance(connection, Connection):
                connection.abort()
        unfinished = dict(self._client_tasks)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        for client in unfinished.values():  # a task that had not started closed nothing
            client.close()


def _config(bridge: FlaskBridge) -> Config:
    """Returns uvicorn's settings for connections: our own limits and logs, no program names, no other protocol."""
    return Config(
        bridge,
        interface="asgi3",
        lifespan="off",
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=round(IDLE_S),
        h11_max_incomplete_event_size=MOST_HEADERS,
    )


def tls_context(tls: TlsFiles) -> ssl.SSLContext:
    """Reads a certificate and its key; nobody is asked for a passphrase.

    Raises:
        ConfigError: one of them cannot be used; the message says which.
    """
    certificate, key = tls
    sslproto.SSLProtocol.max_size = TLS_BUFFER
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    _check_pem(certificate, "certificate", _CERTIFICATE)
    _check_pem(key, "key", _KEY)

    def refuse_passphrase() -> str:
        raise ConfigError(f"expected a key without a passphrase for TLS, got one with a passphrase, {key}")

    try:
        context.load_cert_chain(certificate, key, password=refuse_passphrase)
    except ssl.SSLError as error:
        raise ConfigError(_refusal(certificate, key, error)) from error
    context.options |= ssl.OP_NO_RENEGOTIATION
    return context


def _refusal(certificate: str, key: str, error: ssl.SSLError) -> str:
    """Returns what is wrong with a certificate and its key, of which OpenSSL itself does not say which it means."""
    if error.reason in ANOTHER_KEY:
        return f"expected the key of the certificate {certificate} for TLS, got another, {key}"
    is_whole = _is_whole_certificate(certificate)
    if is_whole and error.library == "SSL" and error.reason:
        return f"expected a certificate and its key for TLS, got {certificate} and {key}: {reason(error)}"
    name, file = ("key", key) if is_whole else ("certificate", certificate)
    if certificate == key:
        name = "certificate and its key"
    return f"expected a {name} in PEM for TLS, got one that is cut off, damaged or of an unknown kind, {file}"


def _is_whole_certificate(file: str) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except ssl.SSLError:
        return False
    return True


def _check_pem(file: str, name: str, mark: re.Pattern[bytes]) -> None:
    try:
        has_mark = mark.search(Path(file).read_bytes()) is not None
    except OSError as error:
        raise ConfigError(f"expected a file with the {name} for TLS, got {file}: {reason(error)}") from error
    if not has_mark:
        raise ConfigError(f"expected a {name} in PEM for TLS, got something else, {file}")


def _listening_socket(host: str, port: int) -> socket.socket:
    """Returns a listening socket; for all networks it listens on IPv4 and IPv6 if the machine has both."""
    if host in EVERYWHERE and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("::", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True)
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
            host = "0.0.0.0"  # noqa: S104 - what was asked for, without the IPv6 that this machine switched off
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)
