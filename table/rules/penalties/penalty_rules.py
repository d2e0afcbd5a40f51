"""A house's penalty rules as the rules know them: every clause with its options, and which of them is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.foul_facts import check_fact
from table.rules.terms.rule_errors import InvalidValueError

Returned = Literal["all", "riichi"]
LastDiscard = Literal["chombo", "dead_hand"]
Deciders = Literal["two", "owner"]
MOST_QUICK: Final = 6
"""How many quick fouls a seat's one button can step through and still be told apart by their blinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer to a foul."""

    letter: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One clause or article with its options and the chosen one."""

    clause: str
    """Number in the catalogue (`7-05-01`), or a rulebook's article (`EMA 6.3`)."""
    options: tuple[Option, ...]
    choice: str | None = None
    """The chosen option's letter; None leaves it to the referee."""
    title: str = ""
    """What a rulebook's article says, in its own words; clauses have theirs in the catalogue."""
    about: tuple[str, ...] = ()
    """What it answers that the catalogue does not know: requirements of riichi (`R22`), another book's article."""

    def __post_init__(self) -> None:
        letters = [option.letter for option in self.options]
        if self.choice is not None and self.choice not in letters:
            raise InvalidValueError(f"expected an option of {', '.join(letters)} in {self.clause}, got {self.choice!r}")

    def option(self, letter: str | None = None) -> Option | None:
        """Returns an option, or the chosen one; None where it is left to the referee.

        Raises:
            InvalidValueError: the clause has no such option.
        """
        wanted = self.choice if letter is None else letter
        if wanted is None:
            return None
        for option in self.options:
            if option.letter == wanted:
                return option
        letters = ", ".join(option.letter for option in self.options)
        raise InvalidValueError(f"expected an option of {letters} in {self.clause}, got {wanted!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickFoul:
    """A foul that happens so often here that the panel alone can name it, with all that decides what follows."""

    clause: str
    option: str | None = None
    """Another option than the house's."""
    facts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in self.facts:
            check_fact(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyRules:
    """What a table does about fouls. Without rules, a logged foul is written down and nothing follows from it."""

    name: str = "none"
    rules: tuple[Rule, ...] = ()
    returned_sticks: Returned = "all"
    """Which deposits of the hand go back when it counts as not played: all, or the riichi sticks only."""
    after_last_discard: LastDiscard = "chombo"
    """What a chombo becomes that is found after the last discard: itself, or a dead hand."""
    win_voids_chombo: bool = False
    """Whether a valid win at the same time voids any chombo, not only a false win as 7-05-01-01 says."""
    dead_riichi_shown: bool = False
    """Whether a dead hand in riichi has to be shown at a draw though it counts as noten (WRC 12.3.5)."""
    short_is_bust: bool = False
    """Whether who cannot pay a deposit into the pot goes bust."""
    quick: tuple[QuickFoul, ...] = ()
    """What a seat's foul button steps through, in order: at most six."""
    fouls_decided_by: Deciders = "two"
    """Who has to agree to a foul named on a phone: two people, or one owner."""

    def __post_init__(self) -> None:
        if len(self.quick) > MOST_QUICK:
            raise InvalidValueError(f"expected at most {MOST_QUICK} quick fouls, got {len(self.quick)}")
        for each in self.quick:
            if (rule := self.rule(each.clause)) is None:
                raise InvalidValueError(f"expected quick fouls out of this house's clauses, got {each.clause!r}")
            rule.option(each.option)

    def rule(self, clause: str) -> Rule | None:
        """Returns a clause's rule; None if the house has no such clause."""
        return next((rule for rule in self.rules if rule.clause == clause), None)

    def answer(self, clause: str) -> Rule | None:
        """Returns a clause's rule, or the article that answers it in this house's rulebook; None if nothing does."""
        own = self.rule(clause)
        articles = (rule for rule in self.rules if clause in rule.about)
        return next((each for each in articles if own is None or own.choice == each.clause), own)

    def chosen(self, clause: str) -> tuple[Effect, ...] | None:
        """Returns the effects chosen for a clause; None without such a clause or choice."""
        rule = self.rule(clause)
        option = None if rule is None else rule.option()
        return None if option is None else option.effects

    def chosen_effect(self, clause: str, op: Op) -> Effect | None:
        """Returns the first effect of that kind chosen for a clause."""
        return next((effect for effect in self.chosen(clause) or () if effect.op is op), None)
