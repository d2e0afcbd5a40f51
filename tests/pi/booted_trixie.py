"""A Debian trixie that is booted: real systemd, logind and polkit, in namespaces of its own. Made once, kept.

``python3 -m tests.pi.booted_trixie`` makes it and says where it lies. It takes root's rights and mmdebstrap. It is
started as a container is: the kernel is this machine's, and clock, modules and devices of this machine are out of its
reach. What is written in it is forgotten when it ends, but not when it restarts. It has no network.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self, TypeVar

from tests.pi.trixie_root import FOLDERS, PYTHON, SUITE, RootUnavailableError, contents_of, project, run_program

PACKAGES: Final = (
    *("systemd-sysv", "dbus", "polkitd", "passwd", "login", "procps"),
    *("python3-venv", "python3-pip", "git", "ca-certificates"),
    *("avahi-daemon", "network-manager", "dnsmasq-base", "iw"),
)
"""What starts it, and what the installer asks for: there is no network in it to fetch that from."""
NO_CAMERA: Final = "class Picamera2:\n    @staticmethod\n    def global_camera_info():\n        return []\n"
OF_RASPBERRY_PI: Final = {"picamera2": NO_CAMERA, "lgpio": "", "spidev": ""}
"""Modules whose packages are in Raspberry Pi's archive alone: here they find nothing, as where no cable is plugged."""
FILES: Final = {
    "etc/fstab": "",
    "etc/hostname": "tachiai\n",
    "etc/hosts": "127.0.0.1 localhost tachiai\n",
    "etc/pip.conf": "[global]\nno-index = true\nfind-links = /srv/wheels\nno-compile = true\n",
    "etc/apt/sources.list": "",
    "boot/firmware/config.txt": "dtparam=audio=on\n",
    "root/.gitconfig": "[user]\nname = tests\nemail = tests@example.org\n[safe]\ndirectory = *\n",
}
FORBIDDEN: Final = "-sys_time,-sys_module,-sys_rawio,-syslog,-mac_admin,-wake_alarm"
"""What would reach beyond it."""
START: Final = """
mount --make-rprivate /
mount -t overlay overlay -o lowerdir=$LOWER,upperdir=$WORK/upper,workdir=$WORK/overlay $WORK/root
cd $WORK/root
mount -t proc proc proc
echo $BOOT_ID > $WORK/boot_id
mount --bind $WORK/boot_id proc/sys/kernel/random/boot_id
mount --rbind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for each in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0 console:1:3; do
    mknod -m 666 dev/${each%%:*} c $(echo ${each#*:} | tr : ' ')
done
[ ! -e proc/sysrq-trigger ] || mount --bind dev/null proc/sysrq-trigger
mkdir -p .before
pivot_root . .before
exec chroot . sh -c 'umount -l /.before && exec "$@"' sh \
    setpriv --bounding-set=$FORBIDDEN env -i container=tests PATH=/usr/sbin:/usr/bin /sbin/init
"""
CLONE_NEWNET: Final = 0x40000000
T = TypeVar("T")


class Computer:
    """It while it runs: a context manager."""

    def __init__(self, root: Path) -> None:
        """Takes the folder that it is made of."""
        self._lower = root
        self._work = Path(tempfile.mkdtemp(prefix="booted-", dir=FOLDERS))
        self._cgroup = _cgroups() / self._work.name
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("upper", "overlay", "root"):
            (self._work / name).mkdir()

    def __enter__(self) -> Self:
        """Switches it on."""
        self._cgroup.mkdir()
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self) -> None:
        """Switches it on, as after a restart."""
        spaces = ("--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--cgroup", "--kill-child")
        variables = {"LOWER": self._lower, "WORK": self._work, "BOOT_ID": uuid.uuid4(), "FORBIDDEN": FORBIDDEN}
        # It enters its own part of the control groups before it gets a view of them.
        begin = f'echo $$ > {self._cgroup}/cgroup.procs && exec unshare "$@"'
        with (self._work / "start.txt").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", begin, "sh", *spaces, "sh", "-euc", START],
                env={
                    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                    **{name: str(value) for name, value in variables.items()},
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 120.0
        while self.run("systemctl is-system-running")[1].strip() not in ("running", "degraded"):
            assert self._process.poll() is None, (self._work / "start.txt").read_text()
            assert time.monotonic() < until, self.run("journalctl --no-pager --lines=50")[1]
            time.sleep(0.2)

    @property
    def _init(self) -> int:
        """Its first process, as this machine counts; 0 where there is none."""
        assert self._process is not None
        try:
            children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
            return int(children.split()[0])
        except (OSError, IndexError):
            return 0

    def run(self, command: str, *, timeout_s: float = 60.0) -> tuple[int, str]:
        """Runs a command in it as root; returns its exit code and what it said."""
        init = self._init
        if not init:
            return -1, ""
        enter = ["nsenter", f"--target={init}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--"]
        enter += ["env", "-i", "PATH=/usr/sbin:/usr/bin", "HOME=/root", "sh", "-c", f"cd && {command}"]
        done = subprocess.run(
            enter,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def unpack(self, packed: bytes, folder: str) -> None:
        """Unpacks what `tar` packed in a folder of it."""
        target = f"/proc/{self._init}/root{folder}"
        os.makedirs(target)
        subprocess.run(["tar", "--extract", "-C", target, "--no-same-owner"], input=packed, check=True)

    def in_its_network(self, ask: Callable[[], T]) -> T:
        """Returns what a question finds that is asked by its own loopback network: what connects there stays there."""

        def enter() -> None:
            libc = ctypes.CDLL(None, use_errno=True)
            with Path(f"/proc/{self._init}/ns/net").open("rb") as space:
                if libc.setns(space.fileno(), CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")

        with ThreadPoolExecutor(1, initializer=enter) as thread:  # a network belongs to a thread
            return thread.submit(ask).result()

    def ended_by(self, timeout_s: float = 120.0) -> str:
        """Waits until it ends by itself; returns `restart` or `off`, as it asked the kernel for."""
        assert self._process is not None
        code = self._process.wait(timeout_s)
        return {-signal.SIGHUP: "restart", -signal.SIGINT: "off"}.get(code, f"{code}")

    def __exit__(self, *_: object) -> None:
        """Pulls its plug."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        for _attempt in range(100):
            try:
                for each in sorted(self._cgroup.rglob("*/"), reverse=True):
                    each.rmdir()
                self._cgroup.rmdir()
                break
            except OSError:  # its processes are still ending
                time.sleep(0.1)
        shutil.rmtree(self._work, ignore_errors=True)


def _cgroups() -> Path:
    """Where this machine has its control groups of version 2.

    Raises:
        RootUnavailableError: nowhere.
    """
    for line in Path("/proc/mounts").read_text().splitlines():
        _, at, kind = line.split()[:3]
        if kind == "cgroup2":
            return Path(at)
    raise RootUnavailableError("expected control groups of version 2, got none")


def computer_root() -> Path:
    """Returns the folder that it is made of, which is made first where it is not there yet.

    Raises:
        RootUnavailableError: it cannot be made or started here.
    """
    if os.geteuid() != 0:
        raise RootUnavailableError("expected root's rights to make and start a system")
    missing = [tool for tool in ("unshare", "nsenter", "setpriv", "pivot_root", "git") if shutil.which(tool) is None]
    if missing:
        raise RootUnavailableError(f"expected {', '.join(missing)}, got none: apt-get install util-linux git")
    _cgroups()
    path = FOLDERS / f"booted-{SUITE}-{contents_of(PACKAGES, OF_RASPBERRY_PI, _wheels(), FILES)}"
    FOLDERS.mkdir(parents=True, exist_ok=True)
    with (FOLDERS / "lock-booted").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_dir():
            _make(path)
    return path


def _wheels() -> tuple[str, ...]:
    extras = project()["optional-dependencies"]
    return *project()["dependencies"], *extras["pi"], *extras["mqtt"], "hatchling>=1.25"


def _make(path: Path) -> None:
    if shutil.which("mmdebstrap") is None:
        raise RootUnavailableError("expected mmdebstrap, got none: apt-get install mmdebstrap")
    root = path.with_suffix(".new")
    shutil.rmtree(root, ignore_errors=True)
    make = ("unshare", "--mount", "mmdebstrap", "--quiet", "--variant=minbase", "--mode=root")
    run_program(*make, f"--include={','.join(PACKAGES)}", SUITE, root)
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", root / "srv" / "wheels"]
    run_program(*pip, "--only-binary=:all:", "--python-version", PYTHON, *_wheels())
    for module, code in OF_RASPBERRY_PI.items():
        _put_package(root, f"python3-{module}", {f"usr/lib/python3/dist-packages/{module}.py": code})
    run_program("chroot", root, "systemctl", "mask", "NetworkManager-wait-online.service", "apt-daily.timer")
    root.rename(path)


def _put_package(root: Path, package: str, files: dict[str, str]) -> None:
    """Installs a package with these files."""
    folder = root / "srv" / package
    control = f"Package: {package}\nVersion: 1\nArchitecture: all\nMaintainer: tests\nDescription: stands in\n"
    for name, text in {"DEBIAN/control": control, **files}.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text, encoding="utf-8")
    run_program("dpkg-deb", "--build", "--root-owner-group", folder, root / "srv" / f"{package}.deb")
    run_program("chroot", root, "dpkg", "--install", f"/srv/{package}.deb")
    shutil.rmtree(folder)


if __name__ == "__main__":
    try:
        print(computer_root())
    except RootUnavailableError as error:
        sys.exit(f"booted_trixie: {error}")
