"""Which appliance a command is about: the one of a configuration, or of a folder of data."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from table.runtime.table_errors import ConfigError

if TYPE_CHECKING:
    from table.config import Loaded

DEFAULT_DATA: Final = "tachiai-data"


def add_place(parser: argparse.ArgumentParser) -> None:
    """Adds `--config` and `--data`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration, as on the appliance")
    parser.add_argument("--data", metavar="FOLDER", help=f"journal, backups and secrets (else {DEFAULT_DATA})")


def loaded_at(args: argparse.Namespace) -> Loaded:
    """The configuration that the options name, with what was chosen on the phone and what is wrong in it."""
    from table.appliance.setup.owner_settings import FILE  # noqa: PLC0415 - help needs none of these
    from table.appliance.setup.owner_settings import load as load_choices  # noqa: PLC0415
    from table.config import Loaded, load  # noqa: PLC0415

    loaded = load(args.config)
    data = args.data or (DEFAULT_DATA if args.config is None else loaded.config.table.data)
    config = replace(loaded.config, table=replace(loaded.config.table, data=data))
    return Loaded(
        config=load_choices(config.folder / FILE).applied_to(config),
        problems=loaded.problems,
        warnings=loaded.warnings,
        file_config=config,
    )


def right_at(args: argparse.Namespace) -> Loaded:
    """The same for commands that need a configuration without mistakes.

    Raises:
        ConfigError: it has one.
    """
    loaded = loaded_at(args)
    if loaded.problems:
        raise ConfigError("\n".join(loaded.problems))
    return loaded
