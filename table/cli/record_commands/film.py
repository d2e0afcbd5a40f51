"""`tachiai film LOG OUT`: makes recordings with truth of a game's hands, as a drawn camera would see them."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.camera.simulation.script_from_record import scripted
from table.camera.simulation.script_recording import FPS, Show, show, write_recording
from table.cli.input_files import game_in
from table.cli.number_arguments import number, whole
from table.cli.output_files import check_folder
from table.cli.progress import progress
from table.records.formats.game_record import GameRecord
from table.runtime.table_errors import ConfigError
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.synthetic_camera import frame_count
from vision.recording.recording import check_new


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "film",
        help="make recordings with truth of a recorded game",
        description="Films hands of a game record (any format that `audit` reads, all four hands told) with the drawn "
        "camera: OUT/00, OUT/01, … are recordings with truth, for `replay`. `--look 1`, `--look 2`, … are other "
        "tables, tiles, cameras and light.",
    )
    parser.add_argument("log", metavar="LOG", type=Path, help="a game record; - for standard input")
    parser.add_argument("out", metavar="OUT", type=Path, help="folder for the recordings")
    parser.add_argument(
        "--hand", type=whole(0), action="append", metavar="N", help="only this hand, from 0 (repeatable)"
    )
    parser.add_argument(
        "--look", type=whole(0), default=0, metavar="N", help="0: the plain table; else one drawn at random"
    )
    parser.add_argument("--seed", type=whole(0), default=0, help="how tidily tiles are laid, and by which hands")
    parser.add_argument("--fps", type=number(above=0, most=120), default=FPS, help=f"frames a second ({FPS:g})")
    parser.add_argument(
        "--pace", type=number(above=0, most=60), default=1.6, metavar="S", help="seconds from discard to discard (1.6)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Films the hands.

    Raises:
        ConfigError: the game has no such hand, or nothing can be written there.
        RecordError: the record cannot be read, or does not tell enough to be filmed.
        RecordingError: a recording lies there already.
    """
    record = game_in(args.log)
    chosen = _chosen(args.hand, record, args.log)
    for place in chosen:
        check_new(args.out / f"{place:02}")
    check_folder(args.out)
    for place in chosen:
        hand = record.hands[place]
        shown = show(
            (scripted(hand, pace_s=args.pace),),
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
    steps = progress(range(frames), f"{path} frame")
    write_recording(film, path, on_frame=lambda _: next(steps, None))
    next(steps, None)
    print(f"{path}: {frames} frames, {len(film.truth)} lines of truth")
