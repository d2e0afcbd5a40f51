"""The owner's settings for broadcasts, stored in the table's vault: the delay, and who may see waits.

An address can ask for a longer delay than the table's, never for a shorter one. Declared waits are shown only with the
owner's key, and only while the owner shares them. Changing the PIN invalidates the key.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from table.dashboard.web.access.vault import Vault

_DELAY: Final = "broadcast delay"
_WAITS: Final = "broadcast waits"
_KEY: Final = "broadcast key"


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastChoice:
    """The owner's choices for broadcasts."""

    delay_s: int = 0
    """The least delay of every broadcast, in seconds."""
    shares_waits: bool = False
    """Whether declared waits are shown to holders of the key."""


def choice(vault: Vault) -> BroadcastChoice:
    """Returns the owner's choices; by default no delay and no waits."""
    stored = vault.stored_texts
    return BroadcastChoice(delay_s=int(stored.get(_DELAY, "0")), shares_waits=_WAITS in stored)


def keep_choice(vault: Vault, chosen: BroadcastChoice) -> None:
    """Stores the choices.

    Raises:
        ConfigError: they cannot be written.
    """
    vault.store({_DELAY: str(chosen.delay_s), _WAITS: "yes" if chosen.shares_waits else None})


def key(vault: Vault) -> str:
    """Returns the present owner's key, creating one if necessary.

    Raises:
        ConfigError: it cannot be written.
    """
    era, _, secret = vault.stored_texts.get(_KEY, "").partition(" ")
    return secret if secret and era == str(vault.era) else new_key(vault)


def new_key(vault: Vault) -> str:
    """Creates a new key; addresses with the old one no longer show waits.

    Raises:
        ConfigError: it cannot be written.
    """
    secret = secrets.token_urlsafe(18)
    vault.store({_KEY: f"{vault.era} {secret}"})
    return secret


def opens_waits(vault: Vault, entered_key: str) -> bool:
    """Returns whether waits are shared and `entered_key` is the key."""
    era, _, secret = vault.stored_texts.get(_KEY, "").partition(" ")
    is_key = bool(secret) and era == str(vault.era) and secrets.compare_digest(secret.encode(), entered_key.encode())
    return is_key and choice(vault).shares_waits
