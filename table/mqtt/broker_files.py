"""Writes the files of a hall's Mosquitto broker, and each table's login: settings, access rights, passwords.

A table may publish only under its own name, and read only the desk's messages to all tables; the desk may read
everything.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.mqtt.desk_signal import DESK, SIGNAL
from table.runtime.table_errors import ConfigError
from vision.atomic_files import alone_in, write_whole

CONFIG: Final = "mosquitto.conf"
RIGHTS: Final = "acl"
PASSWORDS: Final = "passwords"
LOGINS: Final = "logins"
_ROUNDS: Final = 101
_SALT: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerPlan:
    """The settings of a hall's broker, and the tables that may log in."""

    tables: Sequence[str]
    topic: str = "tachiai"
    discovery: str = "homeassistant"
    """Home Assistant's discovery prefix; if empty, tables may not publish there."""
    host: str = "localhost"
    """The broker's address, as the tables and its certificate name it."""
    port: int = 8883
    ca: str = ""
    certificate: str = ""
    """The broker's certificate; empty without TLS."""
    key: str = ""


def write_broker_files(folder: Path, plan: BrokerPlan) -> list[str]:
    """Writes all files into a folder; users that already have a password keep it.

    Returns the users whose login was written: with a new password, or since the broker's settings have changed.

    Raises:
        ConfigError: another `tachiai broker` is writing into this folder; nothing was written.
        OSError: a file cannot be written.
        UnicodeDecodeError: the existing passwords or logins cannot be read.
    """
    logins = folder / LOGINS
    logins.mkdir(parents=True, exist_ok=True)
    with alone_in(folder, longest_wait_s=0) as is_alone:
        if not is_alone:
            problem = f"got another tachiai broker writing {folder}"
            raise ConfigError(f"expected a folder that nothing else writes, {problem}")
        return _write_files(folder, logins, plan)


def _write_files(folder: Path, logins: Path, plan: BrokerPlan) -> list[str]:
    hashes, written_users = _stored_hashes(folder / PASSWORDS), list[str]()
    for user in (DESK, *plan.tables):
        path = _login_path(logins, user)
        before = path.read_text("utf-8") if path.exists() and user in hashes else ""
        password = _password_in(before, user)
        if before.strip() and not password:
            continue  # somebody has written it anew: it stays as it is
        if not password:
            password = secrets.token_urlsafe(18)
            hashes[user] = _password_hash(password)
        login = _login_text(user, password, plan)
        if login != before:
            write_whole(path, login, mode=0o600)
            written_users.append(user)
    lines = "".join(f"{user}:{hashes[user]}\n" for user in (DESK, *plan.tables))
    write_whole(folder / PASSWORDS, lines, mode=0o600)
    write_whole(folder / RIGHTS, "\n".join(_rights(plan)) + "\n", mode=0o600)
    write_whole(folder / CONFIG, "\n".join(_config(folder, plan)) + "\n")
    return written_users


def _stored_hashes(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    users = (line.partition(":") for line in path.read_text("utf-8").splitlines())
    return {user: hashed for user, _, hashed in users if hashed}


def _login_path(folder: Path, user: str) -> Path:
    return folder / (f"{DESK}.password" if user == DESK else f"{user}.toml")


def _password_in(login: str, user: str) -> str:
    """Returns the password in the text of a login; empty if it has none."""
    found = re.search(r"(\S+)" if user == DESK else r'^password = "(.+)"$', login, re.MULTILINE)
    return "" if found is None else found[1]


def _login_text(user: str, password: str, plan: BrokerPlan) -> str:
    """Returns the desk's password, or a table's settings: its name, which is its login too, and its `[mqtt]`."""
    if user == DESK:
        return f"{password}\n"
    lines = [f'host = "{plan.host}"', f"port = {plan.port}", f'user = "{user}"', f'password = "{password}"']
    if plan.certificate:
        lines += ["tls = true", f'ca = "{plan.ca}"']
    name = f'name = "{user}" # the login is for this name only'
    return (
        "\n".join(("[table]", name, "", "[mqtt]", *lines, f'topic = "{plan.topic}"', f'discovery = "{plan.discovery}"'))
        + "\n"
    )


def _rights(plan: BrokerPlan) -> Iterator[str]:
    yield f"user {DESK}"
    yield f"topic read {plan.topic}/#"
    yield f"topic write {plan.topic}/{SIGNAL}"
    for table in plan.tables:
        yield f"\nuser {table}"
        yield f"topic write {plan.topic}/{table}/#"
        yield f"topic read {plan.topic}/{SIGNAL}"
        if plan.discovery:
            yield from (
                f"topic write {plan.discovery}/{kind}/tachiai_{table}/#" for kind in ("sensor", "binary_sensor")
            )


def _config(folder: Path, plan: BrokerPlan) -> Iterator[str]:
    with suppress(KeyError):  # a container's user may have no name
        # without this line, a Mosquitto started as root becomes another user, who cannot read the passwords
        yield f"user {pwd.getpwuid(os.geteuid()).pw_name}"
    yield f"listener {plan.port}"
    if plan.certificate:
        yield f"certfile {plan.certificate}"
        yield f"keyfile {plan.key}"
    yield "allow_anonymous false"
    yield f"password_file {folder.resolve() / PASSWORDS}"
    yield f"acl_file {folder.resolve() / RIGHTS}"
    yield "persistence true"
    yield f"persistence_location {folder.resolve()}/"
    yield "autosave_interval 60"
    yield "max_queued_messages 10000"
    yield "persistent_client_expiration 14d"


def _password_hash(password: str) -> str:
    """Returns a password hashed as Mosquitto stores it: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(_SALT)
    hashed = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    return f"$7${_ROUNDS}${b64encode(salt).decode()}${b64encode(hashed).decode()}"
