"""Sets of tiles that look like no other set: drawn anew, learnt, and told apart."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.art import draw_face
from vision.art.face_sheet import FELT, IVORY
from vision.felt import BACK, FACES
from vision.reading.reader import HEIGHT, WIDTH
from vision.tilesets.tileset import FaceExample, TileSet

Image = npt.NDArray[np.uint8]
CREAM = (170, 215, 235)
YELLOW, BLUE = (40, 190, 240), (190, 90, 30)


def _crop(face: str, base: tuple[int, int, int], *, bold: bool) -> Image:
    drawn = draw_face(face, WIDTH, HEIGHT)
    cover = drawn[..., 3:] / 255.0
    page = np.asarray(np.array(base) + (drawn[..., :3] - np.array(base)) * cover, np.uint8)
    return bolder(page) if bold else page


def bolder(picture: Image) -> Image:
    """The same ink, with thicker strokes."""
    return np.asarray(cv2.erode(picture, np.ones((3, 3), np.uint8)), np.uint8)


def _set(name: str, base: tuple[int, int, int], back: tuple[int, int, int], *, bold: bool) -> TileSet:
    examples = [FaceExample(face=face, source="scan", crop=_crop(face, base, bold=bold)) for face in FACES]
    examples.append(FaceExample(face=BACK, source="scan", crop=_back_crop(back)))
    return TileSet(name=name, examples=tuple(examples))


def _back_crop(colour: tuple[int, int, int]) -> Image:
    """A tile face down, its edges in shadow and a little felt around it."""
    crop = np.full((HEIGHT, WIDTH, 3), colour, np.uint8)
    crop[:3] = crop[:3] * 0.6
    crop[:, -2:] = crop[:, -2:] * 0.7
    crop[-3:], crop[:, :2] = FELT, FELT
    return crop


THIN = _set("thin", IVORY, YELLOW, bold=False)
BOLD = _set("bold", CREAM, BLUE, bold=True)
