"""What came of a watched hand, held against the truth; kept line by line in a file; and the figures of many hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from statistics import median
from typing import Any, Final

from models.training.judge.metrics import Rate
from table.camera.simulation.script_recording import Show
from table.game.journal.fold import Status
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.replay.recording_replay import ReplayResult
from table.rules.terms.announcements import AnnouncementId
from tests.benchmarks.kept_results import KeptResults

COMPARED_FIELDS: Final = (
    "type",
    "actor",
    "target",
    "pai",
    "consumed",
    "dora_marker",
    "reason",
    "bakaze",
    "kyoku",
    "honba",
)
"""What makes two lines tell the same act."""
FOUR: Final = (AnnouncementId.FOUR_RIICHI_PENDING, AnnouncementId.FOUR_RIICHI_ABORT)
NEVER_DUE: Final = (
    AnnouncementId.STICK_MISSING,
    AnnouncementId.DEAD_HAND,
    AnnouncementId.NOTEN_RIICHI,
    AnnouncementId.ILLEGAL_CLOSED_KAN,
    AnnouncementId.POSSIBLE_FURITEN,
    AnnouncementId.MELD_POINTS_WRONG_WAY,
    AnnouncementId.OUT_OF_TURN,
    AnnouncementId.MISSING_DISCARD,
    AnnouncementId.IMPOSSIBLE_READING,
    AnnouncementId.FOUL_LOGGED,
    AnnouncementId.CAMERA_LOST,
)
"""What no recorded hand gives a reason for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filming:
    """What was filmed, and how: two equal filmings give the same frames."""

    number: int
    record: str
    look: str
    px: int
    fps: float
    pace_s: float
    is_scanned: bool
    strains: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """What came of one hand."""

    filming: Filming
    is_right: bool
    """With every event right and in order, and the points."""
    is_settled: bool
    """With the right points."""
    events: int
    missed: int
    false: int
    wrong: int
    """Told at their place, but with another tile or seat."""
    is_false_riichi: bool
    """Whether a riichi was accepted that nobody declared."""
    is_false_four: bool
    """Whether four riichi were told though fewer were declared."""
    questions: tuple[str, ...]
    """The tiles that were asked for, and the facts that the settlement still lacked."""
    never_due: tuple[str, ...]
    """Announcements that the hand gave no reason for."""
    late_s: tuple[float, ...]
    """Of each discard, from at rest to told."""
    slips: tuple[str, ...]


def result_of(filming: Filming, film: Show, replayed: ReplayResult) -> HandResult:
    """Holds what was told against the truth."""
    true_lines, told_lines = list(film.truth), list(replayed.events)
    result = HandResult(
        filming=filming,
        is_right=False,
        is_settled=[hand.scores for hand in replayed.state.history] == list(film.scores),
        events=len(true_lines),
        missed=0,
        false=0,
        wrong=0,
        is_false_riichi=bool(_of_type(told_lines, "reach_accepted") - _of_type(true_lines, "reach_accepted")),
        is_false_four=len(_of_type(true_lines, "reach")) < 4 and any(id_ in FOUR for id_ in _announced(replayed)),
        questions=tuple(_questions(replayed)),
        never_due=tuple(id_.value for id_ in _announced(replayed) if id_ in NEVER_DUE),
        late_s=(),
        slips=(),
    )
    result = _with_differences(result, true_lines, told_lines, film.fps)
    return replace(result, is_right=result.is_settled and not result.slips)


def _with_differences(
    result: HandResult, true_lines: Sequence[MjaiLine], told_lines: Sequence[MjaiLine], fps: float
) -> HandResult:
    slips, late_s = list[str](), list[float]()
    missed = false = wrong = 0
    keys = [_key(line) for line in true_lines], [_key(line) for line in told_lines]
    for kind, begin, end, other, stop in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs = zip(true_lines[begin:end], told_lines[other:stop], strict=True)
            late_s += [round((b["frame"] - a["frame"]) / fps, 3) for a, b in pairs if b["type"] == "dahai"]
            continue
        replaced = min(end - begin, stop - other)
        wrong += replaced
        missed += end - begin - replaced
        false += stop - other - replaced
        slips += [f"not {line['type']} {line.get('pai', '')}".strip() for line in true_lines[begin:end]]
        slips += [f"but {line['type']} {line.get('pai', '')}".strip() for line in told_lines[other:stop]]
    return replace(result, missed=missed, false=false, wrong=wrong, late_s=tuple(late_s), slips=tuple(slips))


def _of_type(lines: Iterable[MjaiLine], kind: str) -> Counter[int]:
    return Counter(line["actor"] for line in lines if line["type"] == kind)


def _announced(replayed: ReplayResult) -> Iterator[AnnouncementId]:
    yield from (logged.announcement.id for logged in replayed.announcements if logged.status is Status.NEW)


def _questions(replayed: ReplayResult) -> Iterator[str]:
    for logged in replayed.announcements:
        announcement = logged.announcement
        if announcement.id is AnnouncementId.DOUBT and logged.status is Status.NEW:
            yield str(announcement.args["tile"])
    proposals = [each for each in replayed.announcements if each.announcement.id is AnnouncementId.SETTLEMENT_PROPOSED]
    missing = proposals[-1].announcement.args.get("missing", ()) if proposals else ()
    assert isinstance(missing, list | tuple)
    yield from map(str, missing)


def _key(line: Mapping[str, Any]) -> str:
    return repr(
        [(name, sorted(line[name]) if name == "consumed" else line[name]) for name in COMPARED_FIELDS if name in line]
    )


class Store(KeptResults[Filming, HandResult]):
    """The results of filmed hands."""

    def __init__(self, path: Path | None) -> None:
        """Reads what the file holds, if there is one."""
        super().__init__(path, _read, lambda result: result.filming)


def _read(values: dict[str, Any]) -> HandResult:
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    filming_values = values["filming"]
    filming = Filming(**{**filming_values, "strains": tuple(filming_values["strains"])})
    return HandResult(**{**values, **lists, "filming": filming})


@dataclass
class Count:
    """The figures of many hands."""

    results: list[HandResult] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The figures."""
        all_ = self.results
        events = max(sum(result.events for result in all_), 1)
        yield self._share_line("hands entirely right", sum(result.is_right for result in all_))
        yield self._share_line("hands settled right", sum(result.is_settled for result in all_))
        for name in ("missed", "false", "wrong"):
            share = 1000 * sum(getattr(result, name) for result in all_) / events
            yield f"events {name:14} {share:.1f} per thousand"
        yield self._share_line("false riichi", sum(result.is_false_riichi for result in all_))
        yield self._share_line("false four riichi", sum(result.is_false_four for result in all_))
        yield self._share_line("false stick missing", sum("stick_missing" in result.never_due for result in all_))
        yield self._share_line("hands with a question", sum(bool(result.questions) for result in all_))
        yield f"questions             {sum(len(result.questions) for result in all_)}"
        corrections = sum(result.missed + result.false + result.wrong for result in all_) / max(len(all_), 1)
        yield f"corrections a hand    {corrections:.2f} by hand"
        late = sorted(late for result in all_ for late in result.late_s)
        if late:
            nine_of_ten = late[len(late) * 9 // 10]
            yield f"from rest to event    median {median(late):.2f} s, nine of ten within {nine_of_ten:.2f} s"
        for name in ("slips", "questions", "never_due"):
            kinds = Counter(kind for result in all_ for kind in getattr(result, name))
            yield f"{name}: " + (", ".join(f"{kind} x{times}" for kind, times in kinds.most_common(40)) or "none")

    def _share_line(self, name: str, count: int) -> str:
        low, high = interval(count, len(self.results))
        share = 100 * count / max(len(self.results), 1)
        return f"{name:21} {count} of {len(self.results)} ({share:.1f} %, 95 % interval {low:.1f}-{high:.1f})"


def interval(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in per cent."""
    low, high = Rate(right=right, total=count).interval
    return 100 * low, 100 * high
