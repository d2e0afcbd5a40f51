"""The Pi's own access point: its name, password and address, and the file that exists while it is open.

The network watch (`table.appliance.access_point_watch`) and the page are two programs run by two users: the watch
stores name and password in one file, and writes a second file while the access point is open.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from table.runtime.table_errors import ConfigError
from vision.errors import reason

FILE: Final = "access-point.json"
"""The file in the table's folder with the access point's name and password."""
OPEN_FILE: Final = Path("/run/tachiai-access-point/open.json")
"""The file that exists while the access point is open, for the page."""
ADDRESS: Final = "10.42.0.1"
"""The Pi's address on the access point, as set by NetworkManager."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of passwords, without any that look alike on a screen."""
_PASSWORD_LETTERS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPoint:
    """What a phone needs to join."""

    name: str
    password: str

    @property
    def wifi_code(self) -> str:
        """The text of the QR code that lets a phone join."""
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"


def address_after_joining(*, port: int, is_tls: bool) -> str:
    """Returns the address of the page for phones that have joined."""
    scheme, usual_port = ("https", 443) if is_tls else ("http", 80)
    return f"{scheme}://{ADDRESS}" if port == usual_port else f"{scheme}://{ADDRESS}:{port}"


def _escaped(text: str) -> str:
    """Returns a text with the special characters of such a code escaped."""
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)


def chosen_access_point(folder: Path) -> AccessPoint:
    """Returns this table's access point; the first call creates and stores a name and a password.

    So does a call that finds an empty file, as a power cut leaves it, since nothing of it is lost.

    Raises:
        ConfigError: the file is invalid, or cannot be written.
    """
    path = folder / FILE
    if os.path.lexists(path) and path.lstat().st_size:
        return _read(path)
    access_point = AccessPoint(
        name=f"Tachiai {secrets.token_hex(2)}",
        password="".join(secrets.choice(_LETTERS) for _ in range(_PASSWORD_LETTERS)),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_private(path, access_point, owner=folder.stat() if os.geteuid() == 0 else None)
    except OSError as error:
        raise ConfigError(f"expected a writable folder for {FILE}, got: {reason(error)}, at {folder}") from error
    return access_point


def write_private(
    path: Path, access_point: AccessPoint, *, mode: int = 0o600, owner: os.stat_result | None = None
) -> None:
    """Writes an access point to a file with the given mode, owned by the owner of `owner` if given."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        json.dump(asdict(access_point), file)
        os.fchmod(file.fileno(), mode)
        if owner is not None:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def open_access_point(path: Path | None = None) -> AccessPoint | None:
    """Returns the access point that is open now, according to `OPEN_FILE`; None if none is."""
    try:
        return _read(path or OPEN_FILE)
    except (OSError, ConfigError):
        return None


def _read(path: Path) -> AccessPoint:
    """Reads an access point's file. No link is followed: root also reads it, in the folder of the table's user."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8") as file:
            fields = json.load(file)
        found = AccessPoint(name=fields["name"], password=fields["password"])
        is_valid = 1 <= len(found.name.encode()) <= 32 and 8 <= len(found.password) <= 63
    except FileNotFoundError:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        cause = error.strerror if isinstance(error, OSError) else "something else"
        raise ConfigError(f"expected name and password of an access point, got {cause}, at {path}") from error
    if not is_valid:
        raise ConfigError(f"expected a name of 1 to 32 letters and a password of 8 to 63, got others, at {path}")
    return found
