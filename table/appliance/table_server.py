"""Assembles a table: its loop and the pages that show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from flask import Blueprint

from table.camera.phone_photos import Photos
from table.config import ONLY_HERE, LoadedConfig, PageConfig, without_tls
from table.dashboard.application import create_app
from table.dashboard.games.archive import game_archive
from table.dashboard.games.season import season_archive
from table.dashboard.server import TlsFiles, serve, tls_context
from table.dashboard.web import base_page
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.addresses.network_address import EVERYWHERE, phone_address
from table.game.journal.history.summary_file import SUFFIX
from table.game.table_loop import Table, TableLoop
from table.runtime.memory import give_back_freed_memory
from table.runtime.table_errors import ConfigError
from vision.errors import reason
from vision.photo.shipped_reader import PhotoReader
from vision.tilesets.set_selector import reader_of

MAX_PORT: Final = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTable:
    """A table with a running loop and a served page."""

    loop: TableLoop
    port: int


@contextmanager
def serve_table(
    table: Table,
    *,
    host: str,
    port: int,
    loop: TableLoop | None = None,
    secrets: Path | Vault | None = None,
    tls: TlsFiles | None = None,
    extra_pages: Sequence[Blueprint] = (),
) -> Iterator[RunningTable]:
    """Runs a table's loop and dashboard while the context is open; `port` 0 lets the system choose one.

    Args:
        table: the table.
        host: the address to serve on.
        port: its port.
        loop: the table's loop, if it was made before.
        secrets: the file of the owner's PIN and the cookies' key, or a vault of both; without it they end with the
            program.
        tls: the files for serving the page over TLS.
        extra_pages: pages in addition to the table's own.

    Raises:
        ConfigError: the address, or a file for TLS, cannot be used.
    """
    if not 0 <= port <= MAX_PORT:
        raise ConfigError(f"expected an address to serve on, got {host}:{port}: ports end at {MAX_PORT}")
    give_back_freed_memory()
    with ExitStack() as stack:
        loop = stack.enter_context(loop or TableLoop(table))
        stack.callback(table.board.close)
        vault = secrets if isinstance(secrets, Vault) else Vault(secrets)
        journal = table.journal.path
        summaries = None if journal is None else journal.with_suffix(SUFFIX)
        app = create_app(table.board, loop, vault, faces=phone_photos().faces, summaries=summaries)
        for extension in (game_archive.EXTENSION, season_archive.EXTENSION):
            stack.enter_context(app.extensions[extension])
        for blueprint in extra_pages:
            app.register_blueprint(blueprint)
        try:
            real_port = stack.enter_context(serve(app, host, port, tls=tls))
        except OSError as error:
            raise ConfigError(f"expected an address to serve on, got {host}:{port}: {reason(error)}") from error
        base_page.keep_phone_address(app, partial(phone_address, host, real_port, "https" if tls else "http"))
        yield RunningTable(loop=loop, port=real_port)


def phone_photos() -> Photos:
    """Returns the reader of tiles in phones' photos, with the shipped models; sticks are not looked for."""
    return Photos(lambda: PhotoReader(reader_of(()), sticks=None).read)


def check_tls_files(certificate: str | None, key: str | None) -> None:
    """Checks the two files for TLS, unless neither is given.

    Raises:
        ConfigError: one is missing, or cannot be used.
    """
    if not certificate and not key:
        return
    for name, path in (("certificate", certificate), ("key", key)):
        if not path or not Path(path).is_file():
            raise ConfigError(f"expected a file with the {name} for TLS, got {path or 'none'}")
    tls_context((str(certificate), str(key)))


def with_usable_page(loaded: LoadedConfig) -> LoadedConfig:
    """Returns a configuration whose page can be served, with a warning if its files for TLS cannot be used.

    Without TLS, others on the network could read PINs, so the page is then served to this machine only.
    """
    page = loaded.config.page
    try:
        check_tls_files(page.tls_cert, page.tls_key)
    except ConfigError as error:
        warnings = (*loaded.warnings, f"{error}: {ONLY_HERE}")
        return replace(loaded, config=without_tls(loaded.config), warnings=warnings)
    return loaded


def page_tls(page: PageConfig) -> TlsFiles | None:
    """Returns the files for TLS of a page that can be served; None without TLS."""
    return (page.tls_cert, page.tls_key) if page.tls_cert else None


def display_host(host: str) -> str:
    """Returns a host as it is typed into a browser: an IPv6 address in brackets."""
    if host in ("127.0.0.1", *EVERYWHERE):
        return "localhost"
    return f"[{host}]" if ":" in host else host
