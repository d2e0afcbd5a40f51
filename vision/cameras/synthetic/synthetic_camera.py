"""A camera over a drawn table: plays a film at full speed or in real time."""

from collections.abc import Callable, Iterator

from vision.cameras.synthetic.animation import Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.errors import VisionError
from vision.frames import Camera, Frame

Pace = Callable[[int], None]
"""Waits until a moment, in nanoseconds after the first frame."""


class SyntheticCameraError(VisionError, RuntimeError):
    """The synthetic camera was misused."""


class SyntheticCamera(Camera):
    """Delivers the frames of a film; the same film, appearance and frame rate give the same frames."""

    def __init__(
        self,
        film: Film,
        appearance: Appearance,
        *,
        fps: float = 10.0,
        pace: Pace | None = None,
        faces: FaceSource = own_faces,
    ) -> None:
        """Sets the camera up.

        Args:
            film: what happens on the table.
            appearance: the table, the light and the lens.
            fps: frames per second; frame k is at k / fps seconds.
            pace: waits until a frame is due; without it, frames arrive as fast as they are drawn.
            faces: draws the tiles' faces.

        Raises:
            SyntheticCameraError: a frame rate that is not above 0.
        """
        if fps <= 0:
            raise SyntheticCameraError(f"expected more than 0 frames per second, got {fps!r}")
        self._film = film
        self._appearance = appearance
        self._faces = faces
        self._fps = fps
        self._pace = pace
        self._is_closed = False
        self._has_started = False

    def frames(self) -> Iterator[Frame]:
        """Yields the film's frames until it ends or the camera is closed; it can be started once.

        Raises:
            SyntheticCameraError: it was started before.
        """
        if self._has_started:
            raise SyntheticCameraError("expected one start of a film, got a second one")
        self._has_started = True
        return self._play()

    def close(self) -> None:
        """Ends the film; closing twice does nothing."""
        self._is_closed = True

    def _play(self) -> Iterator[Frame]:
        renderer = Renderer(self._appearance, faces=self._faces)
        for k in range(frame_count(self._film, self._fps)):
            t_ns = round(k * 1e9 / self._fps)
            image = renderer.render(self._film.scene_at(k / self._fps), k=k)
            if self._pace is not None:
                self._pace(t_ns)
            if self._is_closed:
                return
            yield Frame(k=k, t_ns=t_ns, image=image)


def frame_count(film: Film, fps: float) -> int:
    """Returns the number of frames of a film."""
    return int(film.duration_s * fps + 1e-6) + 1


def first_frame_at(time_s: float, fps: float) -> int:
    """Returns the first frame in which a beat at this time lies at rest."""
    k = max(0, int(time_s * fps) - 1)
    while k / fps < time_s:
        k += 1
    return k
