"""The commands that train say where they write, which is never over the shipped weights, and what they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMANDS = [
    "models.training.train_reader",
    "models.training.distil_reader",
    "models.training.train_locator",
    "models.training.nets.strip_net",
]
_WITHOUT_TORCH = (
    "import runpy, sys; sys.modules['torch'] = None; runpy.run_module(sys.argv.pop(1), run_name='__main__')"
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_training_writes_beside_the_shipped_weights_unless_told_otherwise(command: str) -> None:
    pytest.importorskip("torch", reason="the training extra is not installed")
    done = subprocess.run(
        [sys.executable, "-m", command, "--help"], capture_output=True, text=True, check=True, env={"COLUMNS": "200"}
    )
    assert "--out OUT" in done.stdout
    assert "(build/models)" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_training_without_its_extra_says_what_to_install(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_TORCH, command, "--help"], capture_output=True, text=True, check=False
    )
    assert done.stderr == "expected the training extra, got none: pip install '.[training]'\n"
    assert done.returncode == 1
