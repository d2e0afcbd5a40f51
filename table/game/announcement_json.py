"""Announcements as the contract writes them, and what a refold changes about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table.game.journal.fold import Told
from table.game.referee.findings import Question
from table.game.snapshot import CameraHealth, KeptMoment, Spoken
from table.rules.terms.announcements import Announcement, Saying, Scope
from vision.felt import FeltReport


def as_spoken(told: Told, status: str, *, seen_since: int | None = None) -> Spoken:
    """One announcement as JSON; `status` is `new`, `changed` or `withdrawn`.

    Of entries above the number `seen_since` it names the tiles that they rest on: ids of earlier runs mean nothing.
    """
    said = told.announcement
    spoken = _spoken(told, said, status)
    if told.evidence and seen_since is not None and told.cause[0] > seen_since:
        spoken["evidence"] = list(told.evidence)
    return spoken


def _spoken(told: Told, said: Announcement, status: str) -> Spoken:
    return Spoken(
        id=said.saying.value,
        scope=said.scope.value,
        seat=None if said.seat is None else int(said.seat),
        frame=told.frame,
        cause=list(told.cause),
        args=said.args,
        status=status,
        key=told.key,
        rule=said.rule,
    )


def difference(before: Sequence[Told], after: Sequence[Told], *, seen_since: int | None = None) -> list[Spoken]:
    """What must be said again after a refold: only what was withdrawn, changed or is new."""
    old, new = {told.key: told for told in before}, {told.key: told for told in after}
    withdrawn = [as_spoken(told, "withdrawn", seen_since=seen_since) for key, told in old.items() if key not in new]
    return withdrawn + [
        as_spoken(told, "changed" if key in old else "new", seen_since=seen_since)
        for key, told in new.items()
        if key not in old or old[key].announcement != told.announcement
    ]


def camera_moved(report: FeltReport, hand: int) -> Spoken:
    """That the camera or the table was pushed and the picture aligned again."""
    args = {"mm": round(report.moved_mm)}
    return _of_the_table(Saying.CAMERA_MOVED, hand, mark=str(report.frame), frame=report.frame, args=args)


def moment_flagged(moment: KeptMoment, hand: int) -> Spoken:
    """What came of a moment that somebody flagged."""
    if moment.is_kept:
        return _of_the_table(
            Saying.MOMENT_KEPT, hand, mark=moment.name, args={"at": moment.at, "seconds": moment.seconds}
        )
    return _of_the_table(Saying.MOMENT_LOST, hand, mark=moment.name, args={"at": moment.at})


def camera_changed(health: CameraHealth, hand: int) -> Spoken:
    """That the camera went, or came back."""
    return _of_the_table(Saying.CAMERA_LOST if health is CameraHealth.LOST else Saying.CAMERA_BACK, hand)


def _of_the_table(
    saying: Saying, hand: int, *, mark: str = "-", frame: int | None = None, args: Mapping[str, Any] | None = None
) -> Spoken:
    """What concerns nobody's seat and rests on no entry; `mark` tells it from its like in the same hand."""
    return Spoken(
        id=saying.value,
        scope=Scope.PUBLIC.value,
        seat=None,
        frame=frame,
        cause=[],
        args=dict(args or {}),
        status="new",
        key=f"{hand}.{saying.value}.-.{mark}",
        rule="",
    )


def doubted(question: Question, hand: int) -> Spoken:
    """A question of the referee as an announcement; it waits on the page and is never spoken."""
    seat = None if question.seat is None else int(question.seat)
    asked = Spoken(
        id=question.saying.value,
        scope=Scope.PUBLIC.value,
        seat=seat,
        frame=question.frame,
        cause=[],
        args={
            "tile": None if question.tile is None else question.tile.text,
            "discard": question.discard,
            "alternatives": [[tile.text, score] for tile, score in question.alternatives],
        },
        status="new",
        key=f"{hand}.{question.saying.value}.{'-' if seat is None else seat}.{question.discard}",
        rule="",
    )
    if question.evidence:
        asked["evidence"] = list(question.evidence)
    return asked
