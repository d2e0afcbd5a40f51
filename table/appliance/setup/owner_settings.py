"""What the owner chose on the phone: kept beside the journal, laid over the configuration, never written into it.

The newest word counts. Each choice remembers what the file said when it was made: where the file says something else
since, somebody edited it by hand, and the choice is over.

    {"format": 1, "settings": {"table.mode": {"chosen": "club", "instead_of": "home"}}, "steps": {"camera": "done"}}
"""

from __future__ import annotations

import json
import logging
import threading
import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from table.config import Config
from table.game.snapshot import Mode
from table.runtime.table_errors import ConfigError
from vision.atomic_files import write_whole
from vision.json_text import read_json
from vision.strict_reader import PLAIN

FILE: Final = "choices.json"
FORMAT: Final = 1
DEVICE: Final = (
    "camera.source",
    "camera.device",
    "camera.address",
    "camera.mains_hz",
    "camera.focus",
    "table.side_mm",
)
"""What may be chosen on the page of the device; `table.config` says which values are allowed."""
SETTINGS: Final = ("table.mode", "tiles.tileset", *DEVICE)
"""What may be chosen on the phone."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One choice."""

    chosen: str
    instead_of: str
    """What the configuration said then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerSettings:
    """All choices, and how far the first start has come."""

    settings: Mapping[str, Chosen] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    """Each step's name with `done` or `skipped`."""

    def applied_to(self, config: Config) -> Config:
        """Lays the choices over a configuration as its file says it."""
        mode, tileset = self._now("table.mode", config), self._now("tiles.tileset", config)
        if mode in set(Mode):
            config = replace(config, table=replace(config.table, mode=mode))  # type: ignore[arg-type]
        for name in DEVICE:
            config = with_value(config, name, self._now(name, config))
        return replace(config, tiles=replace(config.tiles, tileset=tileset))

    def _now(self, name: str, config: Config) -> str:
        now, choice = configured(name, config), self.settings.get(name)
        return now if choice is None or choice.instead_of != now else choice.chosen


class ChoicesFile:
    """The choices of one table on disk. May be used by several threads."""

    def __init__(self, path: Path, file_config: Config) -> None:
        """Takes the file, and the configuration without any choices."""
        self._path, self._file_config = path, file_config
        self._lock = threading.Lock()
        self._choices = load(path)

    @property
    def choices(self) -> OwnerSettings:
        """What was chosen so far."""
        return self._choices

    def choose(self, name: str, value: str) -> None:
        """Keeps a choice.

        Raises:
            ConfigError: it cannot be written.
        """
        choice = Chosen(chosen=value, instead_of=configured(name, self._file_config))
        with self._lock:
            self._keep(replace(self._choices, settings={**self._choices.settings, name: choice}))

    def step(self, name: str, how: str) -> None:
        """Keeps that a step was `done` or `skipped`; what was done stays done.

        Raises:
            ConfigError: it cannot be written.
        """
        with self._lock:
            if self._choices.steps.get(name) not in (how, "done"):
                self._keep(replace(self._choices, steps={**self._choices.steps, name: how}))

    def _keep(self, settings: OwnerSettings) -> None:
        """Counts at once; a disk that refuses is told, and the choice then lasts until the restart."""
        self._choices = settings
        try:
            write_whole(self._path, json.dumps({"format": FORMAT, **asdict(settings)}), mode=0o600)
        except OSError as error:
            raise ConfigError(f"expected a file for choices that can be written, got: {error}") from error


def load(path: Path) -> OwnerSettings:
    """Reads the file; one that is missing or cannot be understood gives no choices, which is logged."""
    try:
        data = read_json(path.read_text("utf-8"))
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise ValueError("another file")
        settings: OwnerSettings = PLAIN.read(OwnerSettings, data)
    except FileNotFoundError:
        return OwnerSettings()
    except (OSError, ValueError) as error:
        _log.warning("expected choices of format %d, got: %s, in %s: left out", FORMAT, error, path)
        return OwnerSettings()
    return settings


def with_value(config: Config, name: str, text: str) -> Config:
    """Returns the configuration with another value in it; as it is where the text is none that is allowed."""
    try:
        value = value_of(name, text)
    except ConfigError as error:
        _log.warning("%s: left out", error)
        return config
    section, _, key = name.partition(".")
    part: Any = replace(getattr(config, section), **{key: value})
    changed: Config = replace(config, **{section: part})
    return changed


def value_of(name: str, text: str) -> float | str:
    """Reads a value that may be chosen.

    Raises:
        ConfigError: it is not one that the configuration allows there.
    """
    section, _, key = name.partition(".")
    kind = getattr(Config(), section)
    wanted = typing.get_type_hints(type(kind), include_extras=True)[key]
    try:
        given = text if isinstance(getattr(kind, key), str) else _number(text)
        value: float | str = PLAIN.read(wanted, given, name)
    except ValueError as error:
        raise ConfigError(f"expected a value for {name}, got {text!r}: {error}") from error
    return value


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def configured(name: str, config: Config) -> str:
    """What the configuration says under this name, as text."""
    section, _, key = name.partition(".")
    value: Any = getattr(getattr(config, section), key)
    return str(value)
