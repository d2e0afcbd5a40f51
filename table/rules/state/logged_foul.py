"""A foul that people logged, with its consequence."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.rules.penalties.consequence import Consequence, Part
from table.rules.penalties.foul_facts import Facts
from table.rules.state.laid_tiles import Claim
from table.rules.state.riichi_status import Riichi
from table.rules.terms.seats import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedFoul:
    """A foul that people logged; a cancelled one stays listed."""

    seat: Seat
    clause: str
    option: str | None = None
    note: str = ""
    cancel_reason: str | None = None
    """The reason why it was cancelled; None if it was not."""
    facts: tuple[str, ...] = ()
    """Facts that people gave, as in `FoulLogged`."""
    by: str = ""
    """Who decided it, as in `FoulLogged`."""
    seen_facts: Facts = field(default_factory=lambda: Facts(dealer=Seat.NEAR))
    """The facts that the table saw when it was logged, except scores and counts, which depend on other fouls."""
    consequence: Consequence = field(default_factory=Consequence)
    """Its consequence, given the fouls in force before it in its hand and in earlier hands."""
    discards: int = 0
    """The number of discards in the hand when it was logged."""
    laid: int = 0
    """The number of tiles that could be claimed, in the hand so far, when it was logged."""
    claims: tuple[Claim, ...] = ()
    """The wins that were claimed when it was logged."""
    is_late: bool = False
    """Whether it was logged after the hand was settled."""
    voided_riichi: tuple[tuple[Seat, Riichi], ...] = ()
    """Each riichi that it voided, as it was before."""
    announced_riichi: tuple[tuple[Seat, Riichi], ...] = ()
    """Each riichi that it took back before a tile declared it, as it was before."""
    extra_draws: int = 0
    """How many extra tiles it let its seat draw (7-04-02 i), of those that were left."""
    outcome: Part = field(default_factory=Part)
    """Its effects when its hand was settled, without those that lapsed or that a valid win cancelled."""

    @property
    def claim(self) -> Claim | None:
        """The seat's claim to win when it was logged."""
        return next((claim for claim in self.claims if claim.seat is self.seat), None)
