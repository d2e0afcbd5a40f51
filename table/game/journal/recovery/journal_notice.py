"""Notices for the people at the table: what is wrong with their journal, and which backup helps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from table.game.journal.journal import Journal
from table.runtime.table_errors import PressError


class NoticeKind(StrEnum):
    """The fault; the catalogue's text ``page.journal_KIND`` explains it to players."""

    UNWRITABLE = "unwritable"
    """The disk is full or cannot be written to: people's actions are refused."""
    NEWER = "newer"
    """A newer version wrote the journal: people's actions are refused."""
    RESTORED = "restored"
    """The journal was damaged: a backup has replaced it, or is shown."""
    LOST = "lost"
    """The journal was damaged and no intact backup has more: its readable part, which may be empty, continues."""
    UNFOLLOWED = "unfollowed"
    """The journal's last game cannot be computed: a new one was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalNotice:
    """One fault of the journal."""

    kind: NoticeKind
    backup: str = ""
    """The backup that is shown, was restored, or would help; empty if there is none."""

    @property
    def day(self) -> str:
        """The day in the backup's name, ISO 8601; the whole name if it has none."""
        found = re.search(r"\d{4}-\d\d-\d\d", self.backup)
        return self.backup if found is None else found[0]


def current_notices(journal: Journal, notices: Sequence[JournalNotice]) -> tuple[JournalNotice, ...]:
    """Returns the present notices: those from the start, and one if the disk cannot be written to."""
    if not journal.trouble or _is_newer(notices):
        return tuple(notices)
    return *notices, JournalNotice(kind=NoticeKind.UNWRITABLE)


def refusal_kind(journal: Journal, notices: Sequence[JournalNotice]) -> NoticeKind | None:
    """Returns the fault because of which the journal takes no entries now; None if it takes them."""
    if not journal.trouble:
        return None
    return NoticeKind.NEWER if _is_newer(notices) else NoticeKind.UNWRITABLE


def check_writable(journal: Journal, notices: Sequence[JournalNotice]) -> None:
    """Refuses people's actions if the journal cannot be written to.

    Raises:
        PressError: the journal cannot be written to.
    """
    if (kind := refusal_kind(journal, notices)) is not None:
        raise PressError(journal.trouble, says=kind.value)


def _is_newer(notices: Sequence[JournalNotice]) -> bool:
    return any(notice.kind is NoticeKind.NEWER for notice in notices)
