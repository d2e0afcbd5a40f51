"""The penalties of a rule set: every clause with its options and the chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.foul_facts import CHOMBO_PAYMENT, check_fact
from table.rules.terms.rule_errors import InvalidValueError

Returned = Literal["all", "riichi"]
LastDiscard = Literal["chombo", "dead_hand"]
Deciders = Literal["two", "owner"]
MOST_QUICK: Final = 6
"""The most quick fouls that people can tell apart by the blinks of a seat's one button."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One way to penalise a foul."""

    letter: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One clause or article with its options and the chosen one."""

    clause: str
    """Its number in the catalogue (`7-05-01`), or a rulebook's article (`EMA 6.3`)."""
    options: tuple[Option, ...]
    choice: str | None = None
    """The chosen option's letter; None leaves it to the referee."""
    title: str = ""
    """The text of a rulebook's article; the texts of clauses are in the catalogue."""
    about: tuple[str, ...] = ()
    """Rules that it penalises and that the catalogue lacks: riichi requirements (`R22`), another book's articles."""

    def __post_init__(self) -> None:
        letters = [option.letter for option in self.options]
        if self.choice is not None and self.choice not in letters:
            raise InvalidValueError(f"expected an option of {', '.join(letters)} in {self.clause}, got {self.choice!r}")

    def option(self, letter: str | None = None) -> Option | None:
        """Returns the option with that letter, or the chosen one; None if it is left to the referee.

        Raises:
            InvalidValueError: the clause has no such option.
        """
        chosen = self.choice if letter is None else letter
        if chosen is None:
            return None
        for option in self.options:
            if option.letter == chosen:
                return option
        letters = ", ".join(option.letter for option in self.options)
        raise InvalidValueError(f"expected an option of {letters} in {self.clause}, got {chosen!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickFoul:
    """A frequent foul that the panel's buttons can name, with everything that affects its consequence."""

    clause: str
    option: str | None = None
    """The option to apply instead of the rule set's."""
    facts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in self.facts:
            check_fact(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyRules:
    """The penalties of a table. Without rules, a foul is logged without consequences."""

    name: str = "none"
    rules: tuple[Rule, ...] = ()
    returned_sticks: Returned = "all"
    """Which deposits are returned if the hand counts as not played: all, or only riichi sticks."""
    after_last_discard: LastDiscard = "chombo"
    """The effect of a chombo found after the last discard: a chombo, or a dead hand."""
    win_voids_chombo: bool = False
    """Whether a valid win at the same time voids any chombo, not only a false win as in 7-05-01-01."""
    dead_riichi_shown: bool = False
    """Whether a dead hand in riichi must be shown at a draw although it counts as noten (WRC 12.3.5)."""
    short_is_bust: bool = False
    """Whether a seat that cannot pay a deposit into the pot goes bust."""
    chombo_counts: bool = True
    """Whether a hand that a chombo ended counts as one that was played, once time was called (EMA); if not, where it
    counts as not having happened (7-02 d), it is played again (WRC)."""
    quick: tuple[QuickFoul, ...] = ()
    """The fouls that a seat's foul button steps through, in order: at most six."""
    fouls_decided_by: Deciders = "two"
    """Who must agree to a foul named on a phone: two people, or one owner."""

    def __post_init__(self) -> None:
        if len(self.quick) > MOST_QUICK:
            raise InvalidValueError(f"expected at most {MOST_QUICK} quick fouls, got {len(self.quick)}")
        for foul in self.quick:
            if (rule := self.rule(foul.clause)) is None:
                raise InvalidValueError(f"expected quick fouls out of this house's clauses, got {foul.clause!r}")
            rule.option(foul.option)

    def rule(self, clause: str) -> Rule | None:
        """Returns a clause's rule; None if the rule set has no such clause."""
        return next((rule for rule in self.rules if rule.clause == clause), None)

    def answer(self, clause: str) -> Rule | None:
        """Returns a clause's rule, or the article of the rule set that penalises the same foul; None without either."""
        rule = self.rule(clause)
        articles = (article for article in self.rules if clause in article.about)
        return next((article for article in articles if rule is None or rule.choice == article.clause), rule)

    def is_named(self, clause: str, name: str) -> bool:
        """Whether a foul named `name` is one of this clause: by its number, or by the article chosen for it."""
        rule = self.rule(clause)
        return name == clause or (rule is not None and rule.choice == name)

    def chosen_effects(self, clause: str) -> tuple[Effect, ...] | None:
        """Returns the effects chosen for a clause; None without such a clause or choice."""
        rule = self.rule(clause)
        option = None if rule is None else rule.option()
        return None if option is None else option.effects

    def chombo_payment(self, ruling: str | None = None) -> tuple[Effect, ...] | None:
        """Returns the effects of the payment for a chombo (7-01); None if the referee decides and has not ruled.

        Args:
            ruling: the letter of the option that the referee chose; ignored if the rule set chooses one.

        Raises:
            InvalidValueError: 7-01 has no such option.
        """
        rule = self.rule(CHOMBO_PAYMENT)
        option = None if rule is None else rule.option(rule.choice or ruling)
        return None if option is None else option.effects

    def chosen_effect(self, clause: str, op: Op) -> Effect | None:
        """Returns the first effect of that kind chosen for a clause."""
        return next((effect for effect in self.chosen_effects(clause) or () if effect.op is op), None)
