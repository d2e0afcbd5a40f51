"""`tachiai film LOG OUT`: renders the hands of a game record as recordings with ground truth."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.camera.simulation.script_from_record import scripted_hand
from table.camera.simulation.script_recording import Show, prepare_show, write_recording
from table.cli.streams.input_files import game_in
from table.cli.streams.output_files import check_folder
from table.cli.streams.progress import progress_counter
from table.records.formats.game_record import GameRecord
from table.rules.terms.amounts import amount, numbered
from table.runtime.table_errors import ConfigError, RecordError
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
    chosen = _hand_numbers(args.hand, record, args.log)
    for number in chosen:
        check_new(args.out / f"{number:02}")
    check_folder(args.out)
    for number in chosen:
        hand = record.hands[number]
        film = prepare_show(
            (scripted_hand(hand, pace_s=args.pace),),
            appearance=Appearance.random(args.look) if args.look else Appearance.default(),
            fps=args.fps,
            seed=args.seed,
            start=hand.deal.scores,
            ruleset=record.ruleset,
        )
        _write_film(film, args.out / f"{number:02}")
    return 0


def _hand_numbers(numbers: list[int] | None, record: GameRecord, log: Path) -> list[int]:
    if not record.hands:
        raise RecordError(f"{log}: expected a record with a hand, got none")
    all_numbers = range(len(record.hands))
    for number in numbers or ():
        if number not in all_numbers:
            raise ConfigError(f"{log}: expected {numbered('hand', all_numbers)}, got --hand {number}")
    return list(dict.fromkeys(numbers or all_numbers))


def _write_film(show: Show, path: Path) -> None:
    frames = frame_count(show.film, show.fps)
    with progress_counter(f"{path} frame", frames) as count:
        write_recording(show, path, on_frame=lambda _: count())
    print(f"{path}: {amount(frames, 'frame')}, {amount(len(show.truth), 'line')} of truth")
