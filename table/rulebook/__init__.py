"""The penalty catalogue: clauses and options as data, presets of rulebooks, and a house's choices."""

from table.rulebook.clause_catalogue import BookOption, Clause, all_clauses, catalogue_of_clauses
from table.rulebook.clause_texts import BookTexts, book_languages, book_texts
from table.rulebook.house_rules import Article, HouseRules
from table.rulebook.ruleset_reader import SHIPPED, parse_house
from table.rulebook.ruleset_registry import known_rules, rules_named
from table.rulebook.ruleset_writer import write_house

__all__ = [
    "SHIPPED",
    "Article",
    "BookOption",
    "BookTexts",
    "Clause",
    "HouseRules",
    "all_clauses",
    "book_languages",
    "book_texts",
    "catalogue_of_clauses",
    "known_rules",
    "parse_house",
    "rules_named",
    "write_house",
]
