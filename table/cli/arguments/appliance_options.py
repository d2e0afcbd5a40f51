"""The options that choose the appliance a command works on: by its configuration or by its data folder."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from table.cli.arguments.path_arguments import any_file, folder
from table.cli.streams.input_files import INPUT_NAME, is_standard, standard_bytes
from table.runtime.table_errors import ConfigError
from vision.errors import reason

if TYPE_CHECKING:
    from table.config import LoadedConfig

CAMERAS: Final = "picamera, 0, /dev/video2, rtsp://192.168.1.7/live, a video, a recording's folder, drawn or none"
"""The addresses that `camera.capture.camera_address` accepts; repeated here to keep `--help` free of its imports."""
DEFAULT_DATA: Final = "tachiai-data"


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """Adds `--config` and `--data`."""
    parser.add_argument(
        "--config",
        type=any_file,
        metavar="FILE",
        help="the configuration file, as on the appliance; - for standard input",
    )
    parser.set_defaults(config_input=None)
    parser.add_argument(
        "--data",
        type=folder,
        metavar="FOLDER",
        help=f"the folder of journal, backups and secrets (default: {DEFAULT_DATA})",
    )


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Adds `--camera`."""
    parser.add_argument(
        "--camera", type=_address, metavar="ADDRESS", help=f"use this camera instead of the configured one: {CAMERAS}"
    )


def _address(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected the address of a camera, got an empty text")
    return text


def load_config(args: argparse.Namespace) -> LoadedConfig:
    """Returns the configuration that the options name, with the choices made on the phone and its mistakes.

    When the command ends, files that root has created in the table's folder are given to the folder's owner.
    """
    from table.appliance.files.data_folder import hand_over_new_files  # noqa: PLC0415 - help needs none of these
    from table.appliance.setup.owner_choices import FILE  # noqa: PLC0415
    from table.appliance.setup.owner_choices import load as load_choices  # noqa: PLC0415
    from table.camera.capture.camera_address import camera_at  # noqa: PLC0415
    from table.config import LoadedConfig  # noqa: PLC0415

    loaded = _read(args)
    data = str(args.data or "") or (DEFAULT_DATA if args.config is None else loaded.config.table.data)
    address = getattr(args, "camera", None)
    camera = loaded.config.camera if address is None else camera_at(address, loaded.config.camera)
    config = replace(loaded.config, camera=camera, table=replace(loaded.config.table, data=data))
    if (at_end := getattr(args, "at_end", None)) is not None:
        at_end.enter_context(hand_over_new_files(config.folder))
    return LoadedConfig(
        config=load_choices(config.folder / FILE).applied_to(config),
        problems=loaded.problems,
        warnings=loaded.warnings,
        file_config=config,
    )


def _read(args: argparse.Namespace) -> LoadedConfig:
    """Returns the configuration; keeps what was read from standard input, for a table that restarts."""
    from table.config import Config, LoadedConfig, load, read_config  # noqa: PLC0415 - help needs none of these

    if args.config is None or not is_standard(args.config):
        return load(args.config)
    args.config_input = standard_bytes() if args.config_input is None else args.config_input
    try:
        return read_config(args.config_input.decode("utf-8"), INPUT_NAME)
    except UnicodeDecodeError as error:
        return LoadedConfig(config=Config(), problems=(f"{INPUT_NAME}: expected a TOML file, got: {reason(error)}",))


def load_valid_config(args: argparse.Namespace) -> LoadedConfig:
    """Returns the configuration for commands that refuse one with mistakes.

    Raises:
        ConfigError: the configuration has a mistake.
    """
    loaded = load_config(args)
    if loaded.problems:
        raise ConfigError("\n".join(loaded.problems))
    return loaded
