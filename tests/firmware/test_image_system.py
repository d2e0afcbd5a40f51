"""What an image's system is made of: the scripts run for real, but for Debian's packages and what needs them.

Each rule here was once broken on an image that looked right until it was started.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.debian_packages import library_path
from tests.places import ROOT

FIRMWARE = ROOT / "firmware-config"
RELEASES = ("bookworm", "trixie")
SEEN_BY_CLOUD_INIT = """
import json, sys
from cloudinit import helpers, util
from cloudinit.sources.DataSourceNoCloud import DataSourceNoCloud
root = sys.argv[1]
util.find_devs_with = lambda *_, **__: []
util.get_cmdline = lambda: ""
paths = helpers.Paths({"cloud_dir": f"{root}/var/lib/cloud", "run_dir": f"{root}/run/cloud-init"})
config = util.read_conf(f"{root}/etc/cloud/cloud.cfg.d/90_tachiai.cfg")
source = DataSourceNoCloud(config, None, paths)
assert source._get_data()
seen = {"config": config, "network": source.network_config, "user": str(source.userdata_raw), "meta": source.metadata}
print(json.dumps(seen))
"""


def program(folder: Path, name: str, text: str) -> None:
    """A program that stands in for one of the machine's."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def searching(folder: Path) -> dict[str, str]:
    """The environment in which programs of that folder come first."""
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}:/usr/sbin:/sbin"}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key of Raspberry Pi's archive, somewhere on the machine that builds."""
    path = tmp_path_factory.mktemp("builder") / "raspberrypi.gpg"
    path.write_bytes(b"a key")
    return path


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory, key: Path) -> Path:
    """The system of an image, as `image_customize.sh` leaves it; the installer in there is only called."""
    folder = tmp_path_factory.mktemp("image")
    root = folder / "root"
    for name, text in {
        "etc/apt/sources.list": f"deb [signed-by={key}] http://archive.example trixie main\n",
        "etc/resolv.conf": "nameserver 10.1.2.3\n",
        "etc/machine-id": "0123456789abcdef\n",
        "boot/firmware/cmdline.txt": "console=tty0 root=/dev/sda1 rw cma=64M rootwait\n",
        "etc/ssh/ssh_host_ed25519_key": "secret",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    wheel = folder / "tachiai.whl"
    wheel.touch()
    program(folder / "bin", "chroot", f'echo "$@" > "{folder}/called"; test -x "$1/${{@: -4:1}}"')
    variables = {"TACHIAI_SOURCE": str(wheel), "TACHIAI_PI_KEY": str(key), "TACHIAI_DISK_ID": "0a1b2c3d"}
    done = subprocess.run(
        [str(FIRMWARE / "image_customize.sh"), str(root)],
        capture_output=True,
        text=True,
        check=False,
        env=searching(folder / "bin") | variables,
    )
    assert done.returncode == 0, done.stderr
    return root


def test_a_kernel_finds_the_system_with_and_without_an_initramfs(system: Path) -> None:
    """A label is resolved by an initramfs alone, and Raspberry Pi's firmware loads one only where it is told to."""
    words = (system / "boot/firmware/cmdline.txt").read_text().split()
    assert [word for word in words if word.startswith("root=")] == ["root=PARTUUID=0a1b2c3d-02"]
    assert {"rootwait", "rootfstype=ext4"} <= set(words)
    assert "auto_initramfs=1" in (system / "boot/firmware/config.txt").read_text().splitlines()


def test_a_command_line_that_was_guessed_on_the_machine_that_builds_is_replaced(system: Path) -> None:
    """Debian's raspi-firmware writes that machine's root, and a `cma` with which a Pi 4 does not start."""
    words = (system / "boot/firmware/cmdline.txt").read_text().split()
    assert not [word for word in words if word.startswith("cma=") or "sda1" in word]


def test_the_network_s_devices_are_called_as_the_card_s_settings_call_them(system: Path) -> None:
    assert "net.ifnames=0" in (system / "boot/firmware/cmdline.txt").read_text().split()


def test_the_installer_is_called_as_in_a_system_that_does_not_run(system: Path) -> None:
    installer = "/root/checkout/firmware-config/install.sh --image --source /root/checkout/tachiai.whl"
    assert (system.parent / "called").read_text().split(maxsplit=1)[1].strip().endswith(installer)
    assert not (system / "root/checkout").exists()


def test_nothing_of_the_machine_that_builds_is_left_inside(system: Path, key: Path) -> None:
    assert not os.path.lexists(system / "etc/resolv.conf")
    sources = (system / "etc/apt/sources.list").read_text()
    assert sources == "deb [signed-by=/usr/share/keyrings/tachiai-raspberrypi.gpg] http://archive.example trixie main\n"
    stored_key = system / "usr/share/keyrings/tachiai-raspberrypi.gpg"
    assert stored_key.read_bytes() == key.read_bytes()
    assert stored_key.stat().st_mode & 0o777 == 0o644


def test_what_differs_from_card_to_card_is_made_at_the_first_start(system: Path) -> None:
    assert (system / "etc/machine-id").read_text() == ""
    assert not list((system / "etc/ssh").iterdir())


@pytest.fixture(scope="module")
def started_system(
    system: Path, cloud_init: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, object]]:
    """The system with what `card.py` writes on its first partition, and what cloud-init reads of it."""
    root = shutil.copytree(system, tmp_path_factory.mktemp("started") / "root", symlinks=True)
    secrets = root.parent / "secrets"
    secrets.mkdir()
    (secrets / "key.pub").write_text(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8e0Z0YpL0rA0c1qf6cXv1x0m0cE4u6u3N1k2wP7kQy a"
    )
    (secrets / "password").write_text("a long password")
    words = ["--ssh-key", f"{secrets}/key.pub", "--password-file", f"{secrets}/password", "--wifi", "Home"]
    words += ["--out", f"{root}/boot/firmware", "--repository", "https://example.org/t.git", "--country", "DE"]
    subprocess.run([sys.executable, "-I", str(FIRMWARE / "card.py"), *words], check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SEEN_BY_CLOUD_INIT, str(root)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(cloud_init / "usr/lib/python3/dist-packages")},
    )
    assert done.returncode == 0, done.stderr
    return root, json.loads(done.stdout)


def test_cloud_init_takes_user_and_wifi_from_the_first_partition(
    started_system: tuple[Path, dict[str, object]],
) -> None:
    """Bookworm's took the user alone, and the Pi never joined the Wi-Fi."""
    _, datasource = started_system
    assert datasource["meta"] == {"instance-id": "tachiai-card", "dsmode": "net"}
    assert "ssh-ed25519 AAAA" in str(datasource["user"])
    network = datasource["network"]
    assert isinstance(network, dict)
    assert network["network"]["wifis"]["wlan0"]["access-points"] == {"Home": {"password": "a long password"}}


def test_the_first_partition_is_mounted_before_cloud_init_reads_it(system: Path) -> None:
    unit = system / "etc/systemd/system/cloud-init-local.service.d/tachiai.conf"
    assert unit.read_text() == "[Unit]\nWants=boot-firmware.mount\nAfter=boot-firmware.mount\n"
    assert "LABEL=bootfs /boot/firmware vfat" in (system / "etc/fstab").read_text()


def test_cloud_init_sets_a_locale_that_every_debian_has(started_system: tuple[Path, dict[str, object]]) -> None:
    """Bookworm's own choice must be generated first, and ended the first start where it was not."""
    config = started_system[1]["config"]
    assert isinstance(config, dict)
    assert config["locale"] == "C.UTF-8"


def test_networkmanager_has_every_network_that_the_card_names(
    started_system: tuple[Path, dict[str, object]], cloud_init: Path
) -> None:
    """systemd-networkd held the cable once, and the table's own access point asks NetworkManager alone."""
    root, datasource = started_system
    netplan_file = root / "etc/netplan/50-cloud-init.yaml"
    netplan_file.write_text(json.dumps(datasource["network"]))
    netplan_file.chmod(0o600)
    environment = {**os.environ, "LD_LIBRARY_PATH": library_path(cloud_init, "libnetplan")}
    words = [str(cloud_init / "usr/libexec/netplan/generate"), "--root-dir", str(root)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    profiles = sorted(path.name for path in (root / "run/NetworkManager/system-connections").iterdir())
    assert profiles == ["netplan-eth0.nmconnection", "netplan-wlan0-Home.nmconnection"]
    assert not list((root / "run/systemd").rglob("*.network"))


@pytest.mark.parametrize("release", RELEASES)
def test_the_image_has_what_its_radio_and_its_network_need(release: str, tmp_path: Path, key: Path) -> None:
    calls = tmp_path / "called"
    script = f'printf "%s\\n" "$@" "key $TACHIAI_PI_KEY" "disk $TACHIAI_DISK_ID" > "{calls}"; cat >> "{calls}"; exit 7'
    for name, text in {"mmdebstrap": script, "id": "echo 0", "df": "echo Avail; echo 20000"}.items():
        program(tmp_path / "bin", name, text)
    for tool in ("mke2fs", "mkfs.vfat", "mcopy", "sfdisk"):
        program(tmp_path / "bin", tool, "exit 1")
    archive = ("--pi-archive", "http://archive.example", "--pi-key", os.path.relpath(key, tmp_path))
    words = [str(FIRMWARE / "image.sh"), "--output", str(tmp_path / "a.img"), "--release", release, *archive]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=searching(tmp_path / "bin"), cwd=tmp_path
    )
    assert done.returncode == 7, done.stderr
    lines = calls.read_text().splitlines()
    (included,) = (line.removeprefix("--include=").split(",") for line in lines if line.startswith("--include="))
    assert {"wireless-regdb", "iw", "wpasupplicant", "network-manager", "netplan.io", "cloud-init"} <= set(included)
    assert {"linux-image-rpi-v8", "linux-image-rpi-2712", "raspi-firmware", "firmware-brcm80211"} <= set(included)
    assert f"key {key}" in lines
    assert "disk 7ac41a10" in lines
    assert f"deb [signed-by={key}] http://archive.example {release} main" in lines
    assert f"deb http://deb.debian.org/debian {release} main non-free-firmware" in lines
