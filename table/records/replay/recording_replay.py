"""Runs a recording through the whole pipeline in its own logical time: the same recording gives the same result."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from table.game.commands.game_commands import Confirm, Press
from table.game.input_feed import FrameWatcher, feed
from table.game.journal.fold import FoldedGame, LoggedAnnouncement
from table.game.journal.journal import Journal
from table.game.new_entries.hand_entries import open_suspicions
from table.game.referee import Referee
from table.game.table_loop import Table
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_wins import without_worth
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.replay.recorded_presses import timed_presses
from table.rulebook import known_rules
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_registry import read_file
from table.rules.events import HandStarted
from table.rules.ruleset import Ruleset
from table.rules.state import FactKind, GameState, MissingFact, Phase
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, four
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import ConfigError
from vision.errors import RecordingError
from vision.felt import FeltReport
from vision.frames import Frame

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """The result of replaying a recording."""

    events: tuple[MjaiLine, ...]
    """mjai lines in game order."""
    announcements: tuple[LoggedAnnouncement, ...]
    """All announcements, in chronological order."""
    state: GameState
    """The game at the end; if no hand was seen, its beginning by the recording's settings."""
    ruleset: Ruleset
    """The rules of that game."""


def replay(
    frames: Iterable[Frame],
    watcher: FrameWatcher,
    *,
    game: Mapping[str, Any],
    folder: Path | None = None,
    presses: Iterable[Mapping[str, Any]],
    places: Sequence[str] = (),
    raw: bool = False,
) -> ReplayResult:
    """Plays a recording's frames and presses.

    Args:
        frames: the frames in order, with the recording's own times.
        watcher: the watcher of the frames.
        game: the keys of `[game]` in recording.toml.
        folder: the recording's folder, with the rule set's file that `game` may name.
        presses: the lines of presses.jsonl.
        places: the file and line of each press, for messages.
        raw: whether to include retracted lines.

    Raises:
        RecordingError: `[game]` names an unknown rule set or switch.
        PressError: a press cannot be read.
    """
    ruleset = ruleset_of(game, folder)
    clock, first = LogicalClock(), first_hand(game, ruleset)
    with Journal(None) as journal:
        referee = Referee(first=first, is_complete=True)
        table = Table(journal=journal, referee=referee, ruleset=ruleset, clock=clock)
        timed = timed_presses(presses, places, penalties=ruleset.penalties)
        feed(_with_clock(frames, clock), watcher, _LoggingTable(table), timed)
        state = table.state
        if state.hand is None:
            state = replace(state, scores=first.scores, deposits=first.deposits)
        return ReplayResult(
            events=tuple(map(without_worth, mjai_lines(journal.entries(), raw=raw))),
            announcements=tuple(table.announcements),
            state=state,
            ruleset=table.folded_game.ruleset,
        )


class _LoggingTable:
    """A table that logs why a win cannot be settled when people confirm it, as its page would show them."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def report(self, report: FeltReport) -> None:
        self._table.report(report)

    def handle(self, press: Press) -> None:
        self._table.handle(press)
        if isinstance(press, Confirm):
            for reason in _reasons_against_settlement(self._table.folded_game):
                _log.warning("the win confirmed at frame %s is not settled: %s", press.frame, reason)


def _reasons_against_settlement(game: FoldedGame) -> Iterator[str]:
    """Yields why each claimed win cannot be valued: what was asked about it, or that its hand is unknown."""
    hand = game.state.live
    if hand is None or hand.phase is not Phase.CLAIMED or hand.proposal is not None:
        return
    suspicions = list(open_suspicions(game))
    for claim in hand.claims:
        if MissingFact(FactKind.HAND, claim.seat) in hand.missing:
            evidence = [
                number for suspicion in suspicions if suspicion.seat is claim.seat for number in suspicion.evidence
            ]
            yield f"seat {int(claim.seat)}: {'; '.join(evidence) or 'the hand was neither shown nor counted'}"


def _with_clock(frames: Iterable[Frame], clock: LogicalClock) -> Iterator[Frame]:
    for frame in frames:
        clock.now_ns = max(clock.now_ns, frame.t_ns)
        yield frame


def ruleset_of(game: Mapping[str, Any], folder: Path | None = None) -> Ruleset:
    """Returns the rules of a recording: a rule set by name or by the file beside it, with changed switches.

    Raises:
        RecordingError: there is no such rule set or switch.
    """
    setting = game.get("ruleset", HOME.name)
    try:
        if isinstance(setting, str):
            return _ruleset_named(setting, folder)
        switches = {key: tuple(value) if isinstance(value, list) else value for key, value in setting.items()}
        return _ruleset_named(str(switches.pop("preset", HOME.name)), folder).but(**switches)
    except (ConfigError, RulesError) as error:
        raise RecordingError(f"{error}, in [game] of recording.toml") from error


def _ruleset_named(name: str, folder: Path | None) -> Ruleset:
    """Returns the rule set of that name, or of a file of that name beside the recording; no other file is read."""
    if folder is None or not name.endswith(".toml"):
        return known_rules(name).ruleset
    if Path(name).name != name:
        raise ConfigError(f"expected the name of a file beside recording.toml, got the path {name!r:.100}")
    return read_file(folder / name).ruleset


def first_hand(game: Mapping[str, Any], ruleset: Ruleset) -> HandStarted:
    """Returns the start of a recording's first hand; missing values are those of a new game."""
    points = ruleset.starting_points
    return HandStarted(
        round=Round.parse(game.get("round", "E1")),
        dealer=SEATS[game.get("dealer_seat", 0)],
        scores=four(game.get("scores", [points] * 4)),
        honba=game.get("honba", 0),
        deposits=game.get("deposits", 0),
    )
