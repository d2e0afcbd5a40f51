"""What a new card's first start reads, held against cloud-init's own schema and netplan's own reader."""

from __future__ import annotations

import configparser
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.fakes.debian_packages import netplan
from tests.places import ROOT

SCRIPT = ROOT / "firmware-config" / "card.py"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8e0Z0YpL0rA0c1qf6cXv1x0m0cE4u6u3N1k2wP7kQy me@pc"
REPOSITORY = "https://example.org/tachiai.git"
WIFI, PASSWORD = 'Caf"e: #1', 'pass "word" 1'


def _card() -> ModuleType:
    spec = importlib.util.spec_from_file_location("card", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


card = _card()


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A card's boot partition."""
    (tmp_path / "bootfs").mkdir()
    (tmp_path / "bootfs" / "cmdline.txt").touch()
    return tmp_path / "bootfs"


def run_card(boot: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command, run by a Python that has nothing installed."""
    key, password = boot.parent / "key.pub", boot.parent / "password"
    key.write_text(KEY + "\n")
    password.write_text(PASSWORD + "\n")
    words = ["--out", str(boot), "--ssh-key", str(key), "--password-file", str(password), *more]
    return subprocess.run([sys.executable, "-I", str(SCRIPT), *words], capture_output=True, text=True, check=False)


def schema(cloud_init: Path, file: Path) -> subprocess.CompletedProcess[str]:
    """`cloud-init schema`."""
    environment = {**os.environ, "PYTHONPATH": str(cloud_init / "usr/lib/python3/dist-packages")}
    words = [sys.executable, "-W", "ignore", "-m", "cloudinit.cmd.main", "schema", "--config-file", str(file)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)


def test_cloud_init_takes_the_user_data(cloud_init: Path, boot: Path) -> None:
    assert run_card(boot, "--repository", REPOSITORY).returncode == 0
    done = schema(cloud_init, boot / "user-data")
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "Valid cloud-config"), done.stderr
    (boot / "user-data").write_text((boot / "user-data").read_text().replace("lock_passwd: true", "lock_passwd: 7"))
    assert schema(cloud_init, boot / "user-data").returncode == 1


@pytest.mark.parametrize("wifi", [WIFI, "🀄 Tee", "立会", "a\\b"])
def test_netplan_makes_of_the_network_config_a_profile_that_joins_the_wifi(
    cloud_init: Path, boot: Path, wifi: str
) -> None:
    assert run_card(boot, "--repository", REPOSITORY, "--wifi", wifi, "--country", "DE").returncode == 0
    root = boot.parent / "root"
    done = netplan(cloud_init, (boot / "network-config").read_text(encoding="utf-8"), root)
    assert done.returncode == 0, done.stderr
    (profile,) = (root / "run/NetworkManager/system-connections").glob("netplan-wlan0*")
    lines = profile.read_text().splitlines()
    assert _ssid(profile) == wifi
    for line in ("type=wifi", "mode=infrastructure", "key-mgmt=wpa-psk", f"psk={PASSWORD}"):
        assert line in lines
    assert "iw reg set DE" in (root / "run/systemd/system/netplan-regdom.service").read_text()


def _ssid(profile: Path) -> str:
    """The Wi-Fi's name as NetworkManager reads it: as text, or as its bytes."""
    text = configparser.ConfigParser(interpolation=None)
    text.read_string(profile.read_text(encoding="utf-8"))
    found = text["wifi"]["ssid"]
    if re.fullmatch(r"(\d+;)+", found):
        return bytes(map(int, found.split(";")[:-1])).decode()
    return found.replace("\\\\", "\\")


def test_what_a_key_s_comment_says_is_read_as_it_stands() -> None:
    yaml = pytest.importorskip("yaml")
    text = card.user_data(user="host", ssh_key=f'{KEY} 🀄 \x80 "me"', repository=REPOSITORY)
    read = yaml.safe_load(text)
    assert read["users"][0]["ssh_authorized_keys"] == [f'{KEY} 🀄 \x80 "me"']


def test_the_first_start_clones_what_was_said_and_installs_it(boot: Path) -> None:
    assert run_card(boot, "--repository", REPOSITORY, "--user", "anna").returncode == 0
    text = (boot / "user-data").read_text()
    assert text.startswith("#cloud-config\n")
    checkout = "/opt/tachiai-source"
    assert f"git clone --depth 1 {REPOSITORY} {checkout} && {checkout}/firmware-config/install.sh" in text
    assert "hostname: tachiai\n" in text
    assert '- name: "anna"\n' in text
    assert f'  - "{KEY}"\n' in text
    assert "wifis" not in (boot / "network-config").read_text()


def test_a_first_start_that_a_power_cut_ended_is_repeated_until_it_is_done_and_then_never_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """cloud-init marks a step as done before it begins it; the real one was not asked."""
    yaml = pytest.importorskip("yaml")
    marks = [tmp_path / "config_scripts_user", tmp_path / "config_power_state_change"]
    for name in ("CHECKOUT", "INSTALLED", "DONE"):
        monkeypatch.setattr(card, name, str(tmp_path / name))
    monkeypatch.setattr(card, "ONCE", " ".join(map(str, marks)))
    git = tmp_path / "bin/git"
    git.parent.mkdir()
    installer = f"#!/bin/sh\n[ -e {tmp_path}/power ] && mkdir {tmp_path}/INSTALLED\n"
    git.write_text(
        f"#!/bin/sh\n[ ! -e $5 ] && mkdir -p $5/firmware-config && cd $5/firmware-config && "
        f"printf '%s' '{installer}' > install.sh && chmod +x install.sh\n"
    )
    git.chmod(0o755)
    read = yaml.safe_load(card.user_data(user="host", ssh_key=KEY, repository=REPOSITORY))
    (early,), (_, late) = read["bootcmd"], read["runcmd"]

    def start() -> bool:
        """Starts the Pi; returns whether cloud-init runs the installation, which marks it first."""
        environment = {**os.environ, "PATH": f"{git.parent}:{os.environ['PATH']}"}
        subprocess.run(early, check=True)
        runs = not marks[0].exists()
        for mark in marks:
            mark.touch()
        if runs:
            subprocess.run(late, env=environment, check=False, capture_output=True)
        return runs

    assert start()
    assert (tmp_path / "CHECKOUT").exists()
    (tmp_path / "power").touch()
    assert start()
    assert (tmp_path / "INSTALLED").is_dir(), "over what the first one left"
    (tmp_path / "INSTALLED").rmdir()  # uninstalled
    assert not start()


def test_a_card_is_installed_only_once_its_services_start_by_themselves() -> None:
    """A power cut between the switch to the version and that leaves one which nothing starts."""
    installer = (SCRIPT.parent / "install.sh").read_text()
    last = re.findall(r"^readonly services=\(.*?(\S+)\)$", installer, re.MULTILINE)[0]
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(SCRIPT.parent / "etc/systemd/system" / last)
    enabled = f"/etc/systemd/system/{unit['Install']['WantedBy']}.wants/{last}"
    assert enabled == card.INSTALLED


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "the following arguments are required: --repository"),
        (("--repository", "tachiai"), "expected the repository's address"),
        (("--repository", "http://example.org/a"), "expected https://…, since root runs what is cloned"),
        (("--repository", "git://example.org/a"), "expected https://…, since root runs what is cloned"),
        (("--repository", "ssh://a@example.org/a.git"), "expected https://…, since a new Pi has no key to clone with"),
        (("--repository", "git@example.org:a.git"), "expected https://…, since a new Pi has no key to clone with"),
        (("--repository", "https://example.org/\udcff"), "expected the repository's address"),
        (("--repository", "https://example.org/a b"), "expected the repository's address"),
        (("--repository", REPOSITORY, "--wifi", "Home"), "expected the country that the Pi is in"),
        (("--repository", REPOSITORY, "--wifi", "x" * 33, "--country", "DE"), "expected a Wi-Fi's name of 1 to 32"),
        (("--repository", REPOSITORY, "--wifi", "\udcff", "--country", "DE"), "expected a Wi-Fi's name of 1 to 32"),
        (("--repository", REPOSITORY, "--wifi", "麻雀" * 6, "--country", "DE"), "of 1 to 32 bytes"),
        (("--repository", REPOSITORY, "--ssh-key", "/no/key"), "card.py: No such file or directory, at /no/key"),
        (("--repository", REPOSITORY, "--user", "Anna Bee"), "expected a user's name of small letters"),
    ],
)
def test_what_would_not_start_is_refused_before_anything_is_written(
    boot: Path, more: tuple[str, ...], message: str
) -> None:
    done = run_card(boot, *more)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert {path.name for path in boot.iterdir()} == {"cmdline.txt"}


def test_a_full_card_names_the_file(boot: Path) -> None:
    (boot / "network-config").symlink_to("/dev/full")
    done = run_card(boot, "--repository", REPOSITORY)
    assert done.returncode == 1
    assert done.stderr == f"card.py: No space left on device, at {boot / 'network-config'}\n"


def test_a_folder_that_is_no_card_is_left_alone(boot: Path) -> None:
    (boot / "cmdline.txt").unlink()
    done = run_card(boot, "--repository", REPOSITORY)
    assert done.returncode == 1
    assert "expected the card's boot partition, with cmdline.txt in it" in done.stderr
    assert not any(boot.iterdir())


def test_a_secret_key_is_refused() -> None:
    with pytest.raises(card.CardError, match="expected the public half of an ssh key"):
        card.user_data(user="host", ssh_key="-----BEGIN OPENSSH PRIVATE KEY-----", repository=REPOSITORY)


def test_a_password_that_no_wifi_has_is_refused() -> None:
    with pytest.raises(card.CardError, match="expected a Wi-Fi's password of 8 to 63 letters, got 5"):
        card.network_config(wifi="Home", password=PASSWORD[:5], country="DE")
