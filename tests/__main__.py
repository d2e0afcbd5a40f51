"""``python3 -m tests [--quick | --long]``: every check of the project, on a machine with nothing but Python and git.

Sets up the environment and, meanwhile, installs npm, Chromium, mmdebstrap, Mosquitto and a font for eastern letters
from the distribution where they are missing, checks the dashboard's JavaScript, and plays the demo from an installed
wheel. Then it runs linters, types and import contracts, while it compiles the tests, then the tests.
``--quick`` is for while you work: it leaves out the browser, endurance, what reads many pictures, and the wheel.
``--long`` adds what takes long.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from table.cli.bootstrap import ROOT, SetupError, create_environment, ensure_environment, install_packages, may_install
from tests.places import BROWSERS, mosquitto

OPENCV_4 = "opencv-python-headless==4.14.0.94"
SHARED_OUT = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile", "--no-loadscope-reorder")
"""A process more than there are cores, since many tests wait; `conftest.py` says what comes first."""
UNLESS_IT_HANGS = (
    *("--max-worker-restart", "0"),
    *("-o", "faulthandler_timeout=900", "-o", "faulthandler_exit_on_timeout=true"),
)
"""A test that takes a quarter of an hour hangs: where its threads stand is printed, and the run fails."""
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
ROOM = 6 * 1024**3
"""Tests leave up to a gigabyte of files, and the browsers need some memory of that kind, too."""
EASTERN_LETTERS = "fonts-noto-cjk"
FOR_TESTS = {
    BROWSERS[0]: "the browser tests will skip",
    EASTERN_LETTERS: "pages in Chinese, Japanese and Korean are measured with empty boxes for letters",
    "mmdebstrap": "the tests over the real picamera2 will skip",
    "mosquitto": "the tests over a real broker will skip",
}
"""Packages that tests need, and what comes of it if one is missing; any browser of `BROWSERS` will do, and any font."""
JS = ROOT / "tests" / "js"
LIBRARY = """
from importlib.resources import files
import tachiai
assert tachiai.score("234567m234p55s678s", win="2p", riichi=True).points == 3900
assert all((files(package) / "py.typed").is_file() for package in ("vision", "table", "tachiai"))
"""
"""Tries the library by the name that only an installed wheel gives it, and looks whether all is marked as typed."""


def main(arguments: list[str]) -> int:
    """Runs all checks; returns 0 only when every one passed."""
    parser = argparse.ArgumentParser(prog="python3 -m tests", description="Runs every check of the project.")
    how_much = parser.add_mutually_exclusive_group()
    how_much.add_argument(
        "--quick", action="store_true", help="without browser, endurance, many pictures and the wheel"
    )
    how_much.add_argument("--long", action="store_true", help="also what takes long")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("PIP_COMPILE", "0")  # most of what is installed is never run
    try:
        results = checks_beside_installing(is_quick=chosen.quick)
    except SetupError as error:
        print(f"tests: {error}", file=sys.stderr)
        return 1
    for package, loss in FOR_TESTS.items():
        if not chosen.quick and is_missing(package):
            print(f"tests: NO {package.upper()}: it is missing and cannot be installed, {loss}", file=sys.stderr)
    switches = [f"--{name}" for name in ("quick", "long") if getattr(chosen, name)]
    for threads in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
        os.environ.setdefault(threads, "1")  # more of them wait for each other, on taken cores
    python = str(create_environment())
    limit = () if chosen.long else UNLESS_IT_HANGS
    with files_in_memory():
        results.append(_passes([python, "-m", "pytest", "-q", *SHARED_OUT, *limit, *switches]))
    if chosen.long:
        results.append(vision_under_older_opencv(python))
    return 0 if all(results) else 1


def checks_beside_installing(*, is_quick: bool) -> list[bool]:
    """Sets up the environment and runs all but the tests, each as soon as what it needs is installed; returns what
    passed.

    Raises:
        SetupError: the environment cannot be set up.
    """
    create_environment()  # alone, since it may install a package, too
    missing = [package for package in ("npm", *(() if is_quick else FOR_TESTS)) if is_missing(package)]
    agreed = missing if missing and may_install(*missing) else []
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the program is started hundreds of times: compiled once
    with ThreadPoolExecutor() as pool:
        checks: list[Future[bool]] = [pool.submit(javascript_beside_installing, agreed)]
        if not is_quick:
            checks.append(pool.submit(demo_from_wheel))
        python = str(ensure_environment("dev"))
        compiling = pool.submit(compile_tests, python)
        checks.append(pool.submit(_all_pass, static_checks(Path(python).parent)))
        compiling.result()
        return [check.result() for check in checks]


def javascript_beside_installing(packages: Sequence[str]) -> bool:
    """Installs packages of the distribution and checks the JavaScript once npm is there; returns whether it passed."""
    if "npm" in packages:
        install_packages("npm")
    with ThreadPoolExecutor() as pool:
        checking = pool.submit(javascript)
        if others := [package for package in packages if package != "npm"]:
            install_packages(*others)
        return checking.result()


def compile_tests(python: str) -> None:
    """Has the tests looked for once, which compiles them: else each of the processes that share them would do so, twice
    the work of looking alone. What is wrong with them is said when they are run."""
    looking = [python, "-m", "pytest", "--collect-only", "-qq"]
    subprocess.run(looking, cwd=ROOT, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def files_in_memory() -> Iterator[None]:
    """Has temporary files in memory meanwhile, if there is room: journals wait for the disk after each entry.

    The folder's name is short, since the addresses of sockets lie in it, and no address may have over 107 letters.
    """
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        yield
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o1777)  # as `/tmp`: some tests act as other users
        os.environ["TMPDIR"] = folder
        yield
    del os.environ["TMPDIR"]


def is_missing(package: str) -> bool:
    """Whether the program or font of a package is absent, and whatever will do in its place."""
    if package == EASTERN_LETTERS:
        return not (shutil.which("fc-list") and subprocess.check_output(["fc-list", ":lang=ja"]))
    if package == "mosquitto":
        return mosquitto() is None
    return not any(map(shutil.which, BROWSERS if package in BROWSERS else [package]))


def static_checks(bin_dir: Path) -> list[list[str]]:
    """The commands that look at the Python code and do not run it."""
    return [
        [str(bin_dir / "ruff"), "check", "."],
        [str(bin_dir / "ruff"), "format", "--check", "."],
        [str(bin_dir / "mypy")],
        [str(bin_dir / "lint-imports")],
    ]


def javascript() -> bool:
    """Checks the dashboard's JavaScript with the locked tools of `tests/js`; says loudly where they cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        print("tests: NO NPM: it is missing and cannot be installed, JavaScript is NOT CHECKED", file=sys.stderr)
        return True
    lock_hash = hashlib.sha256((JS / "package-lock.json").read_bytes()).hexdigest()
    stamp = JS / "node_modules" / ".tachiai"
    if not stamp.is_file() or stamp.read_text() != lock_hash:
        if not _passes([npm, "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], JS):
            print("tests: NO NPM PACKAGES: they cannot be installed, JavaScript is NOT CHECKED", file=sys.stderr)
            return True
        stamp.write_text(lock_hash)
    return _passes([npm, "run", "--silent", "check"], JS)


def demo_from_wheel() -> bool:
    """Builds the wheel, installs it alone into a fresh environment; there, far from the checkout, tries its library and
    plays the demo."""
    with tempfile.TemporaryDirectory() as folder:
        away = Path(folder)
        venv.create(away / "env", with_pip=True)
        new_python = str(away / "env" / "bin" / "python")
        build = [new_python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        if not _passes(build):
            return False
        (wheel,) = away.glob("tachiai-*.whl")
        demo = [str(away / "env" / "bin" / "tachiai"), "demo", "--headless", "--speed", "max"]
        library = [new_python, "-c", LIBRARY]
        commands = [[new_python, "-m", "pip", "install", "--quiet", str(wheel)], library, demo]
        return all(_passes(command, away) for command in commands)


def vision_under_older_opencv(python: str) -> bool:
    """Runs the vision tests under OpenCV 4, whose answers have other shapes than those of 5."""
    with tempfile.TemporaryDirectory() as folder:
        older = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, OPENCV_4]
        return _passes(older) and _passes([python, "-m", "pytest", "-q", *SHARED_OUT, "tests/vision"], path=folder)


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
