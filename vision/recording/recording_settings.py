"""The file recording.toml: its keys, what each may hold, and its text form.

Every key is checked; an unknown one is refused with the nearest known name. `[game]` is checked for its shape only:
what it means is the table's matter.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from vision.errors import RecordingError
from vision.geometry.plane_geometry import Lens, TileSize

FORMAT: Final = 1
SIDE_MM: Final = 720.0
"""The play surface's side where nothing says it."""
RED: Final = {"m": 1, "p": 1, "s": 1}
"""How many red fives of each suit a set has where nothing says it."""

Points = tuple[tuple[float, float], ...]

_TOP: Final = ("format", "fps", "table", "camera", "tiles", "game")
_TABLE: Final = ("side_mm", "corners_px")
_CAMERA: Final = ("matrix", "distortion")
_TILES: Final = ("width_mm", "height_mm", "depth_mm", "red")
_GAME: Final = ("dealer_seat", "round", "honba", "deposits", "scores", "ruleset")
_ROUND: Final = re.compile(r"[ESWN][1-4]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The play surface."""

    side_mm: float = SIDE_MM
    corners_px: Points | None = None
    """Far left, far right, near right, near left on the felt's plane, in raw pixels; None = to be found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that recording.toml says."""

    fps: float
    table: TableSettings = field(default_factory=TableSettings)
    lens: Lens | None = None
    tiles: TileSize = field(default_factory=TileSize)
    red: Mapping[str, int] = field(default_factory=lambda: dict(RED))
    """Red fives of each suit in this set: `{"m": 1, "p": 1, "s": 1}`."""
    game: Mapping[str, Any] = field(default_factory=dict)
    """The keys of `[game]` that are given, as plain data."""


class _Table:
    """One table of the file while it is read: knows where it stands, and takes values out with their checks."""

    def __init__(self, values: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
        self._values = values
        self._where = where
        for key in values:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1, cutoff=0.4)
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                raise RecordingError(f"expected one of {', '.join(keys)}, got key {key!r}{hint}, in {where}")

    def wrong(self, key: str, allowed: str) -> RecordingError:
        """The error for a value that is not allowed."""
        return RecordingError(f"expected {key} to be {allowed}, got {self._values.get(key)!r}, in {self._where}")

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._values

    def table(self, key: str, keys: tuple[str, ...]) -> _Table:
        """A table inside; empty where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, Mapping):
            raise self.wrong(key, "a table")
        return _Table(value, keys, f"[{key}] of {self._where}")

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number above 0."""
        value = self._values.get(key, default)
        if not _is_number(value) or not 0 < value < float("inf"):
            raise self.wrong(key, "a number above 0")
        return float(value)

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self._values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(key, f"a whole number from {low} to {high}")
        return value

    def rows(self, key: str, shape: tuple[int, ...], allowed: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Nested lists of finite numbers of one shape; -1 stands for any length."""
        try:
            rows = np.array(self._values[key], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise self.wrong(key, allowed) from error
        fits = rows.ndim == len(shape) and all(want in {-1, got} for want, got in zip(shape, rows.shape, strict=True))
        if not fits or not np.isfinite(rows).all():
            raise self.wrong(key, allowed)
        return rows

    def value(self, key: str) -> Any:
        """Whatever the key holds."""
        return self._values[key]


def parse_settings(text: str, *, where: str = "recording.toml") -> Settings:
    """Reads the text of a recording.toml.

    Raises:
        RecordingError: it is no TOML, a key is unknown, or a value is not allowed; names key, value, what is allowed.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordingError(f"expected TOML, got {error}, in {where}") from error
    top = _Table(values, _TOP, where)
    if not top.has("format") or top.value("format") != FORMAT:
        raise top.wrong("format", str(FORMAT))
    tiles = top.table("tiles", _TILES)
    return Settings(
        fps=top.number("fps"),
        table=_table(top.table("table", _TABLE)),
        lens=_lens(top.table("camera", _CAMERA)),
        tiles=_tiles(tiles, where),
        red=_red(tiles),
        game=_game(top.table("game", _GAME)),
    )


def _table(table: _Table) -> TableSettings:
    corners = None
    if table.has("corners_px"):
        rows = table.rows("corners_px", (4, 2), "four corners [[x, y], …]: far left, far right, near right, near left")
        corners = tuple((float(x), float(y)) for x, y in rows)
    return TableSettings(side_mm=table.number("side_mm", SIDE_MM), corners_px=corners)


def _lens(table: _Table) -> Lens | None:
    if not table.has("matrix"):
        if table.has("distortion"):
            raise table.wrong("matrix", "given where distortion is")
        return None
    matrix = table.rows("matrix", (3, 3), "three rows of three numbers")
    distortion = np.zeros(5)
    if table.has("distortion"):
        distortion = table.rows("distortion", (-1,), "4, 5, 8, 12 or 14 numbers")
    if distortion.size not in {4, 5, 8, 12, 14}:
        raise table.wrong("distortion", "4, 5, 8, 12 or 14 numbers")
    if matrix[0, 0] <= 0 or matrix[1, 1] <= 0 or abs(matrix[2, 2] - 1) > 1e-6:
        raise table.wrong("matrix", "a camera matrix [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx, fy above 0")
    return Lens(matrix=matrix, distortion=distortion)


def _tiles(table: _Table, where: str) -> TileSize:
    usual = TileSize()
    try:
        return TileSize(
            width_mm=table.number("width_mm", usual.width_mm),
            height_mm=table.number("height_mm", usual.height_mm),
            depth_mm=table.number("depth_mm", usual.depth_mm),
        )
    except RecordingError:
        raise
    except ValueError as error:
        raise RecordingError(f"{error}, in [tiles] of {where}") from error


def _red(table: _Table) -> dict[str, int]:
    if not table.has("red"):
        return dict(RED)
    suits = table.table("red", tuple(RED))
    return {suit: suits.whole(suit, 0, 4) if suits.has(suit) else 0 for suit in RED}


def _game(table: _Table) -> dict[str, Any]:
    game: dict[str, Any] = {}
    for key, low, high in (("dealer_seat", 0, 3), ("honba", 0, 10_000), ("deposits", 0, 10_000)):
        if table.has(key):
            game[key] = table.whole(key, low, high)
    if table.has("round"):
        if not isinstance(table.value("round"), str) or not _ROUND.fullmatch(table.value("round")):
            raise table.wrong("round", 'a wind and a number such as "E1"')
        game["round"] = table.value("round")
    if table.has("scores"):
        rows = table.rows("scores", (4,), "four whole numbers, by seat")
        if any(isinstance(score, bool) or not isinstance(score, int) for score in table.value("scores")):
            raise table.wrong("scores", "four whole numbers, by seat")
        game["scores"] = [int(score) for score in rows]
    if table.has("ruleset"):
        if not isinstance(table.value("ruleset"), str | Mapping):
            raise table.wrong("ruleset", "a name or a table")
        game["ruleset"] = table.value("ruleset")
    return game


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
    """A value as TOML; JSON text of strings, numbers and lists is TOML too."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
