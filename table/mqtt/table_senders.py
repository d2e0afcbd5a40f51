"""Notices that two running tables have one name: their messages overwrite each other's."""

from __future__ import annotations

from typing import Final

_MOST: Final = 8
"""Limit of senders that are remembered."""


class TableSenders:
    """The senders of one name's messages.

    Two are running if one is heard again after the other. A spare table that replaces a broken one never is: the
    broken one falls silent.
    """

    def __init__(self, silent_s: float) -> None:
        """Takes the seconds of silence after which a sender is gone."""
        self._silent_s = silent_s
        self._heard_at: dict[str, float] = {}
        """When each sender was heard last, the latest sender last."""
        self._alternated_at: float | None = None

    def note(self, sender: str, now: float) -> None:
        """Notes a new message of a sender; an empty one is unknown, and ignored."""
        if not sender:
            return
        is_latest = next(reversed(self._heard_at), sender) == sender
        heard_at = self._heard_at.pop(sender, None)
        if heard_at is not None and not is_latest and now - heard_at <= self._silent_s:
            self._alternated_at = now
        self._heard_at[sender] = now
        for old in list(self._heard_at)[:-_MOST]:
            del self._heard_at[old]

    def are_two(self, now: float) -> bool:
        """Returns whether two of them were heard in turns lately."""
        return self._alternated_at is not None and now - self._alternated_at <= self._silent_s
