"""A house's rules: the switches of play, one chosen option for every clause, amounts, and a rulebook's own articles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Final, Literal, get_args, get_type_hints

from table.rulebook.clause_catalogue import BookOption, Clause, all_clauses, clause_named
from table.rulebook.option_amounts import amounts_of, is_possible, with_amounts
from table.rulebook.rules_file import refusal
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.penalty_rules import Deciders, LastDiscard, Option, PenaltyRules, QuickFoul, Returned, Rule
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError
from table.runtime.typed_text import is_harmless
from vision.strict_reader import Only

SETTINGS: Final[Mapping[str, tuple[str | bool, ...]]] = MappingProxyType(
    {
        name: get_args(kind) or (False, True)
        for name, kind in get_type_hints(PenaltyRules).items()
        if name not in ("name", "rules", "quick")
    }
)
"""The settings of a house besides its choices, and their possible values."""
REFEREE: Final = "referee"
"""A choice in place of an option: the referee decides, and nothing follows automatically."""
MARKS: Final = "[P] read in the book; [tenhou] by its manual and records; [S] second-hand: check it before a tournament"
"""The meaning of the marks before sources."""
SECOND_HAND: Final = "[S]"
"""The mark before the source of a choice that nobody has read in the book itself."""


FileText = Annotated[str, Only("a text without signs that command a terminal", is_harmless)]
"""A text that is shown, of a file that may be a stranger's."""
_FileLine = Annotated[str, Only("one line of text", lambda text: is_harmless(text) and [text] == text.splitlines())]


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A rulebook's own answer to something that the catalogue does not cover, or covers differently."""

    number: _FileLine
    """The book's name for it, e.g. `EMA 6.3`, which is also the clause of a logged foul."""
    title: FileText
    effects: tuple[Effect, ...]
    evidence: Literal["read", "second_hand", "missing"]
    """`read` in the book, `second_hand`, or `missing`: no value was found, so the referee decides."""
    about: tuple[str, ...] = ()
    """The suspicions that it covers and the catalogue does not: `R22`."""

    @property
    def is_certain(self) -> bool:
        """Whether it was read in the book itself."""
        return self.evidence == "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """All rules of a house.

    `table.rulebook.ruleset_reader` makes it from a file or a preset, and checks every name. The constructor checks that
    choices and amounts exist, so that code cannot make an invalid set either.
    """

    name: str
    switches: Ruleset
    """The switches of play without the penalties; `ruleset` has both."""
    choices: Mapping[str, str]
    """An option's letter, an article's number or `referee` for every clause, including our own."""
    amounts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Amounts by name, by option: `7-01 f`."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """The source of each choice: an article, with `[S]` before it if it is second-hand."""
    switch_sources: Mapping[str, str] = field(default_factory=dict)
    """The source of each switch of play, likewise."""
    articles: tuple[Article, ...] = ()
    returned_sticks: Returned = "all"
    """Which deposits of the hand are returned if it counts as not played."""
    after_last_discard: LastDiscard = "chombo"
    """The result of a chombo that is found after the last discard."""
    win_voids_chombo: bool = False
    """Whether a valid win at the same time voids any chombo."""
    dead_riichi_shown: bool = False
    """Whether a dead hand in riichi must be shown at a draw although it counts as noten."""
    short_is_bust: bool = False
    """Whether a player who cannot pay a deposit into the pot goes bust."""
    chombo_counts: bool = True
    """Whether a hand that a chombo ended counts as one that was played, once time was called, also with 7-02 d."""
    fouls_decided_by: Deciders = "two"
    """Who must confirm a foul named on a phone."""
    quick: tuple[QuickFoul, ...] = ()
    """The fouls that a seat's foul button steps through, in order."""

    def __post_init__(self) -> None:
        for number in all_clauses():
            if number not in self.choices:
                raise refusal(self.name, "choices", f"an option for {number}", "nothing")
        for number, choice in self.choices.items():
            allowed = self.allowed_choices(number)
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
            raise ConfigError(f"{self.name}: {self._wrong_quick()}: {error}") from error

    def _wrong_quick(self) -> str:
        """Returns the key of the first quick foul that is wrong by itself, or of their list if each alone is valid."""
        for index, foul in enumerate(self.quick if len(self.quick) > 1 else ()):
            try:
                replace(self, quick=(foul,))
            except ConfigError:
                return f"quick[{index}]"
        return "quick[0]" if len(self.quick) == 1 else "quick"

    def allowed_choices(self, number: str) -> tuple[str, ...]:
        """Returns the allowed choices for a clause: its options' letters, the articles' numbers, and `referee`.

        Raises:
            ConfigError: there is no such clause.
        """
        return (*clause_named(number).letters, *(article.number for article in self.articles), REFEREE)

    def effects(self, number: str, letter: str) -> tuple[Effect, ...]:
        """Returns the effects of an option or article, with the house's amounts."""
        article = self.article(letter)
        effects = article.effects if article is not None else clause_named(number).option(letter).effects
        return with_amounts(effects, self.amounts.get(f"{number} {letter}", self.amounts.get(letter, {})))

    def article(self, number: str) -> Article | None:
        """Returns an article of this house's rulebook; None if no article has that number."""
        return next((article for article in self.articles if article.number == number), None)

    def is_guess(self, clause: Clause, option: BookOption) -> bool:
        """Whether the source lacks a digit of an option's amount and the house has not set that amount."""
        return any(
            effect.is_digit_lost and effect.op is Op.PAY for effect in self.effects(clause.number, option.letter)
        )

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are played, including penalties."""
        return self.switches.but(penalties=self.penalties)

    @property
    def penalties(self) -> PenaltyRules:
        """The penalties in the form that the rules use."""
        clauses = tuple(self._rule(clause) for clause in all_clauses().values())
        article_rules = tuple(
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
            rules=clauses + article_rules,
            quick=self.quick,
            **{name: getattr(self, name) for name in SETTINGS},
        )

    def _rule(self, clause: Clause) -> Rule:
        choice = self.choices[clause.number]
        letters = list(clause.letters)
        if self.article(choice) is not None:
            letters.append(choice)
        options = tuple(Option(letter=letter, effects=self.effects(clause.number, letter)) for letter in letters)
        return Rule(clause=clause.number, options=options, choice=None if choice == REFEREE else choice)

    def _check_amounts(self, key: str, amounts: Mapping[str, int]) -> None:
        place = f'amounts."{key}"'
        effects_by_option = {
            f"{clause.number} {option.letter}": option.effects
            for clause in all_clauses().values()
            for option in clause.options
        }
        effects_by_option |= {article.number: article.effects for article in self.articles}
        if key not in effects_by_option:
            raise refusal(self.name, place, "an option with an amount, such as 7-01 f", key, effects_by_option)
        allowed = amounts_of(effects_by_option[key])
        for name, points in amounts.items():
            if name not in allowed:
                raise refusal(self.name, place, "an amount of this option", name, allowed)
            if not is_possible(points):
                raise refusal(self.name, f"{place}.{name}", "points in whole hundreds, from 100", points)
