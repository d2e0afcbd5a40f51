"""What only this table knows: the key that signs cookies, and the owner's PIN as a hash.

Kept in one file that only its owner may read, so that a restart signs nobody out. Wrong PINs are counted by address:
after a few, that address has to wait.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

from table.runtime.table_errors import ConfigError, TachiaiError
from vision.atomic_files import write_whole

LEAST_DIGITS: Final = 4
MOST_DIGITS: Final = 12
ATTEMPTS: Final = 5
"""Wrong PINs that one address may give in a row."""
WAIT_S: Final = 300.0
"""How long it waits then."""
ADDRESSES: Final = 256
"""Addresses that are remembered."""
_COST: Final = {"n": 2**14, "r": 8, "p": 1}


class PinError(TachiaiError, ValueError):
    """A PIN that is no PIN, is wrong, or comes too soon; the text says which."""


class Vault:
    """The secrets of one table. May be used by several threads."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = monotonic) -> None:
        """Opens the file, or makes it; without a path everything is forgotten at the end.

        Raises:
            ConfigError: the file cannot be read or written.
        """
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}
        self._kept = self._read()
        if "key" not in self._kept:
            self._keep(key=secrets.token_hex(32))

    @property
    def key(self) -> str:
        """What signs this table's cookies."""
        return self._kept["key"]

    @property
    def has_pin(self) -> bool:
        """Whether an owner has chosen a PIN."""
        return "pin" in self._kept

    def set_pin(self, pin: str) -> None:
        """Takes the first owner's PIN.

        Raises:
            PinError: it is no PIN, or there is one already.
        """
        with self._lock:
            if self.has_pin:
                raise PinError("expected the PIN that was chosen at the first start, got a new one")
            if not (pin.isascii() and pin.isdigit() and LEAST_DIGITS <= len(pin) <= MOST_DIGITS):
                raise PinError(f"expected a PIN of {LEAST_DIGITS} to {MOST_DIGITS} digits")
            salt = secrets.token_bytes(16)
            self._keep(salt=salt.hex(), pin=_hash(pin, salt))

    def check_pin(self, pin: str, address: str) -> None:
        """Checks a PIN that came from an address.

        Raises:
            PinError: it is wrong, there is none yet, or the address has to wait.
        """
        with self._lock:
            count, since = self._wrong.get(address, (0, 0.0))
            if count >= ATTEMPTS and self._clock() - since < WAIT_S:
                raise PinError("expected some minutes of patience after so many wrong PINs")
            salt = bytes.fromhex(self._kept.get("salt", ""))
            if self.has_pin and hmac.compare_digest(_hash(pin[:MOST_DIGITS], salt), self._kept["pin"]):
                self._wrong.pop(address, None)
                return
            self._wrong[address] = (1 if count >= ATTEMPTS else count + 1), self._clock()
            while len(self._wrong) > ADDRESSES:
                self._wrong.pop(next(iter(self._wrong)))
            raise PinError("expected the owner's PIN, got another one")

    def _read(self) -> dict[str, str]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            kept = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"expected the table's secrets in {self._path}, got: {error}") from error
        if not isinstance(kept, dict) or not all(isinstance(each, str) for each in kept.values()):
            raise ConfigError(f"expected an object of texts in {self._path}, got {type(kept).__name__}")
        return kept

    def _keep(self, **secret: str) -> None:
        """Writes beside the file and swaps it in: a power cut leaves the old one."""
        self._kept = {**self._kept, **secret}
        if self._path is None:
            return
        try:
            write_whole(self._path, json.dumps(self._kept), mode=0o600)
        except OSError as error:
            raise ConfigError(f"cannot write the table's secrets to {self._path}: {error}") from error


def _hash(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, **_COST).hex()
