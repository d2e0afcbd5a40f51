"""The owner's choices on the phone: kept beside the journal, applied over the configuration, never written to it.

The newest decision wins. Each choice records the file's value at the time; if the file has changed since, somebody
edited it by hand, and the choice no longer applies.

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
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason
from vision.json_text import read_json
from vision.plain_values import parse_reason
from vision.strict_reader import PLAIN

FILE: Final = "choices.json"
FORMAT: Final = 1
CAMERA: Final = ("camera.source", "camera.device", "camera.address")
"""The settings that select the camera: one choice, which ends if the file selects another camera since."""
DEVICE: Final = (
    *CAMERA,
    "camera.mains_hz",
    "camera.focus",
    "camera.usb_focus",
    "table.side_mm",
)
"""Settings that may be chosen on the device page; `table.config` defines the allowed values."""
SETTINGS: Final = ("table.mode", "tiles.tileset", *DEVICE)
"""All settings that may be chosen on the phone."""
MOST_QUOTED: Final = 80
"""Limit of letters of a value that a message quotes."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice."""

    chosen: str
    instead_of: str
    """The configuration's value at the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerChoices:
    """All choices, and the progress of the set-up."""

    settings: Mapping[str, Choice] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    """Each step's name with `done` or `skipped`."""

    def applied_to(self, config: Config) -> Config:
        """Returns the file's configuration with the choices applied."""
        chosen = {name: self.settings[name].chosen for name in SETTINGS if self._applies(name, config)}
        for name, value in chosen.items():
            config = with_value(config, name, value)
        return config

    def _applies(self, name: str, config: Config) -> bool:
        """Whether a choice was made and the file has not been changed since."""
        group = CAMERA if name in CAMERA else (name,)
        choices = {each: self.settings[each] for each in group if each in self.settings}
        return name in choices and all(
            choice.instead_of == config_value(each, config) for each, choice in choices.items()
        )


class ChoicesFile:
    """The choices of one table on disk. Thread-safe."""

    def __init__(self, path: Path, file_config: Config) -> None:
        """Takes the file, and the configuration without any choices."""
        self._path, self._file_config = path, file_config
        self._lock = threading.Lock()
        self._choices = load(path)

    @property
    def choices(self) -> OwnerChoices:
        """The choices so far."""
        return self._choices

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Stores choices, the value by the setting's name: all of them or none.

        Raises:
            ConfigError: they cannot be written.
        """
        choices = {
            name: Choice(chosen=value, instead_of=config_value(name, self._file_config))
            for name, value in chosen.items()
        }
        with self._lock:
            self._apply_and_store(replace(self._choices, settings={**self._choices.settings, **choices}))

    def step(self, name: str, how: str) -> None:
        """Records that a step was `done` or `skipped`; a done step stays done.

        Raises:
            ConfigError: it cannot be written.
        """
        with self._lock:
            if self._choices.steps.get(name) not in (how, "done"):
                self._apply_and_store(replace(self._choices, steps={**self._choices.steps, name: how}))

    def _apply_and_store(self, choices: OwnerChoices) -> None:
        """Applies and stores the choices; if the disk refuses, raises an error, and they last until the restart."""
        self._choices = choices
        try:
            write_whole(self._path, json.dumps({"format": FORMAT, **asdict(choices)}), mode=0o600)
        except OSError as error:
            raise ConfigError(f"expected a writable file for choices, got: {reason(error)}") from error


def load(path: Path) -> OwnerChoices:
    """Reads the file; a missing or unreadable one gives no choices, which is logged."""
    try:
        data = read_json(read_whole(path))
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise ValueError("another file")
        choices: OwnerChoices = PLAIN.read(OwnerChoices, data)
    except FileNotFoundError:
        return OwnerChoices()
    except (OSError, ValueError) as error:
        _log.warning("expected choices of format %d, got: %s, in %s: ignored", FORMAT, reason(error), path)
        return OwnerChoices()
    return choices


def with_value(config: Config, name: str, text: str) -> Config:
    """Returns the configuration with one value replaced; unchanged if the text is not an allowed value."""
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
    """Reads the value of a setting.

    Raises:
        ConfigError: the configuration does not allow it.
    """
    section, _, key = name.partition(".")
    kind = getattr(Config(), section)
    value_type = typing.get_type_hints(type(kind), include_extras=True)[key]
    try:
        parsed = text if isinstance(getattr(kind, key), str) else _number(text)
        value: float | str = PLAIN.read(value_type, parsed, name)
    except ValueError as error:
        raise ConfigError(f"expected a value for {name}, got {text[:MOST_QUOTED]!r}: {error}") from error
    return value


def _number(text: str) -> float:
    try:
        return float(text) if "." in text else int(text)
    except ValueError as error:
        raise ValueError(parse_reason(error)) from error


def config_value(name: str, config: Config) -> str:
    """Returns the configuration's value of this name, as text."""
    section, _, key = name.partition(".")
    value: Any = getattr(getattr(config, section), key)
    return str(value)
