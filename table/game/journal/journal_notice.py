"""What people at the table must know of their journal: what is wrong with it, and which backup helps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from table.game.journal.journal import Journal
from table.runtime.table_errors import PressError


class NoticeKind(StrEnum):
    """What is wrong; the text ``page.journal_KIND`` of the catalogue tells it to players."""

    UNWRITABLE = "unwritable"
    """The disk is full or takes no writes: what people do is refused."""
    NEWER = "newer"
    """A newer version wrote it: what people do is refused."""
    RESTORED = "restored"
    """It was damaged: a backup has taken its place, or is shown."""
    LOST = "lost"
    """It was damaged and no backup is whole: what could be read of it goes on, which may be nothing."""
    UNFOLLOWED = "unfollowed"
    """Its last game cannot be followed: the next one begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalNotice:
    """One thing that is wrong with the journal."""

    kind: NoticeKind
    backup: str = ""
    """The backup that is shown, was restored, or would help; empty where there is none."""

    @property
    def day(self) -> str:
        """The day in the backup's name, ISO 8601; its whole name where it has none."""
        found = re.search(r"\d{4}-\d\d-\d\d", self.backup)
        return self.backup if found is None else found[0]


def current_notices(journal: Journal, notices: Sequence[JournalNotice]) -> tuple[JournalNotice, ...]:
    """Returns what is wrong now: what was at the start, and whether the disk takes anything."""
    if not journal.trouble or _is_newer(notices):
        return tuple(notices)
    return *notices, JournalNotice(kind=NoticeKind.UNWRITABLE)


def check_writable(journal: Journal, notices: Sequence[JournalNotice]) -> None:
    """Refuses what people do where it cannot be written down.

    Raises:
        PressError: it cannot.
    """
    if journal.trouble:
        kind = NoticeKind.NEWER if _is_newer(notices) else NoticeKind.UNWRITABLE
        raise PressError(journal.trouble, says=kind.value)


def _is_newer(notices: Sequence[JournalNotice]) -> bool:
    return any(notice.kind is NoticeKind.NEWER for notice in notices)
