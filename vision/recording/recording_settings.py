"""The file recording.toml: its keys, what each may hold, and its text form.

Every key is checked; an unknown one is refused with the closest known name. Only the types of `[game]` are checked;
its meaning is defined by the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Final, Literal

import numpy as np

from vision.errors import RecordingError
from vision.geometry.plane_geometry import Lens, TileSize
from vision.geometry.size_limits import DepthMm, HeightMm, SideMm, WidthMm
from vision.strict_reader import Between, Only
from vision.toml_file import TomlFile

FORMAT: Final = 1
SIDE_MM: Final = 720.0
"""The play surface's side if not given."""
RED: Final = {"m": 1, "p": 1, "s": 1}
"""Number of red fives of each suit if not given."""
MOST_POINTS: Final = 10_000_000
"""More points than anybody can have."""
_LEAST_FOCAL_PX: Final = 10
_MOST_PX: Final = 100_000
"""Beyond any focal length or centre, in pixels."""
_MOST_DISTORTION: Final = 1000
"""Beyond any coefficient of a lens."""


def _are_finite(numbers: Any) -> bool:
    return bool(np.isfinite(numbers).all())


Points = tuple[tuple[float, float], ...]
_Row = tuple[float, float, float]
_Fps = Annotated[float, Between(0.01, 1000)]
_Corners = Annotated[
    Points,
    Only(
        "four corners [[x, y], …]: far left, far right, near right, near left",
        lambda rows: len(rows) == 4 and _are_finite(rows),
    ),
]
_Matrix = Annotated[
    tuple[_Row, _Row, _Row],
    Only(
        "three rows of three numbers, [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], in pixels, with fx and fy of 10 or more",
        lambda rows: (
            rows[0][0] >= _LEAST_FOCAL_PX
            and rows[1][1] >= _LEAST_FOCAL_PX
            and abs(rows[2][2] - 1) <= 1e-6
            and all(abs(number) <= _MOST_PX for row in rows for number in row)
        ),
    ),
]
_Distortion = Annotated[
    tuple[float, ...],
    Only(
        f"4, 5, 8, 12 or 14 numbers up to {_MOST_DISTORTION}",
        lambda row: len(row) in {4, 5, 8, 12, 14} and all(abs(number) <= _MOST_DISTORTION for number in row),
    ),
]
_Round = Annotated[str, Only('a wind and a number such as "E1"', re.compile(r"[ESWN][1-4]").fullmatch)]
_Scores = Annotated[
    tuple[int, int, int, int],
    Only(f"four whole numbers up to {MOST_POINTS:,}, by seat", lambda scores: max(map(abs, scores)) <= MOST_POINTS),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The play surface."""

    side_mm: SideMm = SIDE_MM
    corners_px: _Corners | None = None
    """Far left, far right, near right, near left on the felt's plane, in raw pixels; None to find them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The content of recording.toml."""

    fps: float
    table: TableSettings = field(default_factory=TableSettings)
    lens: Lens | None = None
    tiles: TileSize = field(default_factory=TileSize)
    red: Mapping[str, int] = field(default_factory=lambda: dict(RED))
    """Red fives of each suit in this set: `{"m": 1, "p": 1, "s": 1}`."""
    game: Mapping[str, Any] = field(default_factory=dict)
    """The given keys of `[game]`, as plain data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Camera:
    """`[camera]`."""

    matrix: _Matrix | None = None
    distortion: _Distortion | None = None

    def __post_init__(self) -> None:
        if self.matrix is None and self.distortion is not None:
            raise ValueError("expected a matrix where distortion is given, got none")

    @property
    def lens(self) -> Lens | None:
        """The lens; None if the file does not describe it."""
        if self.matrix is None:
            return None
        return Lens(matrix=np.array(self.matrix), distortion=np.array(self.distortion or [0.0] * 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Red:
    """`red` in `[tiles]`: a suit that is not named has none."""

    m: Annotated[int, Between(0, 4)] = 0
    p: Annotated[int, Between(0, 4)] = 0
    s: Annotated[int, Between(0, 4)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tiles:
    """`[tiles]`."""

    width_mm: WidthMm = TileSize().width_mm
    height_mm: HeightMm = TileSize().height_mm
    depth_mm: DepthMm = TileSize().depth_mm
    red: _Red = field(default_factory=lambda: _Red(**RED))

    def __post_init__(self) -> None:
        _ = self.size

    @property
    def size(self) -> TileSize:
        """The size of a tile."""
        return TileSize(width_mm=self.width_mm, height_mm=self.height_mm, depth_mm=self.depth_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    """`[game]`; None for keys that are not given."""

    dealer_seat: Annotated[int, Between(0, 3)] | None = None
    honba: Annotated[int, Between(0, 10_000)] | None = None
    deposits: Annotated[int, Between(0, 10_000)] | None = None
    round: _Round | None = None
    scores: _Scores | None = None
    ruleset: Annotated[str | dict[str, Any], Only("a name or a table")] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The whole file."""

    format: Literal[1]
    fps: _Fps
    table: TableSettings = field(default_factory=TableSettings)
    camera: _Camera = field(default_factory=_Camera)
    tiles: _Tiles = field(default_factory=_Tiles)
    game: _Game = field(default_factory=_Game)


def parse_settings(text: str, *, source: str = "recording.toml") -> Settings:
    """Reads the text of a recording.toml.

    Raises:
        RecordingError: it is not TOML, a key is unknown, or a value is not allowed; the message names line, key, value
            and what is allowed.
    """
    file: _File = TomlFile(source, text, error=RecordingError).read(_File)
    game = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(file.game).items()}
    return Settings(
        fps=file.fps,
        table=file.table,
        lens=file.camera.lens,
        tiles=file.tiles.size,
        red=asdict(file.tiles.red),
        game={key: value for key, value in game.items() if value is not None},
    )


def format_settings(settings: Settings) -> str:
    """Returns the text of a recording.toml that `parse_settings` reads back as the same settings."""
    lines = [f"format = {FORMAT}", f"fps = {_toml(settings.fps)}", "", "[table]"]
    lines.append(f"side_mm = {_toml(settings.table.side_mm)}")
    if settings.table.corners_px is not None:
        lines.append(f"corners_px = {_toml([list(corner) for corner in settings.table.corners_px])}")
    if settings.lens is not None:
        lines += ["", "[camera]", f"matrix = {_toml(settings.lens.matrix.tolist())}"]
        lines.append(f"distortion = {_toml(settings.lens.distortion.ravel().tolist())}")
    tiles = settings.tiles
    lines += ["", "[tiles]", f"width_mm = {_toml(tiles.width_mm)}", f"height_mm = {_toml(tiles.height_mm)}"]
    lines += [f"depth_mm = {_toml(tiles.depth_mm)}", f"red = {_toml(dict(settings.red))}"]
    if settings.game:
        lines += ["", "[game]", *(f"{key} = {_toml(value)}" for key, value in settings.game.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Returns a value as TOML; the JSON text of strings, numbers and lists is TOML too."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
