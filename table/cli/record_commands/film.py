"""`tachiai film LOG OUT`: renders the hands of a game record as recordings with ground truth."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_recording import Show, show, write_recording
from table.cli.streams.input_files import game_in
from table.cli.streams.output_files import check_folder
from table.cli.streams.progress import counted
from table.records.formats.game_record import GameRecord
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.recording.recording import check_new


def run(args: argparse.Namespace) -> int:
    """Films the hands.

    Raises:
        ConfigError: the game has no such hand, or nothing can be written there.
        RecordError: the record cannot be read, or lacks what filming needs.
        RecordingError: the folder holds a recording already.
    """
    record = game_in(args.log)
    chosen = _chosen(args.hand, record, args.log)
    for place in chosen:
        check_new(args.out / f"{place:02}")
    check_folder(args.out)
    for place in chosen:
        hand = record.hands[place]
        shown = show(
            (scripted_hand(hand, pace_s=args.pace),),
            appearance=Appearance.random(args.look) if args.look else Appearance.default(),
            fps=args.fps,
            seed=args.seed,
            start=hand.deal.scores,
            ruleset=record.ruleset,
        )
        _film(shown, args.out / f"{place:02}")
    return 0


def _chosen(wanted: list[int] | None, record: GameRecord, log: Path) -> list[int]:
    there = range(len(record.hands))
    for place in wanted or ():
        if place not in there:
            raise ConfigError(f"{log}: expected a hand from 0 to {len(there) - 1}, got --hand {place}")
    return list(dict.fromkeys(wanted or there))


def _film(film: Show, path: Path) -> None:
    frames = frame_count(film.film, film.fps)
    with counted(f"{path} frame", frames) as count:
        write_recording(film, path, on_frame=lambda _: count())
    print(f"{path}: {amount(frames, 'frame')}, {amount(len(film.truth), 'line')} of truth")
