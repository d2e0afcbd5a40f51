"""Plays a script before the synthetic camera: film, presses and truth by frame, and a recording of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from table.camera.simulation.script import ScriptedHand
from table.camera.simulation.script_timeline import START, StagedScript, TimedEvent, stage_script
from table.game.commands.game_commands import CallAbort, Press, SeatPress
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_wins import without_worth
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.rulebook.recorded_rules import RULES_FILE, rules_reference
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.ruleset import Ruleset
from table.rules.terms.results import Deltas
from vision.cameras.synthetic.animation import Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.synthetic_camera import SyntheticCamera, first_frame_at
from vision.geometry.plane_geometry import Lens
from vision.recording.recording import RecordingWriter
from vision.recording.recording_settings import Settings, TableSettings

FPS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Everything needed to play a script before the camera."""

    hands: tuple[ScriptedHand, ...]
    film: Film
    appearance: Appearance
    fps: float
    start: Deltas
    """Points by seat before the first hand."""
    ruleset: Ruleset
    presses: tuple[Press, ...]
    """Each with its frame."""
    truth: tuple[MjaiLine, ...]
    """mjai lines, each with the frame from which its event is done and at rest."""
    scores: tuple[Deltas, ...]
    """By seat, after each hand, according to the script."""

    def camera(self, **options: Any) -> SyntheticCamera:
        """Returns the camera that films it; `options` are those of `SyntheticCamera` except the frame rate."""
        return SyntheticCamera(self.film, self.appearance, fps=self.fps, **options)


def prepare_show(
    hands: Sequence[ScriptedHand],
    *,
    appearance: Appearance | None = None,
    fps: float = FPS,
    seed: int = 0,
    start: Deltas = START,
    ruleset: Ruleset | None = None,
) -> Show:
    """Prepares a script for filming; `seed` alone decides where exactly things lie and how hands move.

    Args:
        hands: checked hands, in order.
        appearance: the table and its light; None for the default.
        fps: frames per second.
        seed: the seed of all chance.
        start: points before the first hand, by seat.
        ruleset: the rules of the game; None for the home rules with their penalties.
    """
    ruleset = ruleset or rules_named(HOME.name).ruleset
    appearance = appearance or Appearance.default()
    layout = Layout(appearance=appearance, seed=seed)
    staged = stage_script(hands, layout, scores=start, quick=ruleset.penalties.quick)
    return Show(
        hands=tuple(hands),
        film=Film(staged.beats, felt_mm=appearance.felt_mm, seed=seed),
        appearance=appearance,
        fps=fps,
        start=start,
        ruleset=ruleset,
        presses=tuple(replace(press.press, frame=first_frame_at(press.time_s, fps)) for press in staged.presses),
        truth=tuple(_truth(staged, fps, ruleset)),
        scores=staged.scores,
    )


def write_recording(show: Show, path: Path, *, on_frame: Callable[[int], object] | None = None) -> None:
    """Films a show into a recording with its presses and its truth.

    Raises:
        RecordingError: the folder holds a recording already.
    """
    with RecordingWriter(path, settings_of(show)) as writer, show.camera() as camera:
        if settings_of(show).game.get("ruleset") == RULES_FILE:
            writer.attach(RULES_FILE, rules_reference(show.ruleset).toml or "")
        for frame in camera.frames():
            writer.add(frame.image)
            if on_frame is not None:
                on_frame(frame.k)
        for press in show.presses:
            writer.add_press(press_line(press))
        for line in show.truth:
            writer.add_truth(line)


def press_line(press: Press) -> dict[str, Any]:
    """Returns a press as a line of presses.jsonl."""
    line: dict[str, Any] = {"frame": press.frame or 0, "press": press.word}
    if isinstance(press, SeatPress | CallAbort) and press.seat is not None:
        line["seat"] = int(press.seat)
    if isinstance(press, CallAbort) and press.reason is not None:
        line["reason"] = press.reason
    return line


def settings_of(show: Show) -> Settings:
    """Returns the recording.toml of a show."""
    first = show.hands[0]
    appearance = show.appearance
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners_px(appearance))
    return Settings(
        fps=show.fps,
        table=TableSettings(side_mm=appearance.felt_mm, corners_px=corners),
        lens=lens_of_appearance(appearance),
        tiles=appearance.tile_size,
        game={
            "dealer_seat": int(first.dealer),
            "round": repr(first.round),
            "honba": first.honba,
            "deposits": first.sticks,
            "scores": list(show.start),
            "ruleset": _stated_rules(show.ruleset),
        },
    )


def lens_of_appearance(appearance: Appearance) -> Lens | None:
    """Returns the lens of an appearance's camera; None if it has no distortion."""
    if not any(appearance.distortion):
        return None
    drawn = lens_of(appearance)
    return Lens(matrix=drawn.intrinsics, distortion=np.array([*appearance.distortion, 0.0, 0.0]))


def _stated_rules(ruleset: Ruleset) -> str | dict[str, Any]:
    """Returns the rules for recording.toml, as changes to the home rules if they have its penalties or none."""
    if ruleset.penalties in (PenaltyRules(), rules_named(HOME.name).penalties):
        return _switches(ruleset)
    return rules_reference(ruleset).ruleset


def _switches(ruleset: Ruleset) -> dict[str, Any]:
    names = (field.name for field in fields(ruleset) if field.name not in ("name", "penalties"))
    differing = {name: getattr(ruleset, name) for name in names if getattr(ruleset, name) != getattr(HOME, name)}
    return {"preset": HOME.name, **differing}


def _truth(staged: StagedScript, fps: float, ruleset: Ruleset) -> list[MjaiLine]:
    """Returns the events of a script, written by the same writer as a journal's."""
    entries = [_entry(0, GameOpened(ruleset=ruleset, asks_for_sticks_in_play=False), None)]
    entries += [_entry(number, *_body_and_frame(line, fps)) for number, line in enumerate(staged.truth, 1)]
    return [
        {key: value for key, value in line.items() if key != "confidence"}
        for line in map(without_worth, mjai_lines(entries))
    ]


def _body_and_frame(timed: TimedEvent, fps: float) -> tuple[Body, int]:
    return timed.event, first_frame_at(timed.time_s, fps)


def _entry(number: int, body: Body, frame: int | None) -> Entry:
    return Entry(number=number, envelope=Envelope(utc="", source=Source.CAMERA, frame=frame), body=body)
