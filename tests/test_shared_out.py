"""How processes share the tests: a module stays in one of them, so that its fixtures are made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.__main__ import SHARED_OUT

MODULE = """
import os
import pytest

@pytest.mark.parametrize("number", range(12))
def test_says_its_process(number):
    with open("processes.txt", "a") as file:
        file.write(f"{__name__} {os.getpid()}\\n")
"""


def test_the_tests_of_a_module_run_in_one_process(tmp_path: Path) -> None:
    for name in ("test_one", "test_other"):
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    run = [sys.executable, "-m", "pytest", "-q", *SHARED_OUT]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    processes = (tmp_path / "processes.txt").read_text(encoding="utf-8").splitlines()
    assert len(processes) == 24
    assert len(set(processes)) == 2
