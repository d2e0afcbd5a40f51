"""`tachiai check`: reports configuration, camera, models, panel, journal, PIN, disk, heat and clock."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.appliance.table_server import with_usable_page
from table.cli.arguments.appliance_options import load_config
from table.cli.streams.progress import progress_counter, waiting
from table.cli.upkeep_commands.parts_check import health_of_parts, journal_state
from table.cli.upkeep_commands.running_table import is_this_version, running_table
from table.config import Config
from table.dashboard.web.access.vault import Vault
from table.health.health_report import Health, model_faults, report_text
from table.health.log_buffer import public_text
from table.runtime.table_errors import ConfigError
from vision.reading.weights import session


def run(args: argparse.Namespace) -> int:
    """Prints the health of the appliance; returns 1 if anything needs attention."""
    loaded = with_usable_page(load_config(args))
    if args.port is not None:
        page = replace(loaded.config.page, port=args.port)
        loaded = replace(loaded, config=replace(loaded.config, page=page))
    line = running_table(loaded.config)
    if line is not None and not is_this_version(line):
        return _report_other_version(line, as_json=args.json)
    with progress_counter("games of the journal") as count:
        entries, trouble = journal_state(loaded.config.folder / JOURNAL, count)
    with waiting("trying camera, panel and models"):
        health = (
            health_of_parts(loaded, entries, trouble)
            if line is None
            else _with_trouble(_with_paths(Health.from_json(line), (*loaded.problems, *loaded.warnings)), trouble)
        )
        health = replace(health, model_faults=model_faults(partial(session, threads=1)))
    health = _with_secrets(health, loaded.config)
    log = {} if line is None else {"log": line["log"]}
    print(json.dumps({**health.as_json(), **log}, ensure_ascii=False) if args.json else report_text(health))
    return _code_for(health.troubles, is_ok=health.is_ok)


def _report_other_version(line: dict[str, Any], *, as_json: bool) -> int:
    """Prints the readable part of the health of a table of another version."""
    troubles = [str(trouble) for trouble in line["troubles"]] if isinstance(line.get("troubles"), list) else []
    is_ok = line.get("ok") is True
    if as_json:
        print(json.dumps(line, ensure_ascii=False))
    else:
        print(f"table        {line['name']}, version {line.get('version', 'unknown')} runs here")
        print(f"problem      this is version {version('tachiai')}: the version that runs can check it in full")
        print("all is well" if is_ok else f"needs attention: {', '.join(troubles) or 'see above'}")
    return _code_for(troubles, is_ok=is_ok)


def _code_for(troubles: Sequence[str], *, is_ok: bool) -> int:
    """Returns the exit code; what needs attention is also reported on stderr, as every failure is."""
    if is_ok:
        return 0
    found = ", ".join(troubles) or "trouble that it does not name"
    print(f"tachiai check: expected a table that needs no attention, got: {found}", file=sys.stderr)
    return 1


def _with_trouble(health: Health, trouble: str) -> Health:
    """Returns a running table's health, adding a fault in its journal that would prevent a restart."""
    if not trouble:
        return health
    return replace(health, journal=replace(health.journal, notes=[*health.journal.notes, trouble]))


def _with_paths(health: Health, problems: Sequence[str]) -> Health:
    """Returns a running table's health with the paths of those problems that its settings file has here too."""
    paths = {public_text(problem): problem for problem in problems}
    return replace(health, problems=[paths.get(problem, problem) for problem in health.problems])


def _with_secrets(health: Health, config: Config) -> Health:
    """Returns the health with whether a PIN was chosen; secrets are read, never created."""
    path = config.folder / SECRETS
    try:
        return replace(health, has_pin=path.exists() and Vault(path).has_pin)
    except ConfigError as error:
        return replace(health, problems=[*health.problems, str(error)])
