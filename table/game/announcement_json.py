"""Announcements as the contract writes them, and what a refold changes about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table.game.journal.fold import Status, Told, key_of
from table.game.referee.findings import Question
from table.game.snapshot import CameraHealth, KeptMoment
from table.rules.terms.announcements import Announcement, Saying
from vision.felt import FeltReport


def announcement_line(told: Told) -> dict[str, Any]:
    """One announcement as JSON, with the tiles that it rests on only where a camera saw some."""
    said = told.announcement
    line = {
        "id": said.saying.value,
        "scope": said.scope.value,
        "seat": None if said.seat is None else int(said.seat),
        "frame": told.frame,
        "cause": list(told.cause),
        "args": said.args,
        "status": told.status.value,
        "key": told.key,
        "rule": said.rule,
    }
    return line | {"evidence": list(told.evidence)} if told.evidence else line


def seen_after(told: Told, entry: int) -> Told:
    """The announcement; without its tiles if what it rests on came before: ids of earlier runs mean nothing."""
    return told if told.cause[0] > entry else replace(told, evidence=())


def difference(before: Sequence[Told], after: Sequence[Told], *, seen_since: int) -> list[Told]:
    """What must be said again after a refold: only what was withdrawn, changed or is new."""
    old, new = {told.key: told for told in before}, {told.key: told for told in after}
    changed = [replace(told, status=Status.WITHDRAWN) for key, told in old.items() if key not in new]
    changed += [
        replace(told, status=Status.CHANGED if key in old else Status.NEW)
        for key, told in new.items()
        if key not in old or old[key].announcement != told.announcement
    ]
    return [seen_after(told, seen_since) for told in changed]


def camera_moved(report: FeltReport, hand: int) -> Told:
    """That the camera or the table was pushed and the picture aligned again."""
    args = {"mm": round(report.moved_mm)}
    return _of_the_table(Saying.CAMERA_MOVED, hand, mark=str(report.frame), frame=report.frame, args=args)


def moment_flagged(moment: KeptMoment, hand: int) -> Told:
    """What came of a moment that somebody flagged."""
    if moment.is_kept:
        return _of_the_table(
            Saying.MOMENT_KEPT, hand, mark=moment.name, args={"at": moment.at, "seconds": moment.seconds}
        )
    return _of_the_table(Saying.MOMENT_LOST, hand, mark=moment.name, args={"at": moment.at})


def camera_changed(health: CameraHealth, hand: int) -> Told:
    """That the camera went, or came back."""
    return _of_the_table(Saying.CAMERA_LOST if health is CameraHealth.LOST else Saying.CAMERA_BACK, hand)


def _of_the_table(
    saying: Saying, hand: int, *, mark: str = "-", frame: int | None = None, args: Mapping[str, Any] | None = None
) -> Told:
    """What concerns nobody's seat and rests on no entry; `mark` tells it from its like in the same hand."""
    said = Announcement(saying=saying, args=args or {})
    return Told(key=key_of(hand, said, mark), announcement=said, frame=frame)


def doubted(question: Question, hand: int) -> Told:
    """A question of the referee as an announcement; it waits on the page and is never spoken."""
    args = {
        "tile": None if question.tile is None else question.tile.text,
        "discard": question.discard,
        "alternatives": [[tile.text, score] for tile, score in question.alternatives],
    }
    asked = Announcement(saying=question.saying, seat=question.seat, args=args)
    return Told(
        key=key_of(hand, asked, question.discard),
        announcement=asked,
        frame=question.frame,
        evidence=question.evidence,
    )
