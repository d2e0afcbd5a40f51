"""Turns a script into scenes for the synthetic camera, presses, and the true events, with their times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from table.camera.simulation.script import (
    Abort,
    Act,
    Call,
    Discard,
    Dora,
    Draw,
    Foul,
    KanFromHand,
    Ron,
    ScriptedHand,
    ScriptError,
    Tsumo,
    WallOut,
)
from table.camera.simulation.table_contents import TableContents
from table.game.commands import game_commands as commands
from table.game.commands.game_commands import Press
from table.game.journal.authors import PANEL
from table.rulebook import rules_named
from table.rules.events import (
    AbortCalled,
    AddedKan,
    Called,
    CallKind,
    ClaimsConfirmed,
    ClosedKan,
    Discarded,
    DoraTurned,
    DrawReached,
    Event,
    FoulLogged,
    HandShown,
    HandStarted,
    StickPlaced,
    TenpaiStated,
    UraTurned,
    WinClaimed,
    WinKind,
)
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.terms.amounts import numbered
from table.rules.terms.results import AbortReason, Deltas
from table.rules.terms.seats import Seat, four, seats_from
from table.rules.terms.tiles import Tile
from vision.cameras.synthetic.animation import Beat
from vision.cameras.synthetic.layout import Layout

START: Final = (25000, 25000, 25000, 25000)
DEAL_S: Final = 2.0
"""From the cleared table to the dealt one, and from there to the indicator."""
THINK_S: Final = 1.8
"""From the indicator to the first discard."""
CALL_S: Final = 1.6
"""The least time from a discard to its call, which people announce first."""
STICK_S: Final = 0.9
"""From a riichi tile to its stick."""
PRESS_S: Final = 0.6
"""From an event on the table to the press about it."""
SHOW_S: Final = 1.6
"""For laying a hand open, and for turning the ura indicators."""
REST_S: Final = 1.6
"""From the last confirmation to the clearing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedEvent:
    """An event, and when it is done and at rest."""

    time_s: float
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPress:
    """A press and its time."""

    time_s: float
    press: Press


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedScript:
    """A script ready to be filmed."""

    beats: tuple[Beat, ...]
    contents: tuple[TableContents, ...]
    """The table's contents at each beat."""
    presses: tuple[TimedPress, ...]
    truth: tuple[TimedEvent, ...]
    scores: tuple[Deltas, ...]
    """By seat, after each hand, according to the script."""


def stage_script(
    hands: Sequence[ScriptedHand],
    layout: Layout,
    *,
    scores: Deltas = START,
    quick: tuple[QuickFoul, ...] | None = None,
) -> StagedScript:
    """Plays a checked script.

    Args:
        hands: the hands in order.
        layout: where things go.
        scores: before the first hand.
        quick: the quick fouls of the house; None for those of the home rules.

    Raises:
        ScriptError: a hand has a quick foul that the house lacks.
    """
    staging = _Staging(layout, rules_named("home").penalties.quick if quick is None else quick)
    for number, hand in enumerate(hands):
        dice = 2 + (3 + 4 * number) % 11
        staging.play(hand, scores, dice)
        scores = hand.scores
    return StagedScript(
        beats=tuple(staging.beats),
        contents=tuple(staging.contents),
        presses=tuple(staging.presses),
        truth=tuple(staging.truth),
        scores=tuple(hand.scores for hand in hands),
    )


@dataclass(slots=True)
class _HandProgress:
    """What must be remembered while a hand is played."""

    script: ScriptedHand
    last: Seat | None = None
    is_replacement: bool = False
    sideways_due: set[Seat] = field(default_factory=set)
    in_riichi: set[Seat] = field(default_factory=set)
    ura: list[Tile] = field(default_factory=list)


class _Staging:
    """Collects beats, presses and events while a script is played."""

    def __init__(self, layout: Layout, quick: tuple[QuickFoul, ...]) -> None:
        self.beats: list[Beat] = []
        self.contents: list[TableContents] = []
        self.presses: list[TimedPress] = []
        self.truth: list[TimedEvent] = []
        self._layout = layout
        self._quick = quick
        self._contents = TableContents()
        self._now = 0.0

    def play(self, hand: ScriptedHand, scores: Deltas, dice: int) -> None:
        """Deals, plays and ends one hand."""
        self._deal(hand, scores, dice)
        progress = _HandProgress(script=hand, ura=[hand.ura])
        for number, act in enumerate(hand.acts):
            following = hand.acts[number + 1] if number + 1 < len(hand.acts) else None
            self._act(act, progress, is_last=isinstance(following, Ron | WallOut | None))
        self._now += REST_S
        keep = isinstance(hand.acts[-1], WallOut | Abort)
        self._record_beat(self._contents.cleared(keep_sticks=keep), None)

    def _deal(self, hand: ScriptedHand, scores: Deltas, dice: int) -> None:
        if self.beats:
            self._now += DEAL_S
        self._record_beat(self._contents.with_deal(hand, dice), None)
        self._now += DEAL_S
        self._record_beat(self._contents.with_indicator(hand.dora), hand.dealer)
        self._record_event(
            HandStarted(
                round=hand.round,
                dealer=hand.dealer,
                scores=scores,
                honba=hand.honba,
                deposits=hand.sticks,
                deposit_points=hand.pot,
                dora_indicator=hand.dora,
            )
        )
        self._now += THINK_S - hand.pace_s

    def _act(self, act: Act, progress: _HandProgress, *, is_last: bool) -> None:
        match act:
            case Draw():
                self._contents = self._contents.with_draw(act.seat, act.tile, is_replacement=progress.is_replacement)
                progress.is_replacement = False
            case Discard():
                self._discard(act, progress, is_last=is_last)
            case Call():
                self._call(act, progress)
            case KanFromHand():
                self._kan(act, progress)
            case Dora():
                self._dora(act, progress)
            case Foul():
                self._foul(act)
            case Tsumo() | Ron():
                self._win(act, progress)
            case WallOut():
                self._wall_out(act, progress)
            case Abort():
                self._abort(act)

    def _discard(self, act: Discard, progress: _HandProgress, *, is_last: bool) -> None:
        self._now += progress.script.pace_s
        sideways = act.riichi or act.seat in progress.sideways_due
        progress.sideways_due.discard(act.seat)
        self._record_beat(self._contents.with_discard(act.seat, act.tile, sideways=sideways), act.seat)
        self._record_event(Discarded(seat=act.seat, tile=act.tile, sideways=sideways))
        progress.last = act.seat
        if act.riichi and not is_last:
            progress.in_riichi.add(act.seat)
            self._now += STICK_S
            self._record_beat(self._contents.with_stick(act.seat), act.seat)
            self._record_event(StickPlaced(seat=act.seat))

    def _call(self, act: Call, progress: _HandProgress) -> None:
        giver = progress.last
        if giver is None:
            return
        self._now += max(progress.script.pace_s, CALL_S)
        discard = self._contents.rivers[giver][-1]
        if discard.is_sideways:
            progress.sideways_due.add(giver)
        self._record_beat(self._contents.with_call(act, giver), act.seat)
        self._record_event(
            Called(
                seat=act.seat,
                kind=act.kind,
                tile=Tile(discard.face),
                from_seat=giver,
                own=act.own,
                points_at=giver,
            )
        )
        progress.is_replacement = act.kind is CallKind.OPEN_KAN

    def _kan(self, act: KanFromHand, progress: _HandProgress) -> None:
        self._now += progress.script.pace_s
        self._record_beat(self._contents.with_kan(act), act.seat)
        progress.is_replacement = True
        progress.last = act.seat
        if act.is_closed:
            self._record_event(ClosedKan(seat=act.seat, tiles=four(act.tiles)))
        else:
            self._record_event(AddedKan(seat=act.seat, tile=act.tiles[0]))

    def _dora(self, act: Dora, progress: _HandProgress) -> None:
        self._now += progress.script.pace_s
        self._record_beat(self._contents.with_indicator(act.tile), progress.last)
        self._record_event(DoraTurned(indicator=act.tile))
        progress.ura.append(act.ura)

    def _foul(self, act: Foul) -> None:
        """Records a foul on the panel: the first press names the seat, each further one selects the next quick foul."""
        if not 1 <= act.quick <= len(self._quick):
            raise ScriptError(f"expected {numbered('quick foul', range(1, len(self._quick) + 1))}, got {act.quick}")
        for _ in range(1 + act.quick):
            self._press(commands.PressFoulButton(seat=act.seat))
        self._press(commands.PressTableButton())
        foul = self._quick[act.quick - 1]
        self._record_event(
            FoulLogged(seat=act.seat, clause=foul.clause, option=foul.option, facts=foul.facts, by=PANEL)
        )

    def _win(self, act: Tsumo | Ron, progress: _HandProgress) -> None:
        """Presses the claim, lays the hand open, turns ura for a winner in riichi, and confirms."""
        is_tsumo = isinstance(act, Tsumo)
        self._now += progress.script.pace_s if is_tsumo else 0.0
        self._press(commands.ClaimTsumo(seat=act.seat) if is_tsumo else commands.ClaimRon(seat=act.seat))
        kind = WinKind.TSUMO if is_tsumo else WinKind.RON
        self._record_event(WinClaimed(seat=act.seat, kind=kind))
        winning = act.tile if isinstance(act, Tsumo) else None
        self._contents = (
            self._contents.with_winning_draw(is_replacement=progress.is_replacement) if is_tsumo else self._contents
        )
        self._open(act.seat, winning)
        if act.seat in progress.in_riichi:
            self._now += SHOW_S
            self._record_beat(self._contents.with_ura(tuple(progress.ura)), act.seat)
            self._record_event(UraTurned(seat=act.seat, indicators=tuple(progress.ura)))
        if progress.script.acts[-1] is act:
            self._confirm()

    def _wall_out(self, act: WallOut, progress: _HandProgress) -> None:
        """Presses the draw, lays tenpai hands open, and presses noten for the others."""
        self._press(commands.CallDraw())
        self._record_event(DrawReached())
        for seat in seats_from(progress.script.dealer):
            if seat in act.tenpai:
                self._open(seat, None)
            else:
                self._press(commands.StateNoten(seat=seat))
                self._record_event(TenpaiStated(seat=seat, is_tenpai=False))
        self._confirm()

    def _abort(self, act: Abort) -> None:
        """Presses nine terminals for their owner; shows hands, and confirms."""
        if act.reason is AbortReason.NINE_TERMINALS:
            (seat,) = act.showing_seats
            self._press(commands.CallAbort(seat=seat, reason=act.reason.value))
            self._record_event(AbortCalled(reason=act.reason, seat=seat))
        for seat in act.showing_seats:
            self._open(seat, None)
        self._confirm()

    def _open(self, seat: Seat, winning: Tile | None) -> None:
        self._now += SHOW_S
        self._record_beat(self._contents.with_open_hand(seat, winning), seat)
        self._record_event(HandShown(seat=seat, tiles=tuple(sorted(self._contents.hands[seat])), winning_tile=winning))

    def _confirm(self) -> None:
        self._now += PRESS_S
        self._press(commands.Confirm())
        self._record_event(ClaimsConfirmed())

    def _record_beat(self, contents: TableContents, hand_of: Seat | None) -> None:
        self._contents = contents
        self.contents.append(contents)
        side = None if hand_of is None else int(hand_of)
        self.beats.append(Beat(time_s=round(self._now, 3), scene=contents.scene(self._layout), side=side))

    def _record_event(self, event: Event) -> None:
        self.truth.append(TimedEvent(time_s=round(self._now, 3), event=event))

    def _press(self, press: Press) -> None:
        self._now += PRESS_S
        self.presses.append(TimedPress(time_s=round(self._now, 3), press=press))
