"""The Raspberry Pi camera, through picamera2: a square crop of the sensor with fixed exposure, white balance and focus.

picamera2 comes from the distribution, with the matching libcamera. The sensor is wider than the table: a square crop of
its full height, scaled by the camera's hardware, keeps full detail for a fraction of the memory. Exposure and white
balance are measured once and then locked, since a picture that brightens by itself looks like a change everywhere. The
focus is set by distance and never moves by itself, since refocusing shifts the picture; the lens focuses once on
request. A camera that is reopened in the same light reuses the settings with which the table was found, so the picture
stays the same.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from vision.cameras.attached.focus import FocusAnswer, FocusRequests
from vision.cameras.attached.light_watch import LightWatch
from vision.errors import CameraError, reason_and_place
from vision.frames import Camera, Frame
from vision.geometry.calibration_file import LockedSettings

SETTLE_FRAMES: Final = 30
"""Frames until exposure and white balance have settled."""
MANUAL_FOCUS: Final = 0
"""libcamera's AfModeManual."""
FOCUS_ONCE: Final = {"AfMode": 1, "AfTrigger": 0}
"""libcamera's AfModeAuto and AfTriggerStart: one search, after which the lens stays."""
FOCUSED: Final = 2
NOT_FOCUSED: Final = 3
"""libcamera's AfStateFocused and AfStateFailed."""
FOCUS_FRAMES: Final = 60
"""Limit of frames for a search, which usually takes a third of that."""
PATIENCE_S: Final = 5.0
"""Time without a frame after which the camera is considered gone (cable or driver)."""
ALIGNMENT: Final = 64
"""A stream's side is a multiple of this many pixels, so that neither a Pi 5's PiSP nor a Pi 4's VC4 pads rows."""
SAME_LIGHT: Final = 0.15
"""The relative difference up to which light counts as the same."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PiSettings:
    """The camera's settings."""

    number: int = 0
    """The camera's number, if there are several."""
    side_px: int = 1600
    fps: float = 10.0
    focus: float = 1.0
    """Dioptres: 1 / the distance in metres. Ignored by a fixed lens."""
    exposure_us: int = 0
    """In microseconds; 0 to measure it once."""
    gain: float = 0.0
    """0 to measure it once."""
    mains_hz: int = 50
    """Lamps flicker at twice this frequency; exposures are whole multiples of that period."""


class PiCamera(Camera):
    """Delivers frames of a Pi camera. Owned by one thread."""

    def __init__(
        self,
        settings: PiSettings,
        *,
        before: LockedSettings | None = None,
        may_measure: Callable[[], bool] = lambda: False,
        open_camera: Callable[[int], Any] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Opens, configures and starts the camera; `open_camera` makes a `Picamera2` by number.

        `before` holds the settings with which the table was found; they are reused if the light is the same. After a
        lasting change of light, exposure and white balance are measured again when `may_measure` allows it, between
        hands.

        Raises:
            CameraError: picamera2 is not installed, there is no such camera, or it does not start.
        """
        self._settings, self._before = settings, before
        self._may_measure = may_measure
        self._patience_s = patience_s
        self._closed = False
        self._last_ns = -1
        self.locked: LockedSettings | None = None
        """The locked settings, once frames arrive."""
        self.asked_size: tuple[int, int] | None = None
        """The width and height of the pictures requested from the driver."""
        self._focus_requests = FocusRequests()
        try:
            self._camera = (open_camera or _picamera2)(settings.number)
        except CameraError:
            raise
        except Exception as error:  # picamera2 raises errors of any kind
            says = "busy" if "busy" in _reasons(error).lower() else "broken"
            raise CameraError(
                f"expected a Pi camera with number {settings.number}, got: {_reasons(error)}", says=says
            ) from error
        try:
            self._camera.configure(self._configuration())
            self._camera.start()
        except Exception as error:  # picamera2 raises errors of any kind
            self.close()
            raise CameraError(f"expected the Pi camera to start, got: {_reasons(error)}", says="broken") from error

    @property
    def has_autofocus(self) -> bool:
        """Whether the lens can focus by itself."""
        return "AfTrigger" in self._camera.camera_controls

    def ask_for_focus(self, answer: FocusAnswer) -> None:
        """Requests that the lens focus once, before the next frame, and stay there. Thread-safe.

        `answer` is called with the focus in dioptres, or with None if nothing was sharp; then the lens returns to its
        former focus.
        """
        self._focus_requests.add(answer)

    def _configuration(self) -> Any:
        settings = self._settings
        width, height = self._camera.sensor_resolution
        side = min(width, height, settings.side_px)
        side -= side % ALIGNMENT
        self.asked_size = side, side
        controls: dict[str, Any] = {"FrameDurationLimits": (round(1e6 / settings.fps),) * 2}
        controls["ScalerCrop"] = square_of(width, height)
        if "LensPosition" in self._camera.camera_controls:
            controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": settings.focus}
        return self._camera.create_video_configuration(
            main={"size": (side, side), "format": "RGB888"},
            sensor={"output_size": (width, height)},
            buffer_count=3,
            controls=controls,
        )

    def frames(self) -> Iterator[Frame]:
        """Yields frames with the sensor's timestamps, until the camera is closed or stops delivering.

        The first frames, in which exposure and white balance settle, are skipped.
        """
        self._warm_up()
        side: int | None = None
        k = -1
        light = LightWatch()
        while not self._closed:
            if self._focus_if_requested():
                light = LightWatch()
            captured = self._take_new()
            if captured is None:
                return
            image, metadata = captured
            k += 1
            if side is not None and image.shape[0] != side:
                _log.warning("expected a picture of %d rows, got %s, as frame %d: skipped", side, image.shape, k)
                continue
            side = image.shape[0]
            frame = Frame(k=k, t_ns=int(metadata["SensorTimestamp"]), image=image)
            yield frame
            if light.has_changed_for_good(image, frame.t_ns) and self._may_measure():
                self._measure_again()
                light = LightWatch()

    def _focus_if_requested(self) -> bool:
        """Focuses if `ask_for_focus` requested it; returns whether it did."""
        requests = self._focus_requests.take()
        if not requests:
            return False
        found = self._found_focus()
        focus = self._settings.focus if found is None else found
        self._settings = replace(self._settings, focus=focus)
        if self.locked is not None:
            self.locked = replace(self.locked, focus=focus)
        self._camera.set_controls({"AfMode": MANUAL_FOCUS, "LensPosition": focus})
        _log.info("autofocus found %s; the focus is locked at %g", found, focus)
        for answer in requests:
            answer(found)
        return True

    def _found_focus(self) -> float | None:
        """Returns where one search of the lens ends, in dioptres; None if it fails or does not end."""
        self._camera.set_controls(dict(FOCUS_ONCE))
        for _ in range(FOCUS_FRAMES):
            captured = self._take(with_image=False)
            if captured is None:
                return None
            state = int(captured[1].get("AfState", 0))
            if state == FOCUSED:
                return float(captured[1]["LensPosition"])
            if state == NOT_FOCUSED:
                return None
        return None

    def _measure_again(self) -> None:
        """Measures exposure and white balance again, and locks the result."""
        _log.info("the light has changed: exposure and white balance are measured again")
        self._before = None
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0})
        self._warm_up()

    def _warm_up(self) -> None:
        """Waits until exposure and white balance have settled, and locks them."""
        metadata = None
        for _ in range(SETTLE_FRAMES):
            captured = self._take(with_image=False)
            if captured is None:
                return
            metadata = captured[1]
        if metadata is not None:
            self._lock(self._measured_settings(metadata))

    def _lock(self, now: LockedSettings) -> None:
        """Locks the settings measured now, or those with which the table was found if they still suit."""
        before = self._before
        if before is not None and before.focus != now.focus:
            _log.warning(
                "expected the focus %g of the calibration, got %g: find the table again",
                before.focus,
                now.focus,
            )
        self.locked = before if before is not None and self._can_reuse(before, now) else now
        self._camera.set_controls(
            {
                "AeEnable": False,
                "ExposureTime": self.locked.exposure_us,
                "AnalogueGain": self.locked.gain,
                "AwbEnable": False,
                "ColourGains": self.locked.colour_gains,
            }
        )
        _log.info("focus, exposure, gain and white balance are locked: %s", self.locked)

    def _measured_settings(self, metadata: Mapping[str, Any]) -> LockedSettings:
        """Returns the settings for the present light, unless the configuration fixes them.

        In daylight even one mains period would overexpose; then the exposure is shorter.
        """
        settings = self._settings
        light = float(metadata["AnalogueGain"]) * metadata["ExposureTime"]
        exposure = settings.exposure_us or without_flicker(int(metadata["ExposureTime"]), settings.mains_hz)
        if not settings.exposure_us and light < exposure:
            exposure = max(1, round(light))
        gain = settings.gain or light / exposure
        red, blue = metadata["ColourGains"]
        return LockedSettings(
            focus=settings.focus,
            exposure_us=exposure,
            gain=max(1.0, gain),
            colour_gains=(float(red), float(blue)),
        )

    def _can_reuse(self, before: LockedSettings, now: LockedSettings) -> bool:
        """Whether the earlier settings still suit the light and the configuration."""
        settings = self._settings
        light = before.exposure_us * before.gain / (now.exposure_us * now.gain)
        is_requested = settings.exposure_us in (0, before.exposure_us) and settings.gain in (0.0, before.gain)
        return is_requested and before.focus == now.focus and 1 - SAME_LIGHT < light < 1 + SAME_LIGHT

    def _take_new(self) -> tuple[Any, Mapping[str, Any]] | None:
        """Returns the next new frame; None if the camera is gone, or delivers only the last frame again.

        A driver that hangs may deliver the same frame repeatedly, with its original timestamp.
        """
        since = monotonic()
        while (captured := self._take(with_image=True)) is not None:
            t_ns = int(captured[1]["SensorTimestamp"])
            if t_ns != self._last_ns:
                self._last_ns = t_ns
                return captured
            if monotonic() - since > self._patience_s:
                _log.warning("the Pi camera delivers the same frame repeatedly")
                return None
        return None

    def _take(self, *, with_image: bool) -> tuple[Any, Mapping[str, Any]] | None:
        """Returns one frame, copied from its buffer, which is always released; None if the camera is gone."""
        request = self._request()
        if request is None:
            return None
        try:
            image = request.make_array("main") if with_image else None
            return image, request.get_metadata()
        finally:
            request.release()

    def _request(self) -> Any:
        if self._closed:
            return None
        done = threading.Event()
        try:
            # `wait` of older picamera2 has no timeout, so a callback reports the end of the job instead.
            job = self._camera.capture_request(wait=False, signal_function=lambda _: done.set())
            if done.wait(self._patience_s):
                return job.get_result()
            _log.warning("the Pi camera delivers no frame: timed out")
        except Exception as error:  # picamera2 raises errors of any kind
            _log.warning("the Pi camera delivers no frame: %s", reason_and_place(error))
        return None

    def close(self) -> None:
        """Stops and releases the camera.

        A capture without a frame stays in picamera2's queue, and `stop` would wait behind it for ever, so the queue is
        emptied first. `close` then ends the thread that processes the queue, and stops the camera.
        """
        if self._closed:
            return
        self._closed = True
        for end in ("cancel_all_and_flush", "close"):
            try:
                getattr(self._camera, end)()
            except Exception as error:  # a camera that is gone cannot be stopped either
                _log.info("the Pi camera could not be released cleanly: %s", reason_and_place(error))


def square_of(width: int, height: int) -> tuple[int, int, int, int]:
    """Returns the largest central square of a sensor: x, y, width, height."""
    side = min(width, height)
    return (width - side) // 2, (height - side) // 2, side, side


def without_flicker(exposure_us: int, mains_hz: int) -> int:
    """Returns the nearest whole multiple (at least 1) of half a mains period, so that lamps do not flicker."""
    half = 500_000 / mains_hz
    return round(max(1, round(exposure_us / half)) * half)


def _reasons(error: BaseException) -> str:
    """Returns an error's text with those of its causes: picamera2 only says "did not complete", its cause says why."""
    cause = error.__cause__ or error.__context__
    return reason_and_place(error) if cause is None else f"{reason_and_place(error)} {_reasons(cause)}"


def _picamera2(number: int) -> Any:
    """Opens a camera; a failed attempt releases its resources.

    picamera2 opens a pipe before it looks for the camera, and leaks its writing end if there is none: one descriptor
    per attempt. It also closes every open camera when Python exits, and would wait there for one that hangs.
    """
    from picamera2 import Picamera2  # noqa: PLC0415 - only a Pi has it

    check_number(number, Picamera2.global_camera_info())
    camera: Any = Picamera2.__new__(Picamera2)
    try:
        camera.__init__(number)
    except BaseException:
        _release_failed(camera)
        raise
    atexit.unregister(camera.close)
    return camera


def check_number(number: int, found: Sequence[Mapping[str, Any]]) -> None:
    """Checks that `Picamera2.global_camera_info` lists a camera with this number.

    Raises:
        CameraError: there is none; the text says what to check, and which command lists the cameras.
    """
    if number < len(found):
        return
    if found:
        models = ", ".join(str(camera.get("Model", "unknown")) for camera in found)
        raise CameraError(
            f"expected a Pi camera with number {number}, got only {models}: numbers begin with 0", says="number"
        )
    raise CameraError(
        f"expected a Pi camera with number {number}, got none: switch off, push both ends of the ribbon cable in "
        "straight with the contacts on the side that the manual shows, close the latches, switch on, and see what is "
        "found with: rpicam-hello --list-cameras",
        says="cable",
    )


def _release_failed(camera: Any) -> None:
    """Releases the resources of a camera that failed to open: itself, and both ends of its pipe."""
    attributes = vars(camera)
    if attributes.get("is_open"):
        camera.is_open = False
        camera.camera.release()
    if "notifymeread" in attributes:
        camera.notifymeread.close()
        os.close(camera.notifyme_w)
