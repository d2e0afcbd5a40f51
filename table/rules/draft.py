"""A draft: the working copy of a hand while one event is applied, with the announcements and suspicions so far.

Aspects read and set the draft's attributes, which are those of `HandState`; every value stays immutable. A draft exists
for one event and is discarded if the event turns out to be impossible.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from table.rules.events import HandShown, HandStarted
from table.rules.foul_totals import foul_deltas
from table.rules.ruleset import Ruleset
from table.rules.state import (
    Claim,
    Furiten,
    GameState,
    Gap,
    HandState,
    Ippatsu,
    LaidTile,
    LoggedFoul,
    MissingFact,
    Pao,
    Phase,
    Riichi,
    RiverTile,
    SeenPlay,
    Step,
    VoidCall,
)
from table.rules.terms.announcements import Announcement, AnnouncementId, Scope, Suspicion
from table.rules.terms.melds import Meld
from table.rules.terms.results import STICK, AbortReason, Deltas, Settlement, add
from table.rules.terms.seats import Seat, four
from table.rules.terms.tiles import Tile

if TYPE_CHECKING:
    from table.rules.scoring.hand_value import HandValue

T = TypeVar("T")


def replace_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Returns the values with one of them replaced."""
    return (*values[:index], value, *values[index + 1 :])


class Draft(SeenPlay):
    """The hand during one `advance`. Attributes have the same meaning as in `HandState`.

    All other attributes are slots, so that the dictionary contains exactly the fields of `HandState`. `hand` is the
    hand before the event.
    """

    __slots__ = ("__dict__", "_announcements", "_suspicions", "game", "hand", "rules")

    start: HandStarted
    phase: Phase
    dora_indicators: tuple[Tile, ...]
    ura: tuple[Tile, ...]
    ura_by: tuple[Seat, ...]
    rivers: tuple[tuple[RiverTile, ...], ...]
    melds: tuple[tuple[Meld, ...], ...]
    discards: int
    laid_tiles: tuple[LaidTile, ...]
    counts: tuple[int, ...]
    turn: Seat | None
    claimable_tile: LaidTile | None
    has_passed: bool
    barred_kinds: frozenset[int]
    has_drawn: bool
    is_replacement: bool
    tiles_left: int
    is_interrupted: bool
    riichi: tuple[Riichi, ...]
    ippatsu: tuple[Ippatsu, ...]
    sideways_due: tuple[bool, ...]
    sticks: tuple[bool, ...]
    declared_waits: tuple[frozenset[int] | None, ...]
    declared_furiten: tuple[frozenset[Furiten], ...]
    kans: tuple[Seat, ...]
    dora_due: int
    pao: tuple[Pao, ...]
    claims: tuple[Claim, ...]
    shown_hands: tuple[HandShown | None, ...]
    openers: tuple[Seat, ...]
    tenpai: tuple[bool | None, ...]
    abort: AbortReason | None
    abort_by: Seat | None
    pending_abort: AbortReason | None
    lapsed_aborts: tuple[AbortReason, ...]
    missed_at: tuple[int | None, ...]
    unseen_from: int | None
    gap: Gap | None
    late_indexes: tuple[int, ...]
    is_draw_watched: bool
    fouls: tuple[LoggedFoul, ...]
    values: tuple[HandValue | None, ...]
    before_act: HandState | None
    void_calls: tuple[VoidCall, ...]
    before_ron: HandState | None
    before_tsumo: HandState | None
    proposal: Settlement | None
    missing: tuple[MissingFact, ...]

    def __init__(self, game: GameState, hand: HandState, ruleset: Ruleset) -> None:
        self.game = game
        self.hand = hand
        self.rules = ruleset
        self._announcements: list[Announcement] = []
        self._suspicions: list[Suspicion] = []
        self.restore(hand)

    def restore(self, hand: HandState) -> None:
        """Copies all values from `hand`."""
        self.__dict__ = hand.__dict__.copy()

    def say(
        self,
        announcement_id: AnnouncementId,
        rule: str,
        seat: Seat | None = None,
        scope: Scope = Scope.PUBLIC,
        **args: object,
    ) -> None:
        """Adds an announcement; `args` are JSON values."""
        self._announcements.append(Announcement(id=announcement_id, seat=seat, scope=scope, args=args, rule=rule))

    def unsay(self, *announcement_ids: AnnouncementId) -> None:
        """Drops the announcements of these kinds that this event has made so far."""
        self._announcements = [
            announcement for announcement in self._announcements if announcement.id not in announcement_ids
        ]

    def pass_on(self, *announcements: Announcement) -> None:
        """Adds announcements from elsewhere."""
        self._announcements += announcements

    def suspect(self, clause: str, seat: Seat, *evidence: str, scope: Scope = Scope.VERDICT) -> None:
        """Adds a suspicion: a question for people, with the house's options for it.

        Suspicions of one event about the same clause, seat and scope are joined into one with all the evidence.
        """
        for index, suspicion in enumerate(self._suspicions):
            if (suspicion.clause, suspicion.seat, suspicion.scope) == (clause, seat, scope):
                self._suspicions[index] = replace(suspicion, evidence=(*suspicion.evidence, *evidence))
                return
        rule = self.rules.penalties.answer(clause)
        options = () if rule is None else tuple(option.letter for option in rule.options)
        self._suspicions.append(Suspicion(clause=clause, seat=seat, evidence=evidence, options=options, scope=scope))

    @property
    def deposits(self) -> int:
        """Sticks of 1000 in the pot, including this hand's accepted riichi."""
        return self.start.deposits + sum(riichi.is_accepted for riichi in self.riichi)

    @property
    def scores(self) -> Deltas:
        """Points by seat, less 1000 for each accepted riichi, including payments for fouls."""
        scores = four(
            score - STICK * riichi.is_accepted for score, riichi in zip(self.start.scores, self.riichi, strict=True)
        )
        return add(scores, foul_deltas(self.fouls)) if self.fouls else scores

    def freeze(self) -> HandState:
        """Returns the hand with this draft's values, which are not copied: the draft must not change afterwards."""
        hand = object.__new__(HandState)
        object.__setattr__(hand, "__dict__", self.__dict__)
        return hand

    def step(self) -> Step:
        """Returns the step of this event, with the hand still being played."""
        scores, deposits = self.game.scores, self.game.deposits
        if self.riichi is not self.hand.riichi or self.fouls is not self.hand.fouls:
            scores, deposits = self.scores, self.deposits
        return self.step_to(
            GameState(
                scores=scores,
                deposits=deposits,
                deposit_points=self.game.deposit_points,
                hand=self.freeze(),
                history=self.game.history,
                ends_after=self.game.ends_after,
                replays_from=self.game.replays_from,
                adjustments=self.game.adjustments,
            )
        )

    def step_to(self, state: GameState) -> Step:
        """Returns a step to `state` with the announcements and suspicions so far."""
        return Step(state=state, announcements=tuple(self._announcements), suspicions=tuple(self._suspicions))
