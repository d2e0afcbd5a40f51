"""`tachiai run`: keeps a table until stopped: camera, panel, page, journal and backups."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from table.appliance import table_server
from table.appliance.appliance import Appliance, run_appliance
from table.appliance.mjai_stream import FileReceiver, MjaiStream, PortReceivers
from table.appliance.table_server import display_host
from table.cli import EXIT_STOPPED
from table.cli.arguments.appliance_options import load_config
from table.cli.live_commands.phone_invitation import print_invitation
from table.cli.streams.output_encoding import use_utf8
from table.cli.streams.progress import waiting
from table.cli.termination import wait_for, when_terminated
from table.config import ONLY_HERE, Config, LoadedConfig, without_tls
from table.runtime.table_errors import UsageError

KEYS_HELP = "keys: q w e r win (shift: tsumo), a s d f foul, space confirms, delete cancels, k keeps the moment"


def run(args: argparse.Namespace) -> int:
    """Keeps the table until interrupted or terminated; a second interruption ends it at once.

    Raises:
        UsageError: flags exclude each other, or only one of certificate and key was given.
        ConfigError: the address, the certificate or the secrets cannot be used.
        JournalError: another program uses the journal.
    """
    if (args.tls_cert is None) != (args.tls_key is None):
        raise UsageError("expected --tls-cert and --tls-key together, got one of them")
    if args.simulate and args.camera is not None:
        raise UsageError(f"expected --simulate or --camera, got both: {args.camera!r} and the drawn camera")
    terminated, code = threading.Event(), 0
    when_terminated(terminated.set)
    table_server.check_tls_files(args.tls_cert, args.tls_key)  # reports a mistake in these options at once
    loaded = load_run_config(args)
    for problem in loaded.problems:
        print(f"tachiai run: {problem}", file=sys.stderr)
    if loaded.problems:
        print("tachiai run: the table is kept by hand until this is corrected", file=sys.stderr)
    while True:
        with ExitStack() as stack:
            with waiting("starting the table"):
                appliance = stack.enter_context(run_appliance(loaded))
            stack.enter_context(_mjai_stream(appliance, args.mjai))
            page = replace(loaded.config.page, port=appliance.port)
            try:
                _print_address(appliance, is_simulated=args.simulate)
                wait_for(terminated, appliance.end_requested)
            except KeyboardInterrupt:
                print(f"tachiai: stopped; {_kept_text(appliance.journal.trouble)}", file=sys.stderr)
                terminated.set()
                code = EXIT_STOPPED
        restarts = appliance.upkeep.restore_chosen() or appliance.is_restart_requested
        if not restarts or terminated.is_set():
            return code
        loaded = load_run_config(args)
        loaded = replace(loaded, config=replace(loaded.config, page=page))


def _kept_text(trouble: str) -> str:
    """Returns how much of the game is stored; `trouble` says why the journal cannot be written, empty if it can."""
    if trouble:
        return f"the journal is incomplete: {trouble}"
    return "everything is in the journal, and the next run continues the game"


@contextmanager
def _mjai_stream(appliance: Appliance, target: int | str | None) -> Iterator[None]:
    """Sends the game as mjai lines while the context is open, if requested.

    Raises:
        ConfigError: the port cannot be used.
    """
    if target is None:
        yield
        return
    use_utf8()
    listeners: FileReceiver | PortReceivers = FileReceiver(sys.stdout)
    if isinstance(target, int):
        host = appliance.config.page.host
        listeners = PortReceivers(host, target)
        print(f"tachiai: the game is sent as mjai lines at {display_host(host)}:{listeners.port}", file=sys.stderr)
    with MjaiStream(appliance.table.board, appliance.loop.entries, listeners):
        yield


def _print_address(appliance: Appliance, *, is_simulated: bool) -> None:
    page, port = appliance.config.page, appliance.port
    scheme, introduction = "https" if page.tls_cert else "http", "the table is kept at"
    if any(problem.endswith(ONLY_HERE) for problem in appliance.health().problems):
        print(f"tachiai: {introduction} {scheme}://{display_host(page.host)}:{port}; {ONLY_HERE}", file=sys.stderr)
    else:
        print_invitation(introduction, host=page.host, port=port, scheme=scheme)
    if is_simulated:
        print(KEYS_HELP, file=sys.stderr)


def load_run_config(args: argparse.Namespace) -> LoadedConfig:
    """Returns the configuration of the file, overridden by the options."""
    loaded = load_config(args)
    config = loaded.config
    if args.config is None:
        config = replace(config, page=replace(config.page, host="127.0.0.1"))
    options = {"ruleset": args.ruleset, "mode": args.mode}
    page = {"host": args.host, "port": args.port, "tls_cert": args.tls_cert, "tls_key": args.tls_key}
    config = replace(
        config, table=replace(config.table, **_without_none(options)), page=replace(config.page, **_without_none(page))
    )
    if ONLY_HERE in loaded.problems and args.tls_cert is None:
        config = without_tls(config)  # --host does not open what the file would protect
    config = _simulated_config(config) if args.simulate else config
    return replace(loaded, config=config)


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _simulated_config(config: Config) -> Config:
    camera, panel = replace(config.camera, source="drawn"), replace(config.panel, kind="keyboard")
    return replace(config, camera=camera, panel=panel)
