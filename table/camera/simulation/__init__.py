"""Scripts and what becomes of them: scenes for the synthetic camera, presses, and the truth to compare with."""

from __future__ import annotations

from importlib.resources import files

from table.camera.simulation.script import ScriptedHand, ScriptError
from table.camera.simulation.script_check import read_script

__all__ = ["ScriptError", "ScriptedHand", "evening", "read_script", "rehearsal_hand"]


def evening() -> tuple[ScriptedHand, ...]:
    """The demo's own evening."""
    return read_script(files(__package__).joinpath("demo.txt").read_text(encoding="utf-8"))


def rehearsal_hand() -> ScriptedHand:
    """The hand that people lay when the table is rehearsed."""
    (hand,) = read_script(files(__package__).joinpath("rehearsal.txt").read_text(encoding="utf-8"))
    return hand
