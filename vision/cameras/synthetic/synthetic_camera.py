"""A camera over a table that is drawn: plays a film, as fast as it can or as fast as time goes by."""

from collections.abc import Callable, Iterator

from vision.cameras.synthetic.animation import Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import FaceSource, own_faces
from vision.errors import VisionError
from vision.frames import Camera, Frame

Pace = Callable[[int], None]
"""Given nanoseconds since the first frame, returns when that moment has come."""


class SyntheticCameraError(VisionError, RuntimeError):
    """The synthetic camera was used in a way that no camera can be."""


class SyntheticCamera(Camera):
    """Gives the frames of a film; the same film, look and frame rate give the same frames."""

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
            fps: frames a second; frame k is at k / fps seconds.
            pace: waits until a frame is due; without it frames come as fast as they are drawn.
            faces: whose tiles lie there.

        Raises:
            SyntheticCameraError: a frame rate that is not above 0.
        """
        if fps <= 0:
            raise SyntheticCameraError(f"expected more than 0 frames a second, got {fps!r}")
        self._film = film
        self._appearance = appearance
        self._faces = faces
        self._fps = fps
        self._pace = pace
        self._is_closed = False
        self._has_started = False

    def frames(self) -> Iterator[Frame]:
        """Yields the film's frames until it ends or the camera is closed; may be started once.

        Raises:
            SyntheticCameraError: it was started before.
        """
        if self._has_started:
            raise SyntheticCameraError("expected to be started once, got a second start of the same film")
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
    """Returns how many frames a film has."""
    return int(film.duration_s * fps + 1e-6) + 1


def first_frame_at(time_s: float, fps: float) -> int:
    """Returns the first frame in which a beat of this time lies at rest."""
    k = max(0, int(time_s * fps) - 1)
    while k / fps < time_s:
        k += 1
    return k
