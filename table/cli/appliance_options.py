"""Which appliance a command is about: the one of a configuration, or of a folder of data."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from table.appliance.setup.owner_settings import FILE
from table.appliance.setup.owner_settings import load as load_choices
from table.camera.camera_address import EXAMPLES, camera_at
from table.config import Loaded, load
from table.runtime.table_errors import ConfigError

DEFAULT_DATA: Final = "tachiai-data"


def add_place(parser: argparse.ArgumentParser) -> None:
    """Adds `--config` and `--data`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file, as on the appliance")
    parser.add_argument(
        "--data", metavar="FOLDER", help=f"the folder of journal, backups and secrets (default: {DEFAULT_DATA})"
    )


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Adds `--camera`."""
    parser.add_argument(
        "--camera", metavar="ADDRESS", help=f"use this camera instead of the configured one: {EXAMPLES}"
    )


def loaded_at(args: argparse.Namespace) -> Loaded:
    """The configuration that the options name, with what was chosen on the phone and what is wrong in it."""
    loaded = load(args.config)
    data = args.data or (DEFAULT_DATA if args.config is None else loaded.config.table.data)
    address = getattr(args, "camera", None)
    camera = loaded.config.camera if address is None else camera_at(address, loaded.config.camera)
    config = replace(loaded.config, camera=camera, table=replace(loaded.config.table, data=data))
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
