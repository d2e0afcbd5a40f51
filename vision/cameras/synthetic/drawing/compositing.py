"""Laying pieces onto a part of the picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.synthetic.drawing.pieces import SHIFT, Piece
from vision.frames import Image


def paint_piece(canvas: Image, piece: Piece, left: int, top: int) -> None:
    """Paints a piece onto a canvas whose first pixel is the picture's (left, top)."""
    offset = np.array([left, top], np.int32) << SHIFT
    for corners, colour in piece.walls:
        cv2.fillConvexPoly(canvas, corners - offset, colour, cv2.LINE_AA, SHIFT)
    lay_over(canvas, piece.top, piece.top_at[0] - left, piece.top_at[1] - top)


def lay_over(canvas: Image, patch: NDArray[np.float32], left: int, top: int) -> None:
    """Lays a premultiplied (h, w, 4) patch onto the canvas, clipped to it."""
    first_row, first_column = max(0, -top), max(0, -left)
    last_row = min(patch.shape[0], canvas.shape[0] - top)
    last_column = min(patch.shape[1], canvas.shape[1] - left)
    if first_row >= last_row or first_column >= last_column:
        return
    part = patch[first_row:last_row, first_column:last_column]
    room = canvas[top + first_row : top + last_row, left + first_column : left + last_column]
    room[:] = np.minimum(part[..., :3] + room * (1 - part[..., 3:] / 255), 255).astype(np.uint8)
