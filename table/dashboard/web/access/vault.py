"""The table's secrets: the key for signing cookies, the hash of the owner's PIN, and the holders of the seats.

They are in one file that only its owner may read, so that a restart signs nobody out.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Final

from table.dashboard.web.access.pin_choice import MOST_CHARACTERS, PinError, checked_pin, comparable_pin
from table.dashboard.web.access.pin_tries import PinTries
from table.runtime.table_errors import ConfigError
from vision.atomic_files import read_whole, write_whole
from vision.errors import reason
from vision.json_text import read_json

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")
_NUMBERS: Final = ("era", "broadcast delay")
"""The names of stored numbers."""
_NUMBER: Final = re.compile("[0-9]{1,6}")
"""A stored number as this table writes it."""
_COST: Final = {"n": 2**14, "r": 8, "p": 1}


class Vault:
    """The secrets of one table. Thread-safe."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = monotonic) -> None:
        """Opens or creates the file; without a path, everything is forgotten at the end.

        `clock` returns monotonic seconds.

        Raises:
            ConfigError: the file cannot be read or written.
        """
        self._path = path
        self._lock = threading.Lock()
        self._clock = clock
        self._tries: dict[str, PinTries] = {}
        self._stored_texts = self._read()
        if "key" not in self._stored_texts:
            self._write({"key": secrets.token_hex(32)})

    @classmethod
    def ownerless(cls) -> Vault:
        """Returns the secrets of a table whose file cannot be read: people may sit, but nobody can become the owner."""
        vault = cls()
        vault._write({"pin": ""})  # no PIN has an empty hash
        return vault

    @property
    def key(self) -> str:
        """The key for signing this table's cookies."""
        return self._stored_texts["key"]

    @property
    def has_pin(self) -> bool:
        """Whether the owner has chosen a PIN."""
        return "pin" in self._stored_texts

    @property
    def era(self) -> int:
        """How often the owner's PIN was changed; owners from before the last change are owners no longer."""
        return int(self._stored_texts.get("era", "0"))

    @property
    def stored_texts(self) -> Mapping[str, str]:
        """All stored texts, by name."""
        return self._stored_texts

    def set_pin(self, pin: str) -> None:
        """Sets the owner's first PIN.

        Raises:
            PinError: it is not allowed, or there is one already.
            ConfigError: it cannot be written.
        """
        with self._lock:
            if self.has_pin:
                raise PinError("expected the PIN chosen at the first start, got a new one", says="pin_there")
            self._choose(pin)

    def change_pin(self, present: str, pin: str, phone: str) -> None:
        """Changes the owner's PIN; those who signed in with the old one are owners no longer.

        Attempts are counted for each of the owner's phones: no stranger's wrong PINs keep the owner from changing it.

        Args:
            present: the PIN until now.
            pin: the new one.
            phone: the phone of the owner who changes it.

        Raises:
            PinError: the present PIN is wrong, there were too many wrong ones, or the new one is not allowed.
            ConfigError: it cannot be written.
        """
        with self._lock:
            self._check("pin", present, phone, tries_of="the owner, on the owner's phone")
            self._choose(pin, era=str(self.era + 1))

    def check_pin(self, pin: str, address: str) -> None:
        """Checks a PIN that came from an address.

        Raises:
            PinError: it is wrong, there is none yet, or it comes too soon after wrong ones.
        """
        with self._lock:
            self._check("pin", pin, address, tries_of="the owner")

    def check_seat_pin(self, seat: int, pin: str, address: str) -> None:
        """Checks the PIN that a seat's holder chose for it.

        Raises:
            PinError: as in `check_pin`.
        """
        with self._lock:
            self._check(f"seat {seat} pin", pin, address, tries_of=f"seat {seat}")

    def hash_of(self, pin: str) -> str:
        """Returns the salted hash of a PIN, for storing.

        Raises:
            PinError: it is not allowed.
        """
        salt = secrets.token_bytes(16)
        return f"{salt.hex()} {_hash(checked_pin(pin), salt)}"

    def store(self, changes: Mapping[str, str | None]) -> None:
        """Stores texts by name; None removes one.

        Raises:
            ConfigError: they cannot be written; they still apply until the program ends.
        """
        with self._lock:
            self._write(changes)

    def _choose(self, pin: str, **others: str) -> None:
        salt, before = secrets.token_bytes(16), self._stored_texts
        hashed = _hash(checked_pin(pin), salt)
        try:
            self._write({"salt": salt.hex(), "pin": hashed, **others})
        except ConfigError:
            self._stored_texts = before  # a PIN that is not on the disk would be lost at the next start
            raise

    def _check(self, name: str, pin: str, address: str, *, tries_of: str) -> None:
        tries = self._tries.setdefault(tries_of, PinTries(tries_of, self._clock))
        if tries.must_wait(address):
            raise PinError("expected a wait of some minutes after so many wrong PINs", says="pin_wait")
        if self._is_right(name, pin):
            return tries.forget(address)
        tries.count_wrong(address)
        raise PinError("expected the chosen PIN, got another one", says="pin_wrong")

    def _is_right(self, name: str, pin: str) -> bool:
        """Returns whether a PIN is the one stored under that name; earlier versions stored four to twelve digits."""
        stored_hash, entered = self._stored_texts.get(name), comparable_pin(pin)
        if stored_hash is None or len(entered) > MOST_CHARACTERS:
            return False
        salt, _, hashed = stored_hash.rpartition(" ")
        return hmac.compare_digest(_hash(entered, bytes.fromhex(salt or self._stored_texts.get("salt", ""))), hashed)

    def _read(self) -> dict[str, str]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            texts = read_json(read_whole(self._path))
        except (OSError, ValueError) as error:
            raise ConfigError(f"expected the table's secrets in {self._path}, got: {reason(error)}") from error
        if not isinstance(texts, dict) or not all(isinstance(stored, str) for stored in texts.values()):
            raise ConfigError(f"expected an object of texts in {self._path}, got {type(texts).__name__}")
        for name, text in texts.items():
            if not _can_be_used(name, text):
                raise ConfigError(f"expected secrets that this table wrote in {self._path}, got another {name!r}")
        return texts

    def _write(self, changes: Mapping[str, str | None]) -> None:
        """Writes the changed file, whole or not at all: a power cut leaves the old one. None removes a text."""
        texts = {**self._stored_texts, **changes}
        self._stored_texts = {name: text for name, text in texts.items() if text is not None}
        if self._path is None:
            return
        try:
            write_whole(self._path, json.dumps(self._stored_texts), mode=0o600)
        except OSError as error:
            raise ConfigError(f"cannot write the table's secrets to {self._path}: {reason(error)}") from error


def _can_be_used(name: str, text: str) -> bool:
    """Returns whether a text stored under a name has the form in which it was written."""
    if name in _NUMBERS:
        return _NUMBER.fullmatch(text) is not None
    if name == "key":
        return text.isascii() and text != ""
    return not name.endswith(("pin", "salt")) or all(_HEX.fullmatch(part) for part in text.split(" "))


def _hash(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode("utf-8", "surrogatepass"), salt=salt, **_COST).hex()
