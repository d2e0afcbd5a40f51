"""The installer, run for real into a scratch root. What belongs to the machine itself is left out and said."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from table.appliance.appliance import run_appliance
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up
from table.game.journal.recovery.journal_files import verify_journal
from table.panel.lights_diagram import FILE
from table.rules.events import TilePassed
from tests.fakes.processes import killed_at_last
from tests.fakes.waiting import wait_for
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import tell, win
from tests.table.game.journal.journals import DAY, ENVELOPE

ROOT = FILE.parents[2]
INSTALL = ROOT / "firmware-config" / "install.sh"
PACKAGES = Path(np.__file__).parents[1]
"""Where the dependencies of this environment are: the scratch installation borrows them."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True)
    (found,) = folder.glob("*.whl")
    return found


def pi(root: Path, codename: str = "trixie") -> Path:
    """The part of a Pi's file system that the installer looks at."""
    for name, text in {
        "etc/os-release": f"VERSION_CODENAME={codename}\n",
        "boot/firmware/config.txt": "dtparam=audio=on\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def install(
    root: Path, *options: str, packages: Sequence[Path] = (PACKAGES,), **variables: str
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, packages))
    environment = {**os.environ, "PIP_NO_DEPS": "1", "PYTHONPATH": path, "TACHIAI_PYTHON": sys.executable, **variables}
    command = [str(INSTALL), "--root", str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)


def tree(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and "versions" not in path.parts}


def versions(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "opt/tachiai/versions").iterdir())


def now(root: Path) -> str:
    return (root / "opt/tachiai/current").resolve().name


def install_version(root: Path, python: Path) -> str:
    """Installs another version, and returns its name."""
    assert install(root, TACHIAI_PYTHON=str(python)).returncode == 0
    return now(root)


@pytest.fixture(scope="module")
def installed_root(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """A Pi on which one version was installed: to be looked at, and copied."""
    root = pi(tmp_path_factory.mktemp("installed"))
    done = install(root, "--source", str(wheel))
    assert done.returncode == 0, done.stderr
    assert "left out below" in done.stdout
    return root


@pytest.fixture
def root(installed_root: Path, tmp_path: Path) -> Path:
    """A Pi of one's own with one version on it."""
    return Path(shutil.copytree(installed_root, tmp_path / "root", symlinks=True))


def test_it_installs_updates_rolls_back_and_goes_and_keeps_what_is_yours(root: Path, wheel: Path) -> None:
    mine = root / "etc/tachiai/tachiai.toml"
    mine.write_text('[table]\nname = "mine"\n')
    (root / "var/lib/tachiai").mkdir(parents=True)
    (root / "var/lib/tachiai/table.journal").write_text("games")
    before = tree(root)
    copy = root / "var/lib/tachiai/backups/table-00000007-2026-11-22.format-1.backup"

    first = now(root)
    earlier = ["20200101-000000", "20200102-000000"]
    for name in earlier:
        (root / "opt/tachiai/versions" / name).mkdir()
    boot = root / "boot/firmware/config.txt"
    assert boot.read_text() == "include tachiai.txt\ndtparam=audio=on\n"
    boot.write_text("dtparam=audio=on\n\n[all]\ninclude tachiai.txt\ndtparam=watchdog=off\n")  # as it once was
    again = install(root, "--source", str(wheel), "--fetched")
    assert again.returncode == 0, again.stderr
    report = root / "opt/tachiai/update.txt"
    assert report.read_text().startswith("done switch 20"), "the phone is told"
    report.unlink()
    assert boot.read_text() == "include tachiai.txt\ndtparam=audio=on\n\n[all]\ndtparam=watchdog=off\n"
    assert again.stdout.endswith("reboot once, so that changed boot settings and services take effect: sudo reboot\n")
    assert (root / "usr/local/bin/tachiai").readlink() == Path("/opt/tachiai/current/bin/tachiai")
    assert tree(root) == before
    assert mine.read_text() == '[table]\nname = "mine"\n'
    newest = now(root)
    assert versions(root) == [earlier[1], first, newest]

    copy.parent.mkdir()
    copy.write_text("older games")
    back = install(root, "--rollback")
    assert back.returncode == 0
    assert now(root) == first != newest
    assert str(copy) in back.stdout
    assert install(root, "--uninstall").returncode == 0
    assert copy.read_text() == "older games"
    copy.unlink()
    assert tree(root) == {
        "boot/firmware/config.txt",
        "etc/os-release",
        "etc/tachiai/tachiai.toml",
        "var/lib/tachiai/table.journal",
    }
    assert "include" not in (root / "boot/firmware/config.txt").read_text()


def test_the_command_that_a_rollback_prints_restores_the_table_s_own_journal(root: Path, tmp_path: Path) -> None:
    """Typed as it stands, it once made a journal in the current folder, and said that all was well."""
    (root / "opt/tachiai/versions/20200101-000000").mkdir()
    folder = root / "var/lib/tachiai"
    folder.mkdir(parents=True)
    with Journal(folder / "table.journal") as journal:
        journal.append(ENVELOPE, TilePassed())
    back_up(folder / "table.journal", folder / "backups", day=DAY, keep=None)
    (copy,) = (folder / "backups").iterdir()
    copy.rename(copy.with_name("table-00000001-2026-11-22.format-1.backup"))
    (folder / "table.journal").write_bytes(b"of a newer version")
    printed = install(root, "--rollback").stdout
    (command,) = re.findall(r"^ +(sudo systemctl stop tachiai; .*)$", printed, re.MULTILINE)
    sudo = tmp_path / "bin/sudo"
    sudo.parent.mkdir()
    tachiai = f'shift 3; exec {sys.executable} -m table "$@"'
    sudo.write_text(f'#!/bin/sh\necho "$1 $2" >> {tmp_path}/done\n[ "$1" != -u ] || {{ {tachiai}; }}\n')
    sudo.chmod(0o755)
    environment = {**os.environ, "PATH": f"{sudo.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
    )
    assert done.stdout.startswith("restored 1 entry; replaced: "), done.stderr
    assert verify_journal(folder / "table.journal") == 1
    assert (tmp_path / "done").read_text() == "systemctl stop\n-u tachiai\nsystemctl start\n"


def test_what_is_checked_is_what_was_installed_and_a_model_is_run(root: Path, wheel: Path, tmp_path: Path) -> None:
    """Started in the checkout, as people do; the installed onnxruntime dies as it does on a machine it is not for."""
    before, scratch = now(root), tmp_path / "scratch"
    scratch.mkdir()
    crashing = tmp_path / "crashing" / "onnxruntime"
    crashing.mkdir(parents=True)
    (crashing / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n")
    done = install(root, "--source", str(wheel), "--fetched", packages=[crashing.parent, PACKAGES], TMPDIR=str(scratch))
    assert done.returncode == 1
    assert re.fullmatch(
        r"failed check \d{4}-\d\d-\d\d \d\d:\d\d\nthe new version does not pass its own check; .*\n",
        (root / "opt/tachiai/update.txt").read_text(),
    )
    assert f"does not pass its own check; {before} is still in use" in done.stderr
    assert versions(root) == [before]
    assert not list(scratch.iterdir())


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return cloned(tmp_path)


def cloned(folder: Path) -> Path:
    """A clone, and what it came from, which has a newer installer since: one that says how it was called."""
    origin, clone = folder / "origin", folder / "clone"
    origin.mkdir()
    shutil.copytree(ROOT / "firmware-config", origin / "firmware-config")
    git(origin, "init", "--quiet")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "Old")
    git(folder, "clone", "--quiet", f"file://{origin}", str(clone))
    (origin / "firmware-config/install.sh").write_text('#!/bin/sh\necho "newer: $@"\n')
    git(origin, "commit", "--quiet", "--all", "--message", "New")
    return clone


def update(checkout: Path, root: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [str(checkout / "firmware-config/install.sh"), "--update", "--root", str(root), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env=environment)


def test_an_update_fetches_what_is_new_and_goes_on_with_the_newest_installer(checkout: Path, tmp_path: Path) -> None:
    root = pi(tmp_path / "root")
    done = update(checkout, root)
    assert done.stdout == f"newer: --fetched --root {root}\n", done.stderr
    assert (root / "opt/tachiai/update.txt").read_text().startswith("running fetch 20")


def test_an_update_is_refused_while_a_game_is_played_unless_it_is_forced(checkout: Path, tmp_path: Path) -> None:
    """As on the phone; what the phone says of the update before stays."""
    root = pi(tmp_path / "root")
    python, report = root / "opt/tachiai/current/bin/python", root / "opt/tachiai/update.txt"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    report.write_text("done switch 2026-11-23 02:40\n")
    with run_appliance(make_config(tmp_path / "data")) as appliance:
        config = root / "etc/tachiai/tachiai.toml"
        config.parent.mkdir()
        config.write_text(f'[table]\ndata = "{tmp_path / "data"}"\n[page]\nport = {appliance.port}\n')
        tell(appliance.table, win(1, 0, 3))
        refused = update(checkout, root)
        assert refused.returncode == 1
        assert "expected no game being played, got one: end it first, or give --force" in refused.stderr
        assert report.read_text() == "done switch 2026-11-23 02:40\n"
        assert update(checkout, root, "--force").stdout == f"newer: --fetched --root {root}\n"
    git(checkout, "reset", "--quiet", "--hard", "HEAD~1")
    assert update(checkout, root).stdout == f"newer: --fetched --root {root}\n", "no table runs"


def test_an_update_that_cannot_be_fetched_changes_nothing_and_says_so(checkout: Path, tmp_path: Path) -> None:
    root = pi(tmp_path / "root")
    (tmp_path / "origin").rename(tmp_path / "gone")
    done = update(checkout, root)
    assert done.returncode == 1
    assert "the newest version cannot be fetched" in done.stderr
    report = (root / "opt/tachiai/update.txt").read_text()
    assert report.startswith("failed fetch 20")
    assert not (root / "opt/tachiai/versions").exists()


CUT_OFF_GIT = """#!/bin/bash
# git; but its merge ends with a power cut that leaves the files and the index half-written.
for word; do
    case $word in
        merge | pull)
            cd {clone}
            touch .git/index.lock
            : > .git/index
            : > firmware-config/README.md
            echo half > firmware-config/added.txt
            exec kill -KILL $PPID
            ;;
    esac
done
exec {git} "$@"
"""


def test_an_update_whose_fetching_a_power_cut_ended_is_completed_by_the_next_one(
    checkout: Path, tmp_path: Path
) -> None:
    root, origin, found = pi(tmp_path / "root"), tmp_path / "origin", shutil.which("git")
    for name in ("added.txt", "README.md"):
        (origin / "firmware-config" / name).write_text("newer\n")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "Newest")
    stub = tmp_path / "bin/git"
    stub.parent.mkdir()
    stub.write_text(CUT_OFF_GIT.format(clone=checkout, git=found))
    stub.chmod(0o755)
    assert update(checkout, root, PATH=f"{stub.parent}:{os.environ['PATH']}").returncode == -signal.SIGKILL
    done = update(checkout, root)
    assert done.stdout == f"newer: --fetched --root {root}\n", done.stderr
    for name in ("added.txt", "README.md"):
        assert (checkout / "firmware-config" / name).read_text() == "newer\n"
    for command in (["status", "--porcelain"], ["for-each-ref", "refs/tachiai"]):
        told = subprocess.run(["git", "-C", str(checkout), *command], check=True, capture_output=True)
        assert told.stdout == b""


def test_an_update_leaves_what_its_owner_changed_in_the_checkout(checkout: Path, tmp_path: Path) -> None:
    mine = checkout / "firmware-config/README.md"
    mine.write_text("mine\n")
    done = update(checkout, pi(tmp_path / "root"))
    assert done.returncode == 0, done.stderr
    assert mine.read_text() == "mine\n"


def test_an_update_of_an_unknown_system_tells_the_phone_why_it_failed(tmp_path: Path) -> None:
    root = pi(tmp_path / "root", codename="sid")
    done = install(root, "--fetched")
    assert done.returncode == 1
    problem = f"expected Debian bookworm or trixie, got sid in {root}/etc/os-release"
    assert done.stderr == f"install.sh: {problem}\n"
    assert (root / "opt/tachiai/update.txt").read_text().endswith(f"\n{problem}\n")


def test_the_installer_remembers_the_checkout_that_it_came_from(tmp_path: Path) -> None:
    done = install(pi(tmp_path), "--dry-run")
    assert f"would: ln -sfn {ROOT} {tmp_path}/opt/tachiai/checkout" in done.stdout


def test_an_update_that_is_stopped_is_not_called_done(tmp_path: Path) -> None:
    """As by a shutdown, in which systemd stops the update's service."""
    root, started_file, python = pi(tmp_path / "root"), tmp_path / "begun", tmp_path / "python"
    python.write_text(f"#!/bin/sh\ntouch {started_file}\nexec sleep 60\n")
    python.chmod(0o755)
    command = [str(INSTALL), "--root", str(root), "--fetched"]
    environment = {**os.environ, "TACHIAI_PYTHON": str(python)}
    update = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    with killed_at_last(update) as process:
        wait_for(started_file.exists)
        os.killpg(process.pid, signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    report = (root / "opt/tachiai/update.txt").read_text()
    assert report.startswith("failed environment 20")
    assert report.endswith("\nit was stopped before it was done\n")
    assert not any((root / "opt/tachiai/versions").iterdir())


@pytest.fixture
def quick_python(tmp_path: Path) -> Path:
    """A Python that makes environments at once; in the one for which the file `begun` is named, all hang."""
    python = tmp_path / "quick_python"
    tool = '#!/bin/sh\n[ -z "$BEGUN" ] || { touch "$BEGUN"; exec sleep 60; }\n'
    python.write_text(
        '#!/bin/bash\n[ "$1 $2" = "-m venv" ] || exit 1\nnew=${!#}\nmkdir -p "$new/bin"\n'
        f"for tool in python tachiai; do cat > $new/bin/$tool << 'TOOL'\n{tool}TOOL\nchmod +x $new/bin/$tool; done\n"
    )
    python.chmod(0o755)
    return python


def stubbed(folder: Path, name: str, script: str) -> str:
    """A search path on which a program is replaced by a script."""
    program = folder / "stubs" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/bash\n{script}")
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"


def test_a_power_cut_leaves_every_file_of_the_system_whole(tmp_path: Path, quick_python: Path) -> None:
    root = pi(tmp_path / "root")
    install_version(root, quick_python)
    unit, boot = root / "etc/systemd/system/tachiai.service", root / "boot/firmware/config.txt"
    unit.write_text("of the version before\n")
    halving = 'head -c 10 "${@: -2:1}" > "${!#}"\nexec kill -KILL $PPID\n'
    assert install(root, PATH=stubbed(tmp_path, "install", halving)).returncode == -signal.SIGKILL
    assert unit.read_text() == "of the version before\n"
    boot.write_text("[all]\ninclude tachiai.txt\n")
    cutting = 'file=${!#}\n[ "$1" != -i ] || : > "$file"\nexec kill -KILL $PPID\n'
    assert install(root, PATH=stubbed(tmp_path / "stubs", "sed", cutting)).returncode == -signal.SIGKILL
    assert boot.read_text() == "[all]\ninclude tachiai.txt\n"
    install_version(root, quick_python)
    assert unit.read_bytes() == (ROOT / "firmware-config/etc/systemd/system/tachiai.service").read_bytes()
    assert boot.read_text() == "include tachiai.txt\n[all]\n"
    assert not list(root.rglob("*.new"))


def test_a_new_version_is_on_the_disk_before_it_is_used(tmp_path: Path, quick_python: Path) -> None:
    root = pi(tmp_path / "root")
    install_version(root, quick_python)
    first, seen = now(root), tmp_path / "seen"
    noting = f"[ $# -gt 0 ] || {{ readlink {root}/opt/tachiai/current; ls {root}/opt/tachiai/versions/*; }} > {seen}\n"
    path = stubbed(tmp_path, "sync", noting)
    assert install(root, TACHIAI_PYTHON=str(quick_python), PATH=path).returncode == 0
    assert seen.read_text().startswith(f"versions/{first}\n")
    assert f"versions/{now(root)}:\nbin\n" in f"{seen.read_text()}\n"


@contextmanager
def begun_update(root: Path, python: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An update that has come to making its environment, and hangs there."""
    begun = root / "begun"
    environment = {**os.environ, "TACHIAI_PYTHON": str(python), "BEGUN": str(begun)}
    command = [str(INSTALL), "--root", str(root), "--fetched"]
    update = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    with killed_at_last(update) as process:
        wait_for(begun.exists)
        yield process
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_version_that_a_power_cut_left_half_made_is_removed_and_never_gone_back_to(
    tmp_path: Path, quick_python: Path
) -> None:
    root = pi(tmp_path / "root")
    first = install_version(root, quick_python)
    with begun_update(root, quick_python):
        pass
    assert len(versions(root)) == 2
    install_version(root, quick_python)
    assert versions(root) == [first, now(root)]
    assert install(root, "--rollback").returncode == 0
    assert now(root) == first


def test_a_version_made_while_the_clock_was_behind_comes_after_the_one_before(
    tmp_path: Path, quick_python: Path
) -> None:
    root = pi(tmp_path / "root")
    first = install_version(root, quick_python)
    path = stubbed(tmp_path, "date", "echo 20010101-000000\n")
    assert install(root, TACHIAI_PYTHON=str(quick_python), PATH=path).returncode == 0
    assert now(root) != first
    assert install(root, "--rollback").returncode == 0
    assert now(root) == first


def test_a_rollback_never_ends_at_a_version_that_was_left(tmp_path: Path, quick_python: Path) -> None:
    root = pi(tmp_path / "root")
    good = install_version(root, quick_python)
    for _ in range(4):
        install_version(root, quick_python)
        assert now(root) != good
        assert install(root, "--rollback").returncode == 0
        assert now(root) == good
    install_version(root, quick_python)
    assert versions(root) == [good, now(root)], "what was left takes no place"


def test_a_version_that_is_used_again_after_it_was_left_stays(tmp_path: Path, quick_python: Path) -> None:
    root = pi(tmp_path / "root")
    for _ in range(2):
        install_version(root, quick_python)
    first, second = versions(root)
    assert install(root, "--rollback").returncode == 0
    link = root / "opt/tachiai/current"
    link.unlink()
    link.symlink_to(f"versions/{second}")
    install_version(root, quick_python)
    assert versions(root) == [first, second, now(root)]


def test_two_installers_do_not_work_at_the_same_time(tmp_path: Path, quick_python: Path) -> None:
    root = pi(tmp_path / "root")
    with begun_update(root, quick_python):
        report = (root / "opt/tachiai/update.txt").read_text()
        second = install(root, "--fetched", TACHIAI_PYTHON=str(quick_python))
        assert second.returncode == 1
        assert "expected no other installation at the same time, got one" in second.stderr
        assert (root / "opt/tachiai/update.txt").read_text() == report
    install_version(root, quick_python)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_an_update_through_the_link_goes_on_in_the_checkout_itself_as_whom_it_belongs_to(open_folder: Path) -> None:
    """As systemd calls it, which names no home: git looks into nobody else's checkout."""
    if os.geteuid():
        pytest.skip("NO CHECKOUT OF SOMEBODY ELSE WAS UPDATED: run as root")
    link = open_folder / "link"
    link.symlink_to(cloned(open_folder))
    subprocess.run(["chown", "--recursive", "nobody", str(open_folder)], check=True)
    root = pi(open_folder / "root")
    command = [str(link / "firmware-config/install.sh"), "--update", "--root", str(root)]
    path = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env=path)
    assert done.stdout == f"newer: --fetched --root {root}\n", done.stderr


def test_the_installer_remembers_the_checkout_and_not_the_link_that_it_was_called_through(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(ROOT)
    root = pi(tmp_path / "root")
    command = [str(link / "firmware-config/install.sh"), "--dry-run", "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"would: ln -sfn {ROOT} {root}/opt/tachiai/checkout" in done.stdout


def test_a_checkout_beside_hides_no_fault_of_what_was_installed(root: Path, wheel: Path, tmp_path: Path) -> None:
    """The wheel lacks a model that the checkout has."""
    poor = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(poor, "w") as lacking:
        for name in whole.namelist():
            if not name.endswith("_models/tiles.onnx"):
                lacking.writestr(name, whole.read(name))
    before = now(root)
    done = install(root, "--source", str(poor))
    assert done.returncode == 1
    assert "does not pass its own check" in done.stderr
    assert versions(root) == [before]


def test_another_program_that_installs_meanwhile_is_waited_for(tmp_path: Path) -> None:
    """Debian's own daily updates hold the lock for minutes after a first start."""
    done = on_a_pi(tmp_path, "trixie")
    calls = [line for line in done.stdout.splitlines() if "apt-get" in line]
    assert len(calls) == 3
    assert all("apt-get -o DPkg::Lock::Timeout=600" in line for line in calls)


def test_packages_that_a_power_cut_left_half_installed_are_completed_first(tmp_path: Path) -> None:
    """Otherwise apt-get refuses everything: "dpkg was interrupted, you must manually run 'dpkg --configure -a'"."""
    lines = on_a_pi(tmp_path, "trixie").stdout.splitlines()
    completing, mending, *others = [line for line in lines if "dpkg " in line or "apt-get" in line]
    assert completing.endswith("dpkg --force-confdef --force-confold --configure -a")
    assert mending.endswith("install -y -qq --fix-broken")
    assert len(others) == 2


def test_a_version_that_cannot_be_installed_changes_nothing(root: Path, tmp_path: Path, wheel: Path) -> None:
    before = now(root)
    broken = tmp_path / wheel.name
    broken.write_bytes(wheel.read_bytes()[:1000])
    done = install(root, "--source", str(broken))
    assert done.returncode == 1
    assert f"cannot be installed; {before} is still in use" in done.stderr
    assert versions(root) == [before]


def test_a_version_that_fails_its_own_check_changes_nothing(tmp_path: Path, wheel: Path) -> None:
    root = pi(tmp_path)
    environment = {**os.environ, "PIP_NO_DEPS": "1", "TACHIAI_PYTHON": sys.executable, "PYTHONPATH": ""}
    command = [str(INSTALL), "--root", str(root), "--source", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert "does not pass its own check; nothing is still in use" in done.stderr
    assert versions(root) == []


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_a_dry_run_says_everything_and_does_nothing(tmp_path: Path, codename: str) -> None:
    root = pi(tmp_path, codename)
    before = tree(root)
    done = install(root, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert tree(root) == before
    assert "would: ln -sfn versions/" in done.stdout
    assert "--system-site-packages" in done.stdout
    assert ("--ignore-installed simplejpeg" in done.stdout) is (codename == "bookworm")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--frobnicate",), 2, "expected an option, got --frobnicate"),
        (("--rollback",), 1, "expected a version before none, got none"),
    ],
)
def test_what_cannot_be_done_is_told(tmp_path: Path, options: tuple[str, ...], code: int, message: str) -> None:
    done = install(pi(tmp_path), *options)
    assert done.returncode == code
    assert message in done.stderr


def test_another_system_is_refused(tmp_path: Path) -> None:
    done = install(pi(tmp_path, "bullseye"))
    assert done.returncode == 1
    assert "expected Debian bookworm or trixie, got bullseye" in done.stderr


def test_a_version_that_is_in_use_is_not_called_failed_because_of_the_access_point(tmp_path: Path) -> None:
    printing = subprocess.run(
        ["sed", "-n", "/^print_access_point/,/^}/p", str(INSTALL)], check=True, capture_output=True, text=True
    ).stdout
    script = f'image=""; current={tmp_path}; on_machine() {{ false; }}; say() {{ echo "$*"; }}\n{printing}\n'
    done = subprocess.run(
        ["bash", "-euc", f"{script}print_access_point; echo goes on"], check=False, capture_output=True, text=True
    )
    assert done.stdout == "the access point cannot be opened until this is mended\ngoes on\n"


def test_root_changes_no_owner_by_a_name_that_the_table_could_have_replaced_by_a_link() -> None:
    for script in (ROOT / "firmware-config").glob("*.sh"):
        assert not re.search(r"\bch(own|mod|grp)\b.*/var/lib", script.read_text("utf-8")), script.name


def test_a_card_s_own_access_point_is_made_on_that_card_and_belongs_to_the_table(tmp_path: Path) -> None:
    """One that root made in the image ended every later update, and was on every card the same."""
    printing = "table.appliance.access_point_watch --print"
    on_a_card = install(pi(tmp_path), "--dry-run")
    in_an_image = install(pi(tmp_path), "--dry-run", "--image")
    assert (on_a_card.returncode, in_an_image.returncode) == (0, 0)
    assert printing in on_a_card.stdout
    assert printing not in in_an_image.stdout
    assert "left to the first start: systemctl daemon-reload" in in_an_image.stdout


def on_a_pi(folder: Path, codename: str) -> subprocess.CompletedProcess[str]:
    """What would be done on a machine that calls itself a Pi's."""
    uname = folder / "bin" / "uname"
    uname.parent.mkdir()
    uname.write_text("#!/bin/sh\necho aarch64\n")
    uname.chmod(0o755)
    environment = {**os.environ, "PATH": f"{uname.parent}:{os.environ['PATH']}"}
    command = [str(INSTALL), "--root", str(pi(folder / "root", codename)), "--dry-run"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_on_a_pi_nothing_is_installed_but_what_is_locked(tmp_path: Path, codename: str) -> None:
    done = on_a_pi(tmp_path, codename)
    assert done.returncode == 0, done.stderr
    installs = [line for line in done.stdout.splitlines() if " pip install " in line]
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert installs[0].endswith(f"/requirements-{codename}.txt")
    assert "--no-deps --no-build-isolation" in installs[1]


def test_the_configuration_is_for_the_table_s_user_alone(root: Path) -> None:
    assert (root / "etc/tachiai/tachiai.toml").stat().st_mode & 0o777 == 0o600
