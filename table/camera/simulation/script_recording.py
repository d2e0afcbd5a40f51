"""A script as a show: the film for the synthetic camera, presses and truth by frame, and the recording of it all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from table.camera.simulation.script import ScriptedHand
from table.camera.simulation.script_timeline import START, Staged, Truth, stage
from table.game.game_commands import CallAbort, Press, SeatPress
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, Source
from table.records.mjai.journal_mjai import Line, mjai_lines
from table.records.mjai.mjai_wins import without_worth
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.rulebook.recorded_rules import RULES_FILE, carried
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.ruleset import Ruleset
from table.rules.terms.results import Deltas
from vision.cameras.synthetic.animation import Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.synthetic_camera import SyntheticCamera, first_frame_at
from vision.geometry.plane_geometry import Lens, TileSize
from vision.recording.recording import RecordingWriter
from vision.recording.recording_settings import Settings, TableSettings

FPS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Everything that playing a script before the camera needs."""

    hands: tuple[ScriptedHand, ...]
    film: Film
    appearance: Appearance
    fps: float
    start: Deltas
    """Points by seat before the first hand."""
    ruleset: Ruleset
    presses: tuple[Press, ...]
    """Each with its frame."""
    truth: tuple[Line, ...]
    """mjai lines, each with the frame from which it is done and at rest."""
    scores: tuple[Deltas, ...]
    """After each hand, by seat, as the script says."""

    def camera(self, **options: Any) -> SyntheticCamera:
        """The camera that films it; `options` are those of `SyntheticCamera` beside the frame rate."""
        return SyntheticCamera(self.film, self.appearance, fps=self.fps, **options)


def show(
    hands: Sequence[ScriptedHand],
    *,
    appearance: Appearance | None = None,
    fps: float = FPS,
    seed: int = 0,
    start: Deltas = START,
    ruleset: Ruleset | None = None,
    untidiness: float = 1.0,
) -> Show:
    """Puts a script on: where things lie and how hands move follows from `seed` alone.

    Args:
        hands: checked hands, in order.
        appearance: the table and its light; the plain one where none is given.
        fps: pictures a second.
        seed: what chance hangs on.
        start: points before the first hand, by seat.
        ruleset: what is played by; the home set with its penalties where none is given.
        untidiness: how far from straight things are laid, 1 as people do.
    """
    ruleset = ruleset or rules_named(HOME.name).play
    chosen = appearance or Appearance.default()
    layout = Layout(appearance=chosen, seed=seed, untidiness=untidiness)
    staged = stage(hands, layout, scores=start, quick=ruleset.penalties.quick)
    return Show(
        hands=tuple(hands),
        film=Film(staged.beats, felt_mm=chosen.felt_mm, seed=seed),
        appearance=chosen,
        fps=fps,
        start=start,
        ruleset=ruleset,
        presses=tuple(replace(each.press, frame=first_frame_at(each.time_s, fps)) for each in staged.presses),
        truth=tuple(_truth(staged, fps, ruleset)),
        scores=staged.scores,
    )


def write_recording(
    film: Show, path: Path, *, quality: int = 92, on_frame: Callable[[int], object] | None = None
) -> None:
    """Films a show into a recording with its presses and its truth.

    Raises:
        RecordingError: a recording lies there already.
    """
    with RecordingWriter(path, settings_of(film), quality=quality) as writer, film.camera() as camera:
        if settings_of(film).game.get("ruleset") == RULES_FILE:
            (path / RULES_FILE).write_text(carried(film.ruleset).toml or "", encoding="utf-8")
        for frame in camera.frames():
            writer.add(frame.image)
            if on_frame is not None:
                on_frame(frame.k)
        for press in film.presses:
            writer.press(press_line(press))
        for line in film.truth:
            writer.true(line)


def press_line(press: Press) -> dict[str, Any]:
    """A press as a line of presses.jsonl."""
    line: dict[str, Any] = {"frame": press.frame or 0, "press": press.word}
    if isinstance(press, SeatPress | CallAbort) and press.seat is not None:
        line["seat"] = int(press.seat)
    if isinstance(press, CallAbort) and press.reason is not None:
        line["reason"] = press.reason
    return line


def settings_of(film: Show) -> Settings:
    """The recording.toml of a show."""
    first = film.hands[0]
    appearance = film.appearance
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners_px(appearance))
    return Settings(
        fps=film.fps,
        table=TableSettings(side_mm=appearance.felt_mm, corners_px=corners),
        lens=lens_of_appearance(appearance),
        tiles=TileSize(
            width_mm=appearance.tile_width_mm,
            height_mm=appearance.tile_height_mm,
            depth_mm=appearance.tile_depth_mm,
        ),
        game={
            "dealer_seat": int(first.dealer),
            "round": repr(first.round),
            "honba": first.honba,
            "deposits": first.sticks,
            "scores": list(film.start),
            "ruleset": _stated_rules(film.ruleset),
        },
    )


def lens_of_appearance(appearance: Appearance) -> Lens | None:
    """The lens of a look's camera; None where it bends nothing, so that nobody needs to know it."""
    if not any(appearance.distortion):
        return None
    drawn = lens_of(appearance)
    return Lens(matrix=drawn.intrinsics, distortion=np.array([*appearance.distortion, 0.0, 0.0]))


def _stated_rules(ruleset: Ruleset) -> str | dict[str, Any]:
    """The rules as recording.toml says them: by what differs from the home rules, if fouls cost the same or nothing."""
    if ruleset.penalties in (PenaltyRules(), rules_named(HOME.name).penalties):
        return _switches(ruleset)
    return carried(ruleset).named


def _switches(ruleset: Ruleset) -> dict[str, Any]:
    names = (field.name for field in fields(ruleset) if field.name not in ("name", "penalties"))
    differing = {name: getattr(ruleset, name) for name in names if getattr(ruleset, name) != getattr(HOME, name)}
    return {"preset": HOME.name, **differing}


def _truth(staged: Staged, fps: float, ruleset: Ruleset) -> list[Line]:
    """The events of a script through the same writer as a journal's."""
    entries = [_entry(0, GameOpened(ruleset=ruleset, asks_for_sticks_in_play=False), None)]
    entries += [_entry(number, *_opening(each, fps)) for number, each in enumerate(staged.truth, 1)]
    return [
        {key: value for key, value in line.items() if key != "confidence"}
        for line in map(without_worth, mjai_lines(entries))
    ]


def _opening(truth: Truth, fps: float) -> tuple[Body, int]:
    return truth.event, first_frame_at(truth.time_s, fps)


def _entry(number: int, body: Body, frame: int | None) -> Entry:
    return Entry(number=number, envelope=Envelope(utc="", source=Source.CAMERA, frame=frame), body=body)
