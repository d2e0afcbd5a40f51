"""Announcements as the contract writes them, and what a refold changes about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table.game.journal.entries import Names
from table.game.journal.fold import LoggedAnnouncement, Status, key_of
from table.game.referee.findings import Question
from table.game.snapshot import AccessNews, CameraHealth, KeptMoment
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.seats import Seat
from vision.felt import FeltReport


def announcement_line(logged: LoggedAnnouncement) -> dict[str, Any]:
    """One announcement as JSON, with the tiles that it rests on only where a camera saw some."""
    announcement = logged.announcement
    line = {
        "id": announcement.id.value,
        "scope": announcement.scope.value,
        "seat": None if announcement.seat is None else int(announcement.seat),
        "frame": logged.frame,
        "cause": list(logged.cause),
        "args": announcement.args,
        "status": logged.status.value,
        "key": logged.key,
        "rule": announcement.rule,
    }
    return line | {"evidence": list(logged.evidence)} if logged.evidence else line


def seen_after(logged: LoggedAnnouncement, entry: int) -> LoggedAnnouncement:
    """The announcement; without its tiles if what it rests on came before: ids of earlier runs mean nothing."""
    return logged if logged.cause[0] > entry else replace(logged, evidence=())


def difference(
    before: Sequence[LoggedAnnouncement], after: Sequence[LoggedAnnouncement], *, seen_since: int
) -> list[LoggedAnnouncement]:
    """What must be said again after a refold: only what was withdrawn, changed or is new."""
    old, new = {logged.key: logged for logged in before}, {logged.key: logged for logged in after}
    changed = [replace(logged, status=Status.WITHDRAWN) for key, logged in old.items() if key not in new]
    changed += [
        replace(logged, status=Status.CHANGED if key in old else Status.NEW)
        for key, logged in new.items()
        if key not in old or old[key].announcement != logged.announcement
    ]
    return [seen_after(logged, seen_since) for logged in changed]


def camera_moved(report: FeltReport, hand: int) -> LoggedAnnouncement:
    """That the camera or the table was pushed and the picture aligned again."""
    args = {"mm": round(report.moved_mm)}
    return _of_the_table(AnnouncementId.CAMERA_MOVED, hand, mark=str(report.frame), frame=report.frame, args=args)


def moment_flagged(moment: KeptMoment, hand: int) -> LoggedAnnouncement:
    """What came of a moment that somebody flagged."""
    if moment.is_kept:
        return _of_the_table(
            AnnouncementId.MOMENT_KEPT, hand, mark=moment.name, args={"at": moment.at, "seconds": moment.seconds}
        )
    return _of_the_table(AnnouncementId.MOMENT_LOST, hand, mark=moment.name, args={"at": moment.at})


def access_changed(news: AccessNews, hand: int, number: int) -> LoggedAnnouncement:
    """Who may act changed; `number` tells it from its like in the same hand."""
    announcement = Announcement(id=news.id, seat=news.seat, args=news.args)
    return LoggedAnnouncement(key=key_of(hand, announcement, f"access {number}"), announcement=announcement)


def voices_agreed(voices: Sequence[Seat | str], names: Names, hand: int, entry: int) -> LoggedAnnouncement:
    """Which two agreed about a foul, a seat by its player's name where that is known; `entry` logged the foul."""
    first, second = (names[voice] or voice if isinstance(voice, Seat) else voice for voice in voices)
    return _of_the_table(
        AnnouncementId.FOUL_AGREED, hand, mark=f"voices {entry}", args={"first": first, "second": second}
    )


def camera_changed(health: CameraHealth, hand: int) -> LoggedAnnouncement:
    """That the camera went, or came back."""
    return _of_the_table(
        AnnouncementId.CAMERA_LOST if health is CameraHealth.LOST else AnnouncementId.CAMERA_BACK, hand
    )


def _of_the_table(
    saying: AnnouncementId,
    hand: int,
    *,
    mark: str = "-",
    frame: int | None = None,
    args: Mapping[str, Any] | None = None,
) -> LoggedAnnouncement:
    """What concerns nobody's seat and rests on no entry; `mark` tells it from its like in the same hand."""
    announcement = Announcement(id=saying, args=args or {})
    return LoggedAnnouncement(key=key_of(hand, announcement, mark), announcement=announcement, frame=frame)


def doubted(question: Question, hand: int) -> LoggedAnnouncement:
    """A question of the referee as an announcement; it waits on the page and is never spoken."""
    args = {
        "tile": None if question.tile is None else question.tile.text,
        "discard": question.discard,
        "alternatives": [[tile.text, score] for tile, score in question.alternatives],
    }
    asked = Announcement(id=question.id, seat=question.seat, args=args)
    return LoggedAnnouncement(
        key=key_of(hand, asked, question.discard),
        announcement=asked,
        frame=question.frame,
        evidence=question.evidence,
    )
