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
    kept = vault.kept
    return BroadcastChoice(delay_s=int(kept.get(_DELAY, "0")), shares_waits=_WAITS in kept)


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
    era, _, known = vault.kept.get(_KEY, "").partition(" ")
    return known if known and era == str(vault.era) else new_key(vault)


def new_key(vault: Vault) -> str:
    """Creates a new key; addresses with the old one no longer show waits.

    Raises:
        ConfigError: it cannot be written.
    """
    made = secrets.token_urlsafe(18)
    vault.store({_KEY: f"{vault.era} {made}"})
    return made


def opens_waits(vault: Vault, given: str) -> bool:
    """Returns whether waits are shared and `given` is the key."""
    era, _, known = vault.kept.get(_KEY, "").partition(" ")
    is_key = bool(known) and era == str(vault.era) and secrets.compare_digest(known.encode(), given.encode())
    return is_key and choice(vault).shares_waits
