"""The penalties of a rulebook that are deducted from a tournament's total: its articles with points after uma."""

from __future__ import annotations

from dataclasses import dataclass

from table.rulebook.house_rules import HouseRules
from table.rules.penalties.effect_terms import Op


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPenalty:
    """One article."""

    article: str
    """The rulebook's name for it: `EMA late`."""
    title: str
    points: int
    per: str
    """`minute` or `tile` if the points are for each one; else empty."""
    cap: int
    """The most that it costs; 0 without a limit."""

    def cost(self, times: int) -> int:
        """Returns the points deducted; `times` counts the minutes, the tiles or the offences."""
        points = self.points * times
        return min(points, self.cap) if self.cap else points


def book_penalties(house: HouseRules) -> tuple[BookPenalty, ...]:
    """Returns the articles of a rule set that cost points after uma, each amount once."""
    found = dict.fromkeys(
        BookPenalty(
            article=article.number,
            title=article.title,
            points=effect.number("points"),
            per=str(effect.param("per") or ""),
            cap=effect.number("cap"),
        )
        for article in house.articles
        for effect in article.effects
        if effect.op is Op.AFTER_UMA
    )
    return tuple(found)
