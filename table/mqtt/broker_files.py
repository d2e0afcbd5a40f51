"""Writes the files of a hall's Mosquitto broker, and each table's login: settings, access rights, passwords.

A table may publish only under its own name, and read only the desk's messages to all tables; the desk may read
everything.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from table.config import MqttConfig, load, read_config
from table.mqtt.desk_signal import DESK, SIGNAL
from table.rules.terms.amounts import amount
from table.runtime.table_errors import ConfigError
from vision.atomic_files import alone_in, new_folder, read_whole, write_whole
from vision.errors import reason

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLogins:
    """What became of the logins."""

    written: Sequence[str] = ()
    """The users whose login was written: with a new password, or since the broker's settings have changed."""
    left: Sequence[str] = ()
    """The tables whose login differs from the broker's settings, and stays so, since somebody has edited it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Login:
    """The login of one user."""

    password: str = ""
    """Empty if somebody removed it from the file."""
    is_new: bool = False
    """Whether the password is a new one."""
    new_text: str = ""
    """What to write into its file; empty if that stays as it is."""
    is_left: bool = False
    """Whether it stays although it differs from the broker's settings, since somebody has edited it."""


def write_broker_files(folder: Path, plan: BrokerPlan) -> WrittenLogins:
    """Writes all files into a folder; users that already have a password keep it, and a login that was edited stays.

    Raises:
        ConfigError: another `tachiai broker` is writing into this folder, or an existing password cannot be read;
            nothing was written.
        OSError: a file cannot be read or written.
    """
    logins = folder / LOGINS
    with new_folder(logins), alone_in(folder, longest_wait_s=0) as is_alone:
        if is_alone:
            return _write_files(folder, logins, plan)
    # outside, so that no folder is removed that the other one is about to fill
    raise ConfigError(f"expected a folder that nothing else writes, got another tachiai broker writing {folder}")


def _write_files(folder: Path, logins: Path, plan: BrokerPlan) -> WrittenLogins:
    hashes = _stored_hashes(folder / PASSWORDS)
    found = {user: _login(user, _login_path(logins, user), plan) for user in (DESK, *plan.tables)}
    for user, login in found.items():
        if login.password and (login.is_new or user not in hashes):
            hashes[user] = _password_hash(login.password)
    # passwords go first: a login that is missing after a power cut gets a new one when the command runs again
    lines = "".join(f"{user}:{hashes[user]}\n" for user in found if user in hashes)
    write_whole(folder / PASSWORDS, lines, mode=0o600)
    written = {user: login.new_text for user, login in found.items() if login.new_text}
    for user, text in written.items():
        write_whole(_login_path(logins, user), text, mode=0o600)
    write_whole(folder / RIGHTS, "\n".join(_rights(plan)) + "\n", mode=0o600)
    write_whole(folder / CONFIG, "\n".join(_config(folder, plan)) + "\n")
    return WrittenLogins(written=tuple(written), left=tuple(user for user, login in found.items() if login.is_left))


def password_in(content: bytes, place: str) -> str:
    """Returns the password in the content of a desk's file, as `tachiai broker` writes it for `tachiai hall`.

    Raises:
        ConfigError: it is not a single line of text; the message names the place.
    """
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        found = reason(error)
    else:
        if len(lines) == 1 and lines[0]:
            return lines[0]
        found = amount(len(lines), "line") if any(lines) else "none"
    raise ConfigError(f"expected one line with the broker's password in {place}, got {found}")


def _stored_hashes(path: Path) -> dict[str, str]:
    try:
        users = (line.partition(":") for line in _content(path).decode("utf-8").splitlines())
    except UnicodeDecodeError as error:
        raise ConfigError(f"expected the broker's passwords in {path}, got: {reason(error)}") from error
    return {user: hashed for user, _, hashed in users if hashed}


def _content(path: Path) -> bytes:
    """Returns the content of one of the broker's files; nothing if it is missing.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return read_whole(path) if path.exists() else b""
    except OSError as error:
        raise ConfigError(f"expected a readable file at {path}, got: {reason(error)}") from error


def _login(user: str, path: Path, plan: BrokerPlan) -> _Login:
    """Returns a user's login: the one in its file, or a new one."""
    before = _content(path)
    if not before.strip():
        password = secrets.token_urlsafe(18)
        return _Login(password=password, is_new=True, new_text=_login_text(user, password, plan))
    if user == DESK:
        try:
            return _Login(password=password_in(before, str(path)))
        except ConfigError as error:
            raise ConfigError(f"{error}; delete the file for a new one") from error
    found = load(path).config.mqtt
    if not found.password:
        return _Login(is_left=True)
    text = _login_text(user, found.password, replace(plan, ca=plan.ca or found.ca))
    if before == _login_text(user, found.password, _plan_of(found)).encode():
        return _Login(password=found.password, new_text="" if before == text.encode() else text)
    wanted = read_config(text, str(path)).config.mqtt
    return _Login(password=found.password, is_left=replace(found, ca=wanted.ca or found.ca) != wanted)


def _login_path(folder: Path, user: str) -> Path:
    return folder / (f"{DESK}.password" if user == DESK else f"{user}.toml")


def _plan_of(login: MqttConfig) -> BrokerPlan:
    """Returns the settings of the broker for which a table's login was written."""
    certificate = "any" if login.tls else ""
    return BrokerPlan(
        tables=(),
        topic=login.topic,
        discovery=login.discovery,
        host=login.host,
        port=login.port,
        ca=login.ca,
        certificate=certificate,
    )


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
