"""Characters in many styles: masks of glyphs from the distribution's fonts, and a few written stroke by stroke.

A mask is uint8 [H, W], 255 for ink, cropped to the glyph's bounds. Fonts are found by file name in one folder; missing
ones are left out, so the same seed may use other fonts on another machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from vision.arrays import Image

FONT_ROOT: Final = Path("/usr/share/fonts")
BRUSH: Final = (
    "AoyagiKouzanT.ttf", "kouzan-mouhitsu.ttf", "kouzan-mouhitsu-gyosho.ttf", "aoyagi-soseki.ttf",
    "KouzanBrushFontSousyo.ttf",
)  # fmt: skip
KAI: Final = (
    "bkai00mp.ttf", "ukai.ttc", "cwkai.ttf", "cwfs.ttf", "LXGWWenKai-Bold.ttf", "LXGWWenKai-Regular.ttf",
    "gkai00mp.ttf", "UnGungseo.ttf", "YOzBSF90.ttf", "YOzREF90.ttf",
)  # fmt: skip
SERIF: Final = (
    "NotoSerifCJK-Black.ttc", "NotoSerifCJK-Bold.ttc", "NotoSerifCJK-Regular.ttc", "ipaexm.ttf", "HanaMinA.ttf",
    "uming.ttc", "cwming.ttf", "UnBatang.ttf", "gbsn00lp.ttf", "bsmi00lp.ttf", "UnBatangBold.ttf", "UnYetgul.ttf",
    "ume-tmo3.ttf",
)  # fmt: skip
SANS: Final = (
    "NotoSansCJK-Bold.ttc", "NotoSansCJK-Black.ttc", "wqy-zenhei.ttc", "cwyen.ttf", "ipaexg.ttf", "MTLmr3m.ttf",
    "cwheib.ttf", "komatuna.ttf", "gulim.ttf",
)  # fmt: skip
LATIN: Final = (
    "DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "DejaVuSerif-Bold.ttf", "LiberationSans-Regular.ttf",
    "LiberationSans-Bold.ttf", "LiberationSerif-Bold.ttf", "LiberationSerif-Regular.ttf", "DejaVuSansCondensed.ttf",
)  # fmt: skip
_EM: Final = 128

_STROKES: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {
    # Running hands, where 九 opens with a tick and a bar as 六 does: the glyph that readers confuse most.
    "九": (
        ((0.42, 0.02), (0.40, 0.30), (0.32, 0.62), (0.06, 0.97)),
        ((0.10, 0.40), (0.40, 0.34), (0.64, 0.30), (0.60, 0.62), (0.66, 0.88), (0.86, 0.92), (0.97, 0.70)),
    ),
    "九'": (
        ((0.30, 0.04), (0.40, 0.16)),
        ((0.12, 0.40), (0.45, 0.28), (0.66, 0.22)),
        ((0.38, 0.30), (0.34, 0.62), (0.05, 0.92)),
        ((0.64, 0.22), (0.56, 0.52), (0.58, 0.80), (0.74, 0.94), (0.97, 0.84)),
    ),
    "九''": (
        ((0.36, 0.02), (0.34, 0.36), (0.24, 0.70), (0.04, 0.90)),
        ((0.22, 0.32), (0.60, 0.20), (0.62, 0.34), (0.52, 0.64), (0.56, 0.86), (0.80, 0.92), (0.96, 0.76)),
    ),
    "九'''": (
        ((0.34, 0.04), (0.36, 0.26), (0.30, 0.56), (0.16, 0.80), (0.00, 0.94)),
        ((0.04, 0.46), (0.36, 0.32), (0.62, 0.18), (0.66, 0.30), (0.56, 0.60), (0.58, 0.86), (0.78, 0.96), (1.0, 0.86),
         (0.98, 0.66)),
    ),
    "九''''": (
        ((0.46, 0.00), (0.44, 0.22), (0.34, 0.50), (0.02, 0.88)),
        ((0.20, 0.26), (0.56, 0.20), (0.74, 0.24), (0.64, 0.54), (0.64, 0.78), (0.82, 0.84), (0.98, 0.62)),
    ),
    "六": (
        ((0.44, 0.02), (0.56, 0.20)),
        ((0.03, 0.42), (0.50, 0.36), (0.97, 0.32)),
        ((0.36, 0.50), (0.26, 0.76), (0.08, 0.97)),
        ((0.58, 0.54), (0.76, 0.72), (0.90, 0.95)),
    ),
    "六'": (
        ((0.50, 0.00), (0.56, 0.28)),
        ((0.02, 0.40), (0.50, 0.34), (0.95, 0.24)),
        ((0.40, 0.46), (0.30, 0.70), (0.04, 0.92)),
        ((0.54, 0.52), (0.80, 0.64), (0.92, 0.84), (0.80, 0.92)),
    ),
    "六''": (
        ((0.52, 0.02), (0.46, 0.16), (0.54, 0.24)),
        ((0.00, 0.46), (0.40, 0.38), (0.98, 0.30)),
        ((0.42, 0.44), (0.34, 0.66), (0.20, 0.86), (0.10, 0.88)),
        ((0.58, 0.50), (0.66, 0.66), (0.84, 0.78), (0.96, 0.92)),
    ),
    "七": (
        ((0.03, 0.46), (0.50, 0.38), (0.96, 0.24)),
        ((0.42, 0.02), (0.42, 0.50), (0.46, 0.88), (0.72, 0.94), (0.92, 0.84), (0.90, 0.66)),
    ),
    "七'": (
        ((0.00, 0.52), (0.46, 0.40), (0.92, 0.22), (0.98, 0.28)),
        ((0.48, 0.00), (0.40, 0.34), (0.38, 0.72), (0.50, 0.90), (0.78, 0.92), (0.98, 0.82)),
    ),
    "八": (
        ((0.36, 0.20), (0.30, 0.52), (0.04, 0.95)),
        ((0.50, 0.04), (0.58, 0.36), (0.78, 0.72), (0.98, 0.88)),
    ),
    "五": (
        ((0.16, 0.08), (0.50, 0.06), (0.84, 0.04)),
        ((0.48, 0.08), (0.42, 0.50), (0.34, 0.92)),
        ((0.18, 0.48), (0.50, 0.42), (0.74, 0.40), (0.72, 0.66), (0.66, 0.92)),
        ((0.02, 0.94), (0.50, 0.92), (0.98, 0.90)),
    ),
    "四": (
        ((0.08, 0.22), (0.12, 0.60), (0.18, 0.94)),
        ((0.08, 0.22), (0.50, 0.16), (0.94, 0.14), (0.90, 0.50), (0.82, 0.92)),
        ((0.38, 0.18), (0.36, 0.48), (0.24, 0.64)),
        ((0.60, 0.16), (0.60, 0.46), (0.66, 0.58), (0.80, 0.56)),
        ((0.18, 0.90), (0.50, 0.88), (0.82, 0.88)),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Fonts:
    """The available fonts: files by kind of writing."""

    brush: tuple[Path, ...]
    kai: tuple[Path, ...]
    serif: tuple[Path, ...]
    sans: tuple[Path, ...]
    latin: tuple[Path, ...]
    _missing: dict[tuple[Path, str], bool] = field(default_factory=dict)

    def pick(self, rng: np.random.Generator, characters: str) -> Path:
        """Returns a font with all `characters`, more often a brush or kai font than a printed one."""
        kinds = [kind for kind in (self.brush, self.kai, self.serif, self.sans) if kind]
        weights = np.array([0.42, 0.33, 0.17, 0.08][: len(kinds)])
        for _ in range(60):
            kind = kinds[rng.choice(len(kinds), p=weights / weights.sum())]
            font = kind[rng.integers(len(kind))]
            if all(has(font, character) for character in characters):
                return font
        raise LookupError(f"expected a font with {characters!r}, got none, among {len(self.brush + self.kai)} fonts")


def find_fonts(root: Path = FONT_ROOT) -> Fonts:
    """Returns the known fonts found under `root`.

    Raises:
        LookupError: there is no brush or kai font, or no Latin one.
    """
    files = {path.name: path for path in sorted(root.rglob("*.tt?"))}
    brush, kai, serif, sans, latin = (
        tuple(files[name] for name in names if name in files) for names in (BRUSH, KAI, SERIF, SANS, LATIN)
    )
    if not (brush or kai) or not latin:
        raise LookupError(f"expected brush or kai fonts and latin ones, got none, under {root}")
    return Fonts(brush=brush, kai=kai, serif=serif, sans=sans, latin=latin)


@lru_cache(maxsize=256)
def _face(font: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font), _EM)


@lru_cache(maxsize=8192)
def _drawn(font: Path, character: str) -> Image | None:
    page = PilImage.new("L", (_EM * 2, _EM * 2), 0)
    ImageDraw.Draw(page).text((_EM // 2, _EM // 2), character, font=_face(font), fill=255)
    ink = np.asarray(page, dtype=np.uint8)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 60), np.flatnonzero(ink.max(axis=0) > 60)
    if len(rows) == 0:
        return None
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()


def has(font: Path, character: str) -> bool:
    """Whether the font draws the character, and not the box or dot of a missing one."""
    ink, absent = _drawn(font, character), _drawn(font, "\uffff")
    if ink is None:
        return False
    if max(ink.shape) < _EM * 0.35 and not character.isascii():
        return False
    return absent is None or ink.shape != absent.shape or not np.array_equal(ink, absent)


def glyph(font: Path, character: str) -> Image:
    """Returns the mask of one character.

    Raises:
        LookupError: the font draws nothing for the character.
    """
    ink = _drawn(font, character)
    if ink is None:
        raise LookupError(f"expected a glyph for {character!r}, got a blank, in {font}")
    return ink


def brushed(character: str, rng: np.random.Generator) -> Image | None:
    """Returns the character written with a brush, differently each time; None if its strokes are unknown."""
    variants = [name for name in _STROKES if name.rstrip("'") == character]
    if not variants:
        return None
    page: Image = np.zeros((_EM + 48, _EM + 48), np.uint8)
    weight, wobble = rng.uniform(0.05, 0.13), rng.uniform(0.01, 0.035)
    for stroke in _STROKES[variants[rng.integers(len(variants))]]:
        points = np.array(stroke) + rng.normal(0, wobble, (len(stroke), 2))
        _sweep(page, points, weight, rng)
    rows, columns = np.flatnonzero(page.max(axis=1)), np.flatnonzero(page.max(axis=0))
    return page[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _sweep(page: Image, points: npt.NDArray[np.float64], weight: float, rng: np.random.Generator) -> None:
    steps = 24 * (len(points) - 1)
    t = np.linspace(0, len(points) - 1, steps)
    along = np.stack([np.interp(t, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], axis=1)
    smooth = cv2.GaussianBlur(along, (1, 0), sigmaX=0.1, sigmaY=7, borderType=cv2.BORDER_REPLICATE)
    press = np.interp(np.linspace(0, 1, steps), np.linspace(0, 1, 4), rng.uniform(0.55, 1.25, 4)) * weight
    press[-8:] *= np.linspace(1, rng.uniform(0.2, 1.0), 8)
    for (x, y), radius in zip(smooth * _EM + 24, press * _EM / 2 + 1, strict=True):
        cv2.ellipse(
            page, (int(x), int(y)), (max(1, int(radius * 1.15)), max(1, int(radius * 0.85))), 35, 0, 360, 255, -1
        )


def varied(mask: Image, rng: np.random.Generator, *, strength: float = 1.0) -> Image:
    """Returns the glyph with another weight, slant and bend, as by another carver."""
    pad = 14
    ink = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    height, width = ink.shape
    grow = int(rng.integers(-2, 5))
    if grow:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(grow) + 1, abs(grow) + 1))
        thinned = cv2.dilate(ink, kernel) if grow > 0 else cv2.erode(ink, kernel)
        ink = thinned if thinned.mean() > 0.5 * ink.mean() else ink
    field_x, field_y = (_bend(rng, (height, width)) * (6.0 * strength) for _ in range(2))
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    slant = rng.normal(0, 0.07 * strength)
    bent = cv2.remap(ink, xs + field_x + np.float32(slant) * (ys - height / 2), ys + field_y, cv2.INTER_LINEAR)
    rows, columns = np.flatnonzero(bent.max(axis=1) > 60), np.flatnonzero(bent.max(axis=0) > 60)
    if len(rows) < 3 or len(columns) < 3:
        return mask
    return np.asarray(bent[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], dtype=np.uint8)


def _bend(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    coarse = rng.normal(0, 1, (4, 4)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32)
