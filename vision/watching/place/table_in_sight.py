"""Decides for each frame whether the table is where its calibration says; only then is the place of hands known.

Corner points (of rails, centre unit, tiles) are stored with their surroundings, in the small top view used for motion.
While camera and table stand still, nearly all of them look the same in any light; an arm hides some of them. When the
camera is turned, lifted or pushed by 5 mm or more, hardly any looks the same, except in rows of equal tiles that land
on each other's places, and never on three sides of the table at once.

A lens that loses its focus blurs every corner. Such a picture shows the table in its place, but nothing can be read in
it. The corners are compared with how they looked, not with a fixed sharpness: a camera that was always a little soft
stays readable. No later picture is compared with a first one in which nothing could be read
(`vision.geometry.visibility.blur`).
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Grey, Mask
from vision.watching.place.shift import ShiftDetector, within_frame

_POINTS: Final = 240
"""The most corners that are remembered of the table with what lies on it."""
_QUALITY: Final = 0.03
"""The least distinctiveness of these, as a share of the most distinctive one's (`cv2.goodFeaturesToTrack`)."""
_FIRM_POINTS: Final = 60
"""The most corners that are remembered of the table itself."""
_FIRM_QUALITY: Final = 0.01
"""The least distinctiveness of these: lower, since there are few."""
_APART_PX: Final = 6.0
"""The least distance of two corners, in pixels of the view."""
_HALF: Final = 5
"""Half the side of a corner's surroundings, in pixels of the view."""
_CENTRE_SHARE: Final = 0.08
"""How far the centre unit reaches from the table's middle, as a share of its side."""
_RIM_SHARE: Final = 0.49
"""How far from the table's middle the rail begins, as a share of its side."""
_FAINT: Final = 5.0
"""The least mean deviation of a corner's surroundings, in grey levels; noise rarely reaches it."""
_SAME_LIKENESS: Final = 0.8
"""Correlation from which a corner looks unchanged; after a move by 5 mm, one in six does."""
_SURELY_SAME_LIKENESS: Final = 0.9
"""Correlation from which a corner surely looks unchanged."""
_SAME_SHARE: Final = 0.3
"""Least share of all corners that look unchanged while the table is in its place."""
_FIRM_SHARE: Final = 0.5
"""Least share of the corners of the table itself that look unchanged, if what lay on it has changed."""
_WHOLE_SHARE: Final = 0.97
"""The corners of the table itself decide only while this share of the table is in the frame."""
_SIDE_SHARE: Final = 0.15
"""Least share of each side's corners that look unchanged, except for one side, which an arm may hide."""
_FEWEST: Final = 24
"""The least number of corners by which the place can be judged."""
_FEWEST_FIRM: Final = 12
"""The least number of corners of the table itself by which the place can be judged."""
_FEWEST_OF_SIDE: Final = 3
"""A side of the table with fewer corners says nothing about the place."""
_OTHER_LEVELS: Final = 25
"""A pixel of a bare table differs if it changes by more grey levels than this, after the light is evened out."""
_OTHER_SHARE: Final = 0.5
"""A picture in which more than this share of a bare table's pixels differ shows something else."""
_CALM_SHARE: Final = 0.5
"""New things on the table are learnt only while this share of the corners surely look unchanged."""
_BLURS_PX: Final = (1.5, 2.5, 4.0)
"""Blurs of the view, as standard deviations, by which a corner is recognised in a picture out of focus. From half of
the first one on, tiles are misread with high scores; below that, they are rarely doubted."""
_OTHERWISE: Final = 0.02
"""A corner whose correlation is below 1 by more than this does not look the same; noise rarely lowers it so far."""
_EXPLAINED: Final = 0.5
"""A corner is out of focus if blurring its former look leaves less than this share of the difference: a push leaves
two thirds.
"""
_BLURRED_SHARE: Final = 0.6
"""A picture is out of focus if this share of the recognised corners are."""
_RENEWED_NS: Final = 2_000_000_000
"""The least time between two pictures that are learnt."""
_PATIENCE: Final = 3
"""A corner that looked different this many times in a row is forgotten: a tile was taken away."""

Points = npt.NDArray[np.intp]
"""Columns and rows, shape [N, 2]."""
_AROUND: Final = np.indices((2 * _HALF + 1, 2 * _HALF + 1)).reshape(2, -1).T - _HALF
_NOWHERE: Final = np.zeros((0, 2), dtype=np.intp)


class _Corners:
    """Points of the view, and how each of them looked."""

    def __init__(self, points: Points, patches: Floats32, blurred: Floats32, missed: Points, side_px: int) -> None:
        """Takes points of a view, and the surroundings of each, as from `_patches`.

        Args:
            points: the points, [N, 2].
            patches: how each of them looked, [N, P].
            blurred: how each would look blurred by each of `_BLURS_PX`, [B, N, P].
            missed: how often in a row each looked different, [N].
            side_px: the side of the view.
        """
        self.points, self.patches, self.blurred, self.missed = points, patches, blurred, missed
        self._sides = _side_of(points, side_px)

    def likenesses(self, grey: Grey) -> Floats32:
        """Returns how similar each corner looks to before, whatever the light: 1 if unchanged."""
        return np.asarray((self.patches * _patches(grey, self.points)).sum(axis=1), dtype=np.float32)

    def are_blurred(self, grey: Grey, likenesses: Floats32) -> bool:
        """Returns whether most look as they did, but out of focus; `likenesses` says how similar each looks now."""
        if len(likenesses) < _FEWEST or np.count_nonzero(likenesses < 1 - _OTHERWISE) < _SAME_SHARE * len(likenesses):
            return False
        best = np.maximum(likenesses, np.einsum("bnp,np->bn", self.blurred, _patches(grey, self.points)).max(axis=0))
        is_known = best > _SAME_LIKENESS
        if is_known.sum() < max(_FEWEST, _SAME_SHARE * len(best)):
            return False
        is_softer = (likenesses < 1 - _OTHERWISE) & (1 - best < _EXPLAINED * (1 - likenesses))
        return float(is_softer[is_known].mean()) >= _BLURRED_SHARE

    def are_in_place(self, likenesses: Floats32, *, fewest: int, share: float) -> bool:
        """Returns whether there are `fewest` corners, a `share` of them unchanged, and some on all sides but one."""
        if len(likenesses) < fewest:
            return False
        holds = likenesses > _SAME_LIKENESS
        sides = [holds[self._sides == side] for side in range(4)]
        shares = [float(side.mean()) for side in sides if len(side) >= _FEWEST_OF_SIDE]
        missing = sum(side_share < _SIDE_SHARE for side_share in shares)
        return float(holds.mean()) >= share and missing <= min(1, len(shares) - 1)


def _corners_at(grey: Grey, points: Points) -> _Corners:
    softer = [np.asarray(cv2.GaussianBlur(grey, (0, 0), blur_px), np.uint8) for blur_px in _BLURS_PX]
    blurred = np.stack([_patches(picture, points) for picture in softer])
    return _Corners(points, _patches(grey, points), blurred, np.zeros(len(points), dtype=np.intp), len(grey))


class TableInSight:
    """Remembers how one table looks from above; pictures are small grey top views [S, S]."""

    def __init__(self, table_px: float) -> None:
        """Takes the length of the table's side in the view; the first picture must show the table in its place."""
        self._table_px = table_px
        self.picture: Grey = np.zeros((1, 1), dtype=np.uint8)
        """The last picture that showed the table in its place and was learnt from."""
        self.is_blurred = False
        """Whether the last picture was out of focus: it shows the table in its place, but nothing can be read."""
        self._all_corners = self._firm_corners = _corners_at(self.picture, _NOWHERE)
        self._renewed_ns = 0

    @property
    def knows_table(self) -> bool:
        """Whether a picture was learnt, with which later ones are compared."""
        return self.picture.size > 1

    def follow(self, grey: Grey, now_ns: int) -> bool:
        """Returns whether the next picture shows the table in its place; if so, learns what has been laid on it."""
        if not self.knows_table:
            self.remember(grey, now_ns)
            return True
        likenesses = self._all_corners.likenesses(grey)
        self.is_blurred = self._all_corners.are_blurred(grey, likenesses)
        if self.is_blurred:
            return True
        if not self._is_in_place(grey, likenesses) and (self._can_tell or _is_other(self.picture, grey)):
            return False
        if now_ns - self._renewed_ns >= _RENEWED_NS and self._is_calm(grey, likenesses):
            self._renew(grey, likenesses, now_ns)
        return True

    def _is_calm(self, grey: Grey, likenesses: Floats32) -> bool:
        """Returns whether the present picture may be learnt."""
        return (
            not self._can_tell
            or float((likenesses > _SURELY_SAME_LIKENESS).mean()) >= _CALM_SHARE
            or self._is_firm(grey)
        )

    def shows(self, grey: Grey) -> bool:
        """Returns whether this picture proves that the table is in its place, and is sharp."""
        likenesses = self._all_corners.likenesses(grey)
        return self._is_in_place(grey, likenesses) and not self._all_corners.are_blurred(grey, likenesses)

    def remember(self, grey: Grey, now_ns: int) -> None:
        """Learns a picture that shows the table in its place, whatever was known before."""
        self.is_blurred = False
        free = self._firm_parts(len(grey))
        self._firm_corners = _corners_at(
            grey, _corner_points(grey, free, most_points=_FIRM_POINTS, quality=_FIRM_QUALITY)
        )
        self._all_corners = _corners_at(grey, _NOWHERE)
        self._renew(grey, np.zeros(0, dtype=np.float32), now_ns)

    @property
    def _can_tell(self) -> bool:
        return len(self._all_corners.points) >= _FEWEST

    def _is_in_place(self, grey: Grey, likenesses: Floats32) -> bool:
        return self._is_as_laid(likenesses) or self._is_firm(grey)

    def _is_as_laid(self, likenesses: Floats32) -> bool:
        return self._all_corners.are_in_place(likenesses, fewest=_FEWEST, share=_SAME_SHARE)

    def _is_firm(self, grey: Grey) -> bool:
        """Returns whether the table itself is in its place, under other things.

        Its centre looks almost the same turned slightly or by a quarter, so the picture must not be a turned version of
        the former one. In a picture that shows only a part of the table, this cannot be checked.
        """
        if self._shown_share(grey) < _WHOLE_SHARE:
            return False
        if not self._firm_corners.are_in_place(
            self._firm_corners.likenesses(grey), fewest=_FEWEST_FIRM, share=_FIRM_SHARE
        ):
            return False
        shift_detector = ShiftDetector()
        shift_detector.remember(self.picture)
        if shift_detector.motion_to(grey) is not None:
            return False
        quarter_turns = (np.ascontiguousarray(np.rot90(grey, quarters)) for quarters in (1, 2, 3))
        return not any(self._is_as_laid(self._all_corners.likenesses(turn)) for turn in quarter_turns)

    def _shown_share(self, grey: Grey) -> float:
        """Returns how much of the table the frame shows."""
        rim = round((len(grey) - self._table_px) / 2)
        return float((within_frame(grey)[rim:-rim, rim:-rim] > 0).mean())

    def _renew(self, grey: Grey, likenesses: Floats32, now_ns: int) -> None:
        """Forgets corners that are gone, and adds new ones."""
        corners = self._all_corners
        missed = np.where(likenesses > _SAME_LIKENESS, 0, corners.missed + 1)
        is_kept = missed < _PATIENCE
        free = np.full(grey.shape, 255, dtype=np.uint8)
        for x, y in corners.points[is_kept]:
            cv2.circle(free, (int(x), int(y)), int(_APART_PX), 0, -1)
        new_corners = _corners_at(
            grey, _corner_points(grey, free, most_points=_POINTS - int(is_kept.sum()), quality=_QUALITY)
        )
        self._all_corners = _Corners(
            np.concatenate([corners.points[is_kept], new_corners.points]),
            np.concatenate([corners.patches[is_kept], new_corners.patches]),
            np.concatenate([corners.blurred[:, is_kept], new_corners.blurred], axis=1),
            np.concatenate([missed[is_kept], new_corners.missed]),
            len(grey),
        )
        self.picture, self._renewed_ns = grey, now_ns

    def _firm_parts(self, side_px: int) -> Grey:
        """Returns 255 where the table itself is seen, whatever lies on it: at the centre unit and the felt's edge."""
        away = np.abs(np.arange(side_px) - (side_px - 1) / 2) / self._table_px
        farther = np.maximum(away[:, None], away[None, :])
        return np.where((farther < _CENTRE_SHARE) | (farther > _RIM_SHARE), 255, 0).astype(np.uint8)


def _corner_points(grey: Grey, free: Grey, *, most_points: int, quality: float) -> Points:
    """Returns the most distinctive points in the free part of a picture."""
    free_in_frame = np.minimum(free, within_frame(grey))
    found = (
        None if most_points <= 0 else cv2.goodFeaturesToTrack(grey, most_points, quality, _APART_PX, mask=free_in_frame)
    )
    if found is None:
        return _NOWHERE
    points = np.rint(found.reshape(-1, 2)).astype(np.intp)
    points = points[((points >= _HALF) & (points < len(grey) - _HALF)).all(axis=1)]
    clear: Points = points[_levels(grey, points).std(axis=1) >= _FAINT]
    return clear


def _levels(grey: Grey, points: Points) -> Floats32:
    around = _AROUND[:, 0] * grey.shape[1] + _AROUND[:, 1]
    places = (points[:, 1] * grey.shape[1] + points[:, 0])[:, None] + around
    return np.asarray(grey.ravel().take(places), dtype=np.float32)


def _patches(grey: Grey, points: Points) -> Floats32:
    """Returns the surroundings of points as vectors of mean 0 and length 1, or almost 0 if they are uniform."""
    levels = _levels(grey, points)
    levels -= levels.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(levels, axis=1, keepdims=True)
    return np.asarray(levels / np.maximum(lengths, 0.5 * _FAINT * (2 * _HALF + 1)), dtype=np.float32)


def _side_of(points: Points, side_px: int) -> Points:
    """Returns which of the view's four sides each point is nearest to."""
    right, down = (points - (side_px - 1) / 2).T
    side: Points = np.where(np.abs(right) > np.abs(down), np.where(right > 0, 1, 3), np.where(down > 0, 0, 2))
    return side


def _is_other(before: Grey, after: Grey) -> bool:
    """Returns whether much of a picture has changed by more than its light."""
    light = (float(np.median(before)) + 1.0) / (float(np.median(after)) + 1.0)
    differs: Mask = np.abs(after * light - before.astype(np.float64)) > _OTHER_LEVELS
    return float(differs.mean()) > _OTHER_SHARE
