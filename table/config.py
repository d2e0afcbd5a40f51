"""The appliance's configuration: one TOML file, every key with a default, every mismatch with its place.

A mistake never keeps the table from being used: valid parts apply, mistakes are reported with file, line, key, value
and what is allowed. Until the file is corrected, the table is kept by hand, without camera, panel and broker.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np

from table.game.snapshot import Mode
from table.panel.gpio_panel import PinMap
from table.panel.panel_port import BUTTONS, Button
from table.rulebook import rules_named
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_at_most
from vision.cameras.network.stream_camera import is_stream
from vision.errors import reason
from vision.geometry.plane_geometry import Lens, TileSize
from vision.geometry.size_limits import DepthMm, HeightMm, SideMm, WidthMm
from vision.strict_reader import PLAIN, Between, MisfitError, Only, mismatch
from vision.toml_file import TomlFile

DATA_FOLDER: Final = "/var/lib/tachiai"
HIDDEN_KEY: Final = "mqtt.password"
"""The key whose value is never shown, even if it is wrong."""
TABLE_NAME: Final = r"[A-Za-z0-9_-]{1,40}"


def is_topic(text: str) -> bool:
    """Returns whether messages can be sent under this topic: its levels are not empty and contain no wildcards."""
    is_plain = text.isprintable() and not set("+#$") & set(text)
    return is_plain and len(text) <= 100 and all(level.strip() == level != "" for level in text.split("/"))


def is_host(text: str) -> bool:
    """Returns whether this can be the name or address of a machine, not a URL."""
    return re.fullmatch(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}(%\w+)?", text) is not None


def are_board_buttons(numbers: tuple[int, ...]) -> bool:
    """Returns whether these can be the buttons of a USB board, one for each of the table's; 0 means no button."""
    used = [number for number in numbers if number]
    return len(numbers) == len(BUTTONS) and len(set(used)) == len(used) and all(0 < pin <= 32 for pin in used)


_Topic = Annotated[str, Only("a topic like tachiai or house/tables, without + # $", is_topic)]
_Prefix = Annotated[str, Only("a topic like homeassistant, or an empty text", lambda text: not text or is_topic(text))]
_Host = Annotated[str, Only("a name or an address like 192.168.1.5", lambda text: not text or is_host(text))]
_PageHost = Annotated[str, Only("a name or an address like 0.0.0.0 or 127.0.0.1", is_host)]
_Word = Annotated[str, Only("a text in quotes of one line", str.isprintable)]
_Pins = Annotated[tuple[int, ...], Only("four GPIO numbers, or an empty list", lambda pins: len(pins) in (0, 4))]
_BoardButtons = Annotated[
    tuple[int, ...],
    Only("nine different numbers from 1 to 32, or 0 for none", are_board_buttons),
]
_Lights = Annotated[
    tuple[tuple[int, int, int], ...],
    Only("four lists of three GPIO numbers, or an empty list", lambda pins: len(pins) in (0, 4)),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """`[table]`."""

    name: str = "table"
    """Its name on a hall's pages and for other programs: letters, digits, `-` and `_`."""
    mode: Literal["home", "club", "tournament"] = "home"
    ruleset: str = "home"
    data: str = DATA_FOLDER
    """The folder of journal, backups, calibration and secrets."""
    side_mm: SideMm = 720.0
    backups: Annotated[int, Between(1, 1000)] = 14
    """Number of daily backups kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesConfig:
    """`[tiles]`."""

    width_mm: WidthMm = 20.0
    height_mm: HeightMm = 26.5
    depth_mm: DepthMm = 16.0
    red_man: Annotated[int, Between(0, 4)] = 1
    red_pin: Annotated[int, Between(0, 4)] = 1
    red_sou: Annotated[int, Between(0, 4)] = 1
    tileset: str = ""
    """The file of a scanned set; if empty, tiles are read without a scan."""
    second_tileset: str = ""
    """The file of the second set of an automatic table that alternates between two."""

    @property
    def size(self) -> TileSize:
        """The size of a tile."""
        return TileSize(width_mm=self.width_mm, height_mm=self.height_mm, depth_mm=self.depth_mm)

    @property
    def tilesets(self) -> tuple[Path, ...]:
        """The files of the scanned sets."""
        return tuple(Path(path) for path in (self.tileset, self.second_tileset) if path)

    @property
    def red(self) -> dict[str, int]:
        """The number of red fives of each suit in the set."""
        return {"m": self.red_man, "p": self.red_pin, "s": self.red_sou}


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraConfig:
    """`[camera]`."""

    source: Literal["none", "picamera", "usb", "stream", "video", "recording", "drawn"] = "none"
    """`drawn` plays the demo's evening before a drawn camera: a rehearsal without hardware."""
    device: Annotated[int, Between(0, 63)] = 0
    """The number of the camera among those of its kind."""
    address: _Word = ""
    """A stream's `rtsp://…` or `http://…`, or a USB camera's device such as `/dev/v4l/by-id/…`, in place of its number,
    which may change with each start.
    """
    file: str = ""
    """The video file or the recording's folder."""
    side_px: Annotated[int, Between(640, 4608)] = 1984
    """The side of a Pi camera's square picture."""
    fps: Annotated[float, Between(1, 60)] = 10.0
    focus: Annotated[float, Between(0, 32)] = 0.8
    """Dioptres: 1 / the distance in metres."""
    usb_focus: Annotated[int, Between(-1, 65535)] = -1
    """A USB camera's focus in its own steps; -1 to leave it unchanged."""
    exposure_us: Annotated[int, Between(0, 200_000)] = 0
    """In microseconds; 0 to measure it once at the start and keep it."""
    gain: Annotated[float, Between(0, 64)] = 0.0
    mains_hz: Literal[50, 60] = 50
    lost_after_s: Annotated[float, Between(1, 600)] = 5.0
    focal: Annotated[float, Between(0, 10)] = 0.0
    """The lens's focal length over the picture's longer side; 0 if unknown, and without distortion."""
    k1: Annotated[float, Between(-2, 2)] = 0.0
    """The lens's radial distortion, in OpenCV's convention."""
    k2: Annotated[float, Between(-2, 2)] = 0.0

    def lens(self, size: tuple[int, int]) -> Lens | None:
        """Returns the lens for pictures of this width and height; None if unknown."""
        if not self.focal:
            return None
        width, height = size
        focal = self.focal * max(size)
        matrix = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
        return Lens(matrix=matrix, distortion=np.array([self.k1, self.k2, 0.0, 0.0]))


ONLY_HERE: Final = "until this is corrected, the page is only served on this machine, by plain HTTP"
"""What follows from a mistake about TLS."""
_ASKS_FOR_TLS: Final = re.compile(r"""^\s*tls_\w+\s*=\s*(?!""|'')\S""", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """`[page]`."""

    host: _PageHost = "0.0.0.0"  # noqa: S104 - phones come over the network
    port: Annotated[int, Between(0, 65535)] = 8000
    tls_cert: str = ""
    """The file of the certificate; if empty, plain HTTP is served."""
    tls_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelConfig:
    """`[panel]`."""

    kind: Literal["none", "gpio", "usb", "keyboard"] = "none"
    """`keyboard` is for rehearsals on a terminal."""
    hold_s: Annotated[float, Between(0.3, 5)] = 0.8
    brightness: Annotated[float, Between(0, 1)] = 0.6
    strip_per_seat: Annotated[int, Between(0, 300)] = 0
    """Pixels of a WS2812 strip at each seat; 0 without a strip."""
    lights: _Lights = PinMap().lights
    win: _Pins = PinMap().win
    foul: _Pins = PinMap().foul
    table: Annotated[int, Between(-1, 27)] = PinMap().table or -1
    """-1 without a table button."""
    buzzer: Annotated[int, Between(-1, 27)] = PinMap().buzzer or -1
    common_anode: bool = False
    usb_board: str = ""
    """The path of a USB board with buttons; if empty, the first joystick is used."""
    usb_buttons: _BoardButtons = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """The board's buttons for win and foul of each seat and the table, counted from 1; 0 for none."""

    @property
    def board_buttons(self) -> dict[int, Button]:
        """The table's buttons by those of the USB board."""
        return {number: button for number, button in zip(self.usb_buttons, BUTTONS, strict=True) if number}

    @property
    def pins(self) -> PinMap:
        """The map of the pins.

        Raises:
            ConfigError: two parts share a pin, also a part and the strip, or one is not on the header.
        """
        pins = PinMap(
            lights=self.lights,
            win=self.win,
            foul=self.foul,
            table=None if self.table < 0 else self.table,
            buzzer=None if self.buzzer < 0 else self.buzzer,
            common_anode=self.common_anode,
        )
        if self.strip_per_seat:
            pins.check_beside_strip()
        return pins


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipsConfig:
    """`[clips]`: what is saved when somebody flags a moment."""

    seconds: Annotated[float, Between(0, 600)] = 90.0
    """The time before the flag that is saved; 0 to save nothing."""
    fps: Annotated[float, Between(1, 30)] = 4.0
    """Frames per second of a clip."""
    memory_mb: Annotated[int, Between(4, 1024)] = 48
    """Memory for frames that may be saved; the oldest are dropped first."""
    days: Annotated[float, Between(0.1, 3650)] = 14.0
    """Age at which a clip is deleted."""
    disk_mb: Annotated[int, Between(10, 1_000_000)] = 1000
    """Disk space for all clips together; beyond it, the oldest of whoever flagged most are deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttConfig:
    """`[mqtt]`."""

    host: _Host = ""
    """If empty, nothing is sent."""
    port: Annotated[int, Between(1, 65535)] = 1883
    user: _Word = ""
    password: _Word = ""
    tls: bool = False
    """Whether to use TLS and verify the broker's certificate."""
    ca: str = ""
    """The file of the CA that signed it; if empty, the system's CAs are trusted."""
    topic: _Topic = "tachiai"
    discovery: _Prefix = "homeassistant"
    """Home Assistant's discovery prefix; if empty, the table is not announced there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole file."""

    table: TableConfig = field(default_factory=TableConfig)
    tiles: TilesConfig = field(default_factory=TilesConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    page: PageConfig = field(default_factory=PageConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    clips: ClipsConfig = field(default_factory=ClipsConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)

    @property
    def mode(self) -> Mode:
        """The table's mode, which decides who may see what."""
        return Mode(self.table.mode)

    @property
    def folder(self) -> Path:
        """The folder for everything that must outlive the program."""
        return Path(self.table.data)

    def without_devices(self) -> Config:
        """Returns the same table without camera, panel and broker."""
        return replace(self, camera=CameraConfig(), panel=PanelConfig(), mqtt=MqttConfig())

    def with_home_rules(self) -> Config:
        """Returns the same table with the home rules, if its rule set cannot be used."""
        return replace(self, table=replace(self.table, ruleset=TableConfig().ruleset))


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedConfig:
    """A usable configuration, and the mistakes in its file."""

    config: Config
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """Warnings about a file that is used as it is."""
    file_config: Config | None = None
    """The same without the choices on the phone (`table.appliance.setup.owner_choices`); None if there are none."""


def load(path: Path | None) -> LoadedConfig:
    """Reads a file; without a path, all defaults apply. A file with mistakes gives a table kept by hand."""
    if path is None:
        return LoadedConfig(config=Config())
    try:
        content = read_at_most(path)
    except OSError as error:
        return LoadedConfig(config=Config(), problems=(f"{path}: expected a TOML file, got: {reason(error)}",))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        loaded = LoadedConfig(config=Config(), problems=(f"{path}: expected a TOML file, got: {reason(error)}",))
        return _without_lost_tls(loaded, content.decode("utf-8", "replace"))
    loaded = read_config(text, str(path))
    return loaded if loaded.problems else replace(loaded, warnings=tuple(_warnings(loaded.config, path)))


def read_config(text: str, source: str) -> LoadedConfig:
    """Reads a file's text; `source` names it in messages."""
    return _without_lost_tls(_read(text, source), text)


def without_tls(config: Config) -> Config:
    """Returns a configuration whose page is served to this machine only: in the network, PINs could be read."""
    return replace(config, page=replace(config.page, host="127.0.0.1", tls_cert="", tls_key=""))


def _without_lost_tls(loaded: LoadedConfig, text: str) -> LoadedConfig:
    """Closes the page to the network if the file asks for TLS, and a mistake in it hides the certificate or the key."""
    page = loaded.config.page
    has_tls = bool(page.tls_cert and page.tls_key)
    if not loaded.problems or ONLY_HERE in loaded.problems or has_tls or not _ASKS_FOR_TLS.search(text):
        return loaded
    return replace(loaded, config=without_tls(loaded.config), problems=(*loaded.problems, ONLY_HERE))


def _read(text: str, source: str) -> LoadedConfig:
    try:
        file = TomlFile(source, text)
    except ValueError as error:
        return LoadedConfig(config=Config(), problems=(str(error),))
    mistakes: list[MisfitError] = []
    config: Config = _section(Config, file.data, "", mistakes)
    try:
        rules_named(config.table.ruleset)
    except ConfigError as error:
        mistakes.append(MisfitError("table.ruleset", str(error)))
        config = config.with_home_rules()
    mistakes = mistakes or list(_contradictions(config))
    if not mistakes:
        return LoadedConfig(config=config)
    problems = tuple(str(file.wrong(mistake.key, mistake.problem)) for mistake in mistakes)
    if any(mistake.key == "page.host" for mistake in mistakes):
        config, problems = without_tls(config), (*problems, ONLY_HERE)
    return LoadedConfig(config=config.without_devices(), problems=problems)


def _section(kind: Any, data: Mapping[str, Any], path: str, mistakes: list[MisfitError]) -> Any:
    """Reads a table into its class; invalid values keep their defaults, and are added to the mistakes."""
    hints = typing.get_type_hints(kind, include_extras=True)
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{path}.{key}" if path else key
        try:
            if key not in hints:
                raise MisfitError(name, _unknown_key(key, hints, path))
            if is_dataclass(hints[key]) and isinstance(value, dict):
                values[key] = _section(hints[key], value, name, mistakes)
            else:
                values[key] = PLAIN.read(hints[key], value, name)
        except MisfitError as mistake:
            mistakes.append(MisfitError(name, mismatch("a text in quotes", "…")) if name == HIDDEN_KEY else mistake)
    return kind(**values)


def _unknown_key(key: str, hints: Mapping[str, Any], path: str) -> str:
    """Returns the message for a key that is not among these; it suggests what the section has of it, or who has it."""
    expected = f"one of {', '.join(hints)}"
    sections = typing.get_type_hints(Config)
    places = [repr(f"{path}.{name}") for name in hints if name.startswith(f"{key}_")] or [
        repr(f"{name}.{key}") for name, kind in sections.items() if key in typing.get_type_hints(kind)
    ]
    if places:
        return f"{mismatch(expected, key)}; did you mean {' or '.join(places)}?"
    return mismatch(expected, key, hints)


def _contradictions(config: Config) -> Iterator[MisfitError]:
    """Yields the values that contradict each other."""
    if not config.tiles.width_mm < config.tiles.height_mm:
        yield MisfitError("tiles.width_mm", mismatch("a width below height_mm", config.tiles.width_mm))
    try:
        config.panel.pins  # noqa: B018 - it checks itself
    except ConfigError as error:
        yield MisfitError("panel", str(error))
    if not re.fullmatch(TABLE_NAME, config.table.name):
        yield MisfitError("table.name", mismatch("1 to 40 letters, digits, - and _", config.table.name))
    camera = config.camera
    if camera.source in ("video", "recording") and not camera.file:
        yield MisfitError("camera.file", mismatch(f"a file for the source {camera.source!r}", camera.file))
    if "://" in camera.file:
        yield MisfitError("camera.file", mismatch("a file, or an address with the source 'stream'", camera.file))
    if camera.source == "stream" and not is_stream(camera.address):
        yield MisfitError("camera.address", "expected an address like rtsp://… or http://… for the source 'stream'")
    if not camera.focal and (camera.k1 or camera.k2):
        yield MisfitError("camera.focal", mismatch("a focal length above 0 where k1 or k2 is given", camera.focal))
    if config.mqtt.password and not config.mqtt.user:
        yield MisfitError("mqtt.user", mismatch("a user where a password is given", config.mqtt.user))


def _warnings(config: Config, path: Path) -> Iterator[str]:
    """Yields warnings about the file itself."""
    mode = path.stat().st_mode & 0o777
    if config.mqtt.password and mode & 0o077:
        yield f"{path}: expected mode 0600 for a file with a password, got {mode:04o}: others can read it"
