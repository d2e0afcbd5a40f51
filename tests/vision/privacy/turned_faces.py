"""Tables whose standing hands show their printed faces to any camera that stands behind their owners."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bgra, Floats, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import tile_solid
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.cameras.synthetic.scene import SceneTile

HANDS = (
    "1m2m3m4m5m6m7m8m9m1p2p3p4p",
    "5p6p7p8p9p1s2s3s4s5s6s7s8s",
    "9s1z2z3z4z5z6z7z0m0p0s1m1p",
    "1s9m9p9s1z2z3z4z5z6z7z2m3m",
)


def face_quad(tile: SceneTile, appearance: Appearance) -> Floats:
    """The picture's corners of a standing tile's face, from its glyph's top left; counter-clockwise if turned away."""
    solid = tile_solid(tile, appearance)
    left, right = solid.footprint[3], solid.footprint[2]
    top = lens_of(appearance).project_flat(np.stack([left, right]), solid.high_mm)
    return np.concatenate([top, lens_of(appearance).project_flat(np.stack([right, left]), tile.z_mm)])


def is_facing_camera(quad: Floats) -> bool:
    return cv2.contourArea(quad.astype(np.float32), True) > 0


def with_faces(picture: Image, tiles: list[tuple[SceneTile, str]], appearance: Appearance) -> Image:
    """The picture with the faces of standing tiles painted where the camera sees them, far ones first."""
    eye = lens_of(appearance).position[:2]
    for tile, face in sorted(tiles, key=lambda pair: -float(np.hypot(pair[0].x_mm - eye[0], pair[0].y_mm - eye[1]))):
        quad = face_quad(tile, appearance)
        if is_facing_camera(quad):
            _paint(picture, _printed(own_faces(face), appearance), quad)
    return picture


def _printed(face: Bgra, appearance: Appearance) -> Image:
    ink = face[..., 3:].astype(np.float32) / 255
    return np.asarray(face[..., :3] * ink + np.array(appearance.body) * (1 - ink), np.uint8)


def _paint(picture: Image, face: Image, quad: Floats) -> None:
    height, width = face.shape[:2]
    size = max(1, round(width / max(np.linalg.norm(quad[1] - quad[0]), 1) / 2))
    fine = cv2.blur(face, (size, size))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    perspective = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    shape = picture.shape[1], picture.shape[0]
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), perspective, shape)
    picture[mask > 127] = cv2.warpPerspective(fine, perspective, shape)[mask > 127]
