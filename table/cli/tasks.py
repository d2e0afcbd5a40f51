"""The commands grouped by task, as in `tachiai --help`: one line and one example each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

Guide = tuple[str, str]
"""A command's summary and an example of it."""

TASKS: Final[Mapping[str, Mapping[str, Guide]]] = MappingProxyType(
    {
        "See it at work": {
            "demo": ("play a scripted evening in front of a drawn camera", "demo --headless --speed max"),
        },
        "Keep a table": {
            "run": ("keep a table: camera, panel, page and journal", "run --config tachiai.toml"),
            "check": ("report health and what needs attention", "check --config tachiai.toml"),
            "calibrate": ("find the table in the camera's picture", "calibrate --sheet markers.pdf"),
            "record": ("film the table into a recording", "record evening --seconds 120"),
            "backup": ("copy the journal", "backup --to /media/stick"),
            "restore": ("replace the journal by a backup", "restore backups/table-00000412-2026-11-20.backup"),
            "broker": ("write the configuration of a hall's broker", "broker hall table1 table2"),
            "seating": ("seat a tournament", "seating players.csv --rounds 5"),
            "hall": ("show all tables of a hall on one page", "hall broker.local"),
        },
        "Read pictures": {
            "read": ("find and name tiles and sticks in photos", "read photo.jpg --overlay understood.jpg"),
            "scan": ("learn a set of tiles from photos of its faces", "scan one.jpg two.jpg --out home.tileset"),
        },
        "Look back at games": {
            "replay": ("run a recording through the whole pipeline", "replay evening --events game.mjson"),
            "audit": ("check game records against the rules", "audit game.mjlog"),
            "season": ("print every player's statistics over many games", "season journals"),
            "export": ("write a game as mjai, tenhou6, csv or html", "export table.journal --format csv"),
            "film": ("render a game record as recordings with ground truth", "film game.mjlog film --hand 0"),
        },
        "Ask the rules": {
            "score": ("value a winning hand", "score 345m678p123789s11z --tsumo"),
            "rules": ("show rule sets and every penalty clause", "rules diff home wrc-2025"),
        },
        "Measure and set up": {
            "bench": ("measure how fast this machine reads a table", "bench --rounds 5"),
            "completion": ("print the shell code for tab completion", "completion bash"),
        },
    }
)
"""The tasks in order; commands that belong to no task are listed last."""
OTHER_COMMANDS: Final = "More"


def summary_of(name: str) -> str:
    """Returns what a command does; empty if no task lists it."""
    return next((guides[name][0] for guides in TASKS.values() if name in guides), "")


def listing(names: Mapping[str, str]) -> str:
    """Returns the commands by task, each with its summary and an example."""
    return "\n\n".join(_groups(names))


def _groups(names: Mapping[str, str]) -> Iterator[str]:
    for task, guides in TASKS.items():
        lines = [_lines(name, guides[name]) for name in guides if name in names]
        if lines:
            yield "\n".join([f"{task}:", *lines])
    task_names = {name for guides in TASKS.values() for name in guides}
    if others := [f"    {name} " for name in names if name not in task_names]:
        yield "\n".join([f"{OTHER_COMMANDS}:", *others])


def _lines(name: str, guide: Guide) -> str:
    summary, example = guide
    return f"    {name:<11} {summary}\n{'':<16}tachiai {example}"
