"""A house's rules: the switches of play, one chosen option for every clause, amounts, and a rulebook's own articles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, get_args

from table.rulebook.clause_catalogue import BookOption, Clause, all_clauses, clause_named
from table.rulebook.option_amounts import amounts_of, is_possible, with_amounts
from table.rulebook.rules_file import refusal
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.penalty_rules import Deciders, LastDiscard, Option, PenaltyRules, QuickFoul, Returned, Rule
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError

SETTINGS: Final[Mapping[str, tuple[str | bool, ...]]] = MappingProxyType(
    {
        "returned_sticks": get_args(Returned),
        "after_last_discard": get_args(LastDiscard),
        "win_voids_chombo": (False, True),
        "dead_riichi_shown": (False, True),
        "short_is_bust": (False, True),
        "fouls_decided_by": get_args(Deciders),
    }
)
"""What a house settles besides its choices, and what each may be."""
REFEREE: Final = "referee"
"""Chosen instead of an option: the referee decides, and nothing follows automatically."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A rulebook's own answer where the catalogue has none, or an infraction that the catalogue does not know."""

    number: str
    """How the book calls it, e.g. `EMA 6.3`: also the clause under which such a foul is logged."""
    title: str
    effects: tuple[Effect, ...]
    evidence: Literal["read", "second_hand", "missing"]
    """`read` in the book, `second_hand`, or `missing`: no value was found, the referee rules."""
    about: tuple[str, ...] = ()
    """What it answers that the catalogue does not know, as the tracker suspects it: `R22`."""

    @property
    def is_certain(self) -> bool:
        """Whether the book itself was read."""
        return self.evidence == "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """All rules of a house.

    Built by `table.rulebook.ruleset_reader` from a file or a preset, which checks every name; the constructor checks
    that choices and amounts exist, so that a wrong set cannot be made in code either.
    """

    name: str
    ruleset: Ruleset
    choices: Mapping[str, str]
    """An option's letter, an article's number or `referee` for every clause, ours too."""
    amounts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By `7-01 f`: amounts by their name."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Why a clause is chosen so: an article, with `[S]` where it is second-hand."""
    switch_sources: Mapping[str, str] = field(default_factory=dict)
    """Where a switch of play has its value from, likewise."""
    articles: tuple[Article, ...] = ()
    returned_sticks: Returned = "all"
    """Which deposits of the hand go back when it counts as not played."""
    after_last_discard: LastDiscard = "chombo"
    """What a chombo becomes that is found after the last discard."""
    win_voids_chombo: bool = False
    """Whether a valid win at the same time voids any chombo."""
    dead_riichi_shown: bool = False
    """Whether a dead hand in riichi has to be shown at a draw though it counts as noten."""
    short_is_bust: bool = False
    """Whether who cannot pay a deposit into the pot goes bust."""
    fouls_decided_by: Deciders = "two"
    """Who has to agree to a foul named on a phone."""
    quick: tuple[QuickFoul, ...] = ()
    """What a seat's foul button steps through, in order."""

    def __post_init__(self) -> None:
        for number in all_clauses():
            if number not in self.choices:
                raise refusal(self.name, "choices", f"an option for {number}", "nothing")
        for number, choice in self.choices.items():
            allowed = self.allowed(number)
            if choice not in allowed:
                raise refusal(self.name, f'choices."{number}"', "an option", choice, allowed)
        for key, amounts in self.amounts.items():
            self._check_amounts(key, amounts)
        for key, values in SETTINGS.items():
            if getattr(self, key) not in values:
                raise refusal(self.name, key, "one of these", getattr(self, key), map(str, values))
        try:
            _ = self.penalties
        except RulesError as error:
            raise ConfigError(f"{self.name}: quick: {error}") from error

    def allowed(self, number: str) -> tuple[str, ...]:
        """Returns what may be chosen for a clause.

        Raises:
            ConfigError: there is no such clause.
        """
        return (*clause_named(number).letters, *(article.number for article in self.articles), REFEREE)

    def effects(self, number: str, letter: str) -> tuple[Effect, ...]:
        """Returns the effects of an option or article, with the house's amounts."""
        article = self.article(letter)
        plain = article.effects if article is not None else clause_named(number).option(letter).effects
        return with_amounts(plain, self.amounts.get(f"{number} {letter}", self.amounts.get(letter, {})))

    def article(self, number: str) -> Article | None:
        """Returns an article of this house's rulebook; None if it has none of that number."""
        return next((article for article in self.articles if article.number == number), None)

    def is_guess(self, clause: Clause, option: BookOption) -> bool:
        """Whether an option's amount lost its digit in the source and the house has set none."""
        return any(
            effect.is_digit_lost and effect.op is Op.PAY for effect in self.effects(clause.number, option.letter)
        )

    @property
    def play(self) -> Ruleset:
        """The rules to play by, penalties included."""
        return self.ruleset.but(penalties=self.penalties)

    @property
    def penalties(self) -> PenaltyRules:
        """The penalties as the rules know them."""
        clauses = tuple(self._rule(clause) for clause in all_clauses().values())
        own = tuple(
            Rule(
                clause=article.number,
                options=(Option(letter="a", effects=self.effects("", article.number)),),
                choice="a",
                title=article.title,
                about=article.about,
            )
            for article in self.articles
        )
        return PenaltyRules(
            name=self.name,
            rules=clauses + own,
            returned_sticks=self.returned_sticks,
            after_last_discard=self.after_last_discard,
            win_voids_chombo=self.win_voids_chombo,
            dead_riichi_shown=self.dead_riichi_shown,
            short_is_bust=self.short_is_bust,
            quick=self.quick,
            fouls_decided_by=self.fouls_decided_by,
        )

    def _rule(self, clause: Clause) -> Rule:
        choice = self.choices[clause.number]
        letters = list(clause.letters)
        if self.article(choice) is not None:
            letters.append(choice)
        options = tuple(Option(letter=each, effects=self.effects(clause.number, each)) for each in letters)
        return Rule(clause=clause.number, options=options, choice=None if choice == REFEREE else choice)

    def _check_amounts(self, key: str, amounts: Mapping[str, int]) -> None:
        where = f'amounts."{key}"'
        known = {
            f"{clause.number} {option.letter}": option.effects for clause in _clauses() for option in clause.options
        }
        known |= {article.number: article.effects for article in self.articles}
        if key not in known:
            raise refusal(self.name, where, "an option with an amount, such as 7-01 f", key, known)
        allowed = amounts_of(known[key])
        for name, points in amounts.items():
            if name not in allowed:
                raise refusal(self.name, where, "an amount of this option", name, allowed)
            if not is_possible(points):
                raise refusal(self.name, f"{where}.{name}", "points in whole hundreds, from 100", points)


def _clauses() -> tuple[Clause, ...]:
    return tuple(all_clauses().values())
