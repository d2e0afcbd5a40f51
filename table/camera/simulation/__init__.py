"""Scripts, and what is made from them: scenes for the synthetic camera, presses, and the ground truth."""

from __future__ import annotations

from importlib.resources import files

from table.camera.simulation.script import ScriptedHand, ScriptError
from table.camera.simulation.script_check import read_script

__all__ = ["ScriptError", "ScriptedHand", "evening", "read_script", "rehearsal_hand"]


def evening() -> tuple[ScriptedHand, ...]:
    """Returns the demo's script."""
    return read_script(files(__package__).joinpath("demo.txt").read_text(encoding="utf-8"))


def rehearsal_hand() -> ScriptedHand:
    """Returns the script of the rehearsal's hand."""
    (hand,) = read_script(files(__package__).joinpath("rehearsal.txt").read_text(encoding="utf-8"))
    return hand
