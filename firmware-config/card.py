"""Writes the files that a new card's first start reads: `user-data`, `network-config`, `meta-data`.

They are for Raspberry Pi OS Trixie. Needs only Python, on any computer. Write Raspberry Pi OS Lite (64-bit) onto a
card, insert the card again, and name the folder that appears, `bootfs`. The Pi that starts with this card is called
`tachiai`, joins the Wi-Fi, accepts the ssh key, clones the project, installs it, and restarts.

    python3 card.py --out /media/me/bootfs --repository https://example.org/tachiai.git \
        --ssh-key ~/.ssh/id_ed25519.pub --wifi "Name of the Wi-Fi" --country DE
"""

from __future__ import annotations

import argparse
import getpass
import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

HOST = "tachiai"
CHECKOUT = "/opt/tachiai-source"
INSTALLED = "/etc/systemd/system/multi-user.target.wants/tachiai-access-point.service"
"""The last thing without which nothing starts by itself. On a card with our own image (image.sh) it exists already."""
DONE = "/var/lib/cloud/instance/tachiai-installed"
"""Exists once the first start is done; an uninstalled Tachiai is not installed again."""
ONCE = "/var/lib/cloud/instance/sem/config_scripts_user /var/lib/cloud/instance/sem/config_power_state_change"
"""cloud-init's marks that the installation and the restart were begun. Without them the next start does both again."""
KEY = r"(ssh-(ed25519|rsa)|ecdsa-sha2-nistp\d+|sk-\S+) [A-Za-z0-9+/]{40,}={0,3}( [^\r\n]*)?"


class CardError(Exception):
    """An argument cannot be written; the message says what was expected."""


def yaml_text(text: str) -> str:
    """Returns a text in YAML's double quotes, which has one escape for each character where JSON may have two."""
    return re.sub(r"[^ -~]", lambda found: f"\\U{ord(found[0]):08x}", json.dumps(text, ensure_ascii=False))


def user_data(*, user: str, ssh_key: str, repository: str) -> str:
    """Returns `user-data`: who may log in, and what is done at the first start.

    Raises:
        CardError: the user's name or the ssh key is invalid, or the new Pi cannot clone from this address.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", user):
        raise CardError(f"expected a user's name of small letters, got {user!r}")
    if not re.fullmatch(KEY, ssh_key):
        raise CardError(
            f"expected the public half of an ssh key, one line like 'ssh-ed25519 AAAA…', got {ssh_key[:40]!r}"
        )
    if re.match(r"(http|git)://", repository):
        raise CardError(f"expected https://…, since root runs what is cloned, got {repository!r}")
    if re.match(r"ssh://|[\w.-]+@[\w.-]+:", repository):
        raise CardError(f"expected https://…, since a new Pi has no key to clone with by ssh, got {repository!r}")
    if not re.fullmatch(r"https://[!#-&(-~]+", repository):
        raise CardError(f"expected the repository's address, like https://…/tachiai.git, got {repository!r}")
    again = f"test -e {DONE} || rm -f {ONCE}"
    return f"""#cloud-config
hostname: {HOST}
manage_etc_hosts: true
ssh_pwauth: false
users:
- name: {yaml_text(user)}
  groups: [adm, sudo, video, gpio, spi]
  shell: /bin/bash
  lock_passwd: true
  sudo: "ALL=(ALL) NOPASSWD:ALL"
  ssh_authorized_keys:
  - {yaml_text(ssh_key)}
packages: [git]
package_update: true
bootcmd:
- [sh, -c, {yaml_text(again)}]
runcmd:
- [systemctl, enable, --now, ssh]
- [sh, -c, {yaml_text(first_start(repository))}]
power_state:
  mode: reboot
  message: Tachiai is installed
  condition: test -e {INSTALLED}
"""


def first_start(repository: str) -> str:
    """Returns the command that installs; a start after a power cut runs it again, whatever the one before left."""
    apt = "apt-get update -qq; apt-get install -y -qq git"
    packages = f"export DEBIAN_FRONTEND=noninteractive; dpkg --configure -a; {apt}"
    clone = f"rm -rf {CHECKOUT} && git clone --depth 1 {shlex.quote(repository)} {CHECKOUT}"
    install = f"{CHECKOUT}/firmware-config/install.sh"
    get_git = f"command -v git || {{ {packages}; }}"
    return f"test -e {INSTALLED} || {{ {get_git}; {clone} && {install}; }} && touch {DONE}"


def network_config(*, wifi: str | None, password: str, country: str) -> str:
    """Returns `network-config`: the cable, which may be missing, and the Wi-Fi, unless `wifi` is None.

    Raises:
        CardError: the Wi-Fi's name, its password or the country is invalid.
    """
    cable = "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n      optional: true\n"
    if wifi is None:
        return cable
    if not wifi.isprintable() or not 1 <= len(wifi.encode()) <= 32:
        size = f"{len(wifi.encode(errors='replace'))} bytes"
        raise CardError(f"expected a Wi-Fi's name of 1 to 32 bytes that can be printed, got {size}: {wifi!r}")
    if password and not (8 <= len(password) <= 63 and password.isascii() and password.isprintable()):
        raise CardError(f"expected a Wi-Fi's password of 8 to 63 letters, got {len(password)}")
    if not re.fullmatch(r"[A-Z]{2}", country):
        raise CardError(f"expected the country that the Pi is in, two capitals like DE, got {country!r}")
    return f"""{cable}  wifis:
    wlan0:
      dhcp4: true
      optional: true
      regulatory-domain: {yaml_text(country)}
      access-points:
        {yaml_text(wifi)}: {{{f"password: {yaml_text(password)}" if password else ""}}}
"""


def write_card(folder: Path, files: dict[str, str]) -> None:
    """Writes the files.

    Raises:
        CardError: the folder does not exist, or is not a boot partition of Raspberry Pi OS.
        OSError: a file cannot be written.
    """
    if not (folder / "cmdline.txt").is_file():
        raise CardError(f"expected the card's boot partition, with cmdline.txt in it, got {folder}")
    for name, text in files.items():
        try:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:  # that of a full card names no file
            raise OSError(error.errno, error.strerror, str(folder / name)) from error


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the card's files; returns 0, or 1 with one sentence on stderr."""
    parser = argparse.ArgumentParser(description="Writes what a new Raspberry Pi's first start reads.")
    parser.add_argument("--out", type=Path, required=True, help="the card's boot partition")
    parser.add_argument("--repository", required=True, help="where the project is cloned from, by https")
    parser.add_argument("--ssh-key", type=Path, required=True, help="the file with the public half of your ssh key")
    parser.add_argument("--user", default="host", help="who logs in by ssh (default: %(default)s)")
    parser.add_argument("--wifi", help="the Wi-Fi's name; without one the Pi needs a network cable")
    parser.add_argument("--country", default="", help="where the Pi is, like DE: which channels its Wi-Fi may use")
    parser.add_argument("--password-file", type=Path, help="the Wi-Fi's password; without it, it is asked for")
    args = parser.parse_args(argv)
    try:
        password = ""
        if args.password_file is not None:
            password = args.password_file.read_text(encoding="utf-8").strip("\r\n")
        elif args.wifi is not None:
            password = getpass.getpass(f"Password of the Wi-Fi {args.wifi} (none: an open one): ")
        key = args.ssh_key.read_text(encoding="utf-8").strip()
        write_card(
            args.out,
            {
                "user-data": user_data(user=args.user, ssh_key=key, repository=args.repository),
                "network-config": network_config(wifi=args.wifi, password=password, country=args.country),
                "meta-data": f"instance-id: {HOST}-card\n",
            },
        )
    except (CardError, UnicodeDecodeError) as error:
        print(f"card.py: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        place = "" if error.filename is None else f", at {error.filename}"
        print(f"card.py: {error.strerror}{place}", file=sys.stderr)
        return 1
    print(f"written to {args.out}: user-data, network-config, meta-data; put the card into the Pi and wait 15 minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
