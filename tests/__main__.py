"""``python3 -m tests [--long]``: every check of the project, on a machine with nothing but Python and git.

Sets up the environment, installs Chromium from the distribution where it is missing, then runs linters, types, import
contracts, the tests, and the demo from an installed wheel. ``--long`` adds what takes long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from table.cli.bootstrap import ROOT, SetupError, ensure, install_debian

OPENCV_4 = "opencv-python-headless==4.14.0.94"


def main(arguments: list[str]) -> int:
    """Runs all checks; returns 0 only when every one passed."""
    parser = argparse.ArgumentParser(prog="python3 -m tests", description="Runs every check of the project.")
    parser.add_argument("--long", action="store_true", help="also what takes long")
    long: bool = parser.parse_args(arguments).long
    try:
        python = str(ensure("dev"))
    except SetupError as error:
        print(f"tests: {error}", file=sys.stderr)
        return 1
    if not shutil.which("chromium") and not install_debian("chromium"):
        print("tests: NO CHROMIUM: it is missing and cannot be installed, the browser tests will skip", file=sys.stderr)
    bin_dir = Path(python).parent
    checks = [
        [str(bin_dir / "ruff"), "check", "."],
        [str(bin_dir / "ruff"), "format", "--check", "."],
        [str(bin_dir / "mypy")],
        [str(bin_dir / "lint-imports")],
    ]
    checks.append([python, "-m", "pytest", "-q", *(["--long"] if long else [])])
    results = [_all_pass(checks), demo_from_wheel(python)]
    if long:
        results.append(vision_under_older_opencv(python))
    return 0 if all(results) else 1


def demo_from_wheel(python: str) -> bool:
    """Builds the wheel, installs it alone into a fresh environment, and plays the demo there, far from the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        away = Path(folder)
        venv.create(away / "env", with_pip=True)
        fresh = str(away / "env" / "bin" / "python")
        build = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        if not _passes(build):
            return False
        (wheel,) = away.glob("tachiai-*.whl")
        demo = [str(away / "env" / "bin" / "tachiai"), "demo", "--headless", "--speed", "max"]
        return _passes([fresh, "-m", "pip", "install", "--quiet", str(wheel)]) and _passes(demo, away)


def vision_under_older_opencv(python: str) -> bool:
    """Runs the vision tests under OpenCV 4, whose answers have other shapes than those of 5."""
    with tempfile.TemporaryDirectory() as folder:
        older = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, OPENCV_4]
        return _passes(older) and _passes([python, "-m", "pytest", "-q", "tests/vision"], path=folder)


def _all_pass(commands: list[list[str]]) -> bool:
    """Runs every command, also after one failed."""
    results = [_passes(command) for command in commands]
    return all(results)


def _passes(command: list[str], folder: Path = ROOT, path: str | None = None) -> bool:
    """Runs a command in a folder, with `path` before the installed packages."""
    print("==>", *command, flush=True)
    environment = dict(os.environ) if path is None else {**os.environ, "PYTHONPATH": path}
    passed = subprocess.run(command, cwd=folder, env=environment, check=False).returncode == 0
    if not passed:
        print("==> FAILED:", *command, flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
